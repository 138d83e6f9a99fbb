// SPDX-License-Identifier: Apache-2.0
// What a person, a log file or a program sees of a run: one status line, plain lines, or JSON events.
#pragma once

#include <memory>

#include "pipeline.h"

namespace etalon::command_line {

/// An observer that also shows the end of a run.
class Display : public pipeline::Observer {
 public:
  virtual void finished(const pipeline::RunResult&) {}
};

/// A status line rewritten in place on a terminal (standard error), plain lines every ten seconds otherwise;
/// the headline goes to standard output. `quiet`: the headline alone.
std::unique_ptr<Display> make_text_display(bool quiet);

/// One JSON object per line on standard output; the last is {"event":"result", …}.
std::unique_ptr<Display> make_json_display();

/// "12,345 tokens/s (95 % interval 12,300 – 12,390, ±0.4 %)"
std::string headline_text(const dossier::HeadlineValue& value);

}  // namespace etalon::command_line
