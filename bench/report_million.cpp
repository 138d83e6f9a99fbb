// SPDX-License-Identifier: Apache-2.0
// How long a report takes over 1,000,000 steps and 10 hours of telemetry at 10 Hz from 8 GPUs, how much memory, and how large
// the page becomes: the bars are 5 s, 500 MB and 3 MB.
// Usage: report_million [FOLDER]: the dossier is kept in FOLDER, for looking at.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <random>

#include <fmt/format.h>

#include "base/clock.h"
#include "dossier/example.h"
#include "report/report.h"

namespace {

using namespace etalon;

constexpr std::int64_t steps = 1'000'000;
constexpr std::int64_t samples = 360'000;
constexpr std::int64_t step_ns = 36'000'000;
constexpr std::int64_t sample_ns = 100'000'000;
constexpr std::int64_t start_ns = 1'000'000'000'000;

std::vector<measure::Channel> channels() {
  std::vector<measure::Channel> all;
  for (int gpu = 0; gpu < 8; ++gpu)
    for (const auto& [name, unit] : {std::pair{"temperature", "celsius"},
                                     {"memory_temperature", "celsius"},
                                     {"power", "watts"},
                                     {"average_power", "watts"},
                                     {"clock", "megahertz"},
                                     {"memory_clock", "megahertz"},
                                     {"use", "percent"},
                                     {"memory_use", "percent"},
                                     {"memory_used", "bytes"},
                                     {"clock_event_reasons", "bitmask"},
                                     {"pcie_sent", "kilobytes_per_second"},
                                     {"fan", "percent"}})
      all.push_back(
          {fmt::format("gpu_{}_{}_{}", gpu, name, unit), unit, "made up for the benchmark", "none", "value", ""});
  return all;
}

void write_steps(measure::Recorder& recorder, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 2e5);
  double wander = 0;
  std::int64_t now = start_ns;
  for (std::int64_t i = 0; i < steps; ++i) {
    wander = 0.5 * wander + noise(random);
    const std::int64_t end = now + step_ns + static_cast<std::int64_t>(wander);
    wire::Step step = example::step(i, now, end, 8192);
    step.gpu_ns = end - now - 1000;
    step.loss = 2 + 8 * std::exp(-static_cast<double>(i) / 1e5) + wander * 1e-7;
    recorder.step(0, step);
    now = end;
  }
}

void write_telemetry(measure::Recorder& recorder, std::mt19937_64& random) {
  std::uniform_real_distribution<double> jitter(0, 1);
  std::vector<std::optional<double>> cells;
  for (std::int64_t i = 0; i < samples; ++i) {
    cells.clear();
    const double warm = 1 - std::exp(-static_cast<double>(i) / 900);
    for (int gpu = 0; gpu < 8; ++gpu) {
      const double noise = std::floor(20 * jitter(random)) / 10;
      for (const double value : {std::floor(40 + 25 * warm + noise), std::floor(45 + 35 * warm + noise), 690 + noise,
                                 688 + noise, 1800 - 15 * std::floor(noise), 3201.0, 100.0, 60 + std::floor(noise),
                                 98'765'432'832.0, 4.0, std::floor(1000 * noise), 55.0})
        cells.emplace_back(value);
    }
    recorder.telemetry(start_ns + i * sample_ns, cells);
  }
}

void write_dossier(const std::filesystem::path& folder) {
  std::mt19937_64 random(1);
  dossier::Writer writer = example::begin(folder);
  measure::Recorder& recorder = writer.begin_launch(channels());
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(8192));
  write_steps(recorder, random);
  write_telemetry(recorder, random);
  recorder.event("worker", 0, example::done(steps, steps * 8192));
  writer.end_launch(example::steady(steps / 10, steps - 1, steps));
  writer.seal(measure::Verdict::steady, "made up for the benchmark");
}

}  // namespace

int main(int argc, char** argv) {
  const TemporaryFolder place;
  const std::filesystem::path folder = argc > 1 ? argv[1] : place / "run";
  const pid_t writer = ::fork();  // a process of its own, so that its memory does not count
  if (writer == 0) {
    write_dossier(folder);
    ::_exit(0);
  }
  ::waitpid(writer, nullptr, 0);
  const std::int64_t begin_ns = base::monotonic_ns();
  const dossier::Dossier dossier = dossier::load(folder);
  report::build_document(dossier);
  const double document_seconds = static_cast<double>(base::monotonic_ns() - begin_ns) / 1e9;
  report::DrawingTool tool = report::find_drawing_tool();
  if (tool.script.empty()) tool.script = "share/draw_charts.py";
  const std::int64_t report_ns = base::monotonic_ns();
  const report::Written written = report::write(dossier, report::usual_formats, tool);
  const double seconds = static_cast<double>(base::monotonic_ns() - report_ns) / 1e9;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  if (!written.problem.empty()) fmt::print("{}\n", written.problem);
  for (const std::filesystem::path& file : written.files)
    fmt::print("{}: {:.2f} MB\n", file.string(), static_cast<double>(std::filesystem::file_size(file)) / 1e6);
  fmt::print("document {:.2f} s; document, charts, html and md {:.2f} s; peak resident memory {} MB\n",
             document_seconds, seconds, usage.ru_maxrss / 1000);
  return written.problem.empty() ? 0 : 1;
}
