// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace {

using namespace etalon::base;
using testing::HasSubstr;

TEST(AppendFile, RefusesToOverwrite) {
  const TemporaryFolder folder;
  AppendFile(folder / "a").append("one\n");
  EXPECT_EQ(read_file(folder / "a"), "one\n");
  EXPECT_THROW(AppendFile(folder / "a"), Error);
  EXPECT_EQ(read_file(folder / "a"), "one\n");
}

TEST(AppendFile, SaysThatTheDiskIsFullAndWhatToDo) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  AppendFile file(folder / "a");
  // The same descriptor number now leads to a device that is always full.
  const int full = ::open("/dev/full", O_WRONLY);
  for (int descriptor = 3; descriptor < full; ++descriptor) {
    char name[64] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (::readlink(link.c_str(), name, sizeof name - 1) > 0 && std::string(name) == (folder / "a").string())
      ::dup2(full, descriptor);
  }
  ::close(full);
  file.append("lost\n");
  try {
    file.flush();
    FAIL() << "a full disk was not noticed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
    EXPECT_THAT(error.next_step(), HasSubstr("free some space"));
  }
}

TEST(ReplaceFile, LeavesTheOldTextWhenThePlaceCannotBeWritten) {
  const TemporaryFolder folder;
  replace_file(folder / "a", "old");
  replace_file(folder / "a", "new");
  EXPECT_EQ(read_file(folder / "a"), "new");
  EXPECT_THROW(replace_file(folder / "missing" / "a", "x"), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ReadFile, IsBoundedAndReadsOnlyRegularFiles) {
  const TemporaryFolder folder;
  replace_file(folder / "a", std::string(100, 'x'));
  EXPECT_THROW(read_file(folder / "a", 99), Error);
  EXPECT_EQ(read_file(folder / "a", 100).size(), 100U);
  EXPECT_THROW(read_file(folder.path()), Error);
  EXPECT_THROW(read_file("/dev/zero"), Error);
}

TEST(FreeBytes, AnswersForAPlaceThatDoesNotExistYet) {
  const TemporaryFolder folder;
  EXPECT_GT(free_bytes(folder / "not" / "yet"), 0U);
}

}  // namespace
