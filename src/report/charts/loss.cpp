// SPDX-License-Identifier: Apache-2.0
// Training loss of every launch, with its evaluations on held-out data.
#include <map>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "report/charts/catalog.h"
#include "report/charts/specification.h"

namespace etalon::report {

namespace {

std::vector<Line> lines_of(const LaunchSeries& launch) {
  std::vector<Line> lines;
  if (!launch.loss.empty()) lines.push_back({"training", launch.loss});
  std::map<std::string, std::vector<Point>> evaluations;
  for (const dossier::EvalRecord& eval : launch.events.evals)
    if (eval.rank == 0)
      evaluations[eval.name].push_back({base::seconds(eval.end_ns - launch.first_step_ns), eval.loss});
  for (auto& [name, points] : evaluations)
    if (lines.size() < 4) lines.push_back({name, std::move(points), true});
  return lines;
}

std::string in_words(const LaunchSeries& launch, const std::vector<Line>& lines) {
  std::string text = fmt::format("Launch {}: ", launch.launch);
  for (const Line& line : lines)
    text += fmt::format("{}{} from {} to {}", &line == lines.data() ? "" : ", ", line.label,
                        base::to_human(line.points.front().y, 4), base::to_human(line.points.back().y, 4));
  return text + fmt::format(" nats per {}.", launch.unit);
}

std::optional<Chart> chart(const Material& material) {
  TimeChart chart{"loss", "Loss", "", "", {}, false};
  for (const LaunchSeries& launch : material.launches) {
    std::vector<Line> lines = lines_of(launch);
    if (lines.empty()) continue;
    chart.axis = "nats per " + launch.unit;
    if (chart.launches.size() < most_panels)
      chart.description += (chart.description.empty() ? "" : " ") + in_words(launch, lines);
    chart.launches.push_back({&launch, std::move(lines)});
  }
  if (chart.launches.empty()) return std::nullopt;
  return draw(chart);
}

}  // namespace

ChartMaker make_loss_chart() { return {"loss", "training loss and evaluations over time", chart}; }

}  // namespace etalon::report
