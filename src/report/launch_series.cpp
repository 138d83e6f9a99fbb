// SPDX-License-Identifier: Apache-2.0
#include "report/launch_series.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/csv.h"
#include "dossier/layout.h"
#include "dossier/steps.h"
#include "dossier/window.h"

namespace etalon::report {

namespace {

constexpr std::size_t most_points_read = 1500;
constexpr std::size_t fewest_means =
    100;  // of a drawing: larger batches, which an interval may ask for, would hide its shape
constexpr double gates_together = 0.02;  // of the launch's length: closer ones would cover each other's names

double seconds_since(std::int64_t origin_ns, std::int64_t time_ns) { return base::seconds(time_ns - origin_ns); }

/// Σ units ÷ Σ time of groups of steps, so laid that one begins with the window.
class BatchMeans {
 public:
  BatchMeans(std::int64_t batch_steps, std::int64_t first_of_window)
      : batch_steps_(batch_steps), left_(first_of_window % batch_steps) {
    if (left_ == 0) left_ = batch_steps_;
  }
  void add(const statistics::StepSample& step, double end_seconds) {
    units_ += static_cast<double>(step.units);
    nanoseconds_ += static_cast<double>(step.duration_ns);
    if (--left_ > 0) return;
    if (nanoseconds_ > 0) means_.add(end_seconds, units_ / (nanoseconds_ / 1e9));
    units_ = nanoseconds_ = 0;
    left_ = batch_steps_;
  }
  std::vector<Point> points() const { return means_.points(); }

 private:
  std::int64_t batch_steps_;
  std::int64_t left_;
  double units_ = 0;
  double nanoseconds_ = 0;
  Envelope means_{most_points_read};
};

class Reader {
 public:
  Reader(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch, LaunchSeries& series)
      : dossier_(dossier), launch_(launch), folder_(dossier.folder / launch.folder), series_(series) {}

  void read() {
    series_.events = dossier::read_events(folder_);
    if (!series_.events.unit.empty()) series_.unit = series_.events.unit;
    read_steps();
    read_memory();
    read_openings();
    read_telemetry();
  }

 private:
  void read_steps() {
    dossier::for_each_step(folder_, series_.events, [this](const dossier::JoinedStep& step) { take(step); });
    series_.loss = loss_.points();
    if (!samples_.empty()) series_.end_seconds = seconds_since(series_.first_step_ns, ends_ns_.back());
    finish_window();
    draw_throughput();
  }

  void take(const dossier::JoinedStep& step) {
    if (series_.steps++ == 0) series_.first_step_ns = step.start_ns;
    samples_.push_back({step.units, step.duration_ns});
    ends_ns_.push_back(step.end_ns);
    if (step.loss_nats) loss_.add(seconds_since(series_.first_step_ns, step.end_ns), *step.loss_nats);
    const auto& window = launch_.outcome.window;
    if (!window || step.index < window->first_step || step.index > window->last_step) return;
    if (!series_.window) {
      series_.window.emplace();
      series_.window->start_ns = step.index == 0 ? step.start_ns : ends_ns_[ends_ns_.size() - 2];
    }
    series_.window->milliseconds.push_back(static_cast<double>(step.duration_ns) / 1e6);
    series_.window->end_ns = step.end_ns;
    series_.window->duration_ns += step.duration_ns;
    if (step.data_wait_ns) series_.window->data_wait.add(step.index, *step.data_wait_ns);
    waiting_ns_ += static_cast<double>(step.waiting_ns);
    gpu_ns_ += static_cast<double>(step.gpu_ns.value_or(0));
    gpu_steps_ += step.gpu_ns ? 1 : 0;
  }

  void finish_window() {
    if (!series_.window) return;
    WindowSteps& window = *series_.window;
    window.start_seconds = seconds_since(series_.first_step_ns, *window.start_ns);
    window.end_seconds = seconds_since(series_.first_step_ns, window.end_ns);
    const auto duration_ns = static_cast<double>(window.duration_ns);
    if (duration_ns > 0) window.waiting_share = waiting_ns_ / duration_ns;
    if (duration_ns > 0 && gpu_steps_ == window.milliseconds.size()) window.gpu_share = gpu_ns_ / duration_ns;
    const auto first = static_cast<std::size_t>(std::max<std::int64_t>(launch_.outcome.window->first_step, 0));
    const std::span<const statistics::StepSample> steps(samples_.data() + first, window.milliseconds.size());
    try {
      window.throughput = statistics::throughput(steps, dossier::throughput_settings(dossier_.recipe.recipe));
    } catch (const std::invalid_argument& error) {
      series_.problem = error.what();
    }
  }

  void draw_throughput() {
    const auto& window = launch_.outcome.window;
    series_.batch_steps = series_.window ? series_.window->throughput.batch_size : 0;
    const std::size_t smallest = statistics::ThroughputSettings().smallest_batch;
    series_.batch_steps = std::clamp(series_.batch_steps, smallest, std::max(smallest, samples_.size() / fewest_means));
    BatchMeans means(static_cast<std::int64_t>(series_.batch_steps),
                     window ? std::max<std::int64_t>(window->first_step, 0) : 0);
    for (std::size_t i = 0; i < samples_.size(); ++i)
      means.add(samples_[i], seconds_since(series_.first_step_ns, ends_ns_[i]));
    series_.throughput = means.points();
  }

