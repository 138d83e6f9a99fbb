// SPDX-License-Identifier: Apache-2.0
#include "command_line/run_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/paths.h"
#include "base/text.h"

namespace etalon::command_line {

namespace {

namespace fs = std::filesystem;

constexpr const char* lock_file = "lock";
constexpr const char* process_file = "process";
constexpr std::size_t most_records = 20;
constexpr std::size_t longest_line_bytes = std::size_t{1} << 20;

wire::Descriptor open_lock(const fs::path& folder, int flags) {
  return wire::Descriptor(::open((folder / lock_file).c_str(), flags | O_RDWR | O_CLOEXEC, 0600));
}

/// The kernel lets go of the lock with the last process that holds it, however that ended.
bool is_locked(const fs::path& folder) {
  const wire::Descriptor lock = open_lock(folder, 0);
  return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

fs::path make_fresh_folder(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  for (int number = 1; number < 1000; ++number) {
    const fs::path folder = parent / (number == 1 ? name : fmt::format("{}-{}", name, number));
    if (fs::create_directory(folder, error)) return folder;
    if (error) break;
  }
  throw base::Error(base::ExitCode::usage,
                    fmt::format("cannot make a folder for the run's events in {}{}{}", parent.string(),
                                error ? ": " : "", error ? error.message() : ""),
                    "make that folder writable, or set XDG_STATE_HOME to one that is");
}

void remove_old(const fs::path& parent) {
  const std::vector<RecordedRun> runs = recorded_runs(parent);
  for (std::size_t index = most_records; index < runs.size(); ++index) {
    std::error_code ignored;  // another étalon may be doing the same
    if (!runs[index].running) fs::remove_all(runs[index].folder, ignored);
  }
}

std::optional<pid_t> process_of(const fs::path& folder) {
  std::ifstream file(folder / process_file);
  std::string text;
  std::getline(file, text);
  const auto number = base::parse_integer(text);
  return number && *number > 0 ? std::optional(static_cast<pid_t>(*number)) : std::nullopt;
}

}  // namespace

fs::path run_records_folder() {
  if (const fs::path state = base::state_folder(); !state.empty()) return state / "runs";
  throw base::Error(base::ExitCode::usage, "there is no place to keep a detached run's events: HOME is not set",
                    "set XDG_STATE_HOME to a folder of yours");
}

RunRecord::RunRecord(const fs::path& parent, const std::string& name) : folder_(make_fresh_folder(parent, name)) {
  lock_ = open_lock(folder_, O_CREAT);
  if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw base::system_error("lock", (folder_ / lock_file).string(), errno);
  events_ = base::AppendFile(folder_ / record_events);
  remove_old(parent);
}

void RunRecord::belongs_to(pid_t process) { base::replace_file(folder_ / process_file, fmt::format("{}\n", process)); }

void RunRecord::take(const base::Json& event) {
  if (event.at("event") == "launch") next_progress_seconds_ = 0;
  if (event.at("event") == "progress") {
    const double elapsed = event.at("elapsed_seconds");
    if (elapsed < next_progress_seconds_) return;
    next_progress_seconds_ = elapsed + 1;
  }
  events_.append(base::to_line(event) + "\n");
  events_.flush();
}

std::vector<RecordedRun> recorded_runs(const fs::path& parent) {
  std::vector<std::pair<fs::file_time_type, RecordedRun>> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const fs::path events = entry.path() / record_events;
    std::error_code missing;
    const fs::file_time_type begun = fs::last_write_time(entry.path() / lock_file, missing);
    if (missing || !fs::exists(events, missing)) continue;
    found.emplace_back(begun, RecordedRun{entry.path().filename().string(), entry.path(), is_locked(entry.path()),
                                          process_of(entry.path())});
  }
  std::ranges::sort(found, [](const auto& one, const auto& other) {
    return std::pair(one.first, one.second.name) > std::pair(other.first, other.second.name);
  });
  std::vector<RecordedRun> runs;
  for (auto& [begun, run] : found) runs.push_back(std::move(run));
  return runs;
}

RecordedRun find_run(const fs::path& parent, const std::string& name) {
  const std::vector<RecordedRun> runs = recorded_runs(parent);
  if (runs.empty())
    throw base::Error(base::ExitCode::usage, "no run was started with --detach", "start one: etalon run --detach");
  if (name.empty()) {
    const auto running = std::ranges::find_if(runs, &RecordedRun::running);
    return running == runs.end() ? runs.front() : *running;
  }
  std::vector<std::string> names;
  for (const RecordedRun& run : runs) {
    if (run.name == name) return run;
    names.push_back(run.name);
  }
  const std::string near = base::nearest(name, names);
  throw base::Error(base::ExitCode::usage, fmt::format("there is no detached run \"{}\"", base::printable(name, 100)),
                    near.empty() ? "see etalon attach --list" : fmt::format("did you mean {}?", near));
}

bool recorded_as_running(const RecordedRun& run) { return is_locked(run.folder); }

std::vector<base::Json> RecordReader::take() {
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset_));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  offset_ += text.size();
  half_line_ += text;
  std::vector<base::Json> events;
  std::size_t begin = 0;
  for (std::size_t end = half_line_.find('\n'); end != std::string::npos; end = half_line_.find('\n', begin)) {
    try {
      base::Json event = base::parse_json(std::string_view(half_line_).substr(begin, end - begin), file_.string());
      if (event.is_object()) events.push_back(std::move(event));
    } catch (const base::Error&) {  // a line that a full disk cut in two
    }
    begin = end + 1;
  }
  half_line_.erase(0, begin);
  if (half_line_.size() > longest_line_bytes) half_line_.clear();
  return events;
}

}  // namespace etalon::command_line
