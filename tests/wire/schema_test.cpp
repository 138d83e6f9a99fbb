// SPDX-License-Identifier: Apache-2.0
// schemas/protocol.schema.json says the same as the code: it takes what the encoder writes and refuses what the decoder refuses.
#include <gtest/gtest.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "base/file.h"
#include "wire/event.h"
#include "wire/examples.h"

namespace etalon::wire {
namespace {

class ProtocolSchema : public ::testing::Test {
 protected:
  ProtocolSchema() {
    const auto document =
        nlohmann::json::parse(base::read_file(std::string(ETALON_SOURCE_ROOT) + "/schemas/protocol.schema.json"));
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema_);
  }
  bool accepts(const std::string& line) {
    const auto document = nlohmann::json::parse(line);
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  }
  valijson::Schema schema_;
};

TEST_F(ProtocolSchema, TakesEveryEventThatTheEncoderWrites) {
  for (const Event& event : example_events()) EXPECT_TRUE(accepts(encode(event))) << encode(event);
}

TEST_F(ProtocolSchema, TakesEveryCommandThatTheEncoderWrites) {
  EXPECT_TRUE(accepts(encode(Command(Order{{{"training", {{"seed", 7}}}}}))));
  EXPECT_TRUE(accepts(encode(Command(Stop{"enough"}))));
}

TEST_F(ProtocolSchema, RefusesAnyEventThatLacksARequiredMember) {
  int refused = 0;
  for (const Event& event : example_events()) {
    const Json whole = to_json(event);
    for (const auto& [member, value] : whole.items()) {
      Json without = whole;
      without.erase(member);
      bool decodes = true;
      try {
        decode_event(base::to_line(without));
      } catch (const ProtocolError&) {
        decodes = false;
      }
      EXPECT_EQ(accepts(base::to_line(without)), decodes) << "without " << member << ": " << base::to_line(without);
      refused += decodes ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST_F(ProtocolSchema, RefusesAnyMemberOfTheWrongKind) {
  for (const Event& event : example_events()) {
    const Json whole = to_json(event);
    for (const auto& [member, value] : whole.items()) {
      Json wrong = whole;
      wrong[member] = value.is_boolean() ? Json("x") : Json(true);
      EXPECT_FALSE(accepts(base::to_line(wrong))) << member << ": " << base::to_line(wrong);
      EXPECT_THROW(decode_event(base::to_line(wrong)), ProtocolError) << member;
    }
  }
}

TEST_F(ProtocolSchema, RefusesWhatIsMalformed) {
  for (const char* line :
       {"[]", "{}", R"({"type":"banana"})", R"({"type":"note","level":"shout","text":""})",
        R"({"type":"step","index":-1,"start_ns":0,"end_ns":0,"units":0})", R"({"type":"stop"})",
        R"({"type":"order","protocol":1,"recipe":[]})",
        R"({"type":"config","parameters":1,"unit":"","units_per_step":1,"flops_per_unit":0,"details":{}})"}) {
    EXPECT_FALSE(accepts(line)) << line;
  }
}

}  // namespace
}  // namespace etalon::wire
