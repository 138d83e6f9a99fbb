// SPDX-License-Identifier: Apache-2.0
// How the times of the measured steps are spread; what lies far out is counted in words, so that the shape stays visible.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number.h"
#include "report/charts/catalog.h"
#include "report/charts/specification.h"
#include "statistics/series.h"

namespace etalon::report {

namespace {

using base::Json;

constexpr std::size_t bins = 48;
constexpr double tail = 0.005;  // of the steps on either side may lie outside of what is drawn

struct Distribution {
  const LaunchSeries* launch = nullptr;
  double median = 0;
  double low_tail = 0;
  double high_tail = 0;
  double slowest = 0;
};

Distribution distribution_of(const LaunchSeries& launch) {
  const std::vector<double>& times = launch.window->milliseconds;
  return {&launch, statistics::median(times), statistics::quantile(times, tail), statistics::quantile(times, 1 - tail),
          *std::ranges::max_element(times)};
}

std::size_t outside(const Distribution& distribution, const Range& range) {
  return static_cast<std::size_t>(std::ranges::count_if(
      distribution.launch->window->milliseconds, [&](double time) { return time < range.low || time > range.high; }));
}

/// Bars over `range`; a step on an inner edge belongs to the bar on its right.
Json bars(const std::vector<double>& times, const Range& range) {
  std::vector<std::int64_t> counts(bins);
  const double width = (range.high - range.low) / static_cast<double>(bins);
  for (const double time : times) {
    if (time < range.low || time > range.high) continue;
    const auto bin = static_cast<std::size_t>((time - range.low) / width);
    ++counts[std::min(bin, bins - 1)];
  }
  Json values = Json::array();
  for (std::size_t i = 0; i < bins; ++i)
    if (counts[i] > 0)
      values.push_back({{"x", range.low + width * static_cast<double>(i)},
                        {"x2", range.low + width * static_cast<double>(i + 1)},
                        {"y", counts[i]}});
  return values;
}

Panel draw_panel(const Distribution& distribution, const Range& range, std::size_t panels) {
  Json specification = empty_specification(panels);
  specification["height"] = 220;
  specification["encoding"] = {{"x", quantitative("x", "time of a step (ms)", range)}};
  specification["encoding"]["x"]["axis"] = {{"grid", false}};
  Json layers = Json::array();
  layers.push_back({{"data", {{"values", bars(distribution.launch->window->milliseconds, range)}}},
                    {"mark", {{"type", "rect"}, {"color", first_colour}, {"opacity", 0.85}, {"clip", true}}},
                    {"encoding",
                     {{"x2", {{"field", "x2"}}},
                      {"y", {{"field", "y"}, {"type", "quantitative"}, {"title", "steps"}}},
                      {"y2", {{"datum", 0}}}}}});
  Json median = Json::array(
      {{{"x", distribution.median}, {"name", fmt::format("median {} ms", base::to_human(distribution.median, 4))}}});
  layers.push_back(
      {{"data", {{"values", median}}}, {"mark", {{"type", "rule"}, {"color", muted_colour}, {"strokeDash", {3, 3}}}}});
  layers.push_back({{"data", {{"values", std::move(median)}}},
                    {"mark",
                     {{"type", "text"},
                      {"align", "left"},
                      {"baseline", "top"},
                      {"dx", 4},
                      {"color", muted_colour},
                      {"fontSize", 10}}},
                    {"encoding", {{"y", {{"value", 2}}}, {"text", {{"field", "name"}}}}}});
  specification["layer"] = std::move(layers);
  return {fmt::format("step-time-{}", distribution.launch->launch),
          fmt::format("Launch {}", distribution.launch->launch), std::move(specification)};
}

std::string in_words(const Distribution& distribution, const Range& range) {
  const std::size_t steps = distribution.launch->window->milliseconds.size();
  std::string text = fmt::format("Launch {}: {} steps, median {} ms, 99 % between {} and {} ms, the slowest {} ms",
                                 distribution.launch->launch, steps, base::to_human(distribution.median, 4),
                                 base::to_human(distribution.low_tail, 4), base::to_human(distribution.high_tail, 4),
                                 base::to_human(distribution.slowest, 4));
  if (const std::size_t beyond = outside(distribution, range); beyond > 0)
    text += fmt::format("; {} {} outside of what is drawn", beyond, beyond == 1 ? "step lies" : "steps lie");
  return text + ".";
}

std::optional<Chart> chart(const Material& material) {
  std::vector<Distribution> launches;
  for (const LaunchSeries& launch : material.launches)
    if (launch.window && !launch.window->milliseconds.empty()) launches.push_back(distribution_of(launch));
  if (launches.empty()) return std::nullopt;
  Range range{launches.front().low_tail, launches.front().high_tail};
  for (const Distribution& distribution : launches) {
    range.low = std::min(range.low, distribution.low_tail);
    range.high = std::max(range.high, distribution.high_tail);
  }
  range = padded(range);
  Chart chart{"Time of a step", "", {}};
  const std::size_t panels = std::min(launches.size(), most_panels);
  for (std::size_t i = 0; i < panels; ++i) {
    chart.description += (i == 0 ? "" : " ") + in_words(launches[i], range);
    chart.panels.push_back(draw_panel(launches[i], range, panels));
  }
  chart.description += left_out(launches.size());
  return chart;
}

}  // namespace

ChartMaker make_step_time_chart() { return {"step_time", "how the times of the measured steps are spread", chart}; }

}  // namespace etalon::report
