// SPDX-License-Identifier: Apache-2.0
#include "command_line/display.h"

#include <iostream>

#include "command_line/run_events.h"

namespace etalon::command_line {

namespace {

class JsonLines : public EventSink {
 public:
  void take(const base::Json& event) override { std::cout << base::to_line(event) << std::endl; }
};

}  // namespace

void Display::planned(const pipeline::Plan& plan) { sink_->take(planned_event(plan)); }
void Display::checked(const preflight::Preflight& preflight) { sink_->take(preflight_event(preflight)); }
void Display::launch_started(std::int64_t index, std::int64_t of) { sink_->take(launch_event(index, of)); }
void Display::progress(const measure::Progress& progress) { sink_->take(progress_event(progress)); }
void Display::sealing(const std::filesystem::path& folder) { sink_->take(sealing_event(folder)); }
void Display::finished(const pipeline::RunResult& result) { sink_->take(result_event(result)); }

std::unique_ptr<EventSink> make_json_lines() { return std::make_unique<JsonLines>(); }

}  // namespace etalon::command_line
