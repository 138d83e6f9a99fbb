// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "recipe/generated.h"
#include "recipe/helpers.h"

namespace etalon::recipe {
namespace {

/// valijson's adapter knows nlohmann::json, not the ordered kind.
bool valid(const base::Json& resolved) {
  static const nlohmann::json schema_document = nlohmann::json::parse(resolved_schema().dump());
  valijson::Schema schema;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  const nlohmann::json plain = nlohmann::json::parse(resolved.dump());
  return valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(plain), nullptr);
}

base::Json resolved_with(const std::function<void(base::Json&)>& change = [](base::Json&) {}) {
  base::Json json = to_json(resolve_text(least_recipe));
  change(json);
  return json;
}

TEST(ResolvedSchema, IsTheOneCheckedIn) {
  expect_generated(std::filesystem::path(ETALON_SOURCE_ROOT) / "schemas" / "recipe.resolved.schema.json",
                   base::to_document(resolved_schema()));
}

TEST(ResolvedSchema, AcceptsWhatIsWritten) {
  EXPECT_TRUE(valid(resolved_with()));
  EXPECT_TRUE(valid(resolved_with([](auto& json) { json["values"]["data"]["source"] = "text:a.txt"; })));
}

TEST(ResolvedSchema, RefusesWhatTheTableRefuses) {
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["micro_batch"] = 0; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["micro_batch"] = 1.5; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["optimizer"]["lr"] = 0.0; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["optimizer"]["betas"] = {0.9}; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["optimizer"]["betas"] = {0.9, 1.0}; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["precision"] = "fp4"; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["data"]["source"] = "text:"; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["power"]["meters"] = {"shelly:192.0.2.7"}; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"].erase("micro_batch"); })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["values"]["training"]["extra"] = 1; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["origins"].erase("workload.model"); })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["origins"]["title"]["kind"] = "guess"; })));
  EXPECT_FALSE(valid(resolved_with([](auto& json) { json["extra"] = 1; })));
}

}  // namespace
}  // namespace etalon::recipe
