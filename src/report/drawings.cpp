// SPDX-License-Identifier: Apache-2.0
#include "report/drawings.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "launch/job.h"
#include "launch/program.h"

namespace etalon::report {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_output_bytes = 4096;
constexpr std::size_t most_picture_bytes = std::size_t{16} << 20;
constexpr int grace_ms = 500;

/// A folder that is gone when the drawing is done.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "etalon-charts-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw base::system_error("make a folder", name, errno);
    path_ = name;
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_request(const Document& document, const fs::path& folder, bool with_png, bool with_javascript) {
  base::Json panels = base::Json::array();
  for (const Panel* panel : panels_of(document))
    panels.push_back({{"file", panel->file}, {"specification", panel->specification}});
  const base::Json request = {{"panels", std::move(panels)}, {"png", with_png}, {"javascript", with_javascript}};
  base::replace_file(folder / "request.json", base::to_line(request));
}

/// The last of what the tool printed, read as far as it goes without waiting.
void read_output(int descriptor, std::string& output) {
  std::array<char, 4096> block;
  for (ssize_t size = ::read(descriptor, block.data(), block.size()); size > 0;
       size = ::read(descriptor, block.data(), block.size()))
    output.append(block.data(), static_cast<std::size_t>(size));
  if (output.size() > most_output_bytes) output.erase(0, output.size() - most_output_bytes);
}

std::string last_line(const std::string& output) {
  const std::vector<std::string_view> lines = base::split(base::trim(output), '\n');
  return base::printable(lines.back(), 300);
}

/// Empty when all went well.
std::string run_tool(const DrawingTool& tool, const fs::path& folder) {
  launch::Job job({tool.python, {tool.script.string(), folder.string()}, {}, {}, {}});
  const std::int64_t deadline_ns = base::monotonic_ns() + static_cast<std::int64_t>(tool.deadline_seconds * 1e9);
  std::string output;
  std::optional<launch::Ending> ending;
  while (!(ending = job.poll())) {
    if (base::monotonic_ns() > deadline_ns) {
      job.end(grace_ms);
      return fmt::format("{} was ended after {}", tool.script.filename().string(),
                         base::human_duration(tool.deadline_seconds));
    }
    std::array<pollfd, 2> wait = {pollfd{job.output_descriptor(), POLLIN, 0},
                                  pollfd{job.ended_descriptor(), POLLIN, 0}};
    ::poll(wait.data(), wait.size(), 100);
    read_output(job.output_descriptor(), output);
  }
  read_output(job.output_descriptor(), output);
  if (ending->exit_status == 0) return "";
  const std::string said = last_line(output);
  return said.empty() ? fmt::format("{} {}", tool.python.string(), ending->in_words()) : said;
}

Drawings collect(const Document& document, const fs::path& folder, bool with_png, bool with_javascript) {
  Drawings drawings;
  for (const Panel* panel : panels_of(document)) {
    Picture picture;
    picture.svg = with_dark_colours(base::read_file(folder / (panel->file + ".svg"), most_picture_bytes));
    if (with_png) picture.png = base::read_file(folder / (panel->file + ".png"), most_picture_bytes);
    drawings.pictures.emplace(panel->file, std::move(picture));
  }
  if (with_javascript) drawings.javascript = base::read_file(folder / "charts.js", most_picture_bytes);
  return drawings;
}

fs::path find_script() {
  std::error_code error;
  for (const fs::path& folder : {base::source_root() / "share", base::share_folder()})
    if (fs::is_regular_file(folder / "draw_charts.py", error)) return folder / "draw_charts.py";
  return {};
}

}  // namespace

DrawingTool find_drawing_tool() {
  DrawingTool tool;
  tool.script = find_script();
  std::error_code error;
  if (const char* python = std::getenv("ETALON_PYTHON"); python != nullptr && *python != '\0')
    tool.python = python;
  else if (const fs::path recorded = ETALON_CHARTS_PYTHON; !recorded.empty() && fs::exists(recorded, error))
    tool.python = recorded;
  else
    tool.python = "python3";
  return tool;
}

Drawings make_drawings(const Document& document, const DrawingTool& tool, bool with_png, bool with_javascript) {
  Drawings drawings;
  if (panels_of(document).empty()) return drawings;
  try {
    if (tool.script.empty())
      throw base::Error(base::ExitCode::internal, "draw_charts.py is neither in the sources nor in the installation");
    const Workplace workplace;
    write_request(document, workplace.path(), with_png, with_javascript);
    const DrawingTool found{launch::find_program(tool.python), tool.script, tool.deadline_seconds};
    drawings.problem = run_tool(found, workplace.path());
    if (drawings.problem.empty()) return collect(document, workplace.path(), with_png, with_javascript);
  } catch (const std::exception& error) {
    drawings.problem = error.what();
  }
  return drawings;
}

std::string undrawn_in_words(const Drawings& drawings) {
  return fmt::format(
      "The charts could not be drawn: {}. Nothing else is missing: their figures stand in words and tables. To have "
      "them, install "
      "vl-convert-python for the Python that ETALON_PYTHON names, then run \"etalon report\" again.",
      drawings.problem);
}

std::string with_dark_colours(const std::string& svg) {
  // Style sheets are stronger than the attributes in which the drawing has its colours.
  static const std::string style =
      "<style>@media (prefers-color-scheme: dark) { [fill=\"#5b6472\"] { fill: #a9b2bf } [stroke=\"#5b6472\"] { "
      "stroke: "
      "#a9b2bf } [stroke=\"#e3e7ec\"] { stroke: #2b323c } [stroke=\"#b8c0cc\"] { stroke: #4a5462 } }</style>";
  const std::size_t start = svg.find("<svg");
  const std::size_t end = start == std::string::npos ? start : svg.find('>', start);
  if (end == std::string::npos) return svg;
  return svg.substr(0, end + 1) + style + svg.substr(end + 1);
}

}  // namespace etalon::report
