// SPDX-License-Identifier: Apache-2.0
// Finds a recipe's source in the catalogue, and says what a training makes of it.
#include "worker/data/token_source.h"

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "worker/data/sources/catalog.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

bool matches(const SourceKind& kind, std::string_view source) {
  return kind.argument.empty() ? source == kind.prefix
                               : source.starts_with(kind.prefix) && source.size() > kind.prefix.size();
}

std::string name_of(const SourceKind& kind) { return std::string(kind.prefix) + std::string(kind.argument); }

}  // namespace

std::unique_ptr<TokenSource> make_token_source(const TokenRequest& request) {
  std::vector<std::string> known;
  for (const SourceKind& kind : source_kinds()) {
    if (matches(kind, request.source)) {
      return kind.make(request, request.source.substr(kind.prefix.size()));
    }
    known.push_back(name_of(kind));
  }
  throw worker::unsupported("data source \"" + request.source + "\" is not one of this worker's",
                            "use one of: " + base::join(known, ", "));
}

base::Json describe(const TokenSource& source, std::int64_t planned_tokens) {
  base::Json description = source.description();
  description["padding"] = "none: every window is full";
  if (const std::optional<std::int64_t> tokens = source.training_tokens()) {
    description["passes"] = static_cast<double>(planned_tokens) / static_cast<double>(*tokens);
  } else {
    description["passes"] = "never repeated";
  }
  return description;
}

std::vector<std::string> remarks(const base::Json& description) {
  std::vector<std::string> remarks;
  const auto number = [&](const char* name) {
    const auto found = description.find(name);
    return found != description.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
  };
  if (const auto passes = number("passes"); passes && *passes > 1) {
    remarks.push_back(
        fmt::format("the schedule reads {} times as many tokens as there are to train on ({}): data is repeated",
                    base::to_human(*passes, 3), base::to_human(*number("training_tokens"), 3)));
  }
  if (const auto entropy = number("entropy_nats_per_token")) {
    remarks.push_back(
        fmt::format("no model can reach a loss below the source's entropy, {} nats/token (single tokens: {})",
                    base::to_human(*entropy, 6), base::to_human(number("single_token_entropy_nats").value_or(0), 6)));
  }
  return remarks;
}

std::vector<SourceDescription> describe_sources() {
  std::vector<SourceDescription> descriptions;
  for (const SourceKind& kind : source_kinds()) {
    descriptions.push_back({name_of(kind), std::string(kind.meaning)});
  }
  return descriptions;
}

}  // namespace etalon::data
