// SPDX-License-Identifier: Apache-2.0
// The recorder of one launch: its four append-only files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/file.h"
#include "dossier/columns.h"
#include "measure/recording.h"

namespace etalon::dossier {

class LaunchFiles : public measure::Recorder {
 public:
  /// Makes `folder` and the files in it, each CSV with its header line. With `conceal`, what identifies a person or a
  /// machine is replaced by pseudonyms in events and log.
  LaunchFiles(const std::filesystem::path& folder, const std::vector<Column>& telemetry, bool conceal);

  void step(int rank, const wire::Step& step) override;
  void event(std::string_view from, int rank, const base::Json& event) override;
  void telemetry(std::int64_t time_ns, const std::vector<std::optional<double>>& cells) override;
  void log(std::string_view bytes) override;
  void flush(bool to_disk) override;

  /// Everything on disk, all files closed.
  void close();
  /// Steps of rank 0 recorded so far.
  std::int64_t steps() const { return first_rank_steps_; }

 private:
  std::size_t telemetry_cells_;
  bool conceal_;
  std::string log_line_;  ///< not yet written: a name must not be cut in two
  std::int64_t first_rank_steps_ = 0;
  base::AppendFile steps_;
  base::AppendFile telemetry_;
  base::AppendFile events_;
  base::AppendFile log_;
  base::CsvRow row_;
};

}  // namespace etalon::dossier
