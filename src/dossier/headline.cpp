// SPDX-License-Identifier: Apache-2.0
// The headline values from the raw files. Writer and verify both call this, so it reads nothing but what is on disk.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "dossier/dossier.h"
#include "dossier/events.h"
#include "dossier/layout.h"
#include "dossier/target.h"
#include "dossier/window.h"
#include "statistics/interval.h"
#include "statistics/series.h"

namespace etalon::dossier {

namespace {

using statistics::Estimate;

/// What one launch gives to the headline.
struct LaunchValues {
  std::string folder;
  std::string unit;  // "token"
  std::int64_t world_size = 1;
  measure::Window window;
  statistics::Throughput throughput;
  double median_step_ms = 0;
};

struct HeldOut {
  std::string folder;
  std::string unit;
  EvalRecord eval;
  std::optional<double> entropy;  // of the source, nats per unit, where it is known
};

/// What a source of known entropy leaves to be learnt.
std::optional<double> source_entropy(const base::Json& config) {
  const base::Json* node = &config;
  for (const char* name : {"details", "data", "entropy_nats_per_token"}) {
    if (!node->is_object() || !node->contains(name)) return std::nullopt;
    node = &node->at(name);
  }
  return node->is_number() && node->get<double>() > 0 ? std::optional(node->get<double>()) : std::nullopt;
}

bool counts(const LaunchRecord& launch) {
  using measure::Verdict;
  return launch.outcome.window && launch.outcome.verdict != Verdict::failed &&
         launch.outcome.verdict != Verdict::refused;
}

/// Launches that bear the headline: those with a window that did not fail; an interrupted one only when no complete one does.
std::vector<LaunchRecord> counted(const std::vector<LaunchRecord>& launches) {
  std::vector<LaunchRecord> complete;
  std::vector<LaunchRecord> cut_short;
  for (const LaunchRecord& launch : launches)
    if (counts(launch))
      (launch.outcome.verdict == measure::Verdict::interrupted ? cut_short : complete).push_back(launch);
  return complete.empty() ? cut_short : complete;
}

LaunchValues values_of(const std::filesystem::path& folder, const recipe::Recipe& recipe, const LaunchRecord& launch) {
  const LaunchEvents events = read_events(folder / launch.folder);
  const WindowSeries series = read_window(folder / launch.folder, *launch.outcome.window, events);
  LaunchValues values;
  values.folder = launch.folder.generic_string();
  values.unit = events.unit.empty() ? "unit" : events.unit;
  values.world_size = std::max<std::int64_t>(events.world_size, 1);
  values.window = *launch.outcome.window;
  try {
    values.throughput = statistics::throughput(series.steps, throughput_settings(recipe));
  } catch (const std::invalid_argument& error) {
    throw base::Error(base::ExitCode::verification_failed,
                      fmt::format("{}/{}: {}", values.folder, steps_file, error.what()));
  }
  std::vector<double> milliseconds;
  milliseconds.reserve(series.steps.size());
  for (const statistics::StepSample& step : series.steps)
    milliseconds.push_back(static_cast<double>(step.duration_ns) / 1e6);
  values.median_step_ms = statistics::median(milliseconds);
  return values;
}

std::optional<HeldOut> held_out_of(const std::filesystem::path& folder, const recipe::Recipe& recipe,
                                   const LaunchRecord& launch) {
  if (launch.outcome.verdict == measure::Verdict::failed || launch.outcome.verdict == measure::Verdict::refused)
    return std::nullopt;
  const LaunchEvents events = read_events(folder / launch.folder);
  for (const EvalRecord& eval : events.evals)
    if (eval.rank == 0 && eval.name == "held-out" && eval.step >= recipe.training.schedule.total_steps)
      return HeldOut{launch.folder.generic_string(), events.unit.empty() ? "unit" : events.unit, eval,
                     source_entropy(events.config)};
  return std::nullopt;
}

Estimate single(double value) {
  Estimate estimate;
  estimate.value = estimate.low = estimate.high = value;
  estimate.samples = 1;
  return estimate;
}

Estimate divided(Estimate estimate, double divisor) {
  estimate.value /= divisor;
  estimate.low /= divisor;
  estimate.high /= divisor;
  return estimate;
}

/// One launch speaks for itself; of several, the launches are the samples.
Estimate across(const std::vector<Estimate>& launches, double confidence) {
  if (launches.size() == 1) return launches.front();
  std::vector<double> values;
  for (const Estimate& launch : launches) values.push_back(launch.value);
  return statistics::independent_mean_estimate(values, confidence);
}

std::string percent(double confidence) { return fmt::format("{:g} %", confidence * 100); }

std::string windows_in_words(const std::vector<LaunchValues>& launches) {
  std::string words;
  for (const LaunchValues& launch : launches)
    words += fmt::format("{}{} steps {} to {}", words.empty() ? "" : "; ", launch.folder, launch.window.first_step,
                         launch.window.last_step);
  return words;
}

/// A rate of every launch, and how its method reads.
struct Metric {
  std::string name;
  std::string unit;
  std::string meaning;
  std::string what;  // "units ÷ time"
  std::function<Estimate(const LaunchValues&)> of;
};

std::vector<Metric> metrics_for(const std::string& unit) {
  const auto world = [](const LaunchValues& launch) { return static_cast<double>(launch.world_size); };
  return {
      {unit + "s_per_second", unit + "s/s", unit + "s per second, all devices", "Σ units ÷ Σ time",
       [](const LaunchValues& launch) { return launch.throughput.units_per_second; }},
      {unit + "s_per_second_per_device", unit + "s/s", unit + "s per second per device", "Σ units ÷ Σ time ÷ devices",
       [world](const LaunchValues& launch) { return divided(launch.throughput.units_per_second, world(launch)); }},
      {"steps_per_second", "steps/s", "optimiser steps per second", "steps ÷ Σ time",
       [](const LaunchValues& launch) { return launch.throughput.steps_per_second; }},
      {"steps_per_second_per_device", "steps/s", "optimiser steps per second ÷ devices", "steps ÷ Σ time ÷ devices",
       [world](const LaunchValues& launch) { return divided(launch.throughput.steps_per_second, world(launch)); }},
      {"step_time_median", "ms", "median time of a step", "median of the steps' times",
       [](const LaunchValues& launch) { return single(launch.median_step_ms); }},
  };
}

std::string method_of(const Metric& metric, const Estimate& estimate, const std::vector<LaunchValues>& launches) {
  std::string method = fmt::format("{} over {}, evaluations taken out", metric.what, windows_in_words(launches));
  if (launches.size() > 1)
    return method + fmt::format("; mean of {} launches with their {} Student-t interval", launches.size(),
                                percent(estimate.confidence));
  if (estimate.samples < 2) return method + "; no interval from one launch";
  return method + fmt::format("; {} Student-t interval over {} batch means of {} steps", percent(estimate.confidence),
                              estimate.samples, launches.front().throughput.batch_size);
}

HeadlineValue rate(const Metric& metric, const std::vector<LaunchValues>& launches, double confidence) {
  std::vector<Estimate> estimates;
  std::string source;
  for (const LaunchValues& launch : launches) {
    estimates.push_back(metric.of(launch));
    source += fmt::format("{}{}/{}, {}/{}", source.empty() ? "" : ", ", launch.folder, steps_file, launch.folder,
                          events_file);
  }
  const Estimate estimate = across(estimates, confidence);
  return {metric.name, metric.unit, metric.meaning, estimate, method_of(metric, estimate, launches), source};
}

HeadlineValue held_out_loss(const std::vector<HeldOut>& launches, double confidence) {
  std::vector<Estimate> estimates;
  std::string source;
  std::string steps;
  for (const HeldOut& launch : launches) {
    estimates.push_back(single(launch.eval.loss));
    source += fmt::format("{}{}/{}", source.empty() ? "" : ", ", launch.folder, events_file);
    steps += fmt::format("{}{}", steps.empty() ? "" : ", ", launch.eval.step);
  }
  const Estimate estimate = across(estimates, confidence);
  std::string method = fmt::format("first evaluation once the schedule's total_steps were done, after {} steps", steps);
  if (launches.size() > 1)
    method +=
        fmt::format("; mean of {} launches with their {} Student-t interval", launches.size(), percent(confidence));
  return {"held_out_loss", "nats/" + launches.front().unit, "held-out loss after the schedule", estimate, method,
          source};
}

/// How far the held-out losses lie above the entropy that the worker declared; nothing where it declared none.
std::optional<HeadlineValue> loss_above_entropy(const std::vector<HeldOut>& launches, double confidence) {
  std::vector<Estimate> estimates;
  for (const HeldOut& launch : launches) {
    if (!launch.entropy) return std::nullopt;
    estimates.push_back(single(100 * (launch.eval.loss / *launch.entropy - 1)));
  }
  return HeadlineValue{"held_out_loss_above_entropy",
                       "%",
                       "held-out loss above the source's entropy",
                       across(estimates, confidence),
                       fmt::format("held_out_loss ÷ {} nats − 1, the entropy that the source declares in config",
                                   base::to_human(*launches.front().entropy, 8)),
                       launches.front().folder + "/" + events_file};
}

/// What one launch gives to the time to the target.
struct Approach {
  std::string folder;
  std::string unit;
  TargetOutcome outcome;
};

/// Launches that could have reached it: not those that failed, nor those that were stopped before they did.
std::vector<Approach> approaches(const std::filesystem::path& folder, const recipe::Recipe& recipe,
                                 const std::vector<LaunchRecord>& launches) {
  using measure::Verdict;
  std::vector<Approach> result;
  for (const LaunchRecord& launch : launches) {
    const Verdict verdict = launch.outcome.verdict;
    if (recipe.target.loss <= 0 || verdict == Verdict::failed || verdict == Verdict::refused) continue;
    const LaunchEvents events = read_events(folder / launch.folder);
    TargetOutcome outcome = target_outcome(folder / launch.folder, events, recipe.target.loss);
    if (verdict == Verdict::interrupted && !outcome.reached_by) continue;
    result.push_back({launch.folder.generic_string(), events.unit.empty() ? "unit" : events.unit, std::move(outcome)});
  }
  return result;
}

/// What is told of launches that all reached the target.
struct TargetMetric {
  const char* name;
  const char* unit;
  const char* meaning;
  const char* method;
  double (*of)(const TargetOutcome& outcome);
};

constexpr std::array<TargetMetric, 3> target_metrics{{
    {"time_to_target", "s", "training time to",
     "time of all steps before the first evaluation that found it, from the start of the first, evaluations taken out",
     [](const TargetOutcome& outcome) { return base::seconds(outcome.training_ns); }},
    {"evaluation_time_to_target", "s", "evaluation time to", "evaluations up to the one that found it",
     [](const TargetOutcome& outcome) { return base::seconds(outcome.evaluation_ns); }},
    {"steps_to_target", "steps", "optimiser steps to", "steps before the evaluation that found it",
     [](const TargetOutcome& outcome) { return static_cast<double>(outcome.reached_by->step); }},
}};

HeadlineValue mean_to_target(const TargetMetric& metric, const std::vector<Approach>& launches,
                             const std::string& target, const std::string& source, double confidence) {
  std::vector<Estimate> estimates;
  for (const Approach& launch : launches) estimates.push_back(single(metric.of(launch.outcome)));
  const std::string mean = launches.size() > 1 ? fmt::format("; mean of {} launches with their {} Student-t interval",
                                                             launches.size(), percent(confidence))
                                               : "; no interval from one launch";
  return {
      metric.name,          metric.unit, fmt::format("{} {}", metric.meaning, target), across(estimates, confidence),
      metric.method + mean, source};
}

/// How many launches reached the target; and, where all of them did, after what time, evaluations and steps.
std::vector<HeadlineValue> target_values(const std::vector<Approach>& launches, const recipe::Recipe& recipe) {
  const auto reached =
      std::ranges::count_if(launches, [](const Approach& launch) { return launch.outcome.reached_by.has_value(); });
  const std::string target = fmt::format("{} nats/{}", base::to_text(recipe.target.loss), launches.front().unit);
  std::string source;
  for (const Approach& launch : launches)
    source += fmt::format("{}{}/{}, {}/{}", source.empty() ? "" : ", ", launch.folder, steps_file, launch.folder,
                          events_file);
  std::vector<HeadlineValue> values{
      {"launches_reaching_target", "launches",
       fmt::format("launches, of {}, that reached a held-out loss of {}", launches.size(), target),
       single(static_cast<double>(reached)), "an evaluation found that loss or less", source}};
  if (reached != static_cast<std::ptrdiff_t>(launches.size())) return values;
  for (const TargetMetric& metric : target_metrics)
    values.push_back(mean_to_target(metric, launches, target, source, recipe.measure.confidence));
  return values;
}

}  // namespace

std::vector<HeadlineValue> compute_headline(const std::filesystem::path& folder, const recipe::Recipe& recipe,
                                            const std::vector<LaunchRecord>& launches) {
  std::vector<LaunchValues> values;
  std::vector<HeldOut> evaluations;
  for (const LaunchRecord& launch : counted(launches)) values.push_back(values_of(folder, recipe, launch));
  for (const LaunchRecord& launch : launches)
    if (const auto held_out = held_out_of(folder, recipe, launch)) evaluations.push_back(*held_out);
  std::vector<HeadlineValue> headline;
  if (!values.empty()) {
    for (const LaunchValues& launch : values)
      if (launch.unit != values.front().unit || launch.world_size != values.front().world_size)
        throw base::Error(
            base::ExitCode::verification_failed,
            fmt::format("{}/{}: the launches differ in unit or in number of ranks", launch.folder, events_file));
    for (const Metric& metric : metrics_for(values.front().unit))
      headline.push_back(rate(metric, values, recipe.measure.confidence));
  }
  if (!evaluations.empty()) {
    headline.push_back(held_out_loss(evaluations, recipe.measure.confidence));
    if (const auto above = loss_above_entropy(evaluations, recipe.measure.confidence)) headline.push_back(*above);
  }
  if (const std::vector<Approach> found = approaches(folder, recipe, launches); !found.empty())
    std::ranges::copy(target_values(found, recipe), std::back_inserter(headline));
  return headline;
}

}  // namespace etalon::dossier
