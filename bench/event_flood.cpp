// SPDX-License-Identifier: Apache-2.0
// How many steps a second the controller receives, checks and writes to a dossier without losing one, and its memory.
// The bar is 100,000 steps/s and 60 MB. Usage: event_flood [STEPS_PER_SECOND] [STEPS]
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "dossier/example.h"
#include "measure/harness.h"

namespace {

using namespace etalon;

/// The dossier's own recorder, with a count.
class CountingRecorder : public measure::Recorder {
 public:
  explicit CountingRecorder(measure::Recorder& inner) : inner_(inner) {}
  void step(int rank, const wire::Step& step) override {
    if (steps == 0) first_ns = base::monotonic_ns();
    ++steps;
    inner_.step(rank, step);
  }
  void event(std::string_view from, int rank, const base::Json& event) override {
    if (event.at("type") == "done") {
      last_ns = base::monotonic_ns();
      claimed = event.at("steps").get<std::int64_t>();
    }
    inner_.event(from, rank, event);
  }
  void telemetry(std::int64_t time_ns, const std::vector<std::optional<double>>& cells) override {
    inner_.telemetry(time_ns, cells);
  }
  void log(std::string_view bytes) override { inner_.log(bytes); }
  void flush(bool to_disk) override { inner_.flush(to_disk); }

  std::int64_t steps = 0;
  std::int64_t claimed = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;

 private:
  measure::Recorder& inner_;
};

double cpu_seconds(const rusage& usage) {
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  const auto rate = argc > 1 ? base::parse_integer(argv[1]) : 100'000;
  const auto steps = argc > 2 ? base::parse_integer(argv[2]) : 1'000'000;
  if (!rate || !steps || *rate < 1 || *steps < 1) {
    std::fputs("usage: event_flood [STEPS_PER_SECOND] [STEPS]\n", stderr);
    return 2;
  }
  const TemporaryFolder place;
  dossier::Writer writer = example::begin(place / "run");
  CountingRecorder recorder(writer.begin_launch({}));
  recipe::Recipe recipe = measure::short_recipe();
  recipe.measure.until = "training";
  recipe.measure.cap_seconds = 3600;
  recipe.training.schedule.total_steps = *steps + 1;
  wire::Listener listener("/tmp");
  measure::Session session =
      measure::session_of(recipe, listener, recorder, ETALON_FAKE_WORKER,
                          {fmt::format("rate={}", *rate), fmt::format("steps={}", *steps)});
  const measure::LaunchOutcome outcome = measure::measure(session);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const double seconds = static_cast<double>(recorder.last_ns - recorder.first_ns) / 1e9;
  fmt::print("{} ({})\n", measure::to_text(outcome.verdict), outcome.ending);
  fmt::print(
      "{} steps claimed, {} recorded, {} lost; {:.0f} steps/s over {:.2f} s; {:.2f} µs of CPU time a step; peak "
      "resident memory {} MB\n",
      recorder.claimed, recorder.steps, recorder.claimed - recorder.steps,
      static_cast<double>(recorder.steps) / seconds, seconds,
      1e6 * cpu_seconds(usage) / static_cast<double>(recorder.steps), usage.ru_maxrss / 1000);
  return recorder.claimed == recorder.steps && recorder.steps == *steps ? 0 : 1;
}
