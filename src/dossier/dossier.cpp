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

base::Json read_json(const std::filesystem::path& folder, const char* name, const base::Json& schema) {
  const std::filesystem::path path = folder / name;
  base::Json json;
  try {
    json = base::parse_json(base::read_file(path, most_json_bytes), path.string());
  } catch (const base::Error& error) {
    throw base::Error(base::ExitCode::verification_failed, error.what(), "run \"etalon verify\" on the folder to see what else is wrong");
  }
  const std::vector<SchemaProblem> problems = check_schema(json, schema);
  if (!problems.empty())
    throw base::Error(base::ExitCode::verification_failed,
                      fmt::format("{}: {}: {}", path.string(), problems.front().place, problems.front().problem),
                      "run \"etalon verify\" on the folder to see what else is wrong");
  return json;
}

}  // namespace

Dossier load(const std::filesystem::path& folder) {
  Dossier dossier;
  dossier.folder = folder;
  dossier.document = read_json(folder, document_file, base::parse_json(dossier_schema_text(), "dossier schema"));
  dossier.environment = read_json(folder, environment_file, base::parse_json(environment_schema_text(), "environment schema"));
  dossier.recipe = recipe::resolved_from_json(read_json(folder, resolved_file, recipe::resolved_schema()));
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
