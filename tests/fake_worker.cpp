// SPDX-License-Identifier: Apache-2.0
// A scripted worker for tests: trains nothing, keeps a timetable, and can go wrong in every way a real one might.
// Arguments are name=value (see Script); each fault happens at step `at`, or where its name says.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "wire/client.h"

namespace {

using namespace etalon;

struct Script {
  std::map<std::string, std::string> values;

  std::string text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  }
  double number(const std::string& name, double otherwise) const {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
  }
  std::int64_t count(const std::string& name, std::int64_t otherwise) const {
    return static_cast<std::int64_t>(number(name, static_cast<double>(otherwise)));
  }
  bool fault_is(const std::string& name) const { return text("fault") == name; }
};

wire::Descriptor connect() {
  const char* path = std::getenv("ETALON_SOCKET");
  return wire::connect_to(path == nullptr ? "" : path);
}

void send_raw(const std::string& bytes) {
  static wire::Descriptor* raw = nullptr;
  if (raw == nullptr) raw = new wire::Descriptor(connect());
  [[maybe_unused]] const ssize_t written = ::write(raw->get(), bytes.data(), bytes.size());
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

/// Step times from a timetable: base period, a linear change per second, AR(1) noise. Exact, however late the machine runs.
class Timetable {
 public:
  explicit Timetable(const Script& script)
      : period_ns_(1e9 / script.number("rate", 1000)),
        ramp_(script.number("ramp", 0)),
        noise_(script.number("noise", 0)),
        rho_(script.number("rho", 0)),
        random_(static_cast<unsigned>(script.count("seed", 1))),
        origin_ns_(base::monotonic_ns()),
        end_ns_(origin_ns_) {}

  void next(wire::Step& step) {
    const double training_seconds = static_cast<double>(end_ns_ - origin_ns_) / 1e9;
    deviation_ = rho_ * deviation_ + std::sqrt(1 - rho_ * rho_) * noise_ * normal_(random_);
    const double duration_ns = period_ns_ * (1 + ramp_ * training_seconds) * std::max(0.1, 1 + deviation_);
    step.start_ns = end_ns_;
    end_ns_ += static_cast<std::int64_t>(duration_ns);
    step.end_ns = end_ns_;
    const std::int64_t ahead_ns = end_ns_ - base::monotonic_ns();
    if (ahead_ns > 500'000) std::this_thread::sleep_for(std::chrono::nanoseconds(ahead_ns));
  }
  std::int64_t now_ns() const { return end_ns_; }
  void pass(std::int64_t duration_ns) {
    end_ns_ += duration_ns;
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<std::int64_t>(0, end_ns_ - base::monotonic_ns())));
  }

 private:
  double period_ns_;
  double ramp_;
  double noise_;
  double rho_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double deviation_ = 0;
  std::int64_t origin_ns_;
  std::int64_t end_ns_;
};

class Worker {
 public:
  Worker(const Script& script, int rank) : script_(script), rank_(rank), client_(connect()), timetable_(script) {}

