// SPDX-License-Identifier: Apache-2.0
// Tukey's fences over a sliding window in O(n log n): ranks of the whole series in a Fenwick tree give any order
// statistic of the window in log n, however wide the window is.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "statistics/series.h"

namespace etalon::statistics {
namespace {

/// Which ranks are in the window now.
class RankWindow {
 public:
  explicit RankWindow(std::size_t ranks) : counts_(ranks + 1, 0), top_(std::bit_floor(ranks)) {}

  void insert(std::size_t rank) { change(rank, 1); }
  void remove(std::size_t rank) { change(rank, -1); }

  /// Rank of the `order`-th smallest member, counted from 0.
  std::size_t at(std::size_t order) const {
    std::size_t position = 0;
    auto left = static_cast<std::int32_t>(order);
    for (std::size_t stride = top_; stride > 0; stride /= 2) {
      if (position + stride >= counts_.size() || counts_[position + stride] > left) continue;
      position += stride;
      left -= counts_[position];
    }
    return position;
  }

 private:
  void change(std::size_t rank, std::int32_t by) {
    for (std::size_t node = rank + 1; node < counts_.size(); node += node & (~node + 1)) counts_[node] += by;
  }

  std::vector<std::int32_t> counts_;
  std::size_t top_;
};

/// A series with its values by rank; equal values have neighbouring ranks, NaN the last ones.
struct Ranked {
  std::vector<double> by_rank;
  std::vector<std::uint32_t> rank_of;

  explicit Ranked(std::span<const double> values) : by_rank(values.size()), rank_of(values.size()) {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double left = values[a];
      const double right = values[b];
      if (left < right || right < left) return left < right;
      if (std::isnan(left) != std::isnan(right)) return std::isnan(right);
      return a < b;
    });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      by_rank[rank] = values[order[rank]];
      rank_of[order[rank]] = static_cast<std::uint32_t>(rank);
    }
  }
};

double window_quantile(const RankWindow& window, const Ranked& ranked, std::size_t members, double probability) {
  const double position = probability * static_cast<double>(members - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  const double low = ranked.by_rank[window.at(below)];
  if (fraction == 0) return low;
  return low + fraction * (ranked.by_rank[window.at(below + 1)] - low);
}

}  // namespace

std::vector<bool> outlier_mask(std::span<const double> values, std::size_t window, double k) {
  std::vector<bool> mask(values.size(), false);
  if (values.empty()) return mask;
  if (window == 0) throw std::invalid_argument("an outlier window of no values");
  if (values.size() > 0x7FFFFFFF) throw std::invalid_argument("more values than an outlier mask is made for");
  const Ranked ranked(values);
  const std::size_t members = std::min(window, values.size());
  RankWindow inside(values.size());
  for (std::size_t index = 0; index < members; ++index) inside.insert(ranked.rank_of[index]);
  std::size_t first = 0;
  for (std::size_t index = 0; index < values.size(); ++index) {
    // Centred where there is room, else the first or last `members` values: every value is judged by as many others.
    while (first + members < values.size() && first + members / 2 < index) {
      inside.remove(ranked.rank_of[first]);
      inside.insert(ranked.rank_of[first + members]);
      ++first;
    }
    const double lower = window_quantile(inside, ranked, members, 0.25);
    const double upper = window_quantile(inside, ranked, members, 0.75);
    const double reach = k * (upper - lower);
    mask[index] = !(values[index] >= lower - reach && values[index] <= upper + reach);
  }
  return mask;
}

}  // namespace etalon::statistics
