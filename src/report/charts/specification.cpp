// SPDX-License-Identifier: Apache-2.0
#include "report/charts/specification.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace etalon::report {

namespace {

using base::Json;

constexpr std::size_t most_points_in_panel = 2400;
constexpr std::size_t fewest_points_of_line = 120;
constexpr double room_for_names = 0.1;         // above what is drawn: the phases have their names there
constexpr double least_labelled_share = 0.12;  // of the axis: a narrower phase has no room for its name

struct TimeUnit {
  double seconds;
  const char* name;
};

TimeUnit time_unit(double seconds) {
  if (seconds <= 300) return {1, "s"};
  if (seconds <= 3 * 3600) return {60, "min"};
  return {3600, "h"};
}

struct Frame {
  TimeUnit unit{1, "s"};
  Range time;
  Range value;
};

/// The same axes for all panels, so that launches can be compared by eye.
Frame frame_of(const TimeChart& chart) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Frame frame;
  frame.time = {0, 0};
  frame.value = {infinity, -infinity};
  for (const LaunchLines& panel : chart.launches) {
    frame.time.high = std::max(frame.time.high, panel.launch->end_seconds);
    for (const Line& line : panel.lines)
      for (const Point& point : line.points) {
        frame.time.low = std::min(frame.time.low, point.x);
        frame.time.high = std::max(frame.time.high, point.x);
        frame.value.low = std::min(frame.value.low, point.y);
        frame.value.high = std::max(frame.value.high, point.y);
      }
  }
  frame.unit = time_unit(frame.time.high - frame.time.low);
  frame.time.low /= frame.unit.seconds;
  frame.time.high /= frame.unit.seconds;
  frame.value = padded(frame.value);
  frame.value.high += room_for_names * (frame.value.high - frame.value.low);
  if (chart.from_zero) frame.value.low = 0;
  return frame;
}

Json text_mark(const char* align, const char* baseline) {
  return {{"type", "text"}, {"align", align}, {"baseline", baseline}, {"color", muted_colour}, {"fontSize", 10}};
}

/// Warm-up and measured window as coloured ground, with their names.
void add_phases(const LaunchSeries& launch, const Frame& frame, Json& layers) {
  if (!launch.window) return;
  const double start = launch.window->start_seconds / frame.unit.seconds;
  const double end = launch.window->end_seconds / frame.unit.seconds;
  const double least = least_labelled_share * (frame.time.high - frame.time.low);
  const auto phase = [&](const char* name, const char* colour, double opacity, double from, double to) {
    if (!(to > from)) return;
    Json values = Json::array({{{"x", from}, {"x2", to}, {"name", to - from >= least ? name : ""}}});
    layers.push_back({{"data", {{"values", values}}},
                      {"mark", {{"type", "rect"}, {"color", colour}, {"opacity", opacity}, {"clip", true}}},
                      {"encoding", {{"x2", {{"field", "x2"}}}}}});
    Json text = text_mark("left", "top");
    text["dx"] = 4;
    text["clip"] = true;
    layers.push_back({{"data", {{"values", std::move(values)}}},
                      {"mark", std::move(text)},
                      {"encoding", {{"y", {{"value", 4}}}, {"text", {{"field", "name"}}}}}});
  };
  phase("warm-up", "#64748b", 0.14, 0, start);
  phase("measured", "#22a06b", 0.13, start, end);
}

void add_openings(const LaunchSeries& launch, const Frame& frame, Json& layers) {
  if (launch.openings.empty()) return;
  Json values = Json::array();
  for (const GateOpening& opening : launch.openings)
    values.push_back({{"x", opening.seconds / frame.unit.seconds}, {"name", opening.gates + " open"}});
  layers.push_back({{"data", {{"values", values}}},
                    {"mark", {{"type", "rule"}, {"color", muted_colour}, {"strokeDash", {3, 3}}, {"clip", true}}}});
  Json text = text_mark("left", "bottom");
  text["angle"] = 270;
  text["dx"] = 4;
  text["dy"] = -1;
  text["clip"] = true;
  layers.push_back({{"data", {{"values", std::move(values)}}},
                    {"mark", std::move(text)},
                    {"encoding", {{"y", {{"value", "height"}}}, {"text", {{"field", "name"}}}}}});
}

