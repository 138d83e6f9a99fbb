// SPDX-License-Identifier: Apache-2.0
// Random numbers as a pure function of (name, seed, index): the same on every device and for any number of threads,
// and any element can be had without the ones before it.
#pragma once

#include <cstdint>
#include <string_view>

namespace etalon::data {

/// One round of splitmix64: a well-mixed 64-bit value for each counter.
constexpr std::uint64_t splitmix64(std::uint64_t counter) {
  counter += 0x9E3779B97F4A7C15ULL;
  counter = (counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9ULL;
  counter = (counter ^ (counter >> 27)) * 0x94D049BB133111EBULL;
  return counter ^ (counter >> 31);
}

/// FNV-1a, 64 bit: the key that a name stands for.
constexpr std::uint64_t name_key(std::string_view name) {
  std::uint64_t key = 0xcbf29ce484222325ULL;
  for (const char letter : name) {
    key = (key ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  return key;
}

/// The key of one named stream under a seed; streams of different seeds share nothing.
constexpr std::uint64_t stream_key(std::string_view name, std::int64_t seed) {
  return splitmix64(name_key(name) ^ splitmix64(static_cast<std::uint64_t>(seed)));
}

/// In [0, 1), 53 bits.
constexpr double unit_interval(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

/// In [0, count): the high half of a product, so that no division is needed and the bias is below count / 2^64.
constexpr std::uint64_t below(std::uint64_t random, std::uint64_t count) {
  const std::uint64_t low = (random & 0xffffffffULL) * (count & 0xffffffffULL);
  const std::uint64_t middle = (random >> 32) * (count & 0xffffffffULL) + (low >> 32);
  const std::uint64_t other = (random & 0xffffffffULL) * (count >> 32) + (middle & 0xffffffffULL);
  return (random >> 32) * (count >> 32) + (middle >> 32) + (other >> 32);
}

}  // namespace etalon::data
