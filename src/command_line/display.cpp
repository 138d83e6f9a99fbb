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

void Display::show(const base::Json& event) {
  for (const auto& sink : sinks_) sink->take(event);
}

void Display::planned(const pipeline::Plan& plan) { show(planned_event(plan)); }
void Display::checked(const preflight::Preflight& preflight) { show(preflight_event(preflight)); }
void Display::launch_started(std::int64_t index, std::int64_t of) { show(launch_event(index, of)); }
void Display::progress(const measure::Progress& progress) { show(progress_event(progress)); }
void Display::sealing(const std::filesystem::path& folder) { show(sealing_event(folder)); }
void Display::finished(const pipeline::RunResult& result) { show(result_event(result)); }

std::unique_ptr<EventSink> make_json_lines() { return std::make_unique<JsonLines>(); }

}  // namespace etalon::command_line
