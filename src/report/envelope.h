// SPDX-License-Identifier: Apache-2.0
// Thinning of long series for drawing: the lowest and the highest of every stretch survive, so no peak is lost. Never for
// computing: figures come from the full series.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace etalon::report {

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

/// Takes a series of any length in constant memory. Stretches hold equally many samples; when there are too many of them,
/// neighbours are joined.
class Envelope {
 public:
  /// At most `most_points` and four more come out; all samples do while they are not more than half of that.
  explicit Envelope(std::size_t most_points);

  /// `x` must not decrease; values that are not finite are left out.
  void add(double x, double y);
  /// In the order of x.
  std::vector<Point> points() const;
  std::size_t samples() const { return samples_; }

 private:
  struct Stretch {
    Point lowest;
    Point highest;
  };
  void join_neighbours();

  std::size_t most_stretches_;
  std::vector<Stretch> stretches_;
  std::size_t samples_per_stretch_ = 1;
  std::size_t samples_in_last_ = 0;
  std::size_t samples_ = 0;
  std::optional<Point> first_;
  Point last_;
};

/// The same for a series at hand.
std::vector<Point> thinned(std::span<const Point> series, std::size_t most_points);

}  // namespace etalon::report
