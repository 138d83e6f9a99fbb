// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include "base/file.h"
#include "report/sections/catalog.h"

namespace etalon::report {

Document build_document(const dossier::Dossier& dossier) {
  const std::string& title = dossier.recipe.recipe.title;
  Document document{title.empty() ? dossier.recipe.name : title, {}};
  for (const SectionMaker& maker : make_sections()) {
    Section section = maker.make(dossier);
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

std::filesystem::path write_markdown(const dossier::Dossier& dossier) {
  const std::filesystem::path path = dossier.folder / "report.md";
  base::replace_file(path, render_markdown(build_document(dossier)));
  return path;
}

std::vector<std::pair<std::string, std::string>> list_sections() {
  std::vector<std::pair<std::string, std::string>> sections;
  for (const SectionMaker& maker : make_sections()) sections.emplace_back(maker.name, maker.meaning);
  return sections;
}

}  // namespace etalon::report
