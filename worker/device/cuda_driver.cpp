// SPDX-License-Identifier: Apache-2.0
// The few entry points of libcuda that are needed, by their documented C signatures.
#include "worker/device/cuda_driver.h"

#include <dlfcn.h>

#include <array>
#include <string_view>

namespace etalon::device {
namespace {

constexpr int capability_major = 75;
constexpr int capability_minor = 76;

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string uuid_text(const std::array<unsigned char, 16>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "GPU-";
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    if (index == 4 || index == 6 || index == 8 || index == 10) {
      text += '-';
    }
    text += digits[bytes[index] >> 4];
    text += digits[bytes[index] & 15];
  }
  return text;
}

Card describe(void* library, int device) {
  Card card;
  std::array<char, 128> name{};
  if (auto* ask = symbol<int(char*, int, int)>(library, "cuDeviceGetName");
      ask && ask(name.data(), name.size(), device) == 0) {
    card.name = name.data();
  }
  std::array<char, 32> address{};
  if (auto* ask = symbol<int(char*, int, int)>(library, "cuDeviceGetPCIBusId");
      ask && ask(address.data(), address.size(), device) == 0) {
    card.pci_address = address.data();
  }
  std::array<unsigned char, 16> uuid{};
  if (auto* ask = symbol<int(void*, int)>(library, "cuDeviceGetUuid_v2"); ask && ask(uuid.data(), device) == 0) {
    card.uuid = uuid_text(uuid);
  }
  if (auto* ask = symbol<int(int*, int, int)>(library, "cuDeviceGetAttribute")) {
    int major = 0;
    int minor = 0;
    ask(&major, capability_major, device);
    ask(&minor, capability_minor, device);
    card.capability = std::to_string(major) + "." + std::to_string(minor);
  }
  int version = 0;
  if (auto* ask = symbol<int(int*)>(library, "cuDriverGetVersion"); ask && ask(&version) == 0) {
    card.driver_cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
  return card;
}

}  // namespace

DriverAnswer ask_cuda_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);  // stays open for the life of the process
  if (library == nullptr) {
    return {std::nullopt, "no NVIDIA driver is installed (libcuda.so.1 is missing)"};
  }
  auto* const initialise = symbol<int(unsigned)>(library, "cuInit");
  auto* const count_devices = symbol<int(int*)>(library, "cuDeviceGetCount");
  auto* const device_at = symbol<int(int*, int)>(library, "cuDeviceGet");
  if (initialise == nullptr || count_devices == nullptr || device_at == nullptr) {
    return {std::nullopt, "libcuda.so.1 lacks the driver's entry points"};
  }
  if (const int code = initialise(0); code != 0) {
    return {std::nullopt, "the NVIDIA driver does not start (cuInit returned " + std::to_string(code) + ")"};
  }
  int count = 0;
  int device = 0;
  if (count_devices(&count) != 0 || count == 0 || device_at(&device, 0) != 0) {
    return {std::nullopt, "the NVIDIA driver shows no GPU to this process"};
  }
  return {describe(library, device), ""};
}

}  // namespace etalon::device
