// SPDX-License-Identifier: Apache-2.0
// NVIDIA facts through a stand-in for the driver's library: none, one and two GPUs, and every way of having no driver.
#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_root.h"
#include "machine/machine.h"
#include "machine/nvml.h"

namespace etalon::machine {
namespace {

class Nvidia : public testing::Test {
 protected:
  ~Nvidia() override {
    ::unsetenv("ETALON_FAKE_GPUS");
    ::unsetenv("ETALON_FAKE_NVML_INIT");
  }
  Machine with_gpus(const char* count) {
    ::setenv("ETALON_FAKE_GPUS", count, 1);
    return capture({.root = root_.path(), .nvml_library = ETALON_FAKE_NVML});
  }
  void visible_devices(const std::string& list) { root_.write("/proc/self/environ", "CUDA_VISIBLE_DEVICES=" + list); }
  FakeRoot root_;
};

TEST_F(Nvidia, WithoutADriverSaysWhatTheLoaderSaid) {
  const Machine machine = capture({.root = root_.path(), .nvml_library = "libno-such-library.so.1"});
  EXPECT_EQ(machine.nvidia_gpus, 0);
  EXPECT_EQ(machine.find("nvidia.driver")->state, FactState::not_supported);
  EXPECT_NE(machine.find("nvidia.driver")->reason.find("libno-such-library.so.1"), std::string::npos);
  EXPECT_EQ(machine.find("nvidia.gpus_visible")->state, FactState::not_supported);
}

TEST_F(Nvidia, ReadsTwoGpus) {
  const Machine machine = with_gpus("2");
  EXPECT_EQ(machine.nvidia_gpus, 2);
  EXPECT_EQ(machine.find("nvidia.driver")->value, "580.159.04");
  EXPECT_EQ(machine.find("nvidia.gpus")->value, 2);
  EXPECT_EQ(machine.find("nvidia.1.name")->value, "NVIDIA Fake 9000");
  EXPECT_EQ(machine.find("nvidia.1.memory")->value, 32'000'000'000);
  EXPECT_EQ(machine.find("nvidia.1.memory")->unit, "bytes");
  EXPECT_EQ(machine.find("nvidia.2.name"), nullptr);
}

TEST_F(Nvidia, KnowsADriverThatServesNoGpu) {
  const Machine machine = with_gpus("0");
  EXPECT_EQ(machine.nvidia_gpus, 0);
  EXPECT_EQ(machine.find("nvidia.gpus")->value, 0);
  EXPECT_EQ(machine.find("nvidia.0.name"), nullptr);
}

TEST_F(Nvidia, CountsOnlyWhatCudaProgramsMaySee) {
  visible_devices("1");
  EXPECT_EQ(with_gpus("2").nvidia_gpus, 1);
  visible_devices("");
  EXPECT_EQ(with_gpus("2").nvidia_gpus, 0);
  visible_devices("-1");
  EXPECT_EQ(with_gpus("2").nvidia_gpus, 0);
  visible_devices("0,7,1");
  EXPECT_EQ(with_gpus("2").nvidia_gpus, 1) << "CUDA stops at the first entry that names no device";
  visible_devices("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6, 1");
  EXPECT_EQ(with_gpus("2").nvidia_gpus, 2);
}

TEST_F(Nvidia, ReportsTheCodeWithWhichInitialisingFailed) {
  ::setenv("ETALON_FAKE_NVML_INIT", "9", 1);
  const Machine machine = with_gpus("1");
  EXPECT_EQ(machine.nvidia_gpus, 0);
  EXPECT_EQ(machine.find("nvidia.gpus")->state, FactState::not_supported);
  EXPECT_EQ(machine.find("nvidia.gpus")->reason, "Driver Not Loaded (NVML code 9)");
  ::setenv("ETALON_FAKE_NVML_INIT", "4", 1);
  EXPECT_EQ(with_gpus("1").find("nvidia.gpus")->state, FactState::not_permitted);
  ::setenv("ETALON_FAKE_NVML_INIT", "999", 1);
  EXPECT_EQ(with_gpus("1").find("nvidia.gpus")->state, FactState::unknown);
}

TEST_F(Nvidia, RefusesALibraryThatIsNotNvml) {
  const Nvml nvml("libm.so.6");
  EXPECT_FALSE(nvml.usable());
  EXPECT_EQ(nvml.reason(), "the library has no nvmlInit_v2");
  EXPECT_FALSE(nvml.device_count().value.has_value());
}

TEST_F(Nvidia, NamesTheCodeOfARefusedQuestion) {
  ::setenv("ETALON_FAKE_GPUS", "1", 1);
  const Nvml nvml(ETALON_FAKE_NVML);
  ASSERT_TRUE(nvml.usable());
  EXPECT_EQ(nvml.name(0).value, "NVIDIA Fake 9000");
  EXPECT_EQ(nvml.name(5).code, 2);
  EXPECT_EQ(nvml.memory_total_bytes(5).reason, "Some Error (NVML code 2)");
}

}  // namespace
}  // namespace etalon::machine
