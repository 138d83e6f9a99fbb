// SPDX-License-Identifier: Apache-2.0
#include "dossier/writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/version.h"
#include "dossier/document.h"
#include "dossier/launch_files.h"
#include "dossier/layout.h"
#include "dossier/manifest.h"
#include "dossier/redact.h"
#include "machine/conceal.h"

namespace etalon::dossier {

namespace {

namespace fs = std::filesystem;

std::string random_id() {
  std::random_device device;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", device());
  return id;
}

base::Json shown(const base::Json& value, const machine::Machine& machine) {
  return machine.identified ? value : machine::concealed(value);
}

base::Json environment_json(const machine::Machine& machine, const std::vector<std::string>& command_line) {
  const base::Build& build = base::build();
  return {{"schema", schema_version},
          {"etalon",
           {{"version", build.version},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"build_type", build.type}}},
          {"command_line", shown(redact(command_line), machine)},
          {"machine", machine::to_json(machine)}};
}

base::Error taken(const fs::path& folder) {
  return base::Error(base::ExitCode::usage,
                     fmt::format("{} exists already; a dossier is never overwritten", folder.string()),
                     "choose another --output, or move the old folder away");
}

fs::path make_hidden_folder(const fs::path& folder) {
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) throw base::system_error("create", parent.string(), error.value(), base::ExitCode::refused);
  std::string pattern = (parent / ("." + folder.filename().string() + ".XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw base::system_error("create a folder in", parent.string(), errno, base::ExitCode::refused);
  ::chmod(pattern.c_str(), 0755);
  return pattern;
}

/// Gives the prepared folder its name. The name appears with the whole start of a dossier behind it, or not at all.
void reveal(const fs::path& hidden, const fs::path& folder) {
  if (::renameat2(AT_FDCWD, hidden.c_str(), AT_FDCWD, folder.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) throw taken(folder);
  if (errno != EINVAL && errno != ENOSYS)
    throw base::system_error("create", folder.string(), errno, base::ExitCode::refused);
  // Some network file systems lack the exclusive rename: reserve the name with an empty folder, which rename may replace.
  if (::mkdir(folder.c_str(), 0755) != 0) {
    if (errno == EEXIST) throw taken(folder);
    throw base::system_error("create", folder.string(), errno, base::ExitCode::refused);
  }
  if (::rename(hidden.c_str(), folder.c_str()) != 0)
    throw base::system_error("create", folder.string(), errno, base::ExitCode::refused);
}

fs::path without_trailing_slash(fs::path folder) {
  folder = folder.lexically_normal();
  return folder.has_filename() || !folder.has_parent_path() ? folder : folder.parent_path();
}

}  // namespace

struct Writer::State {
  fs::path folder;
  recipe::Recipe recipe;
  Document document;
  std::unique_ptr<LaunchFiles> launch;
  bool conceal = true;
  bool sealed = false;

  void write_document() const { base::replace_file(folder / document_file, base::to_document(to_json(document))); }

  std::string shown(const std::string& text) const { return conceal ? machine::concealed_text(text) : text; }

  void close_launch() {
    if (!launch) return;
    document.launches.back().outcome.steps = launch->steps();
    launch->close();
    launch.reset();
  }

  void must_be_open() const {
    if (sealed) throw std::logic_error("the dossier is sealed: nothing may be written to it");
  }
};

Writer::Writer(fs::path folder, const recipe::RequestedRecipe& requested, const recipe::ResolvedRecipe& resolved,
               const machine::Machine& machine, const std::vector<std::string>& command_line)
    : state_(std::make_unique<State>()) {
  folder = without_trailing_slash(std::move(folder));
  if (fs::exists(fs::symlink_status(folder))) throw taken(folder);
  Document& document = state_->document;
  document.id = random_id();
  document.created = base::utc_timestamp(base::wall_clock_ns());
  document.created_monotonic_ns = base::monotonic_ns();
  document.title = resolved.recipe.title;
  document.recipe = resolved.name;
  state_->recipe = resolved.recipe;
  state_->conceal = !machine.identified;
  const fs::path hidden = make_hidden_folder(folder);
  try {
    state_->folder = hidden;
    base::replace_file(hidden / recipe_file, requested.text);
    base::replace_file(hidden / resolved_file, base::to_document(recipe::to_json(resolved)));
    base::replace_file(hidden / environment_file, base::to_document(environment_json(machine, command_line)));
    state_->write_document();
    reveal(hidden, folder);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
    throw;
  }
  state_->folder = folder;
}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

const fs::path& Writer::folder() const { return state_->folder; }

measure::Recorder& Writer::begin_launch(const std::vector<measure::Channel>& channels) {
  state_->must_be_open();
  state_->close_launch();
  LaunchRecord launch;
  launch.index = static_cast<std::int64_t>(state_->document.launches.size()) + 1;
  launch.folder = launch_folder(launch.index);
  launch.ended = false;
  launch.outcome.channels = channels;
  state_->launch =
      std::make_unique<LaunchFiles>(state_->folder / launch.folder, telemetry_columns(channels), state_->conceal);
  state_->document.launches.push_back(launch);
  state_->write_document();  // a run cut off here still describes its columns
  return *state_->launch;
}

void Writer::end_launch(const measure::LaunchOutcome& outcome) {
  state_->must_be_open();
  if (!state_->launch) throw std::logic_error("no launch is being written");
  state_->close_launch();
  LaunchRecord& launch = state_->document.launches.back();
  std::vector<measure::Channel> channels = std::move(launch.outcome.channels);  // as the file's header has them
  launch.outcome = outcome;
  launch.outcome.reason = state_->shown(outcome.reason);  // may quote the worker's last words
  launch.outcome.next_step = state_->shown(outcome.next_step);
  launch.outcome.channels = std::move(channels);
  launch.ended = true;
  state_->write_document();
}

void Writer::set_preflight(const base::Json& preflight) {
  state_->must_be_open();
  base::replace_file(state_->folder / preflight_file,
                     base::to_document(state_->conceal ? machine::concealed(preflight) : preflight));
}

void Writer::seal(measure::Verdict verdict, const std::string& reason) {
  state_->must_be_open();
  state_->close_launch();
  Document& document = state_->document;
  for (LaunchRecord& launch : document.launches) {
    if (launch.ended) continue;
    launch.ended = true;
    launch.outcome.verdict = measure::Verdict::interrupted;
    launch.outcome.reason = "the launch was cut short";
  }
  document.headline = compute_headline(state_->folder, state_->recipe, document.launches);
  document.verdict = verdict;
  document.reason = state_->shown(reason);
  document.sealed = base::utc_timestamp(base::wall_clock_ns());
  state_->write_document();
  write_manifest(state_->folder);
  state_->sealed = true;
}

fs::path fresh_folder(const fs::path& parent, const std::string& recipe_name) {
  std::string moment =
      base::utc_timestamp(base::wall_clock_ns()).substr(0, 19);  // to the second; ':' is unwelcome in file names
  std::erase(moment, ':');
  const fs::path folder = parent / fmt::format("{}-{}", moment, recipe_name);
  fs::path candidate = folder;
  for (int number = 2; fs::exists(fs::symlink_status(candidate)); ++number)
    candidate = folder.string() + fmt::format("-{}", number);
  return candidate;
}

}  // namespace etalon::dossier
