// SPDX-License-Identifier: Apache-2.0
// Lines: what is written is read back, what is malformed is refused with the place, and the fast way agrees with the general one.
#include "wire/event.h"

#include <limits>

#include <gmock/gmock.h>

#include "wire/examples.h"
#include "wire/step_line.h"

namespace etalon::wire {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& line) {
  try {
    decode_event(line);
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Event, EveryKindIsReadBackAsItWasWritten) {
  for (const Event& event : example_events()) {
    const std::string line = encode(event);
    ASSERT_EQ(line.back(), '\n');
    const Event back = decode_event(line.substr(0, line.size() - 1));
    EXPECT_EQ(back.index(), event.index());
    EXPECT_EQ(encode(back), line);
  }
}

TEST(Event, EveryCommandIsReadBackAsItWasWritten) {
  for (const Command& command : {Command(Order{{{"training", {{"seed", 7}}}}}), Command(Stop{"enough"})}) {
    const std::string line = encode(command);
    EXPECT_EQ(encode(decode_command(line.substr(0, line.size() - 1))), line);
  }
}

TEST(Event, AStepLooksLikeThis) {
  EXPECT_EQ(encode(Step{12, 1000, 2500, 1400, 8192, 5.25}),
            R"({"type":"step","index":12,"start_ns":1000,"end_ns":2500,"gpu_ns":1400,"units":8192,"loss":5.25})"
            "\n");
  EXPECT_EQ(encode(Step{0, 1, 1, std::nullopt, 0, std::nullopt}),
            R"({"type":"step","index":0,"start_ns":1,"end_ns":1,"units":0})"
            "\n");
}

TEST(Event, AHelloLooksLikeThis) {
  EXPECT_EQ(
      encode(Hello{1, "native", {{"pytorch", "2.11.0"}}, 0, 1, 42, "cpu", std::nullopt}),
      R"({"type":"hello","protocol":1,"engine":"native","versions":{"pytorch":"2.11.0"},"rank":0,"world_size":1,"process_id":42,"device":"cpu"})"
      "\n");
}

TEST(Event, MembersMayComeInAnyOrderWithOthersAmongThem) {
  const Event event = decode_event(
      R"({ "units": 5, "mood": {"a": [1]}, "end_ns": 3, "start_ns": 2, "index": 1, "type": "step", "loss": 2 })");
  ASSERT_TRUE(std::holds_alternative<Step>(event));
  EXPECT_EQ(std::get<Step>(event).units, 5);
  EXPECT_EQ(std::get<Step>(event).loss, 2.0);
}

TEST(Event, TheFastWayTakesOnlyWhatTheGeneralWayTakesToo) {
  for (const char* loss : {"0", "1.5", "-2.25", "1e-7", "1E+5", "123456789.125"}) {
    const std::string line =
        std::string(R"({"type":"step","index":3,"start_ns":10,"end_ns":20,"units":7,"loss":)") + loss + "}";
    const Event event = decode_event(line);
    EXPECT_EQ(std::get<Step>(event).loss, std::strtod(loss, nullptr)) << line;
  }
  for (const char* loss :
       {"01", "1.", ".5", "+1", "inf", "nan", "-", "1e", "0x10", "1.e3", "1e999", "", "-01", "true", "null"}) {
    const std::string line =
        std::string(R"({"type":"step","index":3,"start_ns":10,"end_ns":20,"units":7,"loss":)") + loss + "}";
    EXPECT_FALSE(decode_canonical_step(line).has_value()) << line;
    EXPECT_THROW(decode_event(line), ProtocolError) << line;
  }
  for (const char* index : {"-1", "1.0", "01", "9223372036854775808", "99999999999999999999", "\"1\"", ""}) {
    const std::string line =
        std::string(R"({"type":"step","index":)") + index + R"(,"start_ns":10,"end_ns":20,"units":7})";
    EXPECT_FALSE(decode_canonical_step(line).has_value()) << line;
    EXPECT_THROW(decode_event(line), ProtocolError) << line;
  }
}

TEST(Event, LargestCountsSurvive) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::string line = encode(Step{most, most, most, most, most, std::nullopt});
  EXPECT_EQ(std::get<Step>(decode_event(line.substr(0, line.size() - 1))).units, most);
}

