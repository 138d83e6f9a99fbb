// SPDX-License-Identifier: Apache-2.0
// The raw series of a launch, read once: what sections and charts need of them, small whatever the length of the run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dossier/dossier.h"
#include "dossier/events.h"
#include "report/envelope.h"
#include "statistics/interval.h"

namespace etalon::report {

/// Extremes and mean of a channel within the measured window (of the whole launch when there was none).
struct Summary {
  double lowest = 0;
  double highest = 0;
  double first = 0;
  double last = 0;
  double sum = 0;
  std::int64_t count = 0;

  void add(double value);
  double mean() const { return sum / static_cast<double>(count); }
};

inline constexpr std::size_t bits_of_a_mask = 16;

/// One column of telemetry.csv.
struct ChannelSeries {
  measure::Channel channel;
  Summary summary;
  std::vector<Point> points;  ///< seconds since the first step; thinned for drawing
  std::array<std::int64_t, bits_of_a_mask> bit_counts =
      {};  ///< of a channel with the unit "bitmask": rows with bit i set
};

/// What rank 0 told of its waiting for data, in the steps of the window.
struct DataWait {
  std::int64_t steps = 0;  ///< that tell
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
  std::int64_t longest_step = 0;

  void add(std::int64_t step, std::int64_t wait_ns);
};

/// Steps inside the measured window.
struct WindowSteps {
  double start_seconds = 0;
  double end_seconds = 0;
  std::vector<double> milliseconds;   ///< time of every step
  statistics::Throughput throughput;  ///< over the window
  double waiting_share = 0;           ///< of the window's time, between the end of a step and the start of the next
  std::optional<double> gpu_share;    ///< of the window's time, between the CUDA events of its steps
  std::optional<std::int64_t> start_ns = {};  ///< CLOCK_MONOTONIC
  std::int64_t end_ns = 0;
  std::int64_t duration_ns = 0;  ///< of all its steps, evaluations taken out
  DataWait data_wait = {};
};

struct GateOpening {
  std::string gates;  ///< "precision, drift"
  double seconds = 0;
};

struct LaunchSeries {
  std::int64_t launch = 1;
  std::string problem;  ///< in words, when the series cannot be read; what was read before it is kept
  dossier::LaunchEvents events;
  std::string unit = "unit";       ///< "token"
  std::int64_t steps = 0;          ///< that all ranks finished
  std::int64_t first_step_ns = 0;  ///< zero of every time in seconds
  double end_seconds = 0;          ///< end of the last step
  std::size_t batch_steps = 0;     ///< of one batch mean
  std::vector<Point> throughput;   ///< batch means of the whole launch, units per second; thinned
  std::vector<Point> loss;         ///< nats per unit; thinned
  std::optional<WindowSteps> window;
  std::vector<GateOpening> openings;  ///< the last of each gate; those close to each other together
  std::vector<ChannelSeries> channels;
  std::vector<Point> device_memory;  ///< highest reserved bytes of any rank so far, as the workers reported it; thinned
};

/// Never throws for what a launch lacks or what cannot be read: see LaunchSeries::problem.
LaunchSeries read_launch_series(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch);

/// The dossier and the series of its launches: what a report is made from.
struct Material {
  const dossier::Dossier& dossier;
  std::vector<LaunchSeries> launches;

  /// For sections that need no series.
  operator const dossier::Dossier&() const { return dossier; }  // NOLINT(google-explicit-constructor)
  /// The first launch with a measured window; nullptr when there is none.
  const LaunchSeries* measured() const;
};
Material read_material(const dossier::Dossier& dossier);

/// A channel by its name; nullptr when it has no values.
const ChannelSeries* find_channel(const LaunchSeries& launch, std::string_view name);

}  // namespace etalon::report
