// SPDX-License-Identifier: Apache-2.0
// How long verify takes over a launch of 1,000,000 steps, and how much memory: the bar is 3 s.
// Usage: verify_million [STEPS]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <random>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "dossier/example.h"
#include "dossier/verify.h"

namespace {

using namespace etalon;

/// Step times wander slowly (an autoregressive walk around 100 ms), so that intervals and batches have work to do.
void write_dossier(const std::filesystem::path& folder, std::int64_t steps) {
  dossier::Writer writer = example::begin(folder);
  measure::Recorder& recorder = writer.begin_launch(example::channels());
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(8192));
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 1e6);
  double wander = 0;
  std::int64_t now = 1'000'000'000'000;
  for (std::int64_t i = 0; i < steps; ++i) {
    wander = 0.5 * wander + noise(random);
    const std::int64_t end = now + 100'000'000 + static_cast<std::int64_t>(wander);
    wire::Step step = example::step(i, now, end, 8192);
    step.gpu_ns = end - now - 1000;
    step.loss = 5.0 + wander * 1e-9;
    recorder.step(0, step);
    if (i % 5 == 0) recorder.telemetry(now, {50.0, 1e9 + wander});
    now = end;
  }
  recorder.event("worker", 0, example::done(steps, steps * 8192));
  writer.end_launch(example::steady(steps / 10, steps - 1, steps));
  writer.seal(measure::Verdict::steady, "");
}

}  // namespace

int main(int argc, char** argv) {
  const auto steps = argc > 1 ? base::parse_integer(argv[1]) : 1'000'000;
  if (!steps || *steps < 100) {
    std::fputs("usage: verify_million [STEPS], at least 100\n", stderr);
    return 2;
  }
  const TemporaryFolder place;
  const pid_t writer = ::fork();  // a process of its own, so that its memory does not count
  if (writer == 0) {
    write_dossier(place / "run", *steps);
    ::_exit(0);
  }
  ::waitpid(writer, nullptr, 0);
  const std::int64_t start_ns = base::monotonic_ns();
  const dossier::Verification verification = dossier::verify(place / "run");
  const double seconds = static_cast<double>(base::monotonic_ns() - start_ns) / 1e9;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  for (const std::string& checked : verification.checked) fmt::print("{}\n", checked);
  for (const dossier::Finding& finding : verification.findings) fmt::print("{}: {}\n", finding.place, finding.problem);
  const double cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  fmt::print("{} steps verified in {:.2f} s ({:.2f} s of CPU time); peak resident memory {} MB\n", *steps, seconds,
             cpu_seconds, usage.ru_maxrss / 1000);
  return verification.state == dossier::Verification::State::whole ? 0 : 1;
}
