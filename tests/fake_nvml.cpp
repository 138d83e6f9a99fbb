// SPDX-License-Identifier: Apache-2.0
// A stand-in for libnvidia-ml.so.1: as many GPUs as ETALON_FAKE_GPUS says, or the error code ETALON_FAKE_NVML_INIT from nvmlInit.
#include <cstdio>
#include <cstdlib>

namespace {

int number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : 0;
}

constexpr int invalid_argument = 2;

}  // namespace

// The names and types are NVIDIA's.
extern "C" {
struct FakeMemory {
  unsigned long long total, free, used;
};

int nvmlInit_v2();
int nvmlShutdown();
const char* nvmlErrorString(int code);
int nvmlSystemGetDriverVersion(char* text, unsigned length);
int nvmlDeviceGetCount_v2(unsigned* count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device);
int nvmlDeviceGetName(void* device, char* text, unsigned length);
int nvmlDeviceGetMemoryInfo(void* device, void* memory);

int nvmlInit_v2() { return number_from("ETALON_FAKE_NVML_INIT"); }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : "Some Error"; }

int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::snprintf(text, length, "580.159.04");
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(number_from("ETALON_FAKE_GPUS"));
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index >= static_cast<unsigned>(number_from("ETALON_FAKE_GPUS"))) return invalid_argument;
  static char devices[16];
  *device = &devices[index];
  return 0;
}

int nvmlDeviceGetName(void*, char* text, unsigned length) {
  std::snprintf(text, length, "NVIDIA Fake 9000");
  return 0;
}

int nvmlDeviceGetMemoryInfo(void*, void* memory) {
  *static_cast<FakeMemory*>(memory) = {32'000'000'000ULL, 30'000'000'000ULL, 2'000'000'000ULL};
  return 0;
}
}
