// SPDX-License-Identifier: Apache-2.0
// The moments of a run as JSON: what --json prints, what a detached run keeps, and what the terminal is drawn from.
// docs/running.md describes them to users.
#pragma once

#include "base/json.h"
#include "pipeline.h"

namespace etalon::command_line {

base::Json planned_event(const pipeline::Plan& plan);
base::Json preflight_event(const preflight::Preflight& preflight);
base::Json launch_event(std::int64_t index, std::int64_t of);
base::Json progress_event(const measure::Progress& progress);
base::Json sealing_event(const std::filesystem::path& folder);
base::Json result_event(const pipeline::RunResult& result);

}  // namespace etalon::command_line
