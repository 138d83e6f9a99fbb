// SPDX-License-Identifier: Apache-2.0
// Process ids that scripted processes leave in a folder, and whether those processes are still alive.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

/// Alive and no zombie.
inline bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t bracket = text.rfind(')');
  return bracket != std::string::npos && text.size() > bracket + 2 && text[bracket + 2] != 'Z';
}

/// The process ids in the files of `folder`, once there are `count`.
inline std::vector<pid_t> processes_in(const std::filesystem::path& folder, std::size_t count) {
  std::vector<pid_t> processes;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (processes.size() < count && std::chrono::steady_clock::now() < deadline) {
    processes.clear();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      pid_t process = 0;
      if (std::ifstream(entry.path()) >> process) processes.push_back(process);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(processes.size(), count);
  return processes;
}

inline void expect_all_gone(const std::vector<pid_t>& processes, double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (const pid_t process : processes) {
    while (is_alive(process) && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(is_alive(process)) << process;
  }
}
