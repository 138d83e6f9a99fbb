// SPDX-License-Identifier: Apache-2.0
// A launch of the fake worker with a recorder in memory and a recipe that is over in a second.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure/measure.h"
#include "measure/recording.h"
#include "recipe/recipe.h"
#include "wire/socket.h"

namespace etalon::measure {

inline constexpr std::int64_t second = 1'000'000'000;  ///< in nanoseconds

struct RecordedEvent {
  std::string from;
  int rank = 0;
  base::Json event;
};

class MemoryRecorder : public Recorder {
 public:
  void step(int rank, const wire::Step& step) override {
    if (rank == 0) ++steps;
    if (keep_steps) kept_steps.emplace_back(rank, step);
  }
  void event(std::string_view from, int rank, const base::Json& event) override {
    events.push_back({std::string(from), rank, event});
  }
  void telemetry(std::int64_t, const std::vector<std::optional<double>>& cells) override {
    telemetry_rows.push_back(cells);
  }
  void log(std::string_view bytes) override { output.append(bytes); }
  void flush(bool to_disk) override { ++(to_disk ? syncs : flushes); }

  const base::Json* find(std::string_view type) const {
    const auto found = std::ranges::find_if(
        events, [type](const RecordedEvent& recorded) { return recorded.event.at("type") == type; });
    return found == events.end() ? nullptr : &found->event;
  }

  bool keep_steps = false;
  std::int64_t steps = 0;
  std::vector<std::pair<int, wire::Step>> kept_steps;
  std::vector<RecordedEvent> events;
  std::vector<std::vector<std::optional<double>>> telemetry_rows;
  std::string output;
  int flushes = 0;
  int syncs = 0;
};

inline recipe::Recipe short_recipe() {
  recipe::Recipe recipe;
  recipe.title = "scripted";
  recipe.training.optimizer.betas = {0.9, 0.95};
  recipe.training.schedule.total_steps = 100;
  recipe.engine.name = "native";
  recipe.launch.startup_deadline_seconds = 10;
  recipe.launch.silence_deadline_seconds = 3;
  recipe.measure.profile = "quick";
  recipe.measure.launches = 1;
  recipe.measure.warmup_seconds = 0.1;
  recipe.measure.window_seconds = 0.3;
  recipe.measure.cap_seconds = 10;
  recipe.measure.until = "window";
  recipe.measure.confidence = 0.95;
  recipe.measure.half_width = 0.05;
  recipe.measure.fewest_batches = 10;
  recipe.measure.drift = 0.05;
  recipe.measure.telemetry_interval_seconds = 0.05;
  return recipe;
}

/// What a launch of `program` with these arguments needs; sources, progress and graces may be added.
inline Session session_of(const recipe::Recipe& recipe, wire::Listener& listener, Recorder& recorder,
                          const std::filesystem::path& program, std::vector<std::string> arguments = {}) {
  Session session{.recipe = recipe,
                  .listener = listener,
                  .command = {},
                  .recorder = recorder,
                  .sources = {},
                  .progress = {},
                  .graces = {}};
  session.command.program = program;
  session.command.arguments = std::move(arguments);
  session.command.set = {{"ETALON_SOCKET", listener.path().string()}};
  return session;
}

struct FakeLaunch {
  recipe::Recipe recipe = short_recipe();
  std::vector<std::string> script;
  int interrupt_descriptor = -1;
  MemoryRecorder recorder;
  std::vector<Progress> progress;
  std::vector<std::unique_ptr<Source>> sources;
  std::function<void(const Progress&)> on_progress;

  LaunchOutcome run() {
    wire::Listener listener("/tmp");
    Session session = session_of(recipe, listener, recorder, ETALON_FAKE_WORKER, script);
    session.sources = std::move(sources);
    session.interrupt_descriptor = interrupt_descriptor;
    session.progress = [this](const Progress& seen) {
      progress.push_back(seen);
      if (on_progress) on_progress(seen);
    };
    session.graces = {.stop = 1, .exit = 1, .interrupt = 1, .failure = 1, .lost = 0.5};
    return measure(session);
  }
};

}  // namespace etalon::measure