TEST(Event, WhatIsWrongWithALineIsNamed) {
  EXPECT_THAT(refusal(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("without a \"type\""));
  EXPECT_THAT(refusal(R"({"type":"banana"})"), HasSubstr("unknown type \"banana\""));
  EXPECT_THAT(refusal(R"({"type":"order","protocol":1,"recipe":{}})"), HasSubstr("unknown type \"order\""));
  EXPECT_THAT(refusal(R"({"type":"step","index":1,"start_ns":5,"end_ns":9})"), HasSubstr("step: \"units\" is missing"));
  EXPECT_THAT(refusal(R"({"type":"step","index":1,"start_ns":9,"end_ns":5,"units":1})"), HasSubstr("lies before"));
  EXPECT_THAT(refusal(R"({"type":"step","type":"step","index":1,"start_ns":1,"end_ns":5,"units":1})"),
              HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"type":"note","level":"shout","text":"x"})"), HasSubstr("note: \"level\" must be"));
  EXPECT_THAT(refusal(R"({"type":"done","steps":-1,"units":0,"reason":""})"),
              HasSubstr("done: \"steps\" must be an integer"));
  EXPECT_THAT(
      refusal(R"({"type":"config","parameters":1,"unit":"","units_per_step":1,"flops_per_unit":0,"details":{}})"),
      HasSubstr("config: \"unit\" is empty"));
  EXPECT_THAT(refusal(R"({"type":"libraries","libraries":[7]})"), HasSubstr("list of objects"));
  EXPECT_THAT(
      refusal(
          R"({"type":"hello","protocol":1,"engine":"x","versions":{},"rank":1,"world_size":1,"process_id":1,"device":"cpu"})"),
      HasSubstr("must be below"));
  EXPECT_THAT(refusal(std::string(100, '[')), HasSubstr("deeper"));
  EXPECT_THAT(refusal(std::string(max_line_bytes + 1, ' ')), HasSubstr("longer"));
  EXPECT_THAT(refusal("{\"type\":\"note\",\"level\":\"info\",\"text\":\"\xff\"}"), HasSubstr("not valid JSON"));
}

TEST(Event, ALossThatIsNotFiniteIsToldApart) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double loss : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    const std::string line = encode(Step{1, 1, 2, std::nullopt, 3, loss});
    EXPECT_THROW(decode_event(line.substr(0, line.size() - 1)), NotFiniteError) << line;
    const std::string eval = encode(Eval{"held-out", 1, 1, 2, 3, loss});
    EXPECT_THROW(decode_event(eval.substr(0, eval.size() - 1)), NotFiniteError) << eval;
  }
  EXPECT_THROW(decode_event(R"({"type": "step", "index": 1, "start_ns": 1, "end_ns": 2, "units": 1, "loss": NaN})"),
               NotFiniteError);
}

TEST(Event, OfAHelloInAnotherVersionOnlyTheVersionIsRead) {
  const Event event = decode_event(R"({"type":"hello","protocol":2,"greeting":"ahoy"})");
  EXPECT_EQ(std::get<Hello>(event).protocol, 2);
}

TEST(Event, AnEventTooLongForALineIsNotWritten) {
  EXPECT_THROW(encode(Note{"info", std::string(max_line_bytes, 'x')}), ProtocolError);
}

TEST(Event, ManyLibrariesAreCutIntoLinesThatFit) {
  std::vector<Library> libraries(
      2000, Library{"/usr/lib/x86_64-linux-gnu/a\"rather\"long/name/of/a/library.so.1", std::string(64, 'f')});
  std::size_t count = 0;
  const std::vector<Libraries> batches = in_batches(libraries);
  EXPECT_GT(batches.size(), 3U);
  for (const Libraries& batch : batches) {
    EXPECT_LE(encode(batch).size(), max_line_bytes);
    count += batch.libraries.size();
  }
  EXPECT_EQ(count, 2000U);
  EXPECT_TRUE(in_batches({}).empty());
}

}  // namespace
}  // namespace etalon::wire
