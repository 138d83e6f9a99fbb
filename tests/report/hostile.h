// SPDX-License-Identifier: Apache-2.0
// A dossier that says something hostile in every field that is somebody's text.
#pragma once

#include <string>

#include "dossier/example.h"

namespace hostile {

using namespace etalon;

/// Ends a script, an attribute, a Markdown cell and an old engine's line; opens an image that cannot load.
inline const std::string text =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`|[a](b)\xe2\x80\xa8&lt;${1}";

inline machine::Machine machine() {
  machine::Machine machine;
  machine.facts.push_back(machine::Fact::known("cpu.model", text, text, text));
  machine.facts.push_back(machine::Fact::missing("gpu.name", text, text, machine::FactState::unknown, text));
  return machine;
}

inline std::vector<measure::Channel> channels() {
  return {{text, "celsius", text, text, "value", ""},
          {"second " + text, "celsius", text, text, "value", ""},
          {"power_watts", text, text, text, "not supported", text}};
}

inline void record(measure::Recorder& recorder) {
  base::Json hello = example::hello(0, 1);
  hello["engine"] = hello["device"] = text;
  hello["versions"] = {{text, text}};
  recorder.event("worker", 0, hello);
  base::Json config = example::config(1000, text);
  config["details"] = {{text, {{text, text}}}};
  recorder.event("worker", 0, config);
  recorder.event("worker", 0, {{"type", "note"}, {"level", text}, {"text", text}});
  recorder.event("controller", -1, {{"type", "gate"}, {"gate", text}, {"open", true}});
  for (std::int64_t i = 0; i < 200; ++i) {
    const std::int64_t now = (100 + 2 * i) * example::second;
    wire::Step step = example::step(i, now, now + 2 * example::second, 1000);
    step.loss = 5 - static_cast<double>(i) / 100;
    recorder.step(0, step);
    recorder.telemetry(now, {40.0 + static_cast<double>(i % 3), 50.0});
  }
  base::Json eval = example::eval(200, 500 * example::second, 501 * example::second, 1.25);
  eval["name"] = text;
  recorder.event("worker", 0, eval);
  recorder.event("worker", 0, example::done(200, 200'000));
}

inline measure::LaunchOutcome outcome() {
  measure::LaunchOutcome outcome = example::steady(100, 199, 200);
  outcome.reason = outcome.ending = outcome.next_step = text;
  outcome.gates = {{text, true, 1, 2, text, text}};
  return outcome;
}

inline void write(const std::filesystem::path& folder) {
  recipe::RequestedRecipe requested = example::requested();
  recipe::ResolvedRecipe resolved = example::resolved();
  requested.name = resolved.name = text;
  resolved.recipe.title = text;
  for (auto& [key, origin] : resolved.origins) origin = {"command line", text};
  dossier::Writer writer(folder, requested, resolved, machine(), {"etalon", "run", text});
  base::Json finding = base::Json::object();
  for (const char* name : {"id", "title", "level", "evidence", "reason", "remedy"}) finding[name] = text;
  writer.set_preflight({{"forbids_run", false}, {"findings", base::Json::array({finding})}});
  record(writer.begin_launch(channels()));
  writer.end_launch(outcome());
  writer.seal(measure::Verdict::steady, text);
}

}  // namespace hostile
