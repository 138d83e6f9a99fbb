// SPDX-License-Identifier: Apache-2.0
// The table of sources.
#include "measure/sources/catalog.h"

#include <array>

namespace etalon::measure {
namespace {

struct Entry {
  const char* name;
  const char* meaning;
  std::unique_ptr<Source> (*make)(const SourceOptions&);
};

#define SOURCE_ENTRY(name, meaning) Entry{#name, meaning, &make_##name},
constexpr std::array entries = {SOURCES(SOURCE_ENTRY)};
#undef SOURCE_ENTRY

}  // namespace

std::vector<std::unique_ptr<Source>> make_sources(const SourceOptions& options) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const Entry& entry : entries) sources.push_back(entry.make(options));
  return sources;
}

std::vector<std::pair<std::string, std::string>> list_sources() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name, entry.meaning);
  return names;
}

}  // namespace etalon::measure