  void read_memory() {
    Envelope envelope(most_points_read);
    double highest = 0;
    for (const dossier::MemoryRecord& record : series_.events.memory) {
      highest = std::max(highest, static_cast<double>(record.device_peak_reserved_bytes.value_or(0)));
      if (highest > 0) envelope.add(seconds_since(series_.first_step_ns, record.time_ns), highest);
    }
    series_.device_memory = envelope.points();
  }

  /// A gate may open and close again: the last opening is the one that counted.
  void read_openings() {
    std::map<std::string, double> opened;
    for (const dossier::GateChange& change : series_.events.gates) {
      opened.erase(change.gate);
      if (change.open) opened[change.gate] = seconds_since(series_.first_step_ns, change.time_ns);
    }
    std::vector<GateOpening> openings;
    for (const auto& [gate, seconds] : opened) openings.push_back({gate, seconds});
    std::ranges::stable_sort(openings, {}, &GateOpening::seconds);
    for (const GateOpening& opening : openings) {
      std::vector<GateOpening>& result = series_.openings;
      if (!result.empty() && opening.seconds - result.back().seconds < gates_together * series_.end_seconds)
        result.back().gates += ", " + opening.gates;
      else
        result.push_back(opening);
    }
  }

  void read_telemetry() {
    base::CsvReader reader(folder_ / dossier::telemetry_file);
    std::vector<Envelope> envelopes;
    for (const measure::Channel& channel : launch_.outcome.channels) {
      if (channel.state != "value" || series_.channels.size() + 1 >= reader.header().size()) continue;
      series_.channels.push_back({channel, {}, {}});
      envelopes.emplace_back(most_points_read);
    }
    std::vector<std::string_view> cells;
    while (reader.next(cells)) {
      const std::int64_t time_ns = reader.integer(cells, 0);
      const bool counts =
          !series_.window || (time_ns >= *series_.window->start_ns && time_ns <= series_.window->end_ns);
      const double seconds = seconds_since(series_.steps > 0 ? series_.first_step_ns : first_row(time_ns), time_ns);
      for (std::size_t i = 0; i < series_.channels.size(); ++i) {
        if (cells[i + 1].empty()) continue;
        const double value = reader.real(cells, i + 1);
        envelopes[i].add(seconds, value);
        if (counts) keep(series_.channels[i], value);
      }
    }
    for (std::size_t i = 0; i < envelopes.size(); ++i) series_.channels[i].points = envelopes[i].points();
  }

  static void keep(ChannelSeries& channel, double value) {
    channel.summary.add(value);
    if (channel.channel.unit != "bitmask" || value < 0 || value >= 65536) return;
    const auto mask = static_cast<std::uint32_t>(value);
    for (std::size_t bit = 0; bit < bits_of_a_mask; ++bit)
      if ((mask >> bit & 1U) != 0) ++channel.bit_counts[bit];
  }

  std::int64_t first_row(std::int64_t time_ns) {
    if (!first_row_ns_) first_row_ns_ = time_ns;
    return *first_row_ns_;
  }

  const dossier::Dossier& dossier_;
  const dossier::LaunchRecord& launch_;
  std::filesystem::path folder_;
  LaunchSeries& series_;
  std::vector<statistics::StepSample> samples_;
  std::vector<std::int64_t> ends_ns_;
  Envelope loss_{most_points_read};
  double waiting_ns_ = 0;
  double gpu_ns_ = 0;
  std::size_t gpu_steps_ = 0;
  std::optional<std::int64_t> first_row_ns_;
};

}  // namespace

void DataWait::add(std::int64_t step, std::int64_t wait_ns) {
  ++steps;
  total_ns += wait_ns;
  if (wait_ns <= longest_ns) return;
  longest_ns = wait_ns;
  longest_step = step;
}

void Summary::add(double value) {
  if (count++ == 0) {
    lowest = highest = first = value;
  }
  lowest = std::min(lowest, value);
  highest = std::max(highest, value);
  last = value;
  sum += value;
}

LaunchSeries read_launch_series(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch) {
  LaunchSeries series;
  series.launch = launch.index;
  try {
    Reader(dossier, launch, series).read();
  } catch (const std::exception& error) {
    series.problem = error.what();
  }
  return series;
}

const LaunchSeries* Material::measured() const {
  const auto found =
      std::ranges::find_if(launches, [](const LaunchSeries& launch) { return launch.window.has_value(); });
  return found == launches.end() ? nullptr : &*found;
}

Material read_material(const dossier::Dossier& dossier) {
  Material material{dossier, {}};
  for (const dossier::LaunchRecord& launch : dossier.launches)
    material.launches.push_back(read_launch_series(dossier, launch));
  return material;
}

const ChannelSeries* find_channel(const LaunchSeries& launch, std::string_view name) {
  const auto found = std::ranges::find_if(launch.channels,
                                          [name](const ChannelSeries& series) { return series.channel.name == name; });
  return found == launch.channels.end() || found->summary.count == 0 ? nullptr : &*found;
}

}  // namespace etalon::report
