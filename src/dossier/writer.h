// SPDX-License-Identifier: Apache-2.0
// A dossier while it is written: append-only files, then sealed by the manifest. Only this folder knows file names.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "measure/recording.h"
#include "recipe/resolve.h"

namespace etalon::dossier {

inline constexpr int schema_version = 1;

class Writer {
 public:
  /// Makes the directory (with its parents). Throws base::Error: usage when it exists already, refused when it cannot be
  /// made or written. From here on the directory is a valid, unfinished dossier.
  Writer(std::filesystem::path folder, const recipe::RequestedRecipe& requested, const recipe::ResolvedRecipe& resolved,
         const machine::Machine& machine, const std::vector<std::string>& command_line);
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  const std::filesystem::path& folder() const;

  /// Opens launches/N (from 1). The recorder lives until end_launch or the next begin_launch.
  measure::Recorder& begin_launch(const std::vector<measure::Channel>& channels);
  void end_launch(const measure::LaunchOutcome& outcome);

  void set_preflight(const base::Json& preflight);

  /// Computes the headline values from the files, writes dossier.json, then the manifest. Nothing may be written afterwards.
  void seal(measure::Verdict verdict, const std::string& reason);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// <parent>/<UTC date-time>-<recipe name>, with -2, -3 … when taken.
std::filesystem::path fresh_folder(const std::filesystem::path& parent, const std::string& recipe_name);

}  // namespace etalon::dossier
