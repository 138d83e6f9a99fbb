// SPDX-License-Identifier: Apache-2.0
// Any bytes as a safetensors file or index: refused by an exception of ours, or read with every tensor inside the file;
// what was read is written and reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "worker/failure.h"
#include "worker/models/safetensors_header.h"

namespace {

using namespace etalon;

void read_file(std::string_view bytes) {
  const std::string_view prefix = bytes.substr(0, models::safetensors_prefix_bytes);
  const std::uint64_t length = models::safetensors_header_bytes(prefix, bytes.size(), "fuzz");
  const std::string_view text = bytes.substr(models::safetensors_prefix_bytes, length);
  if (text.size() != length) std::abort();
  const models::SafetensorsHeader header = models::parse_safetensors_header(text, bytes.size(), "fuzz");
  std::uint64_t end = models::safetensors_prefix_bytes + length;
  for (const models::StoredTensor& tensor : header.tensors) {
    if (tensor.begin != end || tensor.end < tensor.begin) std::abort();
    end = tensor.end;
  }
  if (end != bytes.size()) std::abort();
  const std::string head = models::safetensors_head(header.tensors, header.metadata);
  const std::uint64_t data_bytes = bytes.size() - models::safetensors_prefix_bytes - length;
  const models::SafetensorsHeader again = models::parse_safetensors_header(
      std::string_view(head).substr(models::safetensors_prefix_bytes), head.size() + data_bytes, "again");
  if (again.tensors.size() != header.tensors.size() || again.metadata != header.metadata) std::abort();
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const worker::Failure& failure) {
    if (failure.kind() != "data") std::abort();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::usage) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { read_file(bytes); });
  attempt([&] { models::parse_safetensors_index(bytes, "fuzz"); });
  // The header alone, so that the search need not find its length.
  attempt([&] { models::parse_safetensors_header(bytes, models::safetensors_prefix_bytes + size + 64, "fuzz"); });
  return 0;
}
