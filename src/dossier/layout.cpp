// SPDX-License-Identifier: Apache-2.0
#include "dossier/layout.h"

#include <algorithm>
#include <array>

namespace etalon::dossier {

namespace {

constexpr std::array<std::string_view, 3> report_files = {"report.html", "report.md", "report.json"};

/// "report-charts/throughput-1.svg": letters, digits and hyphens before the ending, nothing below.
bool is_chart(std::string_view path) {
  const std::string folder = std::string(report_charts_folder) + "/";
  if (!path.starts_with(folder) || !(path.ends_with(".svg") || path.ends_with(".png"))) return false;
  const std::string_view name = path.substr(folder.size(), path.size() - folder.size() - 4);
  return !name.empty() && std::ranges::all_of(name, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  });
}

}  // namespace

bool is_derived(std::string_view path) {
  return path == manifest_file || path == signature_file || path == checklist_file ||
         std::ranges::find(report_files, path) != report_files.end() || is_chart(path);
}

}  // namespace etalon::dossier
