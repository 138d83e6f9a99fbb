// SPDX-License-Identifier: Apache-2.0
// The measured window under the magnifying glass: how far each batch mean lies from the value, with its interval.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/charts/catalog.h"
#include "report/charts/specification.h"

namespace etalon::report {

namespace {

using base::Json;

struct Deviations {
  const LaunchSeries* launch = nullptr;
  std::vector<Point> points;  // seconds since the window's start, percent
  double half_width = 0;      // of the interval, percent
};

Deviations deviations_of(const LaunchSeries& launch) {
  const statistics::Estimate& estimate = launch.window->throughput.units_per_second;
  Deviations deviations{&launch, {}, 100 * estimate.relative_half_width()};
  for (const Point& point : launch.throughput)
    if (point.x > launch.window->start_seconds && point.x <= launch.window->end_seconds)
      deviations.points.push_back({point.x - launch.window->start_seconds, 100 * (point.y / estimate.value - 1)});
  return deviations;
}

Panel draw_panel(const Deviations& deviations, double seconds, const Range& percent, std::size_t panels) {
  Json specification = empty_specification(panels);
  specification["height"] = 200;
  specification["encoding"] = {{"x", quantitative("x", "time since the window's start (s)", {0, seconds})}};
  specification["encoding"]["x"]["axis"] = {{"grid", false}};
  const Json axis = quantitative("y", "% from the value", percent);
  const double end = deviations.launch->window->end_seconds - deviations.launch->window->start_seconds;
  Json band = Json::array({{{"x", 0}, {"x2", end}, {"y", -deviations.half_width}, {"y2", deviations.half_width}}});
  Json layers = Json::array();
  layers.push_back({{"data", {{"values", std::move(band)}}},
                    {"mark", {{"type", "rect"}, {"color", "#22a06b"}, {"opacity", 0.25}, {"clip", true}}},
                    {"encoding", {{"x2", {{"field", "x2"}}}, {"y", axis}, {"y2", {{"field", "y2"}}}}}});
  layers.push_back({{"name", "line"},
                    {"description", "batch mean"},
                    {"data", inline_data(deviations.points)},
                    {"mark", {{"type", "line"}, {"color", first_colour}, {"strokeWidth", 1.5}, {"clip", true}}},
                    {"encoding", {{"y", axis}}}});
  specification["layer"] = std::move(layers);
  return {fmt::format("window-{}", deviations.launch->launch), fmt::format("Launch {}", deviations.launch->launch),
          std::move(specification)};
}

std::string in_words(const Deviations& deviations) {
  const auto [lowest, highest] = std::ranges::minmax(deviations.points, {}, &Point::y);
  return fmt::format("Launch {}: batch means between {} % and +{} % of the value; the band is its interval, ±{} %.",
                     deviations.launch->launch, base::to_human(lowest.y, 2), base::to_human(highest.y, 2),
                     base::to_human(deviations.half_width, 2));
}

std::optional<Chart> chart(const Material& material) {
  std::vector<Deviations> launches;
  for (const LaunchSeries& launch : material.launches)
    if (launch.window && launch.window->throughput.units_per_second.samples > 1)
      if (Deviations deviations = deviations_of(launch); !deviations.points.empty())
        launches.push_back(std::move(deviations));
  if (launches.empty()) return std::nullopt;
  double seconds = 0;
  Range percent;
  percent = {0, 0};
  for (const Deviations& deviations : launches) {
    seconds = std::max(seconds, deviations.launch->window->end_seconds - deviations.launch->window->start_seconds);
    const auto [lowest, highest] = std::ranges::minmax(deviations.points, {}, &Point::y);
    percent.low = std::min({percent.low, lowest.y, -deviations.half_width});
    percent.high = std::max({percent.high, highest.y, deviations.half_width});
  }
  Chart chart{"Inside the measured window", "", {}};
  const std::size_t panels = std::min(launches.size(), most_panels);
  for (std::size_t i = 0; i < panels; ++i) {
    chart.description += (i == 0 ? "" : " ") + in_words(launches[i]);
    chart.panels.push_back(draw_panel(launches[i], seconds, padded(percent), panels));
  }
  chart.description += left_out(launches.size());
  return chart;
}

}  // namespace

ChartMaker make_window_chart() {
  return {"window", "how far batch means lie from the value inside the measured window", chart};
}

}  // namespace etalon::report
