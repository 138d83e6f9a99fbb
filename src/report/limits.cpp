// SPDX-License-Identifier: Apache-2.0
#include "report/limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "report/key_facts.h"

namespace etalon::report {

namespace {

// Shares from which on something counts as holding a run back.
constexpr double waiting_share = 0.02;
constexpr double outside_events_share = 0.03;
constexpr double busy_percent = 90;
constexpr double stolen_percent = 1;
constexpr double waiting_percent = 5;
constexpr double full_memory_share = 0.95;
constexpr double capped_share = 0.5;
constexpr double throttled_share = 0.01;

// Bits of NVML's clock event reasons.
constexpr std::size_t power_cap_bit = 2;
constexpr std::size_t hardware_slowdown_bit = 3;
constexpr std::size_t software_thermal_bit = 5;
constexpr std::size_t hardware_thermal_bit = 6;
constexpr std::size_t power_brake_bit = 7;

std::string percent(double share) { return base::to_human(100 * share, 2) + " %"; }
std::string bytes(double count) { return base::human_bytes(count); }
Bearing bearing_if(bool limits) { return limits ? Bearing::limits : Bearing::does_not; }

bool on_cpu(const LaunchSeries& launch) {
  const base::Json& hello = launch.events.hello;
  return hello.is_object() && hello.value("device", base::Json()) == "cpu";
}

/// Whatever the host does before it begins a step: reading data, logging, saving.
Limit waiting_between_steps(const Material&, const LaunchSeries& launch) {
  const double share = launch.window->waiting_share;
  return {
      "waiting between steps", bearing_if(share > waiting_share),
      fmt::format(
          "{} of the window lay between the end of a step and the start of the next: data and other work of the host",
          percent(share))};
}

Limit gaps_inside_steps(const Material&, const LaunchSeries& launch) {
  Limit limit{"gaps between kernels", Bearing::not_known, "when each kernel began and ended is not recorded"};
  if (on_cpu(launch)) return {"gaps between kernels", Bearing::does_not, "the model ran on the CPU"};
  const std::optional<double> share = launch.window->gpu_share;
  if (share && 1 - *share > outside_events_share)
    return {limit.what, Bearing::limits,
            fmt::format("{} of the window lay outside of the CUDA events around the steps: the GPU waited for the host",
                        percent(1 - *share))};
  if (share) limit.evidence += fmt::format("; {} of the window lay within the steps' CUDA events", percent(*share));
  return limit;
}

Limit processors(const Material&, const LaunchSeries& launch) {
  Limit limit{"processors", Bearing::not_known, "their use was not recorded"};
  const ChannelSeries* use = find_channel(launch, "cpu_use_percent");
  if (use == nullptr) return limit;
  const double busy = use->summary.mean();
  limit.bearing = bearing_if(busy > busy_percent);
  limit.evidence = fmt::format("in use {} % of the time", base::to_human(busy, 3));
  if (const ChannelSeries* steal = find_channel(launch, "cpu_steal_percent")) {
    limit.evidence += fmt::format(", taken away by the hypervisor {} %", base::to_human(steal->summary.mean(), 2));
    if (steal->summary.mean() > stolen_percent) limit.bearing = Bearing::limits;
  }
  if (const ChannelSeries* pressure = find_channel(launch, "pressure_cpu_percent"))
    limit.evidence += fmt::format(", tasks waited for them {} %", base::to_human(pressure->summary.mean(), 2));
  return limit;
}

Limit discs(const Material&, const LaunchSeries& launch) {
  const ChannelSeries* pressure = find_channel(launch, "pressure_io_percent");
  if (pressure == nullptr) return {"discs", Bearing::not_known, "waiting for them was not recorded"};
  return {"discs", bearing_if(pressure->summary.mean() > waiting_percent),
          fmt::format("some task waited for them {} % of the time", base::to_human(pressure->summary.mean(), 2))};
}

Limit host_memory(const Material& material, const LaunchSeries& launch) {
  const ChannelSeries* used = find_channel(launch, "memory_used_bytes");
  const auto total = machine_number(material.dossier, "memory.total");
  if (used == nullptr || !total || *total <= 0)
    return {"memory of the host", Bearing::not_known, "its use or its size was not recorded"};
  Limit limit{"memory of the host", bearing_if(used->summary.highest > full_memory_share * *total),
              fmt::format("at most {} of {} in use", bytes(used->summary.highest), bytes(*total))};
  const ChannelSeries* swap = find_channel(launch, "swap_used_bytes");
  if (swap != nullptr && swap->summary.last > swap->summary.first) {
    limit.bearing = Bearing::limits;
    limit.evidence += fmt::format("; swap grew by {}", bytes(swap->summary.last - swap->summary.first));
  }
  return limit;
}

Limit device_memory(const Material& material, const LaunchSeries& launch) {
  const char* what = "memory of the device";
  if (on_cpu(launch)) return {what, Bearing::does_not, "the model ran on the CPU"};
  const auto total = machine_number(material.dossier, "nvidia.0.memory");
  if (launch.device_memory.empty() || !total || *total <= 0)
    return {what, Bearing::not_known, "its use or its size was not recorded"};
  const double peak = launch.device_memory.back().y;
  const bool full = peak > full_memory_share * *total;
  return {what, bearing_if(full),
          fmt::format("at most {} of {} reserved: {}", bytes(peak), bytes(*total),
                      full ? "a larger batch would not fit" : "there is room for a larger batch")};
}

/// Channels that hold NVML's reasons for lower clocks, one per card.
std::vector<const ChannelSeries*> reasons(const LaunchSeries& launch) {
  std::vector<const ChannelSeries*> found;
  for (const ChannelSeries& series : launch.channels)
    if (series.channel.unit == "bitmask" && series.channel.name.find("reasons") != std::string::npos &&
        series.summary.count > 0)
      found.push_back(&series);
  return found;
}

double highest_share(const std::vector<const ChannelSeries*>& channels, std::size_t bit) {
  double share = 0;
  for (const ChannelSeries* series : channels)
    share = std::max(share, static_cast<double>(series->bit_counts[bit]) / static_cast<double>(series->summary.count));
  return share;
}

Limit power_cap(const Material&, const LaunchSeries& launch) {
  const auto channels = reasons(launch);
  if (channels.empty())
    return {"power limit", Bearing::not_known,
            on_cpu(launch) ? "nothing about the power limits of processors was recorded"
                           : "the card's reasons for its clocks were not recorded"};
  const double share = highest_share(channels, power_cap_bit);
  return {
      "power limit", bearing_if(share > capped_share),
      fmt::format(
          "it held the clocks down {} of the time: usual for a card under load, a faster step is then one with fewer "
          "joules",
          percent(share))};
}

Limit heat(const Material&, const LaunchSeries& launch) {
  const auto channels = reasons(launch);
  if (channels.empty()) return {"heat", Bearing::not_known, "whether heat held the clocks down was not recorded"};
  double share = 0;
  for (const std::size_t bit : {hardware_slowdown_bit, software_thermal_bit, hardware_thermal_bit, power_brake_bit})
    share = std::max(share, highest_share(channels, bit));
  return {"heat", bearing_if(share > throttled_share),
          fmt::format("heat, or the hardware's protection, held the clocks down {} of the time", percent(share))};
}

using Rule = Limit (*)(const Material&, const LaunchSeries&);
constexpr Rule rules[] = {waiting_between_steps, gaps_inside_steps, processors, discs,
                          host_memory,           device_memory,     power_cap,  heat};

}  // namespace

std::vector<Limit> find_limits(const Material& material) {
  const LaunchSeries* launch = material.measured();
  if (launch == nullptr) return {{"everything", Bearing::not_known, "no launch reached its measured window"}};
  std::vector<Limit> limits;
  for (const Rule rule : rules) limits.push_back(rule(material, *launch));
  return limits;
}

}  // namespace etalon::report
