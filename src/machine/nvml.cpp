// SPDX-License-Identifier: Apache-2.0
// The few NVML entry points in use, declared here with NVIDIA's ABI: building needs no header and no driver.
#include "machine/nvml.h"

#include <dlfcn.h>

#include <array>

#include <fmt/format.h>

namespace etalon::machine {
namespace {

using Device = void*;

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

constexpr int success = 0;
constexpr int not_loaded = -1;

}  // namespace

struct Nvml::Library {
  void* handle = nullptr;
  bool initialised = false;
  int code = not_loaded;
  std::string reason;

  int (*initialise)() = nullptr;
  int (*shut_down)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  int (*device)(unsigned, Device*) = nullptr;
  int (*device_name)(Device, char*, unsigned) = nullptr;
  int (*device_memory)(Device, void*) = nullptr;  // Memory; void, so that both sides name the same function type

  template <typename Function>
  void bind(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr && reason.empty()) reason = fmt::format("the library has no {}", name);
  }

  std::string words(int of_code) const {
    const char* text = error_string != nullptr ? error_string(of_code) : nullptr;
    return fmt::format("{} (NVML code {})", text != nullptr ? text : "error", of_code);
  }

  template <typename Value, typename Call>
  NvmlAnswer<Value> answer(const Call& call) const {
    if (!initialised) return {std::nullopt, code, reason};
    Value value{};
    const int returned = call(value);
    if (returned != success) return {std::nullopt, returned, words(returned)};
    return {value, success, {}};
  }
};

Nvml::Nvml(const std::string& library) : library_(std::make_unique<Library>()) {
  Library& nvml = *library_;
  nvml.handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (nvml.handle == nullptr) {
    const char* words = dlerror();
    nvml.reason = words != nullptr ? words : "dlopen failed";
    return;
  }
  nvml.bind("nvmlInit_v2", nvml.initialise);
  nvml.bind("nvmlShutdown", nvml.shut_down);
  nvml.bind("nvmlErrorString", nvml.error_string);
  nvml.bind("nvmlSystemGetDriverVersion", nvml.driver_version);
  nvml.bind("nvmlDeviceGetCount_v2", nvml.device_count);
  nvml.bind("nvmlDeviceGetHandleByIndex_v2", nvml.device);
  nvml.bind("nvmlDeviceGetName", nvml.device_name);
  nvml.bind("nvmlDeviceGetMemoryInfo", nvml.device_memory);
  if (!nvml.reason.empty()) return;
  nvml.code = nvml.initialise();
  nvml.initialised = nvml.code == success;
  if (!nvml.initialised) nvml.reason = nvml.words(nvml.code);
}

Nvml::~Nvml() {
  if (library_->initialised) library_->shut_down();
  if (library_->handle != nullptr) dlclose(library_->handle);
}

bool Nvml::usable() const { return library_->initialised; }
const std::string& Nvml::reason() const { return library_->reason; }
int Nvml::code() const { return library_->code; }

NvmlAnswer<std::string> Nvml::driver_version() const {
  return library_->answer<std::string>([&](std::string& value) {
    std::array<char, 81> text{};
    const int code = library_->driver_version(text.data(), text.size() - 1);
    value = text.data();
    return code;
  });
}

NvmlAnswer<unsigned> Nvml::device_count() const {
  return library_->answer<unsigned>([&](unsigned& value) { return library_->device_count(&value); });
}

NvmlAnswer<std::string> Nvml::name(unsigned device) const {
  return library_->answer<std::string>([&](std::string& value) {
    Device handle = nullptr;
    const int found = library_->device(device, &handle);
    if (found != success) return found;
    std::array<char, 97> text{};
    const int code = library_->device_name(handle, text.data(), text.size() - 1);
    value = text.data();
    return code;
  });
}

NvmlAnswer<std::uint64_t> Nvml::memory_total_bytes(unsigned device) const {
  return library_->answer<std::uint64_t>([&](std::uint64_t& value) {
    Device handle = nullptr;
    const int found = library_->device(device, &handle);
    if (found != success) return found;
    Memory memory{};
    const int code = library_->device_memory(handle, &memory);
    value = memory.total;
    return code;
  });
}

}  // namespace etalon::machine
