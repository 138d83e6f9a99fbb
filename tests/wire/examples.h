// SPDX-License-Identifier: Apache-2.0
// One or two events of every kind, for tests that go through all of them.
#pragma once

#include <string>
#include <vector>

#include "wire/event.h"

namespace etalon::wire {

inline std::vector<Event> example_events() {
  return {
      Hello{1, "native", {{"pytorch", "2.11.0+cu130"}, {"cuda", "13.0"}}, 0, 2, 4711, "cuda:0", "GPU-1234"},
      Hello{1, "fake", {}, 0, 1, 1, "cpu", std::nullopt},
      Libraries{{{"/lib/libc.so.6", std::string(64, '0')}, {"/lib/lib \"quoted\" é.so", std::string(64, '1')}}},
      Libraries{},
      Config{1'070'464, "token", 1024, 6.4e6, {{"attention", "math"}, {"dtypes", {{"matmul", "fp32"}}}}},
      Config{1, "image", 0, 0, {}},
      Phase{"train", 123},
      Step{3, 10, 20, 9, 1024, 5.5},
      Step{4, 20, 30, std::nullopt, 1024, std::nullopt},
      Step{5, 30, 40, std::nullopt, 1024, 5.25, 4},
      Memory{5, 1'000'000, 2'000'000, 3'000'000},
      Memory{5, std::nullopt, std::nullopt, std::nullopt},
      Eval{"held-out", 1600, 5, 9, 65'536, 1.37},
      Note{"warning", "a text with \"quotes\",\nnewlines and ünïcödé"},
      Failure{"out of memory", "tried to allocate 2 GiB", "lower training.micro_batch"},
      Done{1600, 1'638'400, "stopped"},
  };
}

}  // namespace etalon::wire
