// SPDX-License-Identifier: Apache-2.0
// The loop itself and what comes in; measurement_ending.cpp has the ways out.
#include "measure/measurement.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "recipe/resolve.h"

namespace etalon::measure {
namespace {

constexpr std::int64_t tick_ns = 200'000'000;
constexpr std::size_t output_block_bytes = 64 * 1024;
constexpr int output_blocks_per_call = 16;
/// Strangers that connect and do not greet, beyond the ranks that are expected.
constexpr std::size_t spare_connections = 4;

/// About once a second, oftener when the window itself is short.
std::int64_t look_interval_ns(const recipe::Measure& measure) {
  return static_cast<std::int64_t>(1e9 * std::clamp(measure.window_seconds / 10, 0.05, 1.0));
}

std::vector<Channel> channels_of(const std::vector<std::unique_ptr<Source>>& sources) {
  std::vector<Channel> channels;
  for (const std::unique_ptr<Source>& source : sources)
    std::ranges::copy(source->channels(), std::back_inserter(channels));
  return channels;
}

}  // namespace

Measurement::Measurement(Session& session)
    : session_(session),
      recipe_(session.recipe),
      world_size_(static_cast<int>(std::max<std::int64_t>(1, session.recipe.launch.gpus))),
      start_ns_(base::monotonic_ns()),
      journal_(session.recorder),
      log_(session.recorder),
      judge_(session.recipe),
      deadlines_(session.recipe, start_ns_, session.graces.stop),
      merger_(world_size_),
      progress_(session.recipe, start_ns_) {}

LaunchOutcome Measurement::run() {
  outcome_.channels = channels_of(session_.sources);
  readings_ = LiveReadings(outcome_.channels);
  try {
    start();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::worker_failed) throw;
    journal_.say("not_started", {{"what", error.what()}});
    fail(error.what(), error.next_step());
    outcome_.ending = "never started";
  }
  if (job_) loop();
  finish();
  return outcome_;
}

void Measurement::start() {
  job_ = std::make_unique<launch::Job>(session_.command);
  telemetry_ = std::make_unique<Telemetry>(std::move(session_.sources), recipe_.measure.telemetry_interval_seconds);
  journal_.say("launch", {{"program", session_.command.program.filename().string()},
                          {"process_id", job_->worker_process()},
                          {"wall_clock", base::utc_timestamp(base::wall_clock_ns())}});
}

void Measurement::loop() {
  while (!tree_gone_) {
    wait();
    const std::int64_t now_ns = base::monotonic_ns();
    if (now_ns >= next_tick_ns_) tick(now_ns);
  }
}

void Measurement::wait() {
  watched_.clear();
  watched_.push_back({job_->ended_descriptor(), POLLIN, 0});
  watched_.push_back({output_open_ ? job_->output_descriptor() : -1, POLLIN, 0});
  watched_.push_back({session_.listener.descriptor(), POLLIN, 0});
  watched_.push_back({interrupted_ ? -1 : session_.interrupt_descriptor, POLLIN, 0});
  for (const auto& connection : connections_)
    watched_.push_back({connection->closed() || connection->fault() ? -1 : connection->descriptor(), POLLIN, 0});
  const std::int64_t left_ms = (next_tick_ns_ - base::monotonic_ns()) / 1'000'000;
  ::poll(watched_.data(), watched_.size(), static_cast<int>(std::clamp<std::int64_t>(left_ms, 0, 200)));
  if (watched_[3].revents != 0) take_interrupt();
  if (watched_[2].revents != 0) accept_connections();
  if (watched_[1].revents != 0) read_output();
  receive_all();
  if (watched_[0].revents == 0 || tree_gone_) return;
  if (const std::optional<launch::Ending> ending = job_->poll()) on_tree_gone(*ending);
}

void Measurement::accept_connections() {
  while (wire::Descriptor descriptor = session_.listener.accept()) {
    if (connections_.size() >= static_cast<std::size_t>(world_size_) + spare_connections) {
      journal_.say("connection_refused", {{"reason", "more connections than ranks"}});
      continue;
    }
    connections_.push_back(std::make_unique<Connection>(std::move(descriptor), world_size_, start_ns_));
  }
}

void Measurement::receive_all() {
  for (std::size_t index = 0; index < connections_.size() && !tree_gone_; ++index) {
    Connection& connection = *connections_[index];
    if (!connection.closed() && !connection.fault()) receive(connection);
  }
}

void Measurement::receive(Connection& connection) {
  connection.receive(
      [this](int rank, const wire::Event& event, std::string_view line) { on_event(rank, event, line); });
  if (connection.fault()) return on_fault(connection);
  if (connection.closed()) on_lost(connection);
}

