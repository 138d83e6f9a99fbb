// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, opened at run time so that one binary works with and without a driver.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etalon::machine {

/// An answer of NVML: the value, or the code returned with the library's words.
template <typename Value>
struct NvmlAnswer {
  std::optional<Value> value;
  int code = 0;
  std::string reason;
};

class Nvml {
 public:
  /// Opens and initialises `library`; see usable().
  explicit Nvml(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool usable() const;
  /// Why not: the loader's error, the missing function, or the code of nvmlInit_v2.
  const std::string& reason() const;
  /// The code of nvmlInit_v2; −1 when the library was not even loaded.
  int code() const;

  NvmlAnswer<std::string> driver_version() const;
  NvmlAnswer<unsigned> device_count() const;
  NvmlAnswer<std::string> name(unsigned device) const;
  NvmlAnswer<std::uint64_t> memory_total_bytes(unsigned device) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace etalon::machine
