// SPDX-License-Identifier: Apache-2.0
// The head goes straight through; once it is full, only a sliding tail is held in memory.
#include "measure/worker_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace etalon::measure {
namespace {

constexpr std::size_t recent_bytes = 2048;
constexpr std::size_t last_words_bytes = 300;

void keep_last(std::string& text, std::size_t bytes) {
  if (text.size() > bytes) text.erase(0, text.size() - bytes);
}

}  // namespace

void WorkerLog::add(std::string_view bytes) {
  total_bytes_ += bytes.size();
  remember(bytes);
  const std::string_view head = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), head_bytes_ - kept_bytes_));
  if (!head.empty()) recorder_.log(head);
  kept_bytes_ += head.size();
  tail_.append(bytes.substr(head.size()));
  if (tail_.size() > 2 * tail_bytes_) keep_last(tail_, tail_bytes_);
}

void WorkerLog::finish() {
  keep_last(tail_, tail_bytes_);
  if (dropped_bytes() > 0)
    recorder_.log(fmt::format("\n[étalon: {} bytes of output left out here]\n", dropped_bytes()));
  if (!tail_.empty()) recorder_.log(tail_);
  kept_bytes_ += tail_.size();
  tail_.clear();
}

void WorkerLog::remember(std::string_view bytes) {
  recent_.append(bytes.substr(bytes.size() - std::min(bytes.size(), recent_bytes)));
  keep_last(recent_, recent_bytes);
}

std::string WorkerLog::last_words() const {
  std::string_view last;
  for (const std::string_view line : base::split(recent_, '\n')) {
    if (!base::trim(line).empty()) last = base::trim(line);
  }
  return base::printable(last, last_words_bytes);
}

}  // namespace etalon::measure
