// SPDX-License-Identifier: Apache-2.0
// The worker's output on its way to the record, bounded: its beginning and its end are kept, the middle of a flood is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "measure/recording.h"

namespace etalon::measure {

class WorkerLog {
 public:
  static constexpr std::size_t default_head_bytes = std::size_t{8} << 20;
  static constexpr std::size_t default_tail_bytes = std::size_t{256} << 10;

  explicit WorkerLog(Recorder& recorder, std::size_t head_bytes = default_head_bytes,
                     std::size_t tail_bytes = default_tail_bytes)
      : recorder_(recorder), head_bytes_(head_bytes), tail_bytes_(tail_bytes) {}

  void add(std::string_view bytes);
  /// Records how much was dropped and the end of the output.
  void finish();
  std::uint64_t dropped_bytes() const { return total_bytes_ - kept_bytes_ - tail_.size(); }
  /// The last line that is not blank, made printable: a dying program's last words.
  std::string last_words() const;

 private:
  void remember(std::string_view bytes);

  Recorder& recorder_;
  std::size_t head_bytes_;
  std::size_t tail_bytes_;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::string tail_;    // what came after the head, at most twice tail_bytes_
  std::string recent_;  // the last bytes of all, for last_words
};

}  // namespace etalon::measure
