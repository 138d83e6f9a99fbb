// SPDX-License-Identifier: Apache-2.0
// docs/recipes.md cannot drift from the tables that it shows.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "recipe/find.h"
#include "recipe/generated.h"
#include "recipe/key.h"
#include "recipe/profiles.h"
#include "recipe/resolve.h"

namespace etalon::recipe {
namespace {

const std::filesystem::path document = std::filesystem::path(ETALON_SOURCE_ROOT) / "docs" / "recipes.md";

/// '|' would end a cell.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

TEST(RecipeDocument, ShowsEveryKeyAsTheTableHasIt) {
  std::string rows = "| key | type | range | default | unit | meaning |\n|---|---|---|---|---|---|\n";
  for (const KeyDescription& key : describe_keys()) {
    const bool words = key.built_in.starts_with("by the ");
    rows += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.key, cell(key.type), key.range,
                        words ? key.built_in : code(key.built_in), key.unit, cell(key.meaning));
  }
  expect_generated_passage(document, "keys", rows);
}

TEST(RecipeDocument, ShowsEveryProfileAsTheTableHasIt) {
  std::string head = "| key |";
  std::string rule = "|---|";
  for (const Profile& profile : profiles()) {
    head += fmt::format(" {} |", profile.name);
    rule += "---|";
  }
  std::string rows = head + "\n" + rule + "\n";
  for (const Key& key : keys()) {
    if (key.supplier != Supplier::profile) continue;
    rows += fmt::format("| `{}` |", key.name);
    for (const Profile& profile : profiles()) {
      const auto value = std::find_if(profile.values.begin(), profile.values.end(),
                                      [&](const auto& pair) { return pair.first == key.name; });
      ASSERT_NE(value, profile.values.end()) << profile.name << " lacks " << key.name;
      rows += fmt::format(" {} |", to_toml(value->second));
    }
    rows += "\n";
  }
  expect_generated_passage(document, "profiles", rows);
}

TEST(RecipeDocument, ShowsEverySettingAsTheTableHasIt) {
  std::string rows = "| config.toml | environment | default | meaning |\n|---|---|---|---|\n";
  for (const SettingDescription& setting : describe_settings())
    rows += fmt::format("| `{}` | `{}` | {} | {} |\n", setting.name, setting.variable, code(setting.built_in),
                        cell(setting.meaning));
  expect_generated_passage(document, "settings", rows);
}

}  // namespace
}  // namespace etalon::recipe
