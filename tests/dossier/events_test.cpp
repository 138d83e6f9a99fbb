// SPDX-License-Identifier: Apache-2.0
// What is read back of events.jsonl for reports: when gates opened, memory, notes; none of it may spoil a verification.
#include "dossier/events.h"

#include <gtest/gtest.h>

#include "dossier/example.h"

namespace etalon::dossier {
namespace {

LaunchEvents events_of(const std::string& lines) {
  const example::Place place;
  example::overwrite(place / "events.jsonl", lines);
  return read_events(place.path());
}

std::string gate(const char* name, bool open, int received_ns) {
  return fmt::format(
      "{{\"received_ns\":{},\"from\":\"controller\",\"rank\":-1,\"type\":\"gate\",\"gate\":\"{}\",\"open\":{}}}\n",
      received_ns, name, open);
}

TEST(Events, TellWhenGatesOpenedAndClosed) {
  const LaunchEvents events = events_of(gate("drift", false, 1) + gate("drift", true, 2) + gate("drift", true, 3) +
                                        gate("precision", true, 4) + gate("drift", false, 5) + gate("drift", true, 6));
  ASSERT_EQ(events.gates.size(), 4u);
  EXPECT_EQ(events.gates[0].gate, "drift");
  EXPECT_EQ(events.gates[0].time_ns, 2);
  EXPECT_EQ(events.gates[1].gate, "precision");
  EXPECT_FALSE(events.gates[2].open);
  EXPECT_EQ(events.gates[3].time_ns, 6);
}

TEST(Events, TellMemoryAndNotes) {
  const LaunchEvents events = events_of(
      "{\"from\":\"worker\",\"rank\":1,\"type\":\"memory\",\"time_ns\":7,\"host_resident_bytes\":8}\n"
      "{\"from\":\"worker\",\"rank\":0,\"type\":\"note\",\"level\":\"warning\",\"text\":\"slow disc\"}\n");
  ASSERT_EQ(events.memory.size(), 1u);
  EXPECT_EQ(events.memory[0].rank, 1);
  EXPECT_EQ(events.memory[0].host_resident_bytes, 8);
  EXPECT_FALSE(events.memory[0].device_peak_reserved_bytes);
  ASSERT_EQ(events.notes.size(), 1u);
  EXPECT_EQ(events.notes[0].text, "slow disc");
}

TEST(Events, LeaveOutWhatIsMistypedWithoutComplaint) {
  const LaunchEvents events = events_of(
      "{\"from\":\"controller\",\"type\":\"gate\",\"gate\":5,\"open\":\"yes\",\"received_ns\":null}\n"
      "{\"from\":\"worker\",\"rank\":0,\"type\":\"memory\",\"time_ns\":\"late\"}\n");
  EXPECT_TRUE(events.gates.empty());
  EXPECT_TRUE(events.memory.empty());
  EXPECT_EQ(events.count, 2u);
}

}  // namespace
}  // namespace etalon::dossier
