// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "dossier/writer.h"
#include "launch/worker_command.h"
#include "report/report.h"

namespace etalon::pipeline {

namespace {

std::string recipe_name(const RunRequest& request, const recipe::Configuration& configuration,
                        const machine::Machine& machine) {
  if (!request.recipe.empty()) return request.recipe;
  if (configuration.default_recipe) return *configuration.default_recipe;
  return machine.nvidia_gpus > 0 ? "llm-125m" : "nano";
}

std::map<std::string, recipe::WrittenValue> parse_assignments(const std::vector<std::string>& assignments) {
  std::map<std::string, recipe::WrittenValue> values;
  for (const std::string& assignment : assignments) {
    auto [key, value] = recipe::parse_assignment(assignment, {"command line", "--set"});
    values.insert_or_assign(std::move(key), std::move(value));
  }
  return values;
}

std::filesystem::path find_worker(const recipe::Configuration& configuration) {
  try {
    return launch::find_native_worker(configuration.worker);
  } catch (const base::Error&) {
    return {};  // preflight reports it with its remedy
  }
}

std::filesystem::path socket_parent() {
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"})
    if (const char* value = std::getenv(name);
        value != nullptr && *value == '/' && std::filesystem::is_directory(value))
      return value;
  return "/tmp";
}

/// The verdict of the whole run: the first of this order that any launch got.
measure::Verdict worst(const std::vector<measure::LaunchOutcome>& outcomes) {
  using measure::Verdict;
  for (const Verdict verdict : {Verdict::interrupted, Verdict::failed, Verdict::invalid, Verdict::throttled,
                                Verdict::no_steady_state, Verdict::drifting, Verdict::ungated})
    if (std::ranges::any_of(outcomes, [&](const auto& outcome) { return outcome.verdict == verdict; })) return verdict;
  return Verdict::steady;
}

measure::LaunchOutcome launch_once(const Plan& plan, dossier::Writer& writer, int interrupt_descriptor,
                                   Observer& observer) {
  wire::Listener listener(socket_parent());
  auto sources = measure::make_sources({});
  std::vector<measure::Channel> channels;
  for (const auto& source : sources) std::ranges::copy(source->channels(), std::back_inserter(channels));
  measure::Session session{
      .recipe = plan.resolved.recipe,
      .listener = listener,
      .command = launch::worker_command(plan.resolved.recipe, listener.path(), plan.configuration.worker),
      .recorder = writer.begin_launch(channels),
      .sources = std::move(sources),
      .interrupt_descriptor = interrupt_descriptor,
      .progress = [&](const measure::Progress& progress) { observer.progress(progress); },
  };
  measure::LaunchOutcome outcome = measure::measure(session);
  writer.end_launch(outcome);
  return outcome;
}

RunResult seal(dossier::Writer& writer, RunResult result, Observer& observer) {
  observer.sealing(writer.folder());
  writer.seal(result.verdict, result.reason);
  const dossier::Dossier dossier = dossier::load(writer.folder());
  report::write(dossier);
  result.headline = dossier.headline;
  return result;
}

}  // namespace

Plan plan(const RunRequest& request) {
  Plan plan;
  plan.configuration = recipe::load_configuration();
  plan.machine = machine::capture({.identify = request.identify || plan.configuration.identify});
  plan.requested = recipe::load(recipe_name(request, plan.configuration, plan.machine));
  plan.resolved = recipe::resolve(plan.requested, parse_assignments(request.assignments),
                                  plan.configuration.recipe_values, plan.machine);
  plan.worker = find_worker(plan.configuration);
  plan.output =
      request.output ? *request.output : dossier::fresh_folder(plan.configuration.output_folder, plan.requested.name);
  plan.expectation = preflight::expect(plan.resolved.recipe);
  return plan;
}

preflight::Preflight check(const Plan& plan) {
  return preflight::check({plan.resolved.recipe, plan.machine, plan.output, plan.worker});
}

RunResult run(const Plan& plan, const RunRequest& request, int interrupt_descriptor, Observer& observer) {
  observer.planned(plan);
  RunResult result;
  result.folder = plan.output;
  result.preflight = check(plan);
  observer.checked(result.preflight);
  dossier::Writer writer(plan.output, plan.requested, plan.resolved, plan.machine, request.command_line);
  writer.set_preflight(preflight::to_json(result.preflight));
  if (result.preflight.forbids_run()) {
    result.verdict = measure::Verdict::refused;
    result.reason = "preflight refused the run";
    return seal(writer, std::move(result), observer);
  }
  std::vector<measure::LaunchOutcome> outcomes;
  const std::int64_t launches = plan.resolved.recipe.measure.launches;
  for (std::int64_t index = 1; index <= launches; ++index) {
    observer.launch_started(index, launches);
    outcomes.push_back(launch_once(plan, writer, interrupt_descriptor, observer));
    const measure::Verdict verdict = outcomes.back().verdict;
    if (verdict == measure::Verdict::failed || verdict == measure::Verdict::interrupted) break;
  }
  result.verdict = worst(outcomes);
  const auto decisive = std::ranges::find(outcomes, result.verdict, &measure::LaunchOutcome::verdict);
  result.reason = decisive->reason;
  result.next_step = decisive->next_step;
  return seal(writer, std::move(result), observer);
}

base::ExitCode exit_code(measure::Verdict verdict) {
  using base::ExitCode;
  switch (verdict) {
    case measure::Verdict::steady:
    case measure::Verdict::ungated:
      return ExitCode::ok;
    case measure::Verdict::drifting:
    case measure::Verdict::no_steady_state:
      return ExitCode::not_steady;
    case measure::Verdict::throttled:
      return ExitCode::throttled;
    case measure::Verdict::interrupted:
      return ExitCode::interrupted;
    case measure::Verdict::refused:
      return ExitCode::refused;
    case measure::Verdict::failed:
      return ExitCode::worker_failed;
    case measure::Verdict::invalid:
      return ExitCode::invalid;
  }
  return ExitCode::internal;
}

}  // namespace etalon::pipeline
