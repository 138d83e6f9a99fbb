// SPDX-License-Identifier: Apache-2.0
// Everything is checked before any number is used as an offset or a size.
#include "worker/models/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

constexpr std::array element_types{ElementType{"F64", 8},  ElementType{"F32", 4},     ElementType{"F16", 2},
                                   ElementType{"BF16", 2}, ElementType{"F8_E4M3", 1}, ElementType{"F8_E5M2", 1},
                                   ElementType{"I64", 8},  ElementType{"I32", 4},     ElementType{"I16", 2},
                                   ElementType{"I8", 1},   ElementType{"U64", 8},     ElementType{"U32", 4},
                                   ElementType{"U16", 2},  ElementType{"U8", 1},      ElementType{"BOOL", 1}};
constexpr std::size_t most_dimensions = 8;

worker::Failure corrupt(const std::string& place, const std::string& what) {
  return {"data", place + ": " + what, "fetch the file anew and compare its SHA-256 with the published one"};
}

std::string quoted(const std::string& name) { return "tensor \"" + base::printable(name, 120) + "\""; }

std::optional<std::uint64_t> unsigned_number(const base::Json& value) {
  return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

/// Empty when the product leaves 64 bits.
std::optional<std::uint64_t> product(std::uint64_t left, std::uint64_t right) {
  if (right != 0 && left > std::numeric_limits<std::uint64_t>::max() / right) {
    return std::nullopt;
  }
  return left * right;
}

/// One tensor's entry while it is read.
class Entry {
 public:
  Entry(const std::string& name, const base::Json& value, std::uint64_t data_begin, std::uint64_t data_bytes,
        const std::string& place)
      : name_(name), value_(value), data_begin_(data_begin), data_bytes_(data_bytes), place_(place) {}

  StoredTensor read() const {
    if (!value_.is_object() || value_.size() != 3 || !value_.contains("dtype") || !value_.contains("shape") ||
        !value_.contains("data_offsets")) {
      throw wrong("needs dtype, shape and data_offsets, and nothing else");
    }
    StoredTensor tensor{.named = {.name = name_, .shape = shape()}, .type = type(), .begin = 0, .end = 0};
    const auto [begin, end] = offsets();
    if (end - begin != bytes(tensor)) {
      throw wrong("has " + std::to_string(end - begin) + " bytes of data where its type and shape take another number");
    }
    tensor.begin = data_begin_ + begin;
    tensor.end = data_begin_ + end;
    return tensor;
  }

 private:
  worker::Failure wrong(const std::string& what) const { return corrupt(place_, quoted(name_) + " " + what); }

  ElementType type() const {
    const base::Json& given = value_["dtype"];
    const auto found = std::find_if(element_types.begin(), element_types.end(), [&](const ElementType& candidate) {
      return given.is_string() && given.get_ref<const std::string&>() == candidate.name;
    });
    if (found == element_types.end()) {
      throw wrong("has the unknown dtype " + base::printable(base::to_line(given), 40));
    }
    return *found;
  }

  std::vector<std::int64_t> shape() const {
    const base::Json& given = value_["shape"];
    if (!given.is_array() || given.size() > most_dimensions) {
      throw wrong("needs a shape of at most " + std::to_string(most_dimensions) + " dimensions");
    }
    std::vector<std::int64_t> shape;
    for (const base::Json& extent : given) {
      const std::optional<std::uint64_t> number = unsigned_number(extent);
      if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throw wrong("has a shape that is not of whole numbers");
      }
      shape.push_back(static_cast<std::int64_t>(*number));
    }
    return shape;
  }

  std::pair<std::uint64_t, std::uint64_t> offsets() const {
    const base::Json& given = value_["data_offsets"];
    if (!given.is_array() || given.size() != 2 || !unsigned_number(given[0]) || !unsigned_number(given[1])) {
      throw wrong("needs two data_offsets");
    }
    const std::uint64_t begin = *unsigned_number(given[0]);
    const std::uint64_t end = *unsigned_number(given[1]);
    if (begin > end || end > data_bytes_) {
      throw wrong("has data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) + "] outside the file's " +
                  std::to_string(data_bytes_) + " bytes of data: the file is cut short or its header is wrong");
    }
    return {begin, end};
  }

  std::uint64_t bytes(const StoredTensor& tensor) const {
    std::optional<std::uint64_t> count = tensor.type.bytes;
    for (const std::int64_t extent : tensor.named.shape) {
      count = product(*count, static_cast<std::uint64_t>(extent));
      if (!count) {
        throw wrong("has a shape too large for any file");
      }
    }
    return *count;
  }

  const std::string& name_;
  const base::Json& value_;
  std::uint64_t data_begin_;
  std::uint64_t data_bytes_;
  const std::string& place_;
};

