// SPDX-License-Identifier: Apache-2.0
// A whole training as the controller sees it: over a socket, and stand-alone as a program.
#include "worker/session.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "recipe/resolve.h"
#include "tests/worker/fixture.h"

namespace etalon {
namespace {

using worker_test::small_recipe;

/// Keeps the hashes of libraries out of the user's home, and shares them between these tests: hashing takes a second.
const std::string cache_folder = std::filesystem::path(ETALON_PROGRAM_TORCH).parent_path().string() + "/test_cache";
const bool cache_is_set = setenv("XDG_CACHE_HOME", cache_folder.c_str(), 1) == 0;

/// The controller's end of a socket whose other end a worker session runs on, in a thread.
class Controller {
 public:
  Controller() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    end_ = wire::Descriptor(ends[0]);
    worker_ = std::thread([this, descriptor = ends[1]] {
      wire::Client client{wire::Descriptor(descriptor)};
      status_ = worker::run_session(client, {});
    });
  }
  ~Controller() {
    end_.reset();
    if (worker_.joinable()) worker_.join();
  }
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  void send(const wire::Command& command) {
    const std::string line = wire::encode(command);
    EXPECT_EQ(::send(end_.get(), line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
  }

  /// Events until one satisfies `last` or the worker closes.
  std::vector<wire::Event> receive(const std::function<bool(const wire::Event&)>& last) {
    std::vector<wire::Event> events;
    bool over = false;
    char block[4096];
    while (!over) {
      const ssize_t count = ::recv(end_.get(), block, sizeof block, 0);
      if (count <= 0) break;
      lines_.feed({block, static_cast<std::size_t>(count)}, [&](std::string_view line) {
        events.push_back(wire::decode_event(line));
        over = over || last(events.back());
      });
    }
    return events;
  }
  void hang_up() { end_.reset(); }
  int status() {
    worker_.join();
    return status_;
  }

 private:
  wire::Descriptor end_;
  wire::LineBuffer lines_{wire::max_line_bytes};
  std::thread worker_;
  int status_ = -1;
};

template <class Kind>
std::vector<Kind> of_kind(const std::vector<wire::Event>& events) {
  std::vector<Kind> found;
  for (const wire::Event& event : events) {
    if (const auto* kind = std::get_if<Kind>(&event)) found.push_back(*kind);
  }
  return found;
}

bool is_step(const wire::Event& event, std::int64_t index) {
  const auto* step = std::get_if<wire::Step>(&event);
  return step != nullptr && step->index == index;
}

bool never(const wire::Event&) { return false; }

TEST(Session, TrainsBeyondItsScheduleUntilToldToStop) {
  Controller controller;
  controller.send(wire::Order{recipe::to_json(small_recipe())});
  std::vector<wire::Event> events = controller.receive([](const wire::Event& event) { return is_step(event, 9); });
  controller.send(wire::Stop{"the window is good"});
  const std::vector<wire::Event> rest = controller.receive(never);
  EXPECT_EQ(controller.status(), 0);
  events.insert(events.end(), rest.begin(), rest.end());

  EXPECT_TRUE(std::holds_alternative<wire::Hello>(events.front()));
  ASSERT_EQ(of_kind<wire::Config>(events).size(), 1U);
  EXPECT_GE(of_kind<wire::Libraries>(events).size(), 1U);
  EXPECT_GE(of_kind<wire::Memory>(events).size(), 1U);
  const std::vector<wire::Step> steps = of_kind<wire::Step>(events);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    EXPECT_EQ(steps[index].index, static_cast<std::int64_t>(index));
    EXPECT_EQ(steps[index].units, 32);
    EXPECT_TRUE(steps[index].loss.has_value());
    EXPECT_TRUE(steps[index].data_wait_ns.has_value());
    EXPECT_GE(steps[index].start_ns, steps[index == 0 ? 0 : index - 1].start_ns);
  }
  const auto& done = std::get<wire::Done>(events.back());
  EXPECT_EQ(done.steps, static_cast<std::int64_t>(steps.size()));
  EXPECT_EQ(done.units, 32 * done.steps);
  EXPECT_EQ(done.reason, "stopped");
}

TEST(Session, EvaluatesAtTheScheduledStepsAndOnceMoreAtTheEnd) {
  Controller controller;
  recipe::Recipe recipe = small_recipe();
  recipe.evaluation.every_steps = 4;
  controller.send(wire::Order{recipe::to_json(recipe)});
  std::vector<wire::Event> events = controller.receive([](const wire::Event& event) { return is_step(event, 8); });
  controller.send(wire::Stop{"enough"});
  const std::vector<wire::Event> rest = controller.receive(never);
  events.insert(events.end(), rest.begin(), rest.end());
  const std::vector<wire::Eval> evaluations = of_kind<wire::Eval>(events);
  ASSERT_EQ(evaluations.size(), 3U);
  EXPECT_EQ(evaluations[0].step, 4);
  EXPECT_EQ(evaluations[1].step, 6);  // total_steps
  EXPECT_EQ(evaluations[2].step, std::get<wire::Done>(events.back()).steps);
  EXPECT_EQ(evaluations[0].units, 3 * 16);
  EXPECT_EQ(controller.status(), 0);
}

TEST(Session, LeavesAtOnceWhenInterruptedWithoutAnotherEvaluation) {
  Controller controller;
  controller.send(wire::Order{recipe::to_json(small_recipe())});
  controller.receive([](const wire::Event& event) { return is_step(event, 1); });
  controller.send(wire::Stop{"interrupted"});
  const std::vector<wire::Event> rest = controller.receive(never);
  EXPECT_TRUE(of_kind<wire::Eval>(rest).empty() || of_kind<wire::Eval>(rest).front().step == 6);
  EXPECT_TRUE(std::holds_alternative<wire::Done>(rest.back()));
}

TEST(Session, EndsWhenTheControllerIsGone) {
  Controller controller;
  controller.send(wire::Order{recipe::to_json(small_recipe())});
  controller.receive([](const wire::Event& event) { return is_step(event, 1); });
  controller.hang_up();
  EXPECT_EQ(controller.status(), 0);
}

TEST(Session, TellsTheControllerWhatItCannotDo) {
  Controller controller;
  recipe::Recipe recipe = small_recipe();
  recipe.workload.model = "nanno";
  controller.send(wire::Order{recipe::to_json(recipe)});
  const std::vector<wire::Event> events = controller.receive(never);
  const auto& failure = std::get<wire::Failure>(events.back());
  EXPECT_EQ(failure.kind, "unsupported");
  EXPECT_NE(failure.next_step.find("nano"), std::string::npos);
  EXPECT_EQ(controller.status(), 4);
}

/// Runs the worker as a program; its exit status and standard output.
std::pair<int, std::string> run_worker(const std::string& arguments) {
  FILE* const pipe = popen((std::string(ETALON_PROGRAM_TORCH) + " " + arguments + " 2>&1").c_str(), "r");
  std::string output;
  char block[4096];
  while (const std::size_t count = fread(block, 1, sizeof block, pipe)) output.append(block, count);
  return {WEXITSTATUS(pclose(pipe)), output};
}

TEST(Program, TrainsAnOrderFromAFileAndPrintsTheEvents) {
  const TemporaryFolder folder;
  const auto order = worker_test::write(folder, "order.json", recipe::to_json(small_recipe()).dump());
  const auto [status, output] = run_worker("--order " + order.string() + " --steps 3");
  EXPECT_EQ(status, 0);
  std::vector<wire::Event> events;
  wire::LineBuffer lines(wire::max_line_bytes);
  lines.feed(output, [&](std::string_view line) { events.push_back(wire::decode_event(line)); });
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(of_kind<wire::Step>(events).size(), 3U);
  EXPECT_EQ(std::get<wire::Done>(events.back()).reason, "finished");
}

TEST(Program, ListsWhatItCanTrain) {
  const auto [status, output] = run_worker("--list");
  const base::Json list = base::parse_json(output, "list");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(list["families"][0]["name"], "llm");
  EXPECT_EQ(list["sources"][0]["name"], "torch-source");
}

TEST(Program, RefusesWhatItDoesNotUnderstandWithExitCodeTwo) {
  for (const char* arguments : {"--lisst", "--steps", "--steps three", "--steps 3", ""}) {
    const auto [status, output] = run_worker(arguments);
    EXPECT_EQ(status, 2) << arguments;
    EXPECT_FALSE(output.empty());
  }
}

TEST(Program, EndsOnSigterm) {
  const TemporaryFolder folder;
  const auto order = worker_test::write(folder, "order.json", recipe::to_json(small_recipe()).dump());
  const pid_t child = fork();
  if (child == 0) {
    freopen("/dev/null", "w", stdout);
    execl(ETALON_PROGRAM_TORCH, "etalon-torch", "--order", order.c_str(), "--steps", "100000000", nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

}  // namespace
}  // namespace etalon
