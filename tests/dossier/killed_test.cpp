// SPDX-License-Identifier: Apache-2.0
// A writer killed at random moments, and one whose disk is full: never a dossier that verify calls whole.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "base/error.h"
#include "dossier/verify.h"
#include "example.h"

namespace etalon::dossier {
namespace {

/// Writes one dossier without end; never returns.
[[noreturn]] void write_for_ever(const std::filesystem::path& folder) {
  Writer writer = example::begin(folder);
  writer.set_preflight({{"findings", base::Json::array()}});
  while (true) {
    measure::Recorder& recorder = writer.begin_launch(example::channels());
    example::record_example(recorder);
    writer.end_launch(example::steady(100, 199, example::example_steps));
  }
}

TEST(KilledWriter, LeavesAnInterruptedDossierAtAnyMoment) {
  std::mt19937 random(20);
  for (int attempt = 0; attempt < 20; ++attempt) {
    const example::Place place;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        write_for_ever(place / "run");
      } catch (...) {
        ::_exit(1);
      }
    }
    while (!std::filesystem::exists(place / "run")) ::usleep(50);
    ::usleep(static_cast<useconds_t>(random() % 20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const Verification verification = verify(place / "run");
    EXPECT_EQ(verification.state, Verification::State::interrupted)
        << attempt << ": "
        << (verification.findings.empty() ? ""
                                          : verification.findings[0].place + ": " + verification.findings[0].problem);
  }
}

TEST(KilledWriter, IsWholeOnlyOnceTheManifestIsThere) {
  std::mt19937 random(21);
  int whole = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const example::Place place;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        example::write(place / "run");
      } catch (...) {
      }
      ::_exit(0);
    }
    while (!std::filesystem::exists(place / "run")) ::usleep(50);
    ::usleep(static_cast<useconds_t>(random() % 3'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const Verification verification = verify(place / "run");
    const bool sealed = std::filesystem::exists(place / "run/manifest.sha256");
    EXPECT_EQ(verification.state, sealed ? Verification::State::whole : Verification::State::interrupted) << attempt;
    whole += sealed ? 1 : 0;
  }
  RecordProperty("sealed_in_time", whole);
}

TEST(FullDisk, StopsTheRunAndLeavesAnInterruptedDossier) {
  const example::Place place;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // A limit on the size of files fails a write half-way, as a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{40'000, 40'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Writer writer = example::begin(place / "run");
      measure::Recorder& recorder = writer.begin_launch(example::channels());
      for (std::int64_t i = 0; i < 100'000; ++i) recorder.step(0, example::step(i, i, i + 1, 1));
      writer.end_launch({});
      writer.seal(measure::Verdict::failed, "");
    } catch (const base::Error&) {
      ::_exit(42);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  const Verification verification = verify(place / "run");
  EXPECT_EQ(verification.state, Verification::State::interrupted);
  EXPECT_EQ(std::filesystem::file_size(place / "run/launches/1/steps.csv"), 40'000u);
}

}  // namespace
}  // namespace etalon::dossier
