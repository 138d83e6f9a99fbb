// SPDX-License-Identifier: Apache-2.0
#include "report/envelope.h"

#include <algorithm>
#include <cmath>

namespace etalon::report {

Envelope::Envelope(std::size_t most_points) : most_stretches_(std::max<std::size_t>(most_points / 2, 2)) {}

void Envelope::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  const Point point{x, y};
  if (!first_) first_ = point;
  last_ = point;
  ++samples_;
  if (stretches_.empty() || samples_in_last_ == samples_per_stretch_) {
    if (stretches_.size() == most_stretches_) join_neighbours();
    if (stretches_.empty() || samples_in_last_ == samples_per_stretch_) {
      stretches_.push_back({point, point});
      samples_in_last_ = 1;
      return;
    }
  }
  Stretch& stretch = stretches_.back();
  if (y < stretch.lowest.y) stretch.lowest = point;
  if (y > stretch.highest.y) stretch.highest = point;
  ++samples_in_last_;
}

void Envelope::join_neighbours() {
  const std::size_t count = stretches_.size();
  std::vector<Stretch> joined;
  joined.reserve(most_stretches_);
  for (std::size_t i = 0; i < count; i += 2) {
    Stretch stretch = stretches_[i];
    if (i + 1 < count) {
      const Stretch& next = stretches_[i + 1];
      if (next.lowest.y < stretch.lowest.y) stretch.lowest = next.lowest;
      if (next.highest.y > stretch.highest.y) stretch.highest = next.highest;
    }
    joined.push_back(stretch);
  }
  stretches_ = std::move(joined);
  // With an odd number the last stretch is only half full.
  samples_in_last_ = count % 2 == 0 ? 2 * samples_per_stretch_ : samples_per_stretch_;
  samples_per_stretch_ *= 2;
}

std::vector<Point> Envelope::points() const {
  std::vector<Point> result;
  const auto append = [&result](const Point& point) {
    if (result.empty() || result.back() != point) result.push_back(point);
  };
  if (first_) append(*first_);
  for (const Stretch& stretch : stretches_) {
    const bool lowest_first = stretch.lowest.x <= stretch.highest.x;
    append(lowest_first ? stretch.lowest : stretch.highest);
    append(lowest_first ? stretch.highest : stretch.lowest);
  }
  if (first_) append(last_);
  return result;
}

std::vector<Point> thinned(std::span<const Point> series, std::size_t most_points) {
  Envelope envelope(most_points);
  for (const Point& point : series) envelope.add(point.x, point.y);
  return envelope.points();
}

}  // namespace etalon::report
