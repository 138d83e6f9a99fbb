// SPDX-License-Identifier: Apache-2.0
// Files of token ids as two well-known trainers write them:
//   llm.c    256 little-endian int32 (magic, version, number of tokens, zeros), then the ids: magic 20240520 version 1 with two
//            bytes each (GPT-2), magic 20240801 version 7 with four (Llama-3)
//   nanoGPT  the ids alone, two bytes each
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "worker/data/token_run.h"

namespace etalon::data {

struct ShardLayout {
  std::string_view format;  ///< "llm.c, GPT-2"
  std::size_t header_bytes = 0;
  std::size_t bytes_per_token = 2;
  std::uint32_t document_token = 0;  ///< stands at the border of documents
};

/// What the bytes of a whole file are. Throws worker::Failure("data") naming `place`: another magic of the same family, another
/// version, fewer or more bytes than the header promises, half a token at the end, no token at all.
ShardLayout read_layout(std::span<const std::byte> file, const std::string& place);

/// One file, mapped: its pages are read when they are needed.
struct Shard {
  std::filesystem::path path;
  ShardLayout layout;
  TokenRun tokens;
  std::size_t bytes = 0;
  std::string sha256;  ///< of the whole file
  std::int64_t documents = 0;
};

/// Maps and reads a file once. Throws worker::Failure("data"): unreadable, malformed, or an id at or beyond `vocabulary` (with
/// its place).
Shard open_shard(const std::filesystem::path& path, std::int64_t vocabulary);

/// The files that `pattern` means: a file, the *.bin of a folder, or a pattern with * and ? in its last part; sorted by name.
/// Throws worker::Failure("data") when there is none.
std::vector<std::filesystem::path> find_shards(const std::string& pattern);

/// A name that says validation: "val" or "valid" between other than letters, as fineweb_val_000000.bin and val.bin have it.
bool is_for_validation(const std::filesystem::path& path);

/// Writes ids in llm.c's format (two bytes each where `vocabulary` allows, else four).
void write_shard(const std::filesystem::path& path, std::span<const std::uint32_t> ids, std::int64_t vocabulary);

}  // namespace etalon::data
