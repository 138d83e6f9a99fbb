// SPDX-License-Identifier: Apache-2.0
// Memory that each rank of each launch had in use at most, as its worker reported it.
#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

struct Peaks {
  std::int64_t host = 0;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;

  void add(const dossier::MemoryRecord& record) {
    host = std::max(host, record.host_resident_bytes.value_or(0));
    allocated = std::max(allocated, record.device_peak_allocated_bytes.value_or(0));
    reserved = std::max(reserved, record.device_peak_reserved_bytes.value_or(0));
  }
};

/// No worker has none in use: 0 stands for what was not reported.
std::string in_words(std::int64_t bytes) {
  return bytes > 0 ? base::human_bytes(static_cast<double>(bytes)) : "not reported";
}

Section section(const Material& material) {
  Section section{"Memory", {}};
  Table table{{"Launch", "Rank", "Host, resident", "Device, allocated", "Device, reserved"}, {}};
  for (const LaunchSeries& launch : material.launches) {
    std::map<int, Peaks> ranks;
    for (const dossier::MemoryRecord& record : launch.events.memory) ranks[record.rank].add(record);
    for (const auto& [rank, peaks] : ranks)
      table.rows.push_back({std::to_string(launch.launch), std::to_string(rank), in_words(peaks.host),
                            in_words(peaks.allocated), in_words(peaks.reserved)});
  }
  if (material.launches.empty()) return section;
  if (table.rows.empty())
    section.blocks.emplace_back(Paragraph{"The worker reported no memory."});
  else
    section.blocks.emplace_back(Paragraph{"The highest values of each rank, as its worker reported them."});
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_memory() { return {"memory", "the highest use of memory by every rank", section}; }

}  // namespace etalon::report
