// SPDX-License-Identifier: Apache-2.0
#include "dossier/verify_series.h"

#include <cmath>

#include <fmt/format.h>

#include "base/csv.h"
#include "dossier/events.h"

namespace etalon::dossier {

namespace {

constexpr std::size_t most_findings_per_file = 10;
constexpr const char* data_wait_column = "data_wait_ns";

/// Names the first rows that deviate and counts the rest: a file off by one everywhere stays readable.
class RowFindings {
 public:
  RowFindings(std::string place, std::vector<Finding>& findings) : place_(std::move(place)), findings_(findings) {}
  void add(std::size_t line, std::string problem) {
    if (++count_ <= most_findings_per_file)
      findings_.push_back({fmt::format("{}:{}", place_, line), std::move(problem)});
  }
  void finish() {
    if (count_ > most_findings_per_file)
      findings_.push_back(
          {place_, fmt::format("{} more deviations of the same file", count_ - most_findings_per_file)});
  }

 private:
  std::string place_;
  std::vector<Finding>& findings_;
  std::size_t count_ = 0;
};

bool check_header(const base::CsvReader& reader, const std::string& place, const std::vector<Column>& columns,
                  std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  if (reader.header() == names) return true;
  // Dossiers of the first version have steps without this column.
  if (names.back() == data_wait_column) names.pop_back();
  if (reader.header() == names) return true;
  findings.push_back({place + ":1", "the header is not the list of columns that dossier.json describes"});
  return false;
}

struct Row {
  std::int64_t rank;
  std::int64_t index;
  std::int64_t start_ns;
  std::int64_t end_ns;
  std::int64_t units;
};

Row read_row(const base::CsvReader& reader, const std::vector<std::string_view>& cells) {
  const Row row{reader.integer(cells, 0), reader.integer(cells, 1), reader.integer(cells, 2), reader.integer(cells, 3),
                reader.integer(cells, 5)};
  return row;
}

void check_optional_cells(const base::CsvReader& reader, const std::vector<std::string_view>& cells,
                          RowFindings& rows) {
  if (!cells[4].empty() && reader.integer(cells, 4) < 0) rows.add(reader.line_number(), "gpu_ns is negative");
  if (!cells[6].empty() && !std::isfinite(reader.real(cells, 6)))
    rows.add(reader.line_number(), "loss_nats is not finite");
  if (cells.size() > 7 && !cells[7].empty() && reader.integer(cells, 7) < 0)
    rows.add(reader.line_number(), "data_wait_ns is negative");
}

void check_row(const Row& row, const RankDeclaration* declared, RankSeries& rank, std::size_t line, RowFindings& rows) {
  if (row.index != rank.steps)
    rows.add(line, fmt::format("step {} of rank {} where step {} is due", row.index, row.rank, rank.steps));
  if (row.start_ns < 0 || row.end_ns < row.start_ns)
    rows.add(line, fmt::format("step {} ends before it starts", row.index));
  if (rank.steps > 0 && (row.start_ns < rank.last_start_ns || row.end_ns < rank.last_end_ns))
    rows.add(line, fmt::format("the time of step {} lies before that of the step before it", row.index));
  if (row.units < 0 || __builtin_add_overflow(rank.units, row.units, &rank.units))
    rows.add(line, "the number of units is impossible");
  const std::int64_t due = declared != nullptr ? declared->units_per_step.value_or(0) : 0;
  if (due != 0 && row.units != due)
    rows.add(line, fmt::format("{} units where the worker declared {} per step", row.units, due));
}

}  // namespace

StepsSummary check_steps(const std::filesystem::path& file, const std::string& place, const LaunchEvents& events,
                         std::vector<Finding>& findings) {
  base::CsvReader reader(file);
  StepsSummary summary;
  if (!check_header(reader, place, steps_columns(), findings)) return summary;
  RowFindings rows(place, findings);
  std::vector<const RankDeclaration*> declared;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    const Row row = read_row(reader, cells);
    if (row.rank < 0 || row.rank >= most_ranks) {
      rows.add(reader.line_number(), fmt::format("{} is no rank", row.rank));
      continue;
    }
    const auto position = static_cast<std::size_t>(row.rank);
    while (summary.ranks.size() <= position) {
      const auto found = events.ranks.find(static_cast<int>(summary.ranks.size()));
      declared.push_back(found == events.ranks.end() ? nullptr : &found->second);
      summary.ranks.emplace_back();
    }
    RankSeries& rank = summary.ranks[position];
    check_optional_cells(reader, cells, rows);
    check_row(row, declared[position], rank, reader.line_number(), rows);
    if (rank.steps++ == 0) rank.first_start_ns = row.start_ns;
    rank.last_start_ns = row.start_ns;
    rank.last_end_ns = row.end_ns;
  }
  rows.finish();
  summary.torn = reader.torn();
  return summary;
}

TelemetrySummary check_telemetry(const std::filesystem::path& file, const std::string& place,
                                 const std::vector<Column>& columns, std::vector<Finding>& findings) {
  base::CsvReader reader(file);
  TelemetrySummary summary;
  if (!check_header(reader, place, columns, findings)) return summary;
  RowFindings rows(place, findings);
  std::int64_t last_ns = 0;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    const std::int64_t time_ns = reader.integer(cells, 0);
    if (time_ns < last_ns) rows.add(reader.line_number(), "the time lies before that of the row before it");
    last_ns = time_ns;
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (!cells[i].empty() && !std::isfinite(reader.real(cells, i)))
        rows.add(reader.line_number(), fmt::format("{} is not finite", columns[i].name));
    ++summary.rows;
  }
  rows.finish();
  summary.torn = reader.torn();
  return summary;
}

}  // namespace etalon::dossier
