// SPDX-License-Identifier: Apache-2.0
// Charts of telemetry: a channel says by its unit into which chart it belongs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "report/charts/specification.h"

namespace etalon::report {

struct ChannelChart {
  std::string name;   ///< "temperature"
  std::string title;  ///< "Temperatures"
  std::string axis;   ///< "°C"
  std::string unit;   ///< of the channels it draws: "celsius"
  double scale = 1;   ///< from the channel's unit to the axis'
  bool from_zero = false;
  std::string unit_in_words;  ///< "°C"
  std::string without = {};   ///< channels with this in their names are left to the table
};

/// All channels of the unit, the first 16 of a launch; nothing when no launch has one.
std::optional<TimeChart> channel_chart(const Material& material, const ChannelChart& chart);

/// "GPU 0 temperature: 38.0 to 63.0 °C"; the same values in one word: "… 38.0 °C throughout".
std::string range_in_words(const Line& line, const std::string& unit);

}  // namespace etalon::report
