// SPDX-License-Identifier: Apache-2.0
// The sampling thread: keeps its rate without drift, hands every row over, stays bounded, stops at once, costs little.
#include "measure/telemetry.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>

#include "base/clock.h"

namespace etalon::measure {
namespace {

using std::chrono::milliseconds;

/// Counts its readings; may be slow, throw, or give the wrong number of cells.
class Scripted : public Source {
 public:
  explicit Scripted(std::function<std::vector<std::optional<double>>(int)> script) : script_(std::move(script)) {}
  std::vector<Channel> channels() const override {
    return {{"a_percent", "percent", "a", "scripted", "value", ""},
            {"b_percent", "percent", "b", "scripted", "not supported", "why not"},
            {"c_percent", "percent", "c", "scripted", "value", ""}};
  }
  std::vector<std::optional<double>> sample() override { return script_(count_++); }

 private:
  std::function<std::vector<std::optional<double>>(int)> script_;
  int count_ = 0;
};

template <typename... Script>
std::vector<std::unique_ptr<Source>> scripted(Script... scripts) {
  std::vector<std::unique_ptr<Source>> sources;
  (sources.push_back(std::make_unique<Scripted>(scripts)), ...);
  return sources;
}

std::vector<TelemetryRow> rows_after(Telemetry& telemetry, std::size_t count) {
  std::vector<TelemetryRow> rows;
  const std::int64_t give_up_ns = base::monotonic_ns() + 20'000'000'000;
  while (rows.size() < count && base::monotonic_ns() < give_up_ns) {
    for (TelemetryRow& row : telemetry.take()) rows.push_back(std::move(row));
    std::this_thread::sleep_for(milliseconds(1));
  }
  return rows;
}

TEST(Telemetry, SamplesAllSourcesInOrderLosingNoRow) {
  Telemetry telemetry(scripted(
                          [](int n) {
                            return std::vector<std::optional<double>>{n, -n};
                          },
                          [](int n) {
                            return std::vector<std::optional<double>>{std::nullopt, 2 * n};
                          }),
                      0.002);
  ASSERT_EQ(telemetry.channels().size(), 6U);
  const std::vector<TelemetryRow> rows = rows_after(telemetry, 20);
  ASSERT_GE(rows.size(), 20U);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    ASSERT_EQ(rows[n].cells.size(), 4U);
    EXPECT_EQ(rows[n].cells[0], static_cast<double>(n));
    EXPECT_EQ(rows[n].cells[1], -static_cast<double>(n));
    EXPECT_FALSE(rows[n].cells[2].has_value());
    EXPECT_EQ(rows[n].cells[3], 2.0 * static_cast<double>(n));
    if (n > 0) {
      EXPECT_GT(rows[n].time_ns, rows[n - 1].time_ns);
    }
  }
  EXPECT_EQ(telemetry.dropped(), 0U);
}

TEST(Telemetry, KeepsToItsGridEvenWhenReadingsAreSlow) {
  // 20 ms of every 50 go into reading: a thread that slept "50 ms more" would manage 71 % of the rows.
  Telemetry telemetry(scripted([](int) {
                        std::this_thread::sleep_for(milliseconds(20));
                        return std::vector<std::optional<double>>{1, 1};
                      }),
                      0.05);
  const std::vector<TelemetryRow> rows = rows_after(telemetry, 21);
  ASSERT_GE(rows.size(), 21U);
  const double intervals = static_cast<double>(rows.back().time_ns - rows[0].time_ns) / 5e7;
  EXPECT_LT(static_cast<double>(rows.size() - 1), intervals + 0.9) << "never more rows than grid points";
  EXPECT_GT(static_cast<double>(rows.size() - 1), 0.8 * intervals) << "a few may be missed on a busy machine";
}

TEST(Telemetry, LeavesMissedMomentsOutInsteadOfCatchingUp) {
  Telemetry telemetry(scripted([](int n) {
                        if (n == 1) std::this_thread::sleep_for(milliseconds(55));
                        return std::vector<std::optional<double>>{n, n};
                      }),
                      0.01);
  const std::vector<TelemetryRow> rows = rows_after(telemetry, 4);
  ASSERT_GE(rows.size(), 4U);
  EXPECT_GE(rows[2].time_ns - rows[1].time_ns, 55'000'000);
  EXPECT_GE(rows[3].time_ns - rows[1].time_ns, 60'000'000) << "no burst of late rows";
}

TEST(Telemetry, TurnsAThrowAndAWrongCountIntoEmptyCells) {
  Telemetry telemetry(scripted(
                          [](int n) -> std::vector<std::optional<double>> {
                            if (n % 2 == 0) throw std::runtime_error("torn");
                            return {1};
                          },
                          [](int) {
                            return std::vector<std::optional<double>>{7, 8, 9};
                          }),
                      0.001);
  const std::vector<TelemetryRow> rows = rows_after(telemetry, 2);
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows[0].cells, (std::vector<std::optional<double>>{std::nullopt, std::nullopt, 7, 8}));
  EXPECT_EQ(rows[1].cells, (std::vector<std::optional<double>>{1, std::nullopt, 7, 8}));
}

