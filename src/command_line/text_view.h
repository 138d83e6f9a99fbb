// SPDX-License-Identifier: Apache-2.0
// A run for people: on a terminal a block of lines rewritten in place, else a plain line every ten seconds; the result
// goes to standard output.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "command_line/display.h"
#include "command_line/live_block.h"

namespace etalon::command_line {

struct TextViewSettings {
  bool quiet = false;     ///< the result alone
  bool terminal = false;  ///< the log stream is one: rewrite in place
  bool colours = false;
  std::function<TerminalSize()> size;
};

/// From this process's standard streams: a terminal on standard error, NO_COLOR and TERM=dumb heeded.
TextViewSettings text_view_settings(bool quiet);

/// `log` gets what happens, `result` the headline.
std::unique_ptr<EventSink> make_text_view(const TextViewSettings& settings, std::ostream& log, std::ostream& result);

/// The lines of the live block for a "progress" event: phase, speed, one line per gate with how far it is, the machine.
std::vector<std::string> progress_lines(const base::Json& progress, bool colours);

/// The same in one line, for logs.
std::string progress_line(const base::Json& progress);

/// "12,345 tokens/s (95 % interval 12,300 – 12,390, ±0.4 %)"
std::string headline_text(const dossier::HeadlineValue& value);

}  // namespace etalon::command_line
