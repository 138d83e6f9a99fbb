// SPDX-License-Identifier: Apache-2.0
// The safetensors format without the tensors: its header, and the index of a checkpoint in several files. Needs no
// torch; the bytes may be hostile.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "worker/models/named_shape.h"

namespace etalon::models {

/// An element type of the format ("BF16") and its size.
struct ElementType {
  std::string_view name;
  std::uint64_t bytes = 0;
};

/// A tensor's place in the file.
struct StoredTensor {
  NamedShape named;
  ElementType type;
  std::uint64_t begin = 0;  ///< byte in the file
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  ///< in the order of their data
  std::map<std::string, std::string> metadata;
};

/// Bytes at the head of a file that hold the length of the header.
inline constexpr std::uint64_t safetensors_prefix_bytes = 8;
/// Room for ten thousand tensors and more; the format itself allows 100 MB.
inline constexpr std::uint64_t longest_safetensors_header_bytes = std::uint64_t{2} << 20;

/// The length that the first eight bytes give. Throws worker::Failure(data) when it exceeds the limit or `file_bytes`.
std::uint64_t safetensors_header_bytes(std::string_view prefix, std::uint64_t file_bytes, const std::string& place);

/// Reads the header's text. Refused, with the tensor named: unknown types, sizes that differ from the offsets or
/// overflow, offsets that leave the file, overlap or leave a gap, names that come twice. Throws worker::Failure(data)
/// or base::Error (not JSON).
SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t file_bytes, const std::string& place);

/// The prefix and the header, padded so that data begin at a multiple of eight; offsets are those of the file.
/// `tensors` need name, shape and type; data follow in their order without gaps.
std::string safetensors_head(const std::vector<StoredTensor>& tensors,
                             const std::map<std::string, std::string>& metadata);

/// Which file of a folder holds each tensor, from model.safetensors.index.json. File names with a folder are refused.
std::map<std::string, std::string> parse_safetensors_index(std::string_view text, const std::string& place);

}  // namespace etalon::models