void Measurement::read_output() {
  char block[output_block_bytes];
  for (int count = 0; count < output_blocks_per_call && output_open_; ++count) {
    const ssize_t size = ::read(job_->output_descriptor(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) {
      output_open_ = false;
    } else {
      log_.add({block, static_cast<std::size_t>(size)});
    }
  }
}

void Measurement::take_interrupt() {
  interrupted_ = true;
  journal_.say("interrupted");
  conclude(Verdict::interrupted, fmt::format("interrupted {}", when()));
  order_stop("interrupted");
  end_within(connections_.empty() ? 0 : session_.graces.interrupt);
  session_.recorder.flush(true);
}

void Measurement::on_event(int rank, const wire::Event& event, std::string_view line) {
  if (const auto* step = std::get_if<wire::Step>(&event)) {
    session_.recorder.step(rank, *step);
    if (rank == 0) {
      ++outcome_.steps;
      progress_.add(*step);
    }
    return merger_.add(rank, *step, [this](const MergedStep& merged) { on_step(merged); });
  }
  session_.recorder.event("worker", rank, wire::parse_line(line));
  if (const auto* hello = std::get_if<wire::Hello>(&event)) on_hello(*hello);
  if (const auto* config = std::get_if<wire::Config>(&event)) progress_.add(*config);
  if (const auto* phase = std::get_if<wire::Phase>(&event)) {
    deadlines_.add(*phase);
    progress_.add(*phase);
  }
  if (const auto* eval = std::get_if<wire::Eval>(&event)) {
    merger_.add(*eval);
    const bool was_reached = judge_.target_step().has_value();
    judge_.add(*eval, rank);
    if (judge_.target_step() && !was_reached)
      journal_.say("target_reached", {{"step", eval->step}, {"loss", eval->loss}, {"target", recipe_.target.loss}});
  }
  if (const auto* failure = std::get_if<wire::Failure>(&event)) on_failure(*failure);
  if (std::holds_alternative<wire::Done>(event) && all_done()) on_done();
}

void Measurement::on_step(const MergedStep& step) {
  const bool window_was_open = judge_.window_open();
  judge_.add(step);
  deadlines_.add(step);
  progress_.add(step);
  if (step.index == 0) {
    journal_.say("first_step", {{"start_ns", step.start_ns}});
    session_.recorder.flush(true);
  }
  if (judge_.window_open() && !window_was_open) {
    journal_.say("window_opened", {{"first_step", step.index}});
    session_.recorder.flush(true);
  }
}

void Measurement::on_hello(const wire::Hello& hello) {
  const auto has_greeted = [&hello](const auto& connection) {
    return connection->ledger().greeted() && connection->ledger().rank() == hello.rank;
  };
  if (std::ranges::count_if(connections_, has_greeted) > 1)
    throw wire::ProtocolError(fmt::format("rank {} said \"hello\" on two connections", hello.rank));
  for (const auto& connection : connections_) {
    if (!has_greeted(connection)) continue;
    if (stop_ordered_) {
      connection->send(wire::Stop{"interrupted"});
    } else if (!connection->send(wire::Order{recipe::to_json(recipe_)})) {
      throw wire::ProtocolError("the worker does not read its order");
    }
  }
}

void Measurement::on_failure(const wire::Failure& failure) {
  std::string what = failure.kind.empty() ? failure.message : fmt::format("{}: {}", failure.kind, failure.message);
  fail(fmt::format("the worker gave up {}: {}", when(), base::printable(what, 1000)),
       failure.next_step.empty() ? "read worker.log" : base::printable(failure.next_step, 1000));
  end_within(session_.graces.failure);
}

void Measurement::on_done() {
  if (may_still_judge()) {
    const Conclusion conclusion = judge_.conclude_early();
    conclude(conclusion.verdict, conclusion.reason, conclusion.next_step);
  }
  progress_.ending();
  end_within(session_.graces.exit);
}

void Measurement::on_fault(const Connection& connection) {
  const Fault& fault = *connection.fault();
  journal_.say("fault", {{"what", fault.what}, {"line", fault.line}});
  if (fault.loss_not_finite) {
    fail(fmt::format("the loss stopped being a finite number {}", when()),
         "the training diverged: lower training.optimizer.lr, lengthen the warm-up, or try precision fp32");
  } else {
    fail(fmt::format("the worker broke the protocol {}: {}", when(), fault.what),
         "docs/protocol.md says what a worker may send; the line is in events.jsonl");
  }
  end_within(0);
}

void Measurement::on_lost(const Connection& connection) {
  if (connection.ledger().done()) return;
  const bool half_line = !connection.half_line().empty();
  journal_.say("connection_lost", {{"greeted", connection.ledger().greeted()}, {"half_line", connection.half_line()}});
  // A dying process closes its connection first; how it ended says more.
  if (connection.ledger().greeted() || half_line) end_within(session_.graces.lost);
}

void Measurement::tick(std::int64_t now_ns) {
  next_tick_ns_ = now_ns + std::min(tick_ns, look_interval_ns(recipe_.measure));
  take_telemetry();
  journal_.check_clock();
  if (now_ns >= next_look_ns_) look_at_gates(now_ns);
  check_deadlines(now_ns);
  session_.recorder.flush(false);
  if (!session_.progress) return;
  Progress progress = progress_.at(now_ns, judge_);
  progress.readings = readings_.latest();
  session_.progress(progress);
}

void Measurement::take_telemetry() {
  if (!telemetry_) return;
  for (const TelemetryRow& row : telemetry_->take()) {
    session_.recorder.telemetry(row.time_ns, row.cells);
    readings_.add(row);
  }
}

void Measurement::look_at_gates(std::int64_t now_ns) {
  next_look_ns_ = now_ns + look_interval_ns(recipe_.measure);
  if (!may_still_judge() || judge_.steps() == 0) return;
  const int restarts = judge_.restarts();
  const std::optional<Conclusion> conclusion = judge_.look(now_ns);
  journal_.gates(judge_.gates(), now_ns);
  if (judge_.restarts() != restarts) journal_.say("window_moved", {{"first_step", judge_.window()->first_step}});
  if (!conclusion) return;
  conclude(conclusion->verdict, conclusion->reason, conclusion->next_step);
  order_stop("the measurement is complete");
  session_.recorder.flush(true);
}

}  // namespace etalon::measure
