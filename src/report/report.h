// SPDX-License-Identifier: Apache-2.0
// A dossier becomes a document tree, sections by sections, then a renderer's text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dossier/dossier.h"

namespace etalon::report {

struct Paragraph {
  std::string text;
};
struct Bullets {
  std::vector<std::string> items;
};
struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
struct Code {
  std::string text;
};
using Block = std::variant<Paragraph, Bullets, Table, Code>;

/// Plain text only: renderers escape.
struct Section {
  std::string title;
  std::vector<Block> blocks;  ///< an empty section is left out
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

/// Runs every section of the catalogue.
Document build_document(const dossier::Dossier& dossier);

std::string render_markdown(const Document& document);

/// Writes report.md into the dossier's folder (derived: outside the manifest) and returns its path.
std::filesystem::path write_markdown(const dossier::Dossier& dossier);

/// Every section of the catalogue: name and one phrase, for `etalon list sections`.
std::vector<std::pair<std::string, std::string>> list_sections();

}  // namespace etalon::report
