// SPDX-License-Identifier: Apache-2.0
// What lies in the folder.
#include <fmt/format.h>

#include "base/text.h"
#include "dossier/layout.h"
#include "dossier/manifest.h"
#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

Section section(const dossier::Dossier& dossier) {
  Section section{"Files", {}};
  Table table{{"File", "Size", "Sealed"}, {}};
  for (const auto& [path, size] : dossier::take_inventory(dossier.folder).files)
    if (!dossier::is_derived(path))
      table.rows.push_back({path, base::human_bytes(static_cast<double>(size)), dossier.sealed ? "yes" : "no"});
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(Paragraph{
      fmt::format("Dossier {}, begun {}. This report is derived from these files and can be made anew: etalon report .",
                  dossier.document.at("id").get<std::string>(), dossier.document.at("created").get<std::string>())});
  return section;
}

}  // namespace

SectionMaker make_files() { return {"files", "the files of the dossier", section}; }

}  // namespace etalon::report
