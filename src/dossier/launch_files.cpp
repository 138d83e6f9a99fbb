// SPDX-License-Identifier: Apache-2.0
#include "dossier/launch_files.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/clock.h"
#include "dossier/layout.h"
#include "machine/conceal.h"

namespace etalon::dossier {

namespace {

constexpr std::size_t longest_log_line = 64 * 1024;

base::AppendFile make_series(const std::filesystem::path& path, const std::vector<Column>& columns) {
  base::AppendFile file(path);
  file.append(header_line(columns));
  file.flush();
  return file;
}

/// A cell that is no number says "not available", as a missing reading does.
void add_cell(base::CsvRow& row, const std::optional<double>& cell) {
  if (cell && std::isfinite(*cell)) {
    row.real(*cell);
  } else {
    row.empty();
  }
}

void add_cell(base::CsvRow& row, const std::optional<std::int64_t>& cell) {
  if (cell) {
    row.integer(*cell);
  } else {
    row.empty();
  }
}

const std::filesystem::path& made(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

LaunchFiles::LaunchFiles(const std::filesystem::path& folder, const std::vector<Column>& telemetry, bool conceal)
    : telemetry_cells_(telemetry.size() - 1),
      conceal_(conceal),
      steps_(make_series(made(folder) / steps_file, steps_columns())),
      telemetry_(make_series(folder / telemetry_file, telemetry)),
      events_(folder / events_file),
      log_(folder / log_file) {}

void LaunchFiles::step(int rank, const wire::Step& step) {
  row_.integer(rank);
  row_.integer(step.index);
  row_.integer(step.start_ns);
  row_.integer(step.end_ns);
  add_cell(row_, step.gpu_ns);
  row_.integer(step.units);
  add_cell(row_, step.loss);
  add_cell(row_, step.data_wait_ns);
  steps_.append(row_.finish());
  if (rank == 0) ++first_rank_steps_;
}

void LaunchFiles::event(std::string_view from, int rank, const base::Json& event) {
  base::Json line = {{"received_ns", base::monotonic_ns()}, {"from", from}, {"rank", rank}};
  const base::Json shown = conceal_ ? machine::concealed(event) : event;
  for (const auto& [name, value] : shown.items())
    if (!line.contains(name)) line[name] = value;
  events_.append(base::to_line(line) + "\n");
}

void LaunchFiles::telemetry(std::int64_t time_ns, const std::vector<std::optional<double>>& cells) {
  if (cells.size() != telemetry_cells_)
    throw std::logic_error("a telemetry row has another number of cells than the launch has channels");
  row_.integer(time_ns);
  for (const std::optional<double>& cell : cells) add_cell(row_, cell);
  telemetry_.append(row_.finish());
}

void LaunchFiles::log(std::string_view bytes) {
  if (!conceal_) return log_.append(bytes);
  log_line_.append(bytes);
  std::size_t whole = log_line_.rfind('\n') + 1;
  if (whole == 0 && log_line_.size() > longest_log_line) whole = log_line_.size();
  log_.append(machine::concealed_text(std::string_view(log_line_).substr(0, whole)));
  log_line_.erase(0, whole);
}

void LaunchFiles::flush(bool to_disk) {
  for (base::AppendFile* file : {&events_, &steps_, &telemetry_, &log_}) {
    if (to_disk) {
      file->sync();
    } else {
      file->flush();
    }
  }
}

void LaunchFiles::close() {
  log_.append(machine::concealed_text(std::exchange(log_line_, {})));
  flush(true);
  for (base::AppendFile* file : {&events_, &steps_, &telemetry_, &log_}) file->close();
}

}  // namespace etalon::dossier
