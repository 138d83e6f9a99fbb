// SPDX-License-Identifier: Apache-2.0
// What the charts have in common: Vega-Lite specifications with time below, warm-up shaded, the measured window tinted and the
// openings of the gates marked. Names from a dossier stand in data and titles only, never in an expression.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "report/document.h"
#include "report/launch_series.h"

namespace etalon::report {

struct Line {
  std::string label;
  std::vector<Point> points;  ///< x in seconds since the first step, y as the axis shows it
  bool as_points = false;     ///< dots instead of a line
};

struct LaunchLines {
  const LaunchSeries* launch = nullptr;
  std::vector<Line> lines;
};

/// A chart over time, one panel per launch.
struct TimeChart {
  std::string name;  ///< "throughput": the panels' pictures are throughput-1, …
  std::string title;
  std::string axis;  ///< "tokens per second"
  std::string description;
  std::vector<LaunchLines> launches;
  bool from_zero = false;
};

struct Range {
  double low = 0;
  double high = 1;
};

/// More launches are not drawn, and the description says so.
inline constexpr std::size_t most_panels = 12;

Chart draw(const TimeChart& chart);

/// Size, colours and fonts; layers are to be added. `panels` stand side by side.
base::Json empty_specification(std::size_t panels);

/// "x,y\n1,2\n…" as Vega-Lite reads it.
base::Json inline_data(const std::vector<Point>& points);

/// A quantitative channel over a fixed range.
base::Json quantitative(const std::string& field, const std::string& title, const Range& range);

/// Some room around what is drawn.
Range padded(const Range& range);

/// "12 more launches are not drawn.", or nothing.
std::string left_out(std::size_t launches);

inline constexpr const char* muted_colour = "#5b6472";
inline constexpr const char* first_colour = "#3b82f6";

}  // namespace etalon::report
