// SPDX-License-Identifier: Apache-2.0
// What the tests of all telemetry sources share: a fake machine and a clock that stands still until told otherwise.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fake_root.h"
#include "measure/sources/catalog.h"

namespace etalon::measure {

using Cells = std::vector<std::optional<double>>;

class SourceTest : public testing::Test {
 protected:
  SourceOptions options() {
    return {.root = root_.path(), .clock_ns = [this] { return now_ns_; }};
  }
  FakeRoot root_;
  std::int64_t now_ns_ = 1'000'000'000;
};

inline const Channel& named(const std::vector<Channel>& channels, std::string_view name) {
  for (const Channel& channel : channels) {
    if (channel.name == name) return channel;
  }
  throw std::runtime_error("no channel " + std::string(name));
}

}  // namespace etalon::measure
