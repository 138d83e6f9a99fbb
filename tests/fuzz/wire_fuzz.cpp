// SPDX-License-Identifier: Apache-2.0
// Bytes as a worker might send them: lines are cut, decoded and judged; what decodes must encode to the same again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "measure/rank_ledger.h"
#include "wire/event.h"
#include "wire/line_buffer.h"
#include "wire/step_line.h"

using namespace etalon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wire::LineBuffer buffer(wire::max_line_bytes);
  measure::RankLedger ledger(1, 0);
  const auto judge = [&ledger](std::string_view line) {
    try {
      const wire::Event event = wire::decode_event(line);
      const std::string again = wire::encode(event);
      if (wire::encode(wire::decode_event(std::string_view(again).substr(0, again.size() - 1))) != again) std::abort();
      ledger.accept(event, std::int64_t{1} << 62);
    } catch (const wire::ProtocolError&) {
    }
    try {
      wire::decode_command(line);
    } catch (const wire::ProtocolError&) {
    }
  };
  buffer.feed({reinterpret_cast<const char*>(data), size}, judge);
  return 0;
}
