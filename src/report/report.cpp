// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "dossier/layout.h"
#include "report/charts/catalog.h"
#include "report/formats/catalog.h"
#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

namespace fs = std::filesystem;

template <class Maker>
std::vector<std::pair<std::string, std::string>> listed(const std::vector<Maker>& makers) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Maker& maker : makers) list.emplace_back(maker.name, maker.meaning);
  return list;
}

/// The folder for pictures, emptied of those of an earlier report. A link in its place could lead anywhere.
fs::path fresh_charts_folder(const fs::path& dossier) {
  const fs::path folder = dossier / dossier::report_charts_folder;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status))
    throw base::Error(base::ExitCode::usage,
                      fmt::format("{} is in the way of the pictures: it is no folder", folder.string()), "remove it");
  fs::create_directory(folder, error);
  if (error) throw base::system_error("make", folder.string(), error.value(), base::ExitCode::usage);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = std::string(dossier::report_charts_folder) + "/" + entry.path().filename().string();
    if (dossier::is_derived(name) && !fs::is_directory(entry.symlink_status())) fs::remove(entry.path());
  }
  return folder;
}

void write_pictures(const fs::path& dossier, const Drawings& drawings) {
  if (drawings.pictures.empty() && !fs::exists(dossier / dossier::report_charts_folder)) return;
  const fs::path folder = fresh_charts_folder(dossier);
  for (const auto& [file, picture] : drawings.pictures) {
    base::replace_file(folder / (file + ".svg"), picture.svg);
    base::replace_file(folder / (file + ".png"), picture.png);
  }
}

}  // namespace

Document build_document(const dossier::Dossier& dossier) {
  const std::string& title = dossier.recipe.recipe.title;
  Document document{title.empty() ? dossier.recipe.name : title, {}};
  const Material material = read_material(dossier);
  for (const SectionMaker& maker : make_sections()) {
    Section section = maker.make(material);
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

std::string render(const Document& document, const std::string& format, const Drawings& drawings) {
  return find_format(format).render(document, drawings);
}

std::string make(const dossier::Dossier& dossier, const std::string& format, const DrawingTool& tool) {
  const Format found = find_format(format);
  const Document document = build_document(dossier);
  // Printed text has no folder for pictures beside it.
  if (!found.wants_javascript) return found.render(document, {});
  return found.render(document, make_drawings(document, tool, false, true));
}

Written write(const dossier::Dossier& dossier, const std::vector<std::string>& formats, const DrawingTool& tool) {
  std::vector<Format> found;
  bool beside = false;
  bool inside = false;
  for (const std::string& name : formats) {
    found.push_back(find_format(name));
    beside = beside || found.back().wants_pictures_beside;
    inside = inside || found.back().wants_javascript;
  }
  const Document document = build_document(dossier);
  const Drawings drawings = beside || inside ? make_drawings(document, tool, beside, inside) : Drawings{};
  if (beside) write_pictures(dossier.folder, drawings);
  Written written{{}, drawings.problem};
  for (const Format& format : found) {
    written.files.push_back(dossier.folder / fmt::format("{}.{}", dossier::report_stem, format.name));
    base::replace_file(written.files.back(), format.render(document, drawings));
  }
  return written;
}

std::vector<std::pair<std::string, std::string>> list_sections() { return listed(make_sections()); }
std::vector<std::pair<std::string, std::string>> list_charts() { return listed(all_charts()); }
std::vector<std::pair<std::string, std::string>> list_formats() { return listed(make_formats()); }

}  // namespace etalon::report