void add_line(const Line& line, const TimeChart& chart, const Frame& frame, std::size_t lines, Json& layers) {
  std::vector<Point> points = thinned(line.points, std::max(most_points_in_panel / lines, fewest_points_of_line));
  for (Point& point : points) point.x /= frame.unit.seconds;
  Json mark = {{"type", "line"}, {"strokeWidth", 1.5}, {"strokeJoin", "round"}, {"clip", true}};
  if (line.as_points) mark = {{"type", "point"}, {"filled", true}, {"size", 50}, {"opacity", 1}, {"clip", true}};
  Json encoding = {{"y", quantitative("y", chart.axis, frame.value)}};
  if (lines > 1) encoding["color"] = {{"datum", line.label}, {"title", nullptr}};
  if (lines == 1) mark["color"] = first_colour;
  layers.push_back({{"name", fmt::format("{}-{}", line.as_points ? "points" : "line", layers.size())},
                    {"description", line.label},
                    {"data", inline_data(points)},
                    {"mark", std::move(mark)},
                    {"encoding", std::move(encoding)}});
}

Panel draw_panel(const TimeChart& chart, const LaunchLines& panel, const Frame& frame, std::size_t panels) {
  Json specification = empty_specification(panels);
  specification["encoding"] = {
      {"x", quantitative("x", fmt::format("time since the first step ({})", frame.unit.name), frame.time)}};
  specification["encoding"]["x"]["axis"] = {{"grid", false}};
  Json layers = Json::array();
  add_phases(*panel.launch, frame, layers);
  add_openings(*panel.launch, frame, layers);
  for (const Line& line : panel.lines) add_line(line, chart, frame, panel.lines.size(), layers);
  specification["layer"] = std::move(layers);
  return {fmt::format("{}-{}", chart.name, panel.launch->launch), fmt::format("Launch {}", panel.launch->launch),
          std::move(specification)};
}

Json configuration() {
  Json axis = {{"labelColor", muted_colour}, {"titleColor", muted_colour},  {"gridColor", "#e3e7ec"},
               {"domainColor", "#b8c0cc"},   {"tickColor", "#b8c0cc"},      {"labelFontSize", 11},
               {"titleFontSize", 11},        {"titleFontWeight", "normal"}, {"titlePadding", 8},
               {"labelOverlap", "greedy"},   {"labelFlush", false}};
  Json legend = {{"labelColor", muted_colour}, {"labelFontSize", 11}, {"orient", "bottom"},
                 {"labelLimit", 300},          {"columns", 2},        {"symbolStrokeWidth", 3}};
  return {{"font", "system-ui, Arial, sans-serif"},
          {"aria", false},
          {"axis", std::move(axis)},
          {"legend", std::move(legend)},
          {"view", {{"stroke", nullptr}}},
          {"range",
           {{"category",
             {first_colour, "#f08c2e", "#22a06b", "#e5484d", "#8b6ef2", "#14a3b8", "#d6569f", "#a8901c", "#93b9f9",
              "#f7c08a", "#7fcfae", "#f19a9d", "#bfaef8", "#7fd0dc", "#eaa6cd", "#d0c06c"}}}}};
}

}  // namespace

Json empty_specification(std::size_t panels) {
  return {{"width", panels > 1 ? 440 : 760},
          {"height", 260},
          {"autosize", {{"type", "fit"}, {"contains", "padding"}}},
          {"background", nullptr},
          {"config", configuration()}};
}

Json inline_data(const std::vector<Point>& points) {
  std::string text = "x,y";
  for (const Point& point : points) text += fmt::format("\n{:.6g},{:.6g}", point.x, point.y);
  return {{"values", std::move(text)}, {"format", {{"type", "csv"}, {"parse", {{"x", "number"}, {"y", "number"}}}}}};
}

Json quantitative(const std::string& field, const std::string& title, const Range& range) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", {range.low, range.high}}, {"nice", false}, {"zero", false}}}};
}

Range padded(const Range& range) {
  const double span = range.high - range.low;
  if (!(span >= 0)) return {0, 1};
  const double room = span > 0 ? 0.06 * span : std::max(1e-9, 0.05 * std::max(range.high, -range.high));
  const double low = range.low >= 0 ? std::max(0.0, range.low - room) : range.low - room;
  return {low, range.high + room};
}

std::string left_out(std::size_t launches) {
  if (launches <= most_panels) return "";
  return fmt::format(" {} more launches are not drawn.", launches - most_panels);
}

Chart draw(const TimeChart& chart) {
  Chart drawn{chart.title, chart.description + left_out(chart.launches.size()), {}};
  const Frame frame = frame_of(chart);
  const std::size_t panels = std::min(chart.launches.size(), most_panels);
  for (std::size_t i = 0; i < panels; ++i) drawn.panels.push_back(draw_panel(chart, chart.launches[i], frame, panels));
  return drawn;
}

}  // namespace etalon::report
