// SPDX-License-Identifier: Apache-2.0
// One training from order to done: the conversation with the controller around the training loop.
#pragma once

#include <string>

#include "recipe/recipe.h"
#include "wire/client.h"
#include "worker/arguments.h"

namespace etalon::worker {

/// Says hello, receives the order (from the controller or from `arguments`), trains, says done. What goes wrong becomes
/// an
/// error event; the result is the process's exit status.
int run_session(wire::Client& client, const Arguments& arguments);

/// Builds the order's recipe in the fused execution and times its operations, as a table; throws what stands in the
/// way.
std::string bench_document(const Arguments& arguments);

/// {"families": [{"name", "models": […]}], "sources": […]}.
std::string list_document();

}  // namespace etalon::worker