TEST(Telemetry, DropsTheOldestRowsWhenNobodyTakesThemAndSaysHowMany) {
  constexpr std::size_t capacity = 50;
  Telemetry telemetry(scripted([](int n) { return std::vector<std::optional<double>>{n, n}; }), 0.001, capacity);
  const std::int64_t give_up_ns = base::monotonic_ns() + 60'000'000'000;
  while (telemetry.dropped() < 10 && base::monotonic_ns() < give_up_ns) std::this_thread::sleep_for(milliseconds(5));
  const std::vector<TelemetryRow> rows = telemetry.take();
  ASSERT_EQ(rows.size(), capacity);
  EXPECT_GE(*rows.front().cells[0], 10);
  EXPECT_EQ(*rows.back().cells[0] - *rows.front().cells[0], static_cast<double>(capacity - 1));
}

TEST(Telemetry, StopsAtOnceWhateverTheInterval) {
  const std::int64_t before_ns = base::monotonic_ns();
  {
    Telemetry telemetry(scripted([](int n) { return std::vector<std::optional<double>>{n, n}; }), 3600);
    EXPECT_EQ(rows_after(telemetry, 1).size(), 1U) << "the first row comes at the start";
  }
  EXPECT_LT(base::monotonic_ns() - before_ns, 5'000'000'000);
}

TEST(Telemetry, RefusesAnIntervalThatIsNoTime) {
  EXPECT_THROW(Telemetry({}, 0), std::invalid_argument);
  EXPECT_THROW(Telemetry({}, -1), std::invalid_argument);
  EXPECT_THROW(Telemetry({}, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST(Telemetry, LeavesSignalsToTheMainThread) {
  std::atomic<bool> blocked = false;
  {
    Telemetry telemetry(scripted([&blocked](int) {
                          sigset_t mask;
                          pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                          blocked = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1;
                          return std::vector<std::optional<double>>{1, 1};
                        }),
                        0.001);
    rows_after(telemetry, 1);
  }
  EXPECT_TRUE(blocked);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGINT), 0) << "the starting thread keeps its own mask";
}

TEST(Telemetry, CostsWellUnderAPercentOfACpuAtTenRowsASecond) {
  const auto sources = make_sources({});
  const auto cpu_seconds = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  constexpr int samples = 100;
  const double before = cpu_seconds();
  for (int sample = 0; sample < samples; ++sample) {
    for (const auto& source : sources) source->sample();
  }
  const double each = (cpu_seconds() - before) / samples;
  RecordProperty("microseconds_of_cpu_per_row", std::to_string(each * 1e6));
  // Sanitizers multiply it by ten, a large machine by a few: 5 ms would be 5 % of one CPU.
  EXPECT_LT(each, 0.005);
}

}  // namespace
}  // namespace etalon::measure
