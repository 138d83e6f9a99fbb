// SPDX-License-Identifier: Apache-2.0
#include "command_line/attached.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace etalon::command_line {

namespace {

using base::Json;

constexpr int look_interval_ms = 200;

bool is(const Json& event, std::string_view kind) { return event.value("event", std::string()) == kind; }

/// Of the progress made so far the last says it all.
std::vector<Json> without_old_progress(std::vector<Json> events) {
  std::size_t last = events.size();
  while (last > 0 && !is(events[last - 1], "progress")) --last;
  std::vector<Json> kept;
  for (std::size_t index = 0; index < events.size(); ++index)
    if (!is(events[index], "progress") || index + 1 == last) kept.push_back(std::move(events[index]));
  return kept;
}

/// Shows events; the exit code when one of them is the result.
std::optional<base::ExitCode> show(const std::vector<Json>& events, EventSink& sink) {
  for (const Json& event : events) {
    sink.take(event);
    if (is(event, "result")) return static_cast<base::ExitCode>(event.value("exit_code", 1));
  }
  return std::nullopt;
}

std::string read_output(const std::filesystem::path& record) {
  try {
    return base::read_file(record / record_output, 1 << 20);
  } catch (const base::Error&) {
    return {};
  }
}

base::Error ended_without_result(const std::filesystem::path& record) {
  const std::string words = base::printable(base::trim(read_output(record)), 1000);
  return base::Error(base::ExitCode::worker_failed,
                     words.empty() ? "the run ended without a result: it was killed, or the machine went down"
                                   : "the run ended without a result: " + words,
                     "what it had recorded is in its dossier; `etalon verify` says what of it is whole");
}

/// Waits for the next look; true when the user wants to leave.
bool interrupted_while_waiting(int interrupt_descriptor) {
  pollfd waiting{interrupt_descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, look_interval_ms) > 0;
}

}  // namespace

base::ExitCode follow(const RecordedRun& run, EventSink& sink, int interrupt_descriptor) {
  RecordReader reader(run.folder / record_events);
  std::vector<Json> events = without_old_progress(reader.take());
  while (true) {
    if (const auto code = show(events, sink)) return *code;
    const bool running = recorded_as_running(run);
    events = reader.take();
    if (!running && events.empty()) throw ended_without_result(run.folder);
    if (events.empty() && interrupted_while_waiting(interrupt_descriptor)) return base::ExitCode::interrupted;
  }
}

base::ExitCode tell_of_start(const std::filesystem::path& record, pid_t child, const TextViewSettings& settings) {
  TextViewSettings plain = settings;
  plain.terminal = false;
  const std::unique_ptr<EventSink> view = make_text_view(plain, std::cerr, std::cout);
  RecordReader reader(record / record_events);
  while (true) {
    int status = 0;
    const bool ended = ::waitpid(child, &status, WNOHANG) == child;
    const std::vector<Json> events = reader.take();
    if (const auto code = show(events, *view)) return *code;
    if (std::ranges::any_of(events, [](const Json& event) { return is(event, "launch"); })) break;
    if (ended && WIFEXITED(status)) {  // it could not even keep a dossier, and said why
      std::cerr << read_output(record);
      return static_cast<base::ExitCode>(WEXITSTATUS(status));
    }
    if (ended) throw ended_without_result(record);
    interrupted_while_waiting(-1);
  }
  const std::string name = base::printable(record.filename().string());
  std::cout << fmt::format(
      "the run goes on without this terminal\n  etalon attach {0}          shows it\n"
      "  etalon attach {0} --stop   ends it in order\n",
      name);
  return base::ExitCode::ok;
}

void ask_to_stop(const RecordedRun& run) {
  if (!run.running || !run.process)
    throw base::Error(base::ExitCode::usage, fmt::format("{} is not running", base::printable(run.name)),
                      "see etalon attach --list");
  if (::kill(*run.process, SIGTERM) != 0)
    throw base::system_error("signal", fmt::format("process {}", *run.process), errno);
}

}  // namespace etalon::command_line
