// SPDX-License-Identifier: Apache-2.0
// Runs the real `etalon` with a scripted worker, as a user would from a shell.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "temporary_folder.h"

/// Script of a worker that trains steadily until it is told to stop.
inline constexpr const char* steady = "rate=500 noise=0.01 eval_every=100";

/// A folder with its own configuration, dossiers and worker; the environment holds nothing of the user's.
class Place {
 public:
  /// `script`: arguments of the fake worker, e.g. "rate=500 fault=crash".
  explicit Place(const std::string& script) {
    std::ofstream(folder_ / "start") << "#!/bin/sh\nexec " << ETALON_FAKE_WORKER
                                     << " units=1024 pids=" << folder_.path().string() << " " << script << "\n";
    std::filesystem::permissions(folder_ / "start", std::filesystem::perms::owner_all);
  }

  struct Ended {
    int status = -1;  ///< exit status, or 128 + signal
    std::string output;
    std::string errors;
  };

  /// Starts `etalon WORDS…` in the folder; `before_exec` runs in the child.
  pid_t start(
      const std::vector<std::string>& words, const std::function<void()>& before_exec = [] {}) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    redirect(folder_ / "output", STDOUT_FILENO);
    redirect(folder_ / "errors", STDERR_FILENO);
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(125);
    before_exec();
    std::vector<std::string> all{ETALON_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<std::string> variables{
        "ETALON_WORKER=" + (folder_ / "start").string(),
        "XDG_CONFIG_HOME=" + (folder_ / "config").string(),
        "HOME=" + folder_.path().string(),
        "PATH=/usr/bin:/bin",
        "TMPDIR=" + folder_.path().string(),
        "ETALON_PYTHON=/no/python"};  // charts take seconds, and their own tests draw them
    for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"})
      if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
    ::execve(arguments[0], arguments.data(), environment.data());
    ::_exit(126);
  }

  Ended wait(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(folder_ / "output"),
            text_of(folder_ / "errors")};
  }

  Ended run(
      const std::vector<std::string>& words, const std::function<void()>& before_exec = [] {}) const {
    return wait(start(words, before_exec));
  }

  /// Waits until the first launch has steps on disk: its worker is connected and trains; false after ten seconds.
  bool trains(const std::filesystem::path& dossier) const {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const std::string steps = text_of(folder_ / dossier / "launches/1/steps.csv");
      if (std::count(steps.begin(), steps.end(), '\n') > 1) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  /// The processes that the scripted worker left its ids of are gone (within five seconds).
  bool nothing_is_left() const {
    for (int attempt = 0; attempt < 500; ++attempt) {
      bool alive = false;
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        const std::string name = entry.path().filename();
        if (name != "worker" && !name.starts_with("child") && !name.starts_with("grandchild")) continue;
        const pid_t process = std::atoi(text_of(entry.path()).c_str());
        alive = alive || (process > 0 && ::kill(process, 0) == 0);
      }
      if (!alive) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  std::filesystem::path operator/(const std::filesystem::path& name) const { return folder_ / name; }

  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  static void redirect(const std::filesystem::path& file, int descriptor) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(opened, descriptor);
    ::close(opened);
  }
  TemporaryFolder folder_;
};

inline std::vector<std::string> smoke_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"run",      "nano",
                                 "--output", "dossier",
                                 "--set",    "measure.profile=smoke",
                                 "--set",    "measure.warmup_seconds=0.5",
                                 "--set",    "measure.window_seconds=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
