// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "preflight/checks/catalog.h"
#include "preflight/preflight.h"
#include "temporary_folder.h"

namespace etalon::preflight {
namespace {

/// A context in which every check passes; tests spoil one thing each.
class PreflightChecks : public ::testing::Test {
 protected:
  PreflightChecks() {
    recipe_.engine.device = "cpu";
    recipe_.measure.launches = 1;
    recipe_.measure.telemetry_interval_seconds = 1;
    machine_.architecture = "x86_64";
    machine_.memory_bytes = 8'000'000'000;
    std::ofstream(worker_) << "#!/bin/sh\n";
    ::chmod(worker_.c_str(), 0755);
  }

  Finding find(const std::string& id) const {
    const Preflight preflight = check({recipe_, machine_, output_, worker_});
    const auto found = std::find_if(preflight.findings.begin(), preflight.findings.end(),
                                    [&](const Finding& finding) { return finding.id == id; });
    return found == preflight.findings.end() ? Finding{.id = "none"} : *found;
  }

  TemporaryFolder folder_;
  std::filesystem::path output_ = folder_ / "dossiers" / "one";
  std::filesystem::path worker_ = folder_ / "worker";
  recipe::Recipe recipe_;
  machine::Machine machine_;
};

TEST_F(PreflightChecks, PassWhereNothingIsWrong) {
  const Preflight preflight = check({recipe_, machine_, output_, worker_});
  for (const Finding& finding : preflight.findings)
    EXPECT_EQ(finding.level, Level::pass) << finding.id << ": " << finding.evidence;
  EXPECT_FALSE(preflight.forbids_run());
  EXPECT_EQ(preflight.findings.size(), list_checks().size());
}

TEST_F(PreflightChecks, HaveDistinctIdsAndSayWhyTheyLook) {
  std::vector<std::string> ids;
  for (const Finding& finding : check({recipe_, machine_, output_, worker_}).findings) {
    ids.push_back(finding.id);
    EXPECT_FALSE(finding.title.empty()) << finding.id;
    EXPECT_FALSE(finding.reason.empty()) << finding.id;
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST_F(PreflightChecks, LeaveNothingBehindWhereTheyTriedToWrite) {
  EXPECT_EQ(find("OUT-01").level, Level::pass);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);  // the worker
}

TEST_F(PreflightChecks, RefuseAPlaceThatExists) {
  std::filesystem::create_directories(output_);
  EXPECT_EQ(find("OUT-01").level, Level::fail);
  EXPECT_TRUE(find("OUT-01").evidence.ends_with("/dossiers/one exists already"));
}

TEST_F(PreflightChecks, RefuseADanglingLinkInThePlaceOfTheDossier) {
  std::filesystem::create_symlink("nowhere", folder_ / "link");
  output_ = folder_ / "link";
  EXPECT_EQ(find("OUT-01").level, Level::fail);
}

TEST_F(PreflightChecks, RefuseAPlaceBelowAFile) {
  output_ = worker_ / "one";
  EXPECT_EQ(find("OUT-01").level, Level::fail);
  EXPECT_TRUE(find("OUT-01").evidence.ends_with("/worker is not a folder"));
}

TEST_F(PreflightChecks, RefuseAPlaceThatMayNotBeWritten) {
  // /proc takes no new folder from anybody, root included
  output_ = "/proc/dossier";
  const Finding finding = find("OUT-01");
  EXPECT_EQ(finding.level, Level::fail);
  EXPECT_TRUE(finding.evidence.starts_with("cannot make a folder in /proc: ")) << finding.evidence;
  EXPECT_NE(finding.remedy.find("--output"), std::string::npos);
}

TEST_F(PreflightChecks, RefuseADiskWithoutRoom) {
  recipe_.measure.launches = 100;
  recipe_.measure.cap_seconds = 1e6;
  recipe_.launch.startup_deadline_seconds = 1e6;
  recipe_.measure.telemetry_interval_seconds = 1e-6;  // petabytes
  const Finding finding = find("DSK-01");
  EXPECT_EQ(finding.level, Level::fail);
  EXPECT_NE(finding.evidence.find(" free, at most "), std::string::npos);
  EXPECT_FALSE(finding.remedy.empty());
}

TEST_F(PreflightChecks, RefuseAMissingWorkerAndSayHowToGetOne) {
  worker_.clear();
  EXPECT_EQ(find("WRK-01").level, Level::fail);
  EXPECT_EQ(find("WRK-01").remedy, "build it with ./bootstrap build, or name it in ETALON_WORKER");
  worker_ = folder_.path();
  EXPECT_TRUE(find("WRK-01").evidence.ends_with(" is not a file"));
}

TEST_F(PreflightChecks, RefuseAWorkerThatMayNotBeExecuted) {
  ::chmod(worker_.c_str(), 0644);
  EXPECT_EQ(find("WRK-01").level, Level::fail);
  EXPECT_EQ(find("WRK-01").remedy, "chmod +x '" + worker_.string() + "'");
}

TEST_F(PreflightChecks, CountTheGpus) {
  recipe_.engine.device = "cuda";
  recipe_.launch.gpus = 1;
  EXPECT_EQ(find("GPU-01").level, Level::fail);
  EXPECT_EQ(find("GPU-01").evidence, "0 usable, 1 asked for");
  EXPECT_NE(find("GPU-01").remedy.find("nvidia-smi"), std::string::npos);
  machine_.nvidia_gpus = 1;
  EXPECT_EQ(find("GPU-01").level, Level::pass);
  recipe_.launch.gpus = 2;
  EXPECT_EQ(find("GPU-01").remedy, "--set launch.gpus=1");
}

TEST_F(PreflightChecks, WeighTheMemoryThatIsAvailableOverTheWhole) {
  machine_.facts.push_back(machine::Fact::known("memory.available", "", "/proc/meminfo", 500'000'000, "bytes"));
  EXPECT_EQ(find("MEM-02").level, Level::fail);
  EXPECT_EQ(find("MEM-02").evidence, "500 MB available of 8.0 GB");
}

TEST_F(PreflightChecks, SayWhatTheyDoNotKnowOfTheMemory) {
  EXPECT_EQ(find("MEM-02").evidence, "8.0 GB in all; how much of it is available is not known");
  machine_.memory_bytes = 0;
  EXPECT_EQ(find("MEM-02").level, Level::not_checked);
}

TEST_F(PreflightChecks, StampPlatformsThatAreNoReference) {
  machine_.wsl = true;
  EXPECT_EQ(find("VRT-01").level, Level::info);
  EXPECT_TRUE(find("VRT-01").evidence.starts_with("x86_64; WSL2"));
  machine_.wsl = false;
  machine_.architecture = "aarch64";
  EXPECT_EQ(find("VRT-01").level, Level::info);
  EXPECT_EQ(find("VRT-01").evidence, "aarch64: étalon has not been tried on this architecture");
  machine_.architecture.clear();
  EXPECT_EQ(find("VRT-01").level, Level::not_checked);
}

TEST(Preflight, ForbidsARunForAFailureAlone) {
  Preflight preflight;
  for (const Level level : {Level::pass, Level::info, Level::warn, Level::not_checked})
    preflight.findings.push_back({.level = level});
  EXPECT_FALSE(preflight.forbids_run());
  preflight.findings.push_back({.level = Level::fail});
  EXPECT_TRUE(preflight.forbids_run());
}

TEST(Preflight, TellsEveryFieldInJson) {
  const Preflight preflight{
      {{.id = "OUT-01", .title = "t", .level = Level::not_checked, .evidence = "e", .reason = "r", .remedy = "m"}}};
  EXPECT_EQ(
      base::to_line(to_json(preflight)),
      R"({"forbids_run":false,"findings":[{"id":"OUT-01","title":"t","level":"not checked","evidence":"e","reason":"r","remedy":"m"}]})");
}

}  // namespace
}  // namespace etalon::preflight
