// SPDX-License-Identifier: Apache-2.0
#include "dossier/verify.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "dossier/document.h"
#include "dossier/events.h"
#include "dossier/layout.h"
#include "dossier/manifest.h"
#include "dossier/schemas.h"
#include "dossier/verify_claims.h"
#include "dossier/verify_series.h"

namespace etalon::dossier {

namespace {

/// One verification: looks at everything even after the first deviation, and never opens what is no regular file.
class Inspection {
 public:
  explicit Inspection(const std::filesystem::path& folder) : folder_(folder), inventory_(take_inventory(folder)) {}

  Verification run() {
    for (const Finding& finding : inventory_.irregular) result_.findings.push_back(finding);
    sealed_ = has(manifest_file);
    if (sealed_) guarded(manifest_file, [&] { inspect_manifest(); });
    inspect_documents();
    guarded(recipe_file, [&] { inspect_recipe(); });
    if (document_)
      for (const LaunchRecord& launch : document_->launches) inspect_launch(launch);
    inspect_unlisted_launches();
    if (sealed_) inspect_claims();
    conclude();
    return std::move(result_);
  }

 private:
  bool has(const std::string& path) const { return inventory_.files.contains(path); }
  void find(std::string place, std::string problem) {
    result_.findings.push_back({std::move(place), std::move(problem)});
  }

  /// Errors name the full path; a finding names the place inside the dossier.
  void find_error(const std::string& place, const std::string& message) {
    const std::string prefix = (folder_ / "").string();
    if (!message.starts_with(prefix)) return find(place, message);
    const std::string rest = message.substr(prefix.size());
    const std::size_t colon = rest.find(": ");
    if (colon == std::string::npos) return find(place, rest);
    find(rest.substr(0, colon), rest.substr(colon + 2));
  }

  bool guarded(const std::string& place, const std::function<void()>& step) {
    try {
      step();
      return true;
    } catch (const std::exception& error) {
      find_error(place, base::printable(error.what(), 2000));
      return false;
    }
  }

  void inspect_manifest() {
    const std::size_t matching = check_manifest(folder_, inventory_, result_.findings);
    result_.checked.push_back(fmt::format("{} files have the SHA-256 that the manifest lists", matching));
  }

  /// The document when it is there, parses and follows its schema.
  std::optional<base::Json> read_document(const char* name, const base::Json& schema) {
    std::optional<base::Json> result;
    if (!has(name)) {
      find(name, "it is missing");
      return result;
    }
    guarded(name, [&] {
      base::Json json = base::parse_json(base::read_file(folder_ / name, most_json_bytes), name);
      const std::vector<SchemaProblem> problems = check_schema(json, schema);
      for (const SchemaProblem& problem : problems)
        find(problem.place.empty() ? name : fmt::format("{}: {}", name, problem.place), problem.problem);
      if (problems.empty()) result = std::move(json);
    });
    return result;
  }

  /// Launches are numbered in order; otherwise nothing is read by their numbers.
  void take_document(Document document) {
    for (std::size_t i = 0; i < document.launches.size(); ++i)
      if (document.launches[i].index != static_cast<std::int64_t>(i) + 1)
        return find(fmt::format("{}: launches[{}].index", document_file, i), fmt::format("it is not {}", i + 1));
    document_ = std::move(document);
  }

  void inspect_documents() {
    const auto document = read_document(document_file, base::parse_json(dossier_schema_text(), document_file));
    if (document) guarded(document_file, [&] { take_document(document_from_json(*document)); });
    const auto environment =
        read_document(environment_file, base::parse_json(environment_schema_text(), environment_file));
    resolved_ = read_document(resolved_file, recipe::resolved_schema());
    if (resolved_) guarded(resolved_file, [&] { recipe_ = recipe::resolved_from_json(*resolved_).recipe; });
    if (has(preflight_file))
      guarded(preflight_file,
              [&] { base::parse_json(base::read_file(folder_ / preflight_file, most_json_bytes), preflight_file); });
    if (document_ && environment && recipe_)
      result_.checked.push_back(
          fmt::format("{}, {} and {} follow their schemas", document_file, environment_file, resolved_file));
  }

  void inspect_recipe() {
    if (!has(recipe_file)) return find(recipe_file, "it is missing");
    if (!recipe_) return;
    const std::size_t before = result_.findings.size();
    const std::size_t keys =
        check_recipe(base::read_file(folder_ / recipe_file, most_recipe_bytes), *resolved_, result_.findings);
    if (result_.findings.size() == before)
      result_.checked.push_back(fmt::format("{} keys of the resolved recipe agree with {}", keys, recipe_file));
  }

  /// A launch that was cut off while its files were made may lack some of them, or their header lines.
  bool is_readable(const std::string& path) {
    if (has(path) && (sealed_ || inventory_.files.at(path) > 0)) return true;
    if (sealed_) {
      find(path, "it is missing");
    } else {
      result_.remarks.push_back(path + " was not begun");
    }
    return false;
  }

