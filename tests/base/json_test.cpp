// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace {

using namespace etalon::base;
using testing::HasSubstr;

std::string complaint_of_json(const std::string& text, std::size_t depth = 32) {
  try {
    parse_json(text, "a.json", depth);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Json, KeepsTheOrderOfKeysAndTheBitsOfNumbers) {
  const std::string text = R"({"z":1,"a":0.1,"m":[1e300,-0.0,123456789012345678]})";
  EXPECT_EQ(to_line(parse_json(text, "x")), R"({"z":1,"a":0.1,"m":[1e+300,-0.0,123456789012345678]})");
}

TEST(Json, NamesThePlaceOfAFault) {
  EXPECT_EQ(complaint_of_json(R"({"a":)"), "a.json: not valid JSON at byte 6");
  EXPECT_EQ(complaint_of_json(R"({"a":1,"a":2})"), "a.json: the key \"a\" appears twice in one object");
  EXPECT_THAT(complaint_of_json("\"\xff\""), HasSubstr("not valid JSON"));
}

TEST(Json, BoundsTheDepthBeforeTheStackDoes) {
  EXPECT_EQ(complaint_of_json("[[[1]]]", 3), "");
  EXPECT_EQ(complaint_of_json("[[[[1]]]]", 3), "a.json: nested deeper than 3 levels");
  EXPECT_THAT(complaint_of_json(std::string(1'000'000, '[')), HasSubstr("nested deeper"));
}

TEST(Json, WritesInvalidTextWithoutFailing) { EXPECT_EQ(to_line(Json("a\xff")), "\"a\xEF\xBF\xBD\""); }

}  // namespace
