// SPDX-License-Identifier: Apache-2.0
// Pictures of the charts, and the JavaScript that draws them in a page: made by vl-convert-python in a process of its own. A
// report is complete without them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "report/document.h"

namespace etalon::report {

struct Picture {
  std::string svg;  ///< follows the reader's preference for light or dark
  std::string png;  ///< light; empty when none was asked for
};

struct Drawings {
  std::string problem;                      ///< in words, when there are none though the document has charts
  std::map<std::string, Picture> pictures;  ///< by Panel::file
  std::string javascript;                   ///< Vega, Vega-Lite and Vega-Embed
};

/// Where the charts tool is found, in the order of trying: ETALON_PYTHON, the interpreter recorded when étalon was built,
/// python3; and the script as recipes are, in the sources or in the installation's share folder.
struct DrawingTool {
  std::filesystem::path python;
  std::filesystem::path script;
  double deadline_seconds = 120;
};
DrawingTool find_drawing_tool();

/// Never throws for what the tool lacks or does: see Drawings::problem.
Drawings make_drawings(const Document& document, const DrawingTool& tool, bool with_png, bool with_javascript);

/// What a reader is told when there are no pictures, and what to do about it.
std::string undrawn_in_words(const Drawings& drawings);

/// The picture with colours for dark pages added, which its reader's program chooses.
std::string with_dark_colours(const std::string& svg);

}  // namespace etalon::report
