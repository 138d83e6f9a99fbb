// SPDX-License-Identifier: Apache-2.0
// The measuring loop: one thread, one poll(), every descriptor of a launch. What is decided lies in judge, deadlines and ledgers;
// this joins them and carries the decisions out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <poll.h>

#include "measure/connection.h"
#include "measure/deadlines.h"
#include "measure/journal.h"
#include "measure/judge.h"
#include "measure/live_readings.h"
#include "measure/measure.h"
#include "measure/progress.h"
#include "measure/step_merger.h"
#include "measure/telemetry.h"
#include "measure/worker_log.h"

namespace etalon::measure {

class Measurement {
 public:
  explicit Measurement(Session& session);

  LaunchOutcome run();

 private:
  void start();
  void loop();
  void finish();

  // What comes in.
  void wait();
  void accept_connections();
  void receive_all();
  void receive(Connection& connection);
  void read_output();
  void take_interrupt();
  void on_event(int rank, const wire::Event& event, std::string_view line);
  void on_step(const MergedStep& step);
  void on_hello(const wire::Hello& hello);
  void on_failure(const wire::Failure& failure);
  void on_done();
  void on_fault(const Connection& connection);
  void on_lost(const Connection& connection);

  // What is done about it.
  void tick(std::int64_t now_ns);
  void take_telemetry();
  void look_at_gates(std::int64_t now_ns);
  void check_deadlines(std::int64_t now_ns);
  void order_stop(const std::string& reason);
  void end_within(double seconds);
  void end_tree(int grace_ms);
  void on_tree_gone(const launch::Ending& ending);
  void conclude(Verdict verdict, const std::string& reason, const std::string& next_step = {});
  void fail(const std::string& reason, const std::string& next_step);
  bool may_still_judge() const { return !concluded_; }
  bool all_done() const;
  std::int64_t quietest_event_ns() const;
  std::string when() const;
  std::string why_not_done(const launch::Ending& ending) const;

  Session& session_;
  const recipe::Recipe& recipe_;
  int world_size_;
  std::int64_t start_ns_;
  LaunchOutcome outcome_;
  Journal journal_;
  WorkerLog log_;
  Judge judge_;
  Deadlines deadlines_;
  StepMerger merger_;
  ProgressMeter progress_;
  std::unique_ptr<launch::Job> job_;
  std::unique_ptr<Telemetry> telemetry_;
  LiveReadings readings_{{}};
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<pollfd> watched_;
  bool output_open_ = true;
  bool interrupted_ = false;
  bool concluded_ = false;  // outcome_ holds a verdict
  bool stop_ordered_ = false;
  bool tree_gone_ = false;
  std::optional<std::int64_t> must_end_by_ns_;
  std::int64_t next_tick_ns_ = 0;
  std::int64_t next_look_ns_ = 0;
};

}  // namespace etalon::measure
