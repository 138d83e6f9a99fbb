// SPDX-License-Identifier: Apache-2.0
// What a person, a log file or a program sees of a run: every moment becomes one JSON event, and a sink makes of it what it
// likes. So a run that is watched later shows what it would have shown at once.
#pragma once

#include <memory>

#include "base/json.h"
#include "pipeline.h"

namespace etalon::command_line {

/// Takes events as docs/running.md describes them: {"event": "planned" | "preflight" | "launch" | "progress" | "sealing" | "result", …}.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void take(const base::Json& event) = 0;
};

class Display : public pipeline::Observer {
 public:
  explicit Display(std::unique_ptr<EventSink> sink) : sink_(std::move(sink)) {}

  void planned(const pipeline::Plan& plan) override;
  void checked(const preflight::Preflight& preflight) override;
  void launch_started(std::int64_t index, std::int64_t of) override;
  void progress(const measure::Progress& progress) override;
  void sealing(const std::filesystem::path& folder) override;
  void finished(const pipeline::RunResult& result);

 private:
  std::unique_ptr<EventSink> sink_;
};

/// One JSON object per line on standard output.
std::unique_ptr<EventSink> make_json_lines();

}  // namespace etalon::command_line
