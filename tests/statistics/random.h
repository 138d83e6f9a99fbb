// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same wherever the tests run: splitmix64 (Steele et al. 2014) and Box-Muller.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace etalon::tests {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  /// In (0, 1).
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) / 4503599627370496.0; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }

 private:
  std::uint64_t state_;
};

/// A stationary first-order autoregression with unit variance.
inline std::vector<double> autoregression(Random& random, double correlation, std::size_t count) {
  std::vector<double> values(count);
  double value = random.normal();
  for (double& slot : values) {
    slot = value;
    value = correlation * value + std::sqrt(1 - correlation * correlation) * random.normal();
  }
  return values;
}

}  // namespace etalon::tests
