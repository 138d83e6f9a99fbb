// SPDX-License-Identifier: Apache-2.0
// The commands that check this dossier and repeat its run.
#include <fmt/format.h>

#include "base/text.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

/// One argument as a POSIX shell reads it back.
std::string quoted(const std::string& argument) {
  std::string text = "'";
  for (const char character : argument) text += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return text + "'";
}

/// Values that recipe.toml does not give by itself: those of the command line and of the user's configuration.
std::vector<std::string> assignments(const recipe::ResolvedRecipe& resolved) {
  std::vector<std::string> result;
  const base::Json values = recipe::to_json(resolved.recipe);
  for (const auto& [key, origin] : resolved.origins) {
    if (origin.kind != "command line" && origin.kind != "configuration") continue;
    const base::Json* place = &values;
    for (const std::string_view part : base::split(key, '.')) place = &place->at(std::string(part));
    result.push_back("--set " + quoted(key + "=" + place->dump()));
  }
  return result;
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Check it, repeat it", {}};
  section.blocks.emplace_back(
      Paragraph{"In this folder; the first two recompute every value and compare every file, the third runs the same "
                "recipe again."});
  std::string run = "etalon run ./recipe.toml";
  for (const std::string& assignment : assignments(dossier.recipe)) run += " \\\n  " + assignment;
  section.blocks.emplace_back(Code{"etalon verify .\nsha256sum --check manifest.sha256\n" + run});
  std::string typed;
  for (const base::Json& argument : dossier.environment.at("command_line"))
    typed += (typed.empty() ? "" : " ") + plain(argument);
  if (!typed.empty()) section.blocks.emplace_back(Paragraph{"The run itself was started with:"});
  if (!typed.empty()) section.blocks.emplace_back(Code{typed});
  return section;
}

}  // namespace

SectionMaker make_reproduce() {
  return {"reproduce", "the commands that verify the dossier and repeat the run", section};
}

}  // namespace etalon::report