  int run() {
    if (script_.fault_is("no_hello")) hang();
    say_hello();
    if (!client_.wait(20'000)) return 3;
    wire::Config config;
    config.parameters = 1000;
    config.unit = "token";
    config.units_per_step = script_.count("units", 100);
    config.flops_per_unit = 6000;
    config.details = {{"attention", "none"}};
    if (!script_.fault_is("no_config")) client_.send(config);
    client_.send(wire::Note{"info", "scripted"});
    if (script_.fault_is("no_step")) hang();
    timetable_ = Timetable(script_);
    train();
    return finish();
  }

 private:
  void say_hello() {
    wire::Hello hello;
    hello.engine = "fake";
    hello.versions = {{"fake", "1"}};
    hello.rank = rank_;
    hello.world_size = static_cast<int>(script_.count("ranks", 1));
    hello.process_id = ::getpid();
    hello.device = "cpu";
    if (script_.fault_is("wrong_version")) hello.protocol = 999;
    if (script_.fault_is("wrong_world")) hello.world_size = 7;
    if (script_.fault_is("step_first")) client_.send(wire::Step{});
    client_.send(hello);
    if (script_.fault_is("double_hello")) client_.send(hello);
    if (script_.fault_is("second_connection")) send_raw(wire::encode(hello));
    client_.send(wire::Libraries{{{"/lib/libfake.so", std::string(64, 'a')}}});
  }

  void train() {
    const std::int64_t last = script_.count("steps", 0);
    const std::int64_t evaluate_every = script_.count("eval_every", 0);
    for (std::int64_t index = 0; last == 0 || index < last; ++index) {
      wire::Step step;
      step.index = index;
      step.units = script_.count("units", 100);
      if (index % 10 == 0) step.loss = 5.5 / (1 + 0.001 * static_cast<double>(index));
      timetable_.next(step);
      if (script_.count("at", 50) == index) go_wrong(step);
      if (!client_.send(step)) std::exit(9);
      ++steps_;
      units_ += step.units;
      if (evaluate_every > 0 && steps_ % evaluate_every == 0) evaluate();
      if (!client_.poll()) continue;
      if (script_.fault_is("ignore_stop")) continue;
      if (script_.fault_is("hang_at_stop")) hang();
      reason_ = "stopped";
      return;
    }
  }

  void evaluate() {
    client_.send(wire::Phase{"eval", timetable_.now_ns()});
    wire::Eval eval{"held-out", steps_, timetable_.now_ns(), 0, 1000, 1.5};
    timetable_.pass(static_cast<std::int64_t>(1e9 * script_.number("eval_seconds", 0.02)));
    eval.end_ns = timetable_.now_ns();
    client_.send(eval);
    client_.send(wire::Phase{"train", timetable_.now_ns()});
  }

  int finish() {
    if (script_.fault_is("no_done")) return client_.flush() ? 0 : 1;
    wire::Done done{steps_, units_, reason_};
    if (script_.fault_is("lie_steps")) ++done.steps;
    if (script_.fault_is("lie_units")) done.units += 5;
    client_.send(done);
    if (script_.fault_is("hang_after_done")) hang();
    if (script_.fault_is("crash_after_done")) ::raise(SIGSEGV);
    return 0;
  }

  /// Faults that need the worker's own connection: what is buffered goes first.
  void raw(const std::string& bytes) {
    client_.flush();
    [[maybe_unused]] const ssize_t written = ::write(client_.descriptor(), bytes.data(), bytes.size());
  }

  void go_wrong(wire::Step& step) {
    const std::string fault = script_.text("fault");
    client_.flush();
    if (fault == "crash") ::raise(SIGSEGV);
    if (fault == "killed") ::raise(SIGKILL);
    if (fault == "exit") {
      fmt::print(stderr, "RuntimeError: nothing works\n\n");
      std::exit(3);
    }
    if (fault == "hang") hang();
    if (fault == "garbage") raw("\x01\x02 this is no JSON \xff\n");
    if (fault == "half_line") {
      raw(R"({"type":"step","ind)");
      std::exit(0);
    }
    if (fault == "huge_line") raw(std::string(200'000, 'x'));
    if (fault == "deep") raw(std::string(5'000, '[') + "\n");
    if (fault == "unknown") raw("{\"type\":\"banana\"}\n");
    if (fault == "gap") ++step.index;
    if (fault == "backwards") step.start_ns = step.end_ns -= 1'000'000'000;
    if (fault == "future") step.end_ns += 60'000'000'000;
    if (fault == "wrong_units") ++step.units;
    if (fault == "nan_loss") step.loss = std::numeric_limits<double>::quiet_NaN();
    if (fault == "python_nan") raw(fmt::format("{{\"type\": \"step\", \"index\": {}, \"loss\": NaN}}\n", step.index));
    if (fault == "early_close") {
      ::close(client_.descriptor());
      hang();
    }
    if (fault == "out_of_memory") {
      client_.send(wire::Failure{"out of memory", "tried to allocate 2 GiB", "lower training.micro_batch"});
      std::exit(1);
    }
    if (fault == "flood_notes") {
      while (client_.send(wire::Note{"info", std::string(30'000, 'n')})) {
      }
    }
  }

  const Script& script_;
  int rank_;
  wire::Client client_;
  Timetable timetable_;
  std::int64_t steps_ = 0;
  std::int64_t units_ = 0;
  std::string reason_ = "finished";
};

void leave_process_id(const Script& script, const std::string& name) {
  if (!script.text("pids").empty()) std::ofstream(script.text("pids") + "/" + name) << ::getpid() << '\n';
}

/// Grandchildren that ignore SIGTERM; every second one also leaves session and group.
void start_children(const Script& script) {
  for (std::int64_t index = 0; index < script.count("children", 0); ++index) {
    if (::fork() != 0) continue;
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    if (index % 2 == 1) ::setsid();
    leave_process_id(script, fmt::format("child{}", index));
    if (index % 2 == 1 && ::fork() == 0) leave_process_id(script, fmt::format("grandchild{}", index));
    hang();
  }
}

void write_output(const Script& script) {
  const std::int64_t bytes = script.count("output", 0);
  const std::string line(99, 'o');
  for (std::int64_t written = 0; written < bytes; written += 100) fmt::print("{}\n", line);
  std::fflush(stdout);
}

/// Other ranks are children of this process, as under torchrun.
int run_ranks(const Script& script) {
  int rank = 0;
  for (int other = 1; other < script.count("ranks", 1); ++other) {
    if (rank == 0 && ::fork() == 0) rank = other;
  }
  const int status = Worker(script, rank).run();
  while (rank == 0 && script.count("ranks", 1) > 1 && ::wait(nullptr) > 0) {
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Script script;
  for (int index = 1; index < argc; ++index) {
    const std::string argument = argv[index];
    const std::size_t equals = argument.find('=');
    script.values[argument.substr(0, equals)] = equals == std::string::npos ? "" : argument.substr(equals + 1);
  }
  if (script.fault_is("ignore_stop") || script.fault_is("hang") || script.fault_is("hang_at_once"))
    ::signal(SIGTERM, SIG_IGN);
  leave_process_id(script, "worker");
  start_children(script);
  write_output(script);
  if (script.fault_is("exit_at_once")) return 5;
  if (script.fault_is("hang_at_once")) hang();
  try {
    return run_ranks(script);
  } catch (const base::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