  void note_torn(const std::string& path, bool torn) {
    if (!torn) return;
    if (sealed_) {
      find(path, "it ends in the middle of a line");
    } else {
      result_.remarks.push_back(path + " ends in the middle of a line, which is left out");
    }
  }

  void inspect_launch(const LaunchRecord& launch) {
    const std::string place = launch.folder.generic_string();
    LaunchEvents events;
    StepsSummary steps;
    TelemetrySummary telemetry;
    bool readable = true;
    if (const std::string path = place + "/" + events_file; has(path) || is_readable(path)) {
      readable = guarded(path, [&] { events = read_events(folder_ / place); }) && readable;
      note_torn(path, events.torn);
    }
    if (const std::string path = place + "/" + steps_file; is_readable(path)) {
      readable =
          guarded(path, [&] { steps = check_steps(folder_ / path, path, events, result_.findings); }) && readable;
      note_torn(path, steps.torn);
    }
    if (const std::string path = place + "/" + telemetry_file; is_readable(path)) {
      const std::vector<Column> columns = telemetry_columns(launch.outcome.channels);
      readable = guarded(path, [&] { telemetry = check_telemetry(folder_ / path, path, columns, result_.findings); }) &&
                 readable;
      note_torn(path, telemetry.torn);
    }
    if (sealed_) is_readable(place + "/" + log_file);
    result_.checked.push_back(in_words(place, steps, telemetry, events));
    if (!sealed_ || !readable) return;
    check_launch(launch, steps, events, result_.findings);
    if (recipe_) check_target(launch, events, *recipe_, result_.findings);
    if (recipe_) guarded(place, [&] { check_steady(folder_, launch, steps, events, *recipe_, result_.findings); });
  }

  static std::string in_words(const std::string& place, const StepsSummary& steps, const TelemetrySummary& telemetry,
                              const LaunchEvents& events) {
    std::int64_t rows = 0;
    double seconds = 0;
    for (const RankSeries& rank : steps.ranks) {
      rows += rank.steps;
      if (rank.steps > 0)
        seconds =
            std::max(seconds, (static_cast<double>(rank.last_end_ns) - static_cast<double>(rank.first_start_ns)) / 1e9);
    }
    return fmt::format("{}: {} steps of {} {} over {}, {} telemetry rows, {} events", place, rows, steps.ranks.size(),
                       steps.ranks.size() == 1 ? "rank" : "ranks", base::human_duration(seconds), telemetry.rows,
                       events.count);
  }

  void inspect_unlisted_launches() {
    if (!document_) return;
    for (const auto& [path, size] : inventory_.files) {
      const std::vector<std::string_view> parts = base::split(path, '/');
      if (parts.size() < 3 || parts[0] != launches_folder) continue;
      const auto index = base::parse_integer(parts[1]);
      if (index && std::ranges::count(document_->launches, *index, &LaunchRecord::index) > 0) continue;
      if (sealed_) {
        find(path, "it belongs to no launch of dossier.json");
      } else {
        result_.remarks.push_back(path + " belongs to a launch that had just begun");
      }
    }
  }

  void inspect_claims() {
    if (!document_ || !recipe_) return;
    check_verdict(*document_, *recipe_, result_.findings);
    guarded(document_file, [&] {
      const std::size_t agreeing = check_headline(folder_, *document_, *recipe_, result_.findings);
      result_.checked.push_back(fmt::format("{} of {} headline values recomputed from the raw series, bit for bit",
                                            agreeing, document_->headline.size()));
    });
    if (document_->verdict && *document_->verdict != measure::Verdict::steady)
      result_.remarks.push_back(fmt::format("this is the dossier of a run with the verdict \"{}\": {}",
                                            measure::to_text(*document_->verdict),
                                            base::printable(document_->reason, 500)));
  }

  void conclude() {
    using State = Verification::State;
    result_.state = !result_.findings.empty() ? State::deviating : sealed_ ? State::whole : State::interrupted;
    if (!sealed_)
      result_.remarks.push_back(
          "there is no manifest: the run was cut off before its dossier was sealed, or still goes on");
  }

  std::filesystem::path folder_;
  Inventory inventory_;
  bool sealed_ = false;
  std::optional<Document> document_;
  std::optional<base::Json> resolved_;
  std::optional<recipe::Recipe> recipe_;
  Verification result_;
};

}  // namespace

Verification verify(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw base::Error(base::ExitCode::usage, fmt::format("{} is no dossier: there is no such folder", folder.string()),
                      "give the folder of a dossier");
  const auto contains = [&](const char* name) {
    return std::filesystem::exists(std::filesystem::symlink_status(folder / name, error));
  };
  if (!contains(document_file) && !contains(manifest_file) && !contains(resolved_file))
    throw base::Error(base::ExitCode::usage,
                      fmt::format("{} is no dossier: it holds no {}", folder.string(), document_file),
                      "give the folder that \"etalon run\" named at its end");
  return Inspection(folder).run();
}

}  // namespace etalon::dossier
