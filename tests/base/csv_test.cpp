// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "temporary_folder.h"

namespace {

using namespace etalon::base;

std::string complaint_of_csv(const std::string& text) {
  const TemporaryFolder folder;
  replace_file(folder / "s.csv", text);
  try {
    CsvReader reader(folder / "s.csv");
    std::vector<std::string_view> cells;
    while (reader.next(cells)) reader.integer(cells, 0);
    return "";
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(message.find("s.csv"));
  }
}

TEST(Csv, RoundTripsRows) {
  const TemporaryFolder folder;
  CsvRow row;
  std::string text = "a,b_ns,c\n";
  row.integer(-3);
  row.real(0.1);
  row.empty();
  text += row.finish();
  row.empty();
  row.real(1e300);
  row.integer(7);
  text += row.finish();
  EXPECT_EQ(text, "a,b_ns,c\n-3,0.1,\n,1e+300,7\n");
  replace_file(folder / "s.csv", text);
  CsvReader reader(folder / "s.csv");
  EXPECT_THAT(reader.header(), testing::ElementsAre("a", "b_ns", "c"));
  std::vector<std::string_view> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(reader.integer(cells, 0), -3);
  EXPECT_EQ(reader.real(cells, reader.column("b_ns")), 0.1);
  EXPECT_EQ(cells[2], "");
  ASSERT_TRUE(reader.next(cells));
  EXPECT_FALSE(reader.next(cells));
  EXPECT_FALSE(reader.torn());
}

TEST(Csv, ReportsATornLastLineWithoutUsingIt) {
  const TemporaryFolder folder;
  replace_file(folder / "s.csv", "a\n1\n2");
  CsvReader reader(folder / "s.csv");
  std::vector<std::string_view> cells;
  EXPECT_TRUE(reader.next(cells));
  EXPECT_FALSE(reader.next(cells));
  EXPECT_TRUE(reader.torn());
}

TEST(Csv, NamesTheLineOfAFault) {
  EXPECT_EQ(complaint_of_csv("a,b\n1,2\n3\n"), "s.csv:3: 1 cells where the header has 2");
  EXPECT_EQ(complaint_of_csv("a\n1\nx\n"), "s.csv:3: \"x\" in column a is not an integer");
  EXPECT_EQ(complaint_of_csv("a,a\n"), "s.csv:1: the header is not a list of distinct names");
  EXPECT_EQ(complaint_of_csv(""), "s.csv:1: the header line is missing");
  EXPECT_EQ(complaint_of_csv("a\n" + std::string(70'000, '1') + "\n"), "s.csv:2: the line is too long");
}

TEST(Csv, ReadsAcrossBlocks) {
  const TemporaryFolder folder;
  std::string text = "n\n";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "\n";
  replace_file(folder / "s.csv", text);
  CsvReader reader(folder / "s.csv");
  std::vector<std::string_view> cells;
  std::int64_t expected = 0;
  while (reader.next(cells)) ASSERT_EQ(reader.integer(cells, 0), expected++);
  EXPECT_EQ(expected, 200'000);
}

TEST(Hash, MatchesThePublishedExample) {  // FIPS 180-4, "abc"
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const TemporaryFolder folder;
  replace_file(folder / "a", "abc");
  EXPECT_EQ(sha256_file(folder / "a"), sha256("abc"));
}

}  // namespace
