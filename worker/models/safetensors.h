// SPDX-License-Identifier: Apache-2.0
// Weights on disk as safetensors: a file, or a folder with one file or with an index and several.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/mapped_file.h"
#include "worker/models/named_tensor.h"
#include "worker/models/safetensors_header.h"

namespace etalon::models {

class Checkpoint {
 public:
  /// Maps the files and reads their headers. Throws worker::Failure(data) or base::Error for what is missing or wrong,
  /// or does not agree with the index.
  explicit Checkpoint(const std::filesystem::path& path);

  bool contains(const std::string& name) const { return tensors_.contains(name); }
  /// Copies the stored values, converted to the parameter's type. Throws worker::Failure(data) when the tensor is
  /// missing, has another shape, or is not of floating point.
  void copy_into(const NamedTensor& parameter) const;
  /// Names in alphabetical order.
  std::vector<std::string> names() const;
  /// Files, bytes, SHA-256 and types as stored. Of several files: the SHA-256 of `sha256sum FILES`'s output in
  /// alphabetical order. Reads everything.
  base::Json description() const;

 private:
  struct Place {
    const base::MappedFile* file = nullptr;
    StoredTensor stored;
  };
  void add_file(const std::string& name);
  void add_folder();

  std::filesystem::path folder_;
  std::map<std::string, base::MappedFile> files_;  // by name in the folder
  std::map<std::string, Place> tensors_;
};

/// Writes the tensors, in this order and in their own types, to a file that replaces another only when it is complete.
void save_safetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors);

}  // namespace etalon::models
