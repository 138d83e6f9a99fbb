// SPDX-License-Identifier: Apache-2.0
// Sockets and the worker's end: private places, buffered steps, commands without waiting, a controller that goes away.
#include "wire/client.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>

#include "base/clock.h"
#include "base/error.h"
#include "temporary_folder.h"

namespace etalon::wire {
namespace {

struct Pair {
  Pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw std::runtime_error("no socket pair");
    controller = Descriptor(ends[0]);
    worker = Descriptor(ends[1]);
  }
  std::string read_now() const {
    char block[65'536];
    const ssize_t size = ::recv(controller.get(), block, sizeof block, MSG_DONTWAIT);
    return size > 0 ? std::string(block, static_cast<std::size_t>(size)) : std::string();
  }
  void write(const std::string& text) const {
    ASSERT_EQ(::send(controller.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  Descriptor controller;
  Descriptor worker;
};

TEST(Client, StepsWaitForCompanyAndOtherEventsDoNot) {
  Pair pair;
  Client client(std::move(pair.worker));
  EXPECT_TRUE(client.send(Step{0, 1, 2, std::nullopt, 3, std::nullopt}));
  EXPECT_EQ(pair.read_now(), "");
  EXPECT_TRUE(client.send(Note{"info", "x"}));
  EXPECT_EQ(pair.read_now(), encode(Step{0, 1, 2, std::nullopt, 3, std::nullopt}) + encode(Note{"info", "x"}));
}

TEST(Client, AStepIsSentAtTheLatestWithTheFirstOneAfter50Milliseconds) {
  Pair pair;
  Client client(std::move(pair.worker));
  client.send(Step{});
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  client.send(Step{1, 0, 0, std::nullopt, 0, std::nullopt});
  EXPECT_THAT(pair.read_now(), ::testing::HasSubstr("\"index\":1"));
}

TEST(Client, CommandsAreFoundWithoutWaitingAndInOrder) {
  Pair pair;
  Client client(std::move(pair.worker));
  EXPECT_FALSE(client.poll().has_value());
  pair.write(encode(Command(Order{{{"a", 1}}})) + encode(Command(Stop{"now"})));
  EXPECT_TRUE(std::holds_alternative<Order>(client.poll().value()));
  EXPECT_EQ(std::get<Stop>(client.poll().value()).reason, "now");
  EXPECT_FALSE(client.poll().has_value());
}

TEST(Client, WaitingEndsAtItsTime) {
  Pair pair;
  Client client(std::move(pair.worker));
  const std::int64_t start_ns = base::monotonic_ns();
  EXPECT_FALSE(client.wait(50).has_value());
  EXPECT_GE(base::monotonic_ns() - start_ns, 40'000'000);
}

TEST(Client, AControllerThatIsGoneIsNoticedBothWays) {
  Pair pair;
  Client client(std::move(pair.worker));
  pair.controller.reset();
  EXPECT_FALSE(client.send(Note{"info", "x"}));
  EXPECT_TRUE(client.closed());
  EXPECT_FALSE(client.wait(-1).has_value());
}

TEST(Client, WithoutAControllerItSaysHowToGetOne) {
  ::unsetenv("ETALON_SOCKET");
  EXPECT_THROW(Client::from_environment(), base::Error);
  ::setenv("ETALON_SOCKET", "/nowhere/worker.sock", 1);
  try {
    Client::from_environment();
    FAIL() << "connected to nothing";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("/nowhere/worker.sock"));
    EXPECT_THAT(error.next_step(), ::testing::HasSubstr("etalon run"));
  }
  ::unsetenv("ETALON_SOCKET");
}

TEST(Listener, LivesInAFolderThatOnlyTheUserMayEnterAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  {
    Listener listener(folder.path());
    struct stat status {};
    ASSERT_EQ(::stat(listener.path().parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_FALSE(listener.accept());
    const Descriptor client = connect_to(listener.path());
    EXPECT_TRUE(listener.accept());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Listener, GoesToTmpWhenThePathWouldBeTooLong) {
  const TemporaryFolder folder;
  const std::filesystem::path deep = folder / std::string(100, 'd');
  std::filesystem::create_directory(deep);
  Listener listener(deep);
  EXPECT_EQ(listener.path().native().rfind("/tmp/etalon-", 0), 0U);
  EXPECT_TRUE(connect_to(listener.path()));
}

TEST(Listener, GoesToTmpWhenThePlaceDoesNotExist) {
  Listener listener("/nowhere");
  EXPECT_EQ(listener.path().native().rfind("/tmp/etalon-", 0), 0U);
}

TEST(Listener, APathThatIsTooLongForASocketIsAnErrorNotATruncation) {
  EXPECT_THROW(connect_to("/tmp/" + std::string(200, 'x')), base::Error);
}

TEST(LineBuffer, CutsLinesWhereverTheStreamWasCut) {
  const std::string stream = "one\ntwo\n\nthree";
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    LineBuffer buffer(16);
    std::vector<std::string> lines;
    const auto keep = [&lines](std::string_view line) { lines.emplace_back(line); };
    EXPECT_TRUE(buffer.feed(std::string_view(stream).substr(0, cut), keep));
    EXPECT_TRUE(buffer.feed(std::string_view(stream).substr(cut), keep));
    EXPECT_THAT(lines, ::testing::ElementsAre("one", "two", ""));
    EXPECT_EQ(buffer.rest(), "three");
  }
}

TEST(LineBuffer, ALineBeyondTheBoundBreaksItForGood) {
  LineBuffer buffer(4);
  int lines = 0;
  const auto count = [&lines](std::string_view) { ++lines; };
  EXPECT_TRUE(buffer.feed("1234\n", count));
  EXPECT_FALSE(buffer.feed("12345", count));
  EXPECT_FALSE(buffer.feed("\n1\n", count));
  EXPECT_EQ(lines, 1);
}

}  // namespace
}  // namespace etalon::wire
