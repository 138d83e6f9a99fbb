// SPDX-License-Identifier: Apache-2.0
// Tensors over mapped files; each page is read when its parameter is copied.
#include "worker/models/safetensors.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

struct FloatingType {
  std::string_view stored;
  at::ScalarType torch;
};
constexpr std::array floating_types{FloatingType{"F64", at::kDouble}, FloatingType{"F32", at::kFloat},
                                    FloatingType{"F16", at::kHalf}, FloatingType{"BF16", at::kBFloat16}};

constexpr const char* index_name = "model.safetensors.index.json";
constexpr const char* single_name = "model.safetensors";
constexpr std::size_t largest_index_bytes = std::size_t{2} << 20;

worker::Failure wrong_weights(const std::string& message) {
  return {"data", message, "give weights of the model in workload.model, or training.weights = \"random\""};
}

std::string shape_text(at::IntArrayRef shape) {
  std::vector<std::string> extents;
  for (const std::int64_t extent : shape) {
    extents.push_back(std::to_string(extent));
  }
  return "[" + base::join(extents, ", ") + "]";
}

std::string_view bytes_of(const at::Tensor& contiguous) {
  return {static_cast<const char*>(contiguous.const_data_ptr()), contiguous.nbytes()};
}

StoredTensor stored_form(const NamedTensor& named) {
  const auto type = std::find_if(floating_types.begin(), floating_types.end(), [&](const FloatingType& candidate) {
    return candidate.torch == named.tensor.scalar_type();
  });
  if (type == floating_types.end()) {
    throw worker::Failure("internal", "cannot save " + named.name + ": not of floating point", "report this");
  }
  return {.named = {.name = named.name, .shape = named.tensor.sizes().vec()},
          .type = {.name = type->stored, .bytes = named.tensor.itemsize()},
          .begin = 0,
          .end = 0};
}

}  // namespace

Checkpoint::Checkpoint(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    folder_ = path;
    add_folder();
  } else {
    folder_ = path.parent_path();
    add_file(path.filename().string());
  }
}

void Checkpoint::add_folder() {
  if (!std::filesystem::exists(folder_ / index_name)) {
    return add_file(single_name);
  }
  const std::string place = (folder_ / index_name).string();
  const auto index = parse_safetensors_index(base::read_file(place, largest_index_bytes), place);
  for (const auto& [tensor, file] : index) {
    if (!files_.contains(file)) {
      add_file(file);
    }
  }
  for (const auto& [tensor, file] : index) {
    const auto found = tensors_.find(tensor);
    if (found == tensors_.end() || found->second.file != &files_.at(file)) {
      throw wrong_weights(place + ": tensor \"" + base::printable(tensor, 120) + "\" is not in " + file);
    }
  }
  if (index.size() != tensors_.size()) {
    throw wrong_weights(place + " lists " + std::to_string(index.size()) + " tensors where its files have " +
                        std::to_string(tensors_.size()));
  }
}

void Checkpoint::add_file(const std::string& name) {
  const std::string place = (folder_ / name).string();
  const base::MappedFile& file = files_.emplace(name, base::MappedFile(place)).first->second;
  const std::string_view bytes = file.bytes();
  const std::uint64_t length = safetensors_header_bytes(bytes.substr(0, safetensors_prefix_bytes), bytes.size(), place);
  const SafetensorsHeader header =
      parse_safetensors_header(bytes.substr(safetensors_prefix_bytes, length), bytes.size(), place);
  for (const StoredTensor& stored : header.tensors) {
    if (!tensors_.emplace(stored.named.name, Place{&file, stored}).second) {
      throw wrong_weights(place + ": tensor \"" + base::printable(stored.named.name, 120) +
                          "\" is in another file too");
    }
  }
}

void Checkpoint::copy_into(const NamedTensor& parameter) const {
  const auto found = tensors_.find(parameter.name);
  if (found == tensors_.end()) {
    throw wrong_weights("the weights in " + folder_.string() + " lack " + parameter.name);
  }
  const StoredTensor& stored = found->second.stored;
  if (parameter.tensor.sizes() != at::IntArrayRef(stored.named.shape)) {
    throw wrong_weights(parameter.name + " has the shape " + shape_text(stored.named.shape) + " in " +
                        folder_.string() + ", the model needs " + shape_text(parameter.tensor.sizes()));
  }
  const auto type = std::find_if(floating_types.begin(), floating_types.end(),
                                 [&](const FloatingType& candidate) { return candidate.stored == stored.type.name; });
  if (type == floating_types.end()) {
    throw wrong_weights(parameter.name + " is stored as " + std::string(stored.type.name) +
                        ": weights are read from F64, F32, F16 and BF16");
  }
  // Copied because data need not be aligned for their type in the file.
  const at::Tensor values = at::empty(stored.named.shape, at::TensorOptions(type->torch));
  if (values.numel() > 0) {
    std::memcpy(values.mutable_data_ptr(), found->second.file->bytes().data() + stored.begin,
                stored.end - stored.begin);
  }
  const c10::NoGradGuard no_gradient;
  parameter.tensor.copy_(values);
}

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : tensors_) {
    names.push_back(name);
  }
  return names;
}

base::Json Checkpoint::description() const {
  std::set<std::string> types;
  for (const auto& [name, place] : tensors_) {
    types.emplace(place.stored.type.name);
  }
  std::uint64_t bytes = 0;
  std::string listing;
  std::string hash;
  for (const auto& [name, file] : files_) {
    bytes += file.bytes().size();
    hash = base::sha256(file.bytes());
    listing += hash + "  " + name + "\n";
  }
  return {{"files", files_.size()},
          {"bytes", bytes},
          {"sha256", files_.size() == 1 ? hash : base::sha256(listing)},
          {"stored_as", types}};
}

void save_safetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors) {
  std::vector<StoredTensor> stored;
  for (const NamedTensor& named : tensors) {
    stored.push_back(stored_form(named));
  }
  const std::filesystem::path unfinished = file.string() + ".unfinished";
  std::filesystem::remove(unfinished);
  base::AppendFile output(unfinished);
  // transformers refuses a file that does not say for which library it is.
  output.append(safetensors_head(stored, {{"format", "pt"}}));
  for (const NamedTensor& named : tensors) {
    const at::Tensor host = named.tensor.detach().to(at::kCPU).contiguous();
    output.append(bytes_of(host));
  }
  output.sync();
  output.close();
  std::filesystem::rename(unfinished, file);
}

}  // namespace etalon::models
