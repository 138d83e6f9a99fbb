// SPDX-License-Identifier: Apache-2.0
// A dossier becomes a document tree, section by section, then a renderer's text: derived, outside the manifest, remade at will.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dossier/dossier.h"
#include "report/document.h"
#include "report/drawings.h"

namespace etalon::report {

/// Runs every section of the catalogue.
Document build_document(const dossier::Dossier& dossier);

/// The document in a form of the catalogue ("html", "md", "json"). Throws base::Error(usage) for another.
std::string render(const Document& document, const std::string& format, const Drawings& drawings = {});

/// The report in one form, its charts drawn where the form shows any.
std::string make(const dossier::Dossier& dossier, const std::string& format,
                 const DrawingTool& tool = find_drawing_tool());

/// What a run leaves: the page, and the text with its pictures.
inline const std::vector<std::string> usual_formats = {"html", "md"};

struct Written {
  std::vector<std::filesystem::path> files;  ///< without the pictures
  std::string problem;                       ///< in words, when charts could not be drawn
};

/// Writes report.html, report.md and report-charts into the dossier's folder, or the forms asked for. A missing charts tool is
/// no failure; throws base::Error where nothing can be written.
Written write(const dossier::Dossier& dossier, const std::vector<std::string>& formats = usual_formats,
              const DrawingTool& tool = find_drawing_tool());

/// Every section, chart and form of the catalogues: name and one phrase, for `etalon list`.
std::vector<std::pair<std::string, std::string>> list_sections();
std::vector<std::pair<std::string, std::string>> list_charts();
std::vector<std::pair<std::string, std::string>> list_formats();

}  // namespace etalon::report
