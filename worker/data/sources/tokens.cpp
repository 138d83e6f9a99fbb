// SPDX-License-Identifier: Apache-2.0
// Shards of token ids that somebody else's preparation wrote.
#include <algorithm>
#include <future>
#include <thread>
#include <utility>

#include "base/hash.h"
#include "worker/data/corpus.h"
#include "worker/data/finite_source.h"
#include "worker/data/shard.h"
#include "worker/data/sources/catalog.h"

namespace etalon::data {
namespace {

/// Opening reads every byte (hash, ids): all CPUs share that. The first failure by name is thrown.
std::vector<Shard> open_all(const std::vector<std::filesystem::path>& paths, std::int64_t vocabulary) {
  const std::size_t at_once = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Shard> shards;
  for (std::size_t first = 0; first < paths.size(); first += at_once) {
    std::vector<std::future<Shard>> opening;
    for (std::size_t index = first; index < std::min(first + at_once, paths.size()); ++index) {
      opening.push_back(std::async(std::launch::async, open_shard, paths[index], vocabulary));
    }
    for (std::future<Shard>& shard : opening) shards.push_back(shard.get());
  }
  return shards;
}

/// One shard: its own hash. Several: of the lines that sha256sum prints for them, sorted by name.
std::string hash_of(const std::vector<Shard>& shards) {
  if (shards.size() == 1) return shards.front().sha256;
  std::string lines;
  for (const Shard& shard : shards) lines += shard.sha256 + "  " + shard.path.filename().string() + "\n";
  return base::sha256(lines);
}

base::Json describe_shards(const std::string& source, const std::vector<Shard>& shards) {
  std::int64_t documents = 0;
  std::size_t bytes = 0;
  for (const Shard& shard : shards) {
    documents += shard.documents;
    bytes += shard.bytes;
  }
  return {{"source", source},         {"format", std::string(shards.front().layout.format)},
          {"documents", documents},   {"document_token", shards.front().layout.document_token},
          {"files", shards.size()},   {"bytes", bytes},
          {"sha256", hash_of(shards)}};
}

/// Shards whose name says validation are held out; where none does, the last hundredth of the last one's tokens is.
void split(const std::vector<Shard>& shards, FiniteTokens& tokens) {
  for (const Shard& shard : shards) {
    const bool held_out = shards.size() > 1 && is_for_validation(shard.path);
    (held_out ? tokens.held_out : tokens.training).push_back(shard.tokens);
  }
  if (!tokens.held_out.empty() || tokens.training.empty()) return;
  std::int64_t total = 0;
  for (const TokenRun& run : tokens.training) total += run.size();
  TokenRun& last = tokens.training.back();
  const std::int64_t kept = std::max<std::int64_t>(last.size() - total / held_out_every, 0);
  tokens.held_out.push_back(last.part(kept, last.size() - kept));
  last = last.part(0, kept);
}

std::unique_ptr<TokenSource> make(const TokenRequest& request, const std::string& pattern) {
  const std::vector<Shard> shards = open_all(find_shards(pattern), request.vocabulary);
  FiniteTokens tokens;
  tokens.order = Order::once_per_pass;
  tokens.description = describe_shards(request.source, shards);
  split(shards, tokens);
  return make_finite_source(request, std::move(tokens));
}

}  // namespace

SourceKind tokens_source() {
  return {
      "tokens:", "PATH",
      "token shards as llm.c and nanoGPT write them: a .bin file, a folder of them, or a pattern; those named val held "
      "out, else the last hundredth",
      make};
}

}  // namespace etalon::data
