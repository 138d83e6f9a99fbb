// SPDX-License-Identifier: Apache-2.0
// The document tree between sections and renderers: what is said, without how it looks. Plain text only: renderers escape.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/json.h"

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

/// How a verdict is to be taken: by colour on a page, by words everywhere.
enum class Tone { good, caution, bad };
std::string to_text(Tone tone);

/// The answer of the whole report: shown first and large.
struct Verdict {
  Tone tone = Tone::caution;
  std::string word;                     ///< "steady"
  std::string meaning;                  ///< what the word means for the value
  std::string reason;                   ///< the numbers behind the word
  std::string value;                    ///< "278,471 tokens/s"; empty when nothing was measured
  std::string quantity;                 ///< "tokens per second, all devices"
  std::string interval;                 ///< "95 % interval 278,415 to 278,527 (±0.020 %)", or why there is none
  std::vector<std::string> objections;  ///< to publishing it; none: it may be published
};

/// What a reader wants to know before all else, one line each.
struct KeyFacts {
  struct Fact {
    std::string label;
    std::string value;
  };
  std::vector<Fact> facts;
};

/// One drawing of a chart. Panels of a chart have the same axes and stand side by side.
struct Panel {
  std::string file;          ///< stem of its picture: "throughput-1"; lower-case letters, digits and hyphens
  std::string label;         ///< "Launch 1"
  base::Json specification;  ///< Vega-Lite, with its data
};
struct Chart {
  std::string title;
  std::string description;  ///< what is to be seen, with its numbers, for those who cannot see it
  std::vector<Panel> panels;
};

using Block = std::variant<Paragraph, Bullets, Table, Code, Verdict, KeyFacts, Chart>;

struct Section {
  std::string title;
  std::vector<Block> blocks = {};  ///< an empty section is left out
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

/// Every panel of every chart, in the order of the document.
std::vector<const Panel*> panels_of(const Document& document);

}  // namespace etalon::report