std::map<std::string, std::string> read_metadata(const base::Json& value, const std::string& place) {
  std::map<std::string, std::string> metadata;
  if (!value.is_object()) {
    throw corrupt(place, "__metadata__ is no object");
  }
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      throw corrupt(place, "__metadata__ holds something that is no text");
    }
    metadata.emplace(key, text.get<std::string>());
  }
  return metadata;
}

/// Data lie one after another from the header to the end of the file.
void check_order(const std::vector<StoredTensor>& tensors, std::uint64_t data_begin, std::uint64_t file_bytes,
                 const std::string& place) {
  std::uint64_t expected = data_begin;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.begin != expected) {
      throw corrupt(place, quoted(tensor.named.name) + (tensor.begin < expected ? " overlaps" : " leaves a gap after") +
                               " the data before it");
    }
    expected = tensor.end;
  }
  if (expected != file_bytes) {
    throw corrupt(place, std::to_string(file_bytes - expected) + " bytes at its end belong to no tensor");
  }
}

}  // namespace

std::uint64_t safetensors_header_bytes(std::string_view prefix, std::uint64_t file_bytes, const std::string& place) {
  if (prefix.size() < safetensors_prefix_bytes || file_bytes < safetensors_prefix_bytes) {
    throw corrupt(place, "is shorter than the 8 bytes that open a safetensors file");
  }
  std::uint64_t length = 0;
  for (std::size_t index = safetensors_prefix_bytes; index-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(prefix[index]);
  }
  if (length > longest_safetensors_header_bytes || length > file_bytes - safetensors_prefix_bytes) {
    throw corrupt(place, "announces a header of " + std::to_string(length) +
                             " bytes, more than the file has room for, or than any model needs");
  }
  return length;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t file_bytes, const std::string& place) {
  const std::uint64_t data_begin = safetensors_prefix_bytes + text.size();
  if (file_bytes < data_begin) {
    throw corrupt(place, "ends inside its header");
  }
  const base::Json document = base::parse_json(text, place, 4);
  if (!document.is_object()) {
    throw corrupt(place, "has a header that is no object");
  }
  SafetensorsHeader header;
  for (const auto& [name, value] : document.items()) {
    if (name == "__metadata__") {
      header.metadata = read_metadata(value, place);
    } else {
      header.tensors.push_back(Entry(name, value, data_begin, file_bytes - data_begin, place).read());
    }
  }
  // Empty tensors share their place with the one that follows.
  std::sort(header.tensors.begin(), header.tensors.end(), [](const StoredTensor& left, const StoredTensor& right) {
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
  check_order(header.tensors, data_begin, file_bytes, place);
  return header;
}

std::string safetensors_head(const std::vector<StoredTensor>& tensors,
                             const std::map<std::string, std::string>& metadata) {
  base::Json document = base::Json::object();
  if (!metadata.empty()) {
    document["__metadata__"] = metadata;
  }
  std::uint64_t begin = 0;
  for (const StoredTensor& tensor : tensors) {
    const std::uint64_t end = begin + static_cast<std::uint64_t>(element_count(tensor.named)) * tensor.type.bytes;
    document[tensor.named.name] = {{"dtype", std::string(tensor.type.name)},
                                   {"shape", tensor.named.shape},
                                   {"data_offsets", base::Json::array({begin, end})}};
    begin = end;
  }
  std::string text = document.dump();
  text.append((safetensors_prefix_bytes - text.size() % safetensors_prefix_bytes) % safetensors_prefix_bytes, ' ');
  std::string head;
  for (std::uint64_t length = text.size(), index = 0; index < safetensors_prefix_bytes; ++index, length >>= 8) {
    head += static_cast<char>(length & 0xff);
  }
  return head + text;
}

std::map<std::string, std::string> parse_safetensors_index(std::string_view text, const std::string& place) {
  const base::Json document = base::parse_json(text, place, 4);
  const auto map = document.is_object() ? document.find("weight_map") : document.end();
  if (!document.is_object() || map == document.end() || !map->is_object()) {
    throw corrupt(place, "has no weight_map");
  }
  std::map<std::string, std::string> files;
  for (const auto& [name, file] : map->items()) {
    const std::string text_of_file = file.is_string() ? file.get<std::string>() : "";
    const bool plain = text_of_file.ends_with(".safetensors") && text_of_file.find('/') == std::string::npos &&
                       text_of_file.find('\0') == std::string::npos && !text_of_file.starts_with('.');
    if (!plain) {
      throw corrupt(place, quoted(name) + " is said to be in " + base::printable(base::to_line(file), 120) +
                               ", which is no .safetensors file of the same folder");
    }
    files.emplace(name, text_of_file);
  }
  return files;
}

}  // namespace etalon::models
