// SPDX-License-Identifier: Apache-2.0
#include "dossier/dossier.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "dossier/document.h"
#include "dossier/layout.h"
#include "dossier/schemas.h"

namespace etalon::dossier {

namespace {

constexpr const char* next_step = "run \"etalon verify\" on the folder to see what else is wrong";

base::Json read_json(const std::filesystem::path& path) {
  try {
    return base::parse_json(base::read_file(path, most_json_bytes), path.string());
  } catch (const base::Error& error) {
    throw base::Error(base::ExitCode::verification_failed, error.what(), next_step);
  }
}

base::Json read_json(const std::filesystem::path& path, const base::Json& schema) {
  base::Json json = read_json(path);
  const std::vector<SchemaProblem> problems = check_schema(json, schema);
  if (!problems.empty())
    throw base::Error(base::ExitCode::verification_failed,
                      fmt::format("{}: {}: {}", path.string(), problems.front().place, problems.front().problem),
                      next_step);
  return json;
}

}  // namespace

Dossier load(const std::filesystem::path& folder) {
  Dossier dossier;
  dossier.folder = folder;
  dossier.document = read_json(folder / document_file, base::parse_json(dossier_schema_text(), "dossier schema"));
  dossier.environment =
      read_json(folder / environment_file, base::parse_json(environment_schema_text(), "environment schema"));
  dossier.recipe = recipe::resolved_from_json(read_json(folder / resolved_file, recipe::resolved_schema()));
  if (std::filesystem::exists(folder / preflight_file)) dossier.preflight = read_json(folder / preflight_file);
  dossier.sealed = std::filesystem::exists(folder / manifest_file);
  const Document document = document_from_json(dossier.document);
  const bool finished = dossier.sealed && document.verdict.has_value();
  dossier.verdict = finished ? *document.verdict : measure::Verdict::interrupted;
  dossier.reason = finished ? document.reason : "the run was cut off before its dossier was sealed";
  dossier.launches = document.launches;
  dossier.headline = document.headline;
  return dossier;
}

}  // namespace etalon::dossier
