// SPDX-License-Identifier: Apache-2.0
#include "dossier/window.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/csv.h"
#include "base/error.h"
#include "dossier/evaluations.h"
#include "dossier/layout.h"

namespace etalon::dossier {

namespace {

/// One step over all ranks.
struct Joined {
  std::int64_t units = 0;
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ns = 0;
  std::int64_t ranks = 0;
};

base::Error unusable(const std::filesystem::path& path, const std::string& problem) {
  return base::Error(base::ExitCode::verification_failed, fmt::format("{}: {}", path.string(), problem));
}

/// Steps `first` to `last` of all ranks.
std::vector<Joined> read_steps(const std::filesystem::path& path, std::int64_t first, std::int64_t last) {
  base::CsvReader reader(path);
  const std::size_t index_column = reader.column("index");
  const std::size_t start_column = reader.column("start_ns");
  const std::size_t end_column = reader.column("end_ns");
  const std::size_t units_column = reader.column("units");
  std::vector<Joined> steps;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    const std::int64_t index = reader.integer(cells, index_column);
    if (index < first || index > last) continue;
    const auto position = static_cast<std::size_t>(index - first);
    if (position > steps.size()) throw unusable(path, fmt::format("step {} comes before step {}", index, index - 1));
    if (position == steps.size()) steps.emplace_back();
    Joined& step = steps[position];
    const std::int64_t start_ns = reader.integer(cells, start_column);
    const std::int64_t end_ns = reader.integer(cells, end_column);
    const std::int64_t units = reader.integer(cells, units_column);
    if (start_ns < 0 || end_ns < start_ns || units < 0 || __builtin_add_overflow(step.units, units, &step.units))
      throw unusable(path, fmt::format("step {} has impossible times or units", index));
    step.start_ns = std::min(step.start_ns, start_ns);
    step.end_ns = std::max(step.end_ns, end_ns);
    ++step.ranks;
  }
  return steps;
}

}  // namespace

statistics::ThroughputSettings throughput_settings(const recipe::Recipe& recipe) {
  statistics::ThroughputSettings settings;
  settings.confidence = recipe.measure.confidence;
  if (recipe.measure.fewest_batches > 0)
    settings.fewest_batches = static_cast<std::size_t>(recipe.measure.fewest_batches);
  return settings;
}

WindowSeries read_window(const std::filesystem::path& launch_folder, const measure::Window& window,
                         const LaunchEvents& events) {
  return read_steps_window(launch_folder / steps_file, window, events);
}

WindowSeries read_steps_window(const std::filesystem::path& path, const measure::Window& window,
                               const LaunchEvents& events) {
  if (window.first_step < 0 || window.last_step < window.first_step)
    throw unusable(path, fmt::format("the window of steps {} to {} is no window", window.first_step, window.last_step));
  const std::int64_t before = window.first_step == 0 ? 0 : 1;
  const std::vector<Joined> steps = read_steps(path, window.first_step - before, window.last_step);
  if (static_cast<std::int64_t>(steps.size()) - before <= window.last_step - window.first_step)
    throw unusable(path, fmt::format("the window reaches step {}, which is not recorded", window.last_step));
  WindowSeries series;
  series.start_ns = before == 1 ? steps.front().end_ns : steps.front().start_ns;
  series.end_ns = series.start_ns;
  series.steps.reserve(steps.size());
  EvaluationTime evaluations(events.evals);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::int64_t index = window.first_step - before + static_cast<std::int64_t>(i);
    if (steps[i].ranks != std::max<std::int64_t>(events.world_size, 1))
      throw unusable(path,
                     fmt::format("step {} is recorded for {} ranks of {}", index, steps[i].ranks, events.world_size));
    if (index < window.first_step) continue;
    if (steps[i].end_ns < series.end_ns)
      throw unusable(path, fmt::format("step {} ends before the step before it", index));
    const std::int64_t excluded = evaluations.within(series.end_ns, steps[i].end_ns);
    series.steps.push_back({steps[i].units, steps[i].end_ns - series.end_ns - excluded});
    series.excluded_ns += excluded;
    series.end_ns = steps[i].end_ns;
  }
  return series;
}

}  // namespace etalon::dossier
