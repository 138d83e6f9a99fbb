// SPDX-License-Identifier: Apache-2.0
// The whole of a run: recipe → machine → preflight → launches → sealed dossier.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "dossier/dossier.h"
#include "machine/machine.h"
#include "measure/measure.h"
#include "preflight/preflight.h"
#include "recipe/find.h"
#include "recipe/resolve.h"

namespace etalon::pipeline {

struct RunRequest {
  std::string recipe;  ///< name or path; empty: the configured one, else nano or, with a GPU, llm-125m
  std::vector<std::string> assignments;  ///< of --set
  std::optional<std::filesystem::path>
      output;  ///< the dossier's folder; empty: a fresh one below the configured folder
  bool identify = false;
  std::vector<std::string> command_line;  ///< as typed, for the dossier
};

/// Everything decided before anything is started.
struct Plan {
  recipe::Configuration configuration;
  machine::Machine machine;
  recipe::RequestedRecipe requested;
  recipe::ResolvedRecipe resolved;
  std::filesystem::path worker;  ///< empty when none was found; preflight says so
  std::filesystem::path output;
  preflight::Expectation expectation;
};

struct RunResult {
  std::filesystem::path folder;
  measure::Verdict verdict = measure::Verdict::failed;
  std::string reason;
  std::string next_step;
  std::vector<dossier::HeadlineValue> headline;
  preflight::Preflight preflight;
};

/// What somebody watching is told. Every function has a default that does nothing.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void planned(const Plan&) {}
  virtual void checked(const preflight::Preflight&) {}
  virtual void launch_started(std::int64_t /*index*/, std::int64_t /*of*/) {}
  virtual void progress(const measure::Progress&) {}
  virtual void sealing(const std::filesystem::path& /*folder*/) {}
};

/// Finds and resolves the recipe on this machine; writes nothing. Throws base::Error(usage).
Plan plan(const RunRequest& request);

/// What may forbid the plan on this machine; starts nothing.
preflight::Preflight check(const Plan& plan);

/// Carries the plan out. `interrupt_descriptor` becomes readable when the user wants to stop.
/// Throws base::Error only where not even a dossier can be kept.
RunResult run(const Plan& plan, const RunRequest& request, int interrupt_descriptor, Observer& observer);

/// The documented exit code of a verdict.
base::ExitCode exit_code(measure::Verdict verdict);

}  // namespace etalon::pipeline
