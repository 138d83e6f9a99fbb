// SPDX-License-Identifier: Apache-2.0
// The names of a dossier's files and the bounds within which they are read. Nothing outside this folder spells them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace etalon::dossier {

inline constexpr const char* document_file = "dossier.json";
inline constexpr const char* recipe_file = "recipe.toml";
inline constexpr const char* resolved_file = "recipe.resolved.json";
inline constexpr const char* environment_file = "environment.json";
inline constexpr const char* preflight_file = "preflight.json";
inline constexpr const char* manifest_file = "manifest.sha256";
inline constexpr const char* signature_file = "manifest.sha256.minisig";
inline constexpr const char* checklist_file = "checklist.md";
inline constexpr const char* report_stem = "report";
inline constexpr const char* report_charts_folder = "report-charts";
inline constexpr const char* launches_folder = "launches";
inline constexpr const char* steps_file = "steps.csv";
inline constexpr const char* telemetry_file = "telemetry.csv";
inline constexpr const char* events_file = "events.jsonl";
inline constexpr const char* log_file = "worker.log";

inline constexpr std::size_t most_json_bytes = std::size_t{16} << 20;
inline constexpr std::size_t most_recipe_bytes = std::size_t{1} << 20;
/// A protocol line may have 64 KiB; the recorder adds three members, and replaces bytes that are no UTF-8.
inline constexpr std::size_t most_event_line_bytes = std::size_t{256} << 10;
inline constexpr std::size_t most_files = 100'000;

/// "launches/1"
inline std::string launch_folder(std::int64_t index) {
  return std::string(launches_folder) + "/" + std::to_string(index);
}

/// Files made from the dossier, remade at will: outside the manifest. `path` is relative to the dossier.
bool is_derived(std::string_view path);

}  // namespace etalon::dossier
