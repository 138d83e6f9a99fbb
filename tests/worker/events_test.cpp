// SPDX-License-Identifier: Apache-2.0
// What the worker reports about itself: libraries, memory, the times of steps; and the self-check's known answer.
#include "base/clock.h"
#include "base/hash.h"
#include "tests/worker/fixture.h"
#include "worker/device/device.h"
#include "worker/events/libraries.h"
#include "worker/events/memory.h"
#include "worker/events/step_clock.h"
#include "worker/failure.h"
#include "worker/kernels/self_check.h"

namespace etalon {
namespace {

using worker_test::write;

TEST(Libraries, ReadsEachMappedLibraryOnce) {
  const TemporaryFolder folder;
  const auto maps = write(folder, "maps",
                          "7f00-7f01 r-xp 00000000 fe:00 1 /usr/lib/libm.so.6\n"
                          "7f01-7f02 r--p 00001000 fe:00 1 /usr/lib/libm.so.6\n"
                          "7f03-7f04 r-xp 00000000 fe:00 2 /opt/with space/libc10.so\n"
                          "7f05-7f06 rw-p 00000000 00:00 0 [heap]\n"
                          "7f07-7f08 r-xp 00000000 fe:00 3 /usr/bin/program\n");
  EXPECT_EQ(events::mapped_libraries(maps),
            (std::vector<std::string>{"/opt/with space/libc10.so", "/usr/lib/libm.so.6"}));
}

TEST(Libraries, HashesEachOnceAndRemembersTheHashes) {
  const TemporaryFolder folder;
  const std::string library = write(folder, "lib.so", "code").string();
  events::LibraryHashes first(folder / "cache/hashes.json");
  const std::vector<wire::Library> libraries = first.new_libraries({library});
  ASSERT_EQ(libraries.size(), 1U);
  EXPECT_EQ(libraries[0].sha256, base::sha256("code"));
  EXPECT_TRUE(first.new_libraries({library}).empty());
  EXPECT_NE(base::read_file(folder / "cache/hashes.json").find(libraries[0].sha256), std::string::npos);
  events::LibraryHashes second(folder / "cache/hashes.json");
  EXPECT_EQ(second.new_libraries({library, "/absent.so"}).back().sha256, "");
}

TEST(Libraries, HashesAFileAnewWhenItHasChanged) {
  const TemporaryFolder folder;
  const std::string library = write(folder, "lib.so", "code").string();
  events::LibraryHashes(folder / "hashes.json").new_libraries({library});
  write(folder, "lib.so", "other code");
  EXPECT_EQ(events::LibraryHashes(folder / "hashes.json").new_libraries({library}).front().sha256,
            base::sha256("other code"));
}

TEST(Libraries, IgnoresACacheThatIsNotItsOwn) {
  const TemporaryFolder folder;
  const std::string library = write(folder, "lib.so", "code").string();
  events::LibraryHashes hashes(write(folder, "hashes.json", "not json"));
  EXPECT_EQ(hashes.new_libraries({library}).front().sha256, base::sha256("code"));
}

TEST(Libraries, FindsTheTorchPackageAroundItsLibraries) {
  EXPECT_EQ(events::torch_library_folder().filename(), "lib");
  EXPECT_TRUE(std::filesystem::exists(events::torch_package_folder() / "version.py"));
  EXPECT_TRUE(events::torch_versions()["pytorch"].starts_with("2."));
}

TEST(Memory, CountsResidentPages) {
  const TemporaryFolder folder;
  const wire::Memory memory = events::memory_now(std::nullopt, write(folder, "statm", "500 20 3 4 5 6 7\n"));
  EXPECT_EQ(memory.host_resident_bytes, 20 * sysconf(_SC_PAGESIZE));
  EXPECT_FALSE(memory.device_peak_allocated_bytes.has_value());
  EXPECT_FALSE(events::memory_now(std::nullopt, folder / "absent").host_resident_bytes.has_value());
}

TEST(StepClock, TimesStepsOnTheHostInOrder) {
  const auto clock = events::make_step_clock(at::kCPU);
  const std::int64_t before_ns = base::monotonic_ns();
  for (const double loss : {1.5, 2.5}) {
    clock->begin();
    clock->end(at::tensor(loss));
  }
  const std::vector<events::TimedStep> steps = clock->finished();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_GE(steps[0].start_ns, before_ns);
  EXPECT_LE(steps[0].end_ns, steps[1].start_ns);
  EXPECT_EQ(steps[1].loss, 2.5);
  EXPECT_FALSE(steps[0].gpu_ns.has_value());
  EXPECT_TRUE(clock->settle().empty());
}

TEST(Device, TakesTheCpuWhenToldTo) {
  EXPECT_EQ(device::choose_device("cpu").name(), "cpu");
  EXPECT_THROW(device::choose_device("tpu"), worker::Failure);
}

TEST(Device, SaysWhyThereIsNoGpu) {
  const device::DriverAnswer driver = device::ask_cuda_driver();
  if (driver.card) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_FALSE(driver.reason.empty());
  EXPECT_EQ(device::choose_device("auto").reason, driver.reason);
  EXPECT_THROW(device::choose_device("cuda"), worker::Failure);
}

TEST(Device, UsesTheThreadsThatItIsGiven) {
  EXPECT_GE(device::set_threads(0), 1);
  EXPECT_EQ(device::set_threads(1), 1);
}

TEST(SelfCheck, HasAKnownChecksum) { EXPECT_EQ(kernels::self_check_reference(), 0x20fc469bU); }

}  // namespace
}  // namespace etalon
