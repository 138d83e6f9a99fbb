// SPDX-License-Identifier: Apache-2.0
// Recognition, mapping, checking and writing of shards.
#include "worker/data/shard.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t header_words = 256;
constexpr std::size_t header_bytes = header_words * sizeof(std::int32_t);
constexpr std::int64_t two_byte_values = 65'536;
constexpr std::int64_t most_tokens = std::int64_t{1} << 31;  // llm.c counts in an int32

struct Format {
  std::int32_t magic;
  std::int32_t version;
  ShardLayout layout;
};

constexpr std::array formats{
    Format{20240520, 1, {"llm.c, GPT-2", header_bytes, 2, 50256}},
    Format{20240801, 7, {"llm.c, Llama-3", header_bytes, 4, 128000}},
};
constexpr ShardLayout headless{"nanoGPT", 0, 2, 50256};
constexpr std::int32_t evaluation_magic = 20240522;  // llm.c's multiple-choice files: no stream of tokens

worker::Failure malformed(const std::string& place, const std::string& problem) {
  return {"data", place + ": " + problem, "use shards as llm.c or nanoGPT write them, or etalon-torch --make-shards"};
}

std::int32_t word(std::span<const std::byte> file, std::size_t index) {
  std::int32_t value = 0;
  std::memcpy(&value, file.data() + index * sizeof value, sizeof value);
  return value;
}

std::shared_ptr<const base::MappedFile> mapped(const std::filesystem::path& path) {
  try {
    return std::make_shared<const base::MappedFile>(path);
  } catch (const base::Error& error) {
    throw worker::Failure("data", error.what(), "check the path and its permissions");
  }
}

void check_and_count(Shard& shard, std::int64_t vocabulary) {
  constexpr std::int64_t block_tokens = 65'536;
  std::vector<std::int64_t> block;
  for (std::int64_t first = 0; first < shard.tokens.size(); first += block_tokens) {
    block.resize(static_cast<std::size_t>(std::min(block_tokens, shard.tokens.size() - first)));
    shard.tokens.copy(first, block);
    const auto beyond = std::find_if(block.begin(), block.end(), [&](std::int64_t id) { return id >= vocabulary; });
    if (beyond != block.end()) {
      throw worker::Failure("data",
                            fmt::format("{}: token {} is {}, the model's vocabulary ends at {}", shard.path.string(),
                                        first + (beyond - block.begin()), *beyond, vocabulary - 1),
                            "use shards of the model's tokenizer, or a model with a larger vocabulary");
    }
    shard.documents += std::count(block.begin(), block.end(), std::int64_t{shard.layout.document_token});
  }
}

std::string little_endian(std::span<const std::uint32_t> ids, std::size_t bytes_per_token) {
  std::string bytes;
  bytes.reserve(ids.size() * bytes_per_token);
  for (const std::uint32_t id : ids) {
    for (std::size_t byte = 0; byte < bytes_per_token; ++byte) bytes += static_cast<char>(id >> (8 * byte) & 0xFF);
  }
  return bytes;
}

}  // namespace

ShardLayout read_layout(std::span<const std::byte> file, const std::string& place) {
  const std::int32_t magic = file.size() >= sizeof(std::int32_t) ? word(file, 0) : 0;
  if (magic == evaluation_magic) throw malformed(place, "it is an evaluation file of llm.c, not a stream of tokens");
  for (const Format& format : formats) {
    if (magic != format.magic) continue;
    if (file.size() < header_bytes) {
      throw malformed(place, fmt::format("it ends inside its header, after {} of {} bytes", file.size(), header_bytes));
    }
    if (word(file, 1) != format.version) {
      throw malformed(place, fmt::format("its format is {} version {}, this étalon reads version {}",
                                         format.layout.format, word(file, 1), format.version));
    }
    const auto promised = static_cast<std::int64_t>(word(file, 2));
    const std::size_t rest = file.size() - header_bytes;
    if (promised < 1) throw malformed(place, fmt::format("its header promises {} tokens", promised));
    const std::size_t wanted = static_cast<std::size_t>(promised) * format.layout.bytes_per_token;
    if (rest != wanted) {
      throw malformed(place,
                      fmt::format("its header promises {} tokens ({} bytes), {} bytes follow", promised, wanted, rest));
    }
    return format.layout;
  }
  if (file.size() % headless.bytes_per_token != 0) {
    throw malformed(place,
                    fmt::format("half a token at its end: {} bytes without a header of llm.c are no whole number of "
                                "two-byte ids",
                                file.size()));
  }
  if (file.empty()) throw malformed(place, "it is empty");
  return headless;
}

Shard open_shard(const std::filesystem::path& path, std::int64_t vocabulary) {
  const std::shared_ptr<const base::MappedFile> file = mapped(path);
  const std::string_view text = file->bytes();
  if (text.empty()) throw malformed(path.string(), "it is empty");
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  const ShardLayout layout = read_layout(bytes, path.string());
  Shard shard{path,
              layout,
              TokenRun(file, bytes.subspan(layout.header_bytes), layout.bytes_per_token),
              bytes.size(),
              base::sha256(text),
              0};
  check_and_count(shard, vocabulary);
  return shard;
}

std::vector<std::filesystem::path> find_shards(const std::string& pattern) {
  const std::filesystem::path path(pattern);
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return {path};
  const bool is_folder = std::filesystem::is_directory(path, error);
  const std::filesystem::path folder = is_folder ? path : path.has_parent_path() ? path.parent_path() : ".";
  const std::string wanted = is_folder ? "*.bin" : path.filename().string();
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (fnmatch(wanted.c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0 && entry.is_regular_file(error)) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  if (found.empty()) {
    throw worker::Failure("data",
                          "no token shards: " + pattern + " is no file, no folder with *.bin, and matches nothing",
                          "check the path: it counts from the working directory");
  }
  return found;
}

bool is_for_validation(const std::filesystem::path& path) {
  const std::string name = path.stem().string();
  const auto is_letter = [](char letter) { return (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z'; };
  for (std::size_t start = 0; start < name.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(start), name.end(), is_letter) - name.begin());
    const std::string_view part = std::string_view(name).substr(start, end - start);
    if (part == "val" || part == "valid" || part == "validation") return true;
    start = end + 1;
  }
  return false;
}

void write_shard(const std::filesystem::path& path, std::span<const std::uint32_t> ids, std::int64_t vocabulary) {
  if (static_cast<std::int64_t>(ids.size()) >= most_tokens || ids.empty()) {
    throw worker::Failure("data", fmt::format("{}: {} tokens do not fit into one shard", path.string(), ids.size()),
                          "write between one and two billion tokens to a shard");
  }
  const Format& format = formats[vocabulary <= two_byte_values ? 0 : 1];
  std::vector<std::uint32_t> header(header_words, 0);
  header[0] = static_cast<std::uint32_t>(format.magic);
  header[1] = static_cast<std::uint32_t>(format.version);
  header[2] = static_cast<std::uint32_t>(ids.size());
  base::AppendFile file(path);
  file.append(little_endian(header, sizeof(std::uint32_t)));
  constexpr std::size_t block_tokens = std::size_t{1} << 20;
  for (std::size_t first = 0; first < ids.size(); first += block_tokens) {
    file.append(
        little_endian(ids.subspan(first, std::min(block_tokens, ids.size() - first)), format.layout.bytes_per_token));
  }
  file.sync();
  file.close();
}

}  // namespace etalon::data
