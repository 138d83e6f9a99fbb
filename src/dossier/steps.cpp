// SPDX-License-Identifier: Apache-2.0
#include "dossier/steps.h"

#include <algorithm>
#include <deque>
#include <limits>

#include <fmt/format.h>

#include "base/csv.h"
#include "base/error.h"
#include "dossier/evaluations.h"
#include "dossier/layout.h"

namespace etalon::dossier {

namespace {

/// A step of which some ranks may still be missing.
struct Partial {
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ns = 0;
  std::int64_t units = 0;
  std::int64_t ranks = 0;
  std::int64_t slowest_gpu_ns = 0;
  std::int64_t ranks_with_gpu = 0;
  double losses = 0;
  std::int64_t ranks_with_loss = 0;
  std::optional<std::int64_t> first_ranks_data_wait_ns;
};

class Joiner {
 public:
  Joiner(const std::filesystem::path& path, const LaunchEvents& events)
      : reader_(path), path_(path), ranks_(std::max<std::int64_t>(events.world_size, 1)), evaluations_(events.evals) {}

  void run(const std::function<void(const JoinedStep&)>& visit) {
    std::vector<std::string_view> cells;
    while (reader_.next(cells)) {
      take(cells);
      while (!waiting_.empty() && waiting_.front().ranks == ranks_) visit(finish());
    }
  }

 private:
  base::Error unusable(const std::string& problem) const {
    return base::Error(base::ExitCode::verification_failed,
                       fmt::format("{}:{}: {}", path_.string(), reader_.line_number(), problem));
  }

  void take(const std::vector<std::string_view>& cells) {
    const std::int64_t position = reader_.integer(cells, index_) - next_index_;
    if (position < 0 || position > static_cast<std::int64_t>(waiting_.size()))
      throw unusable(fmt::format("step {} does not follow the steps before it", position + next_index_));
    if (position == static_cast<std::int64_t>(waiting_.size())) waiting_.emplace_back();
    Partial& step = waiting_[static_cast<std::size_t>(position)];
    const std::int64_t start_ns = reader_.integer(cells, start_);
    const std::int64_t end_ns = reader_.integer(cells, end_);
    const std::int64_t units = reader_.integer(cells, units_);
    if (start_ns < 0 || end_ns < start_ns || units < 0 || __builtin_add_overflow(step.units, units, &step.units))
      throw unusable("impossible times or units");
    step.start_ns = std::min(step.start_ns, start_ns);
    step.end_ns = std::max(step.end_ns, end_ns);
    ++step.ranks;
    if (!cells[gpu_].empty()) {
      step.slowest_gpu_ns = std::max(step.slowest_gpu_ns, reader_.integer(cells, gpu_));
      ++step.ranks_with_gpu;
    }
    if (!cells[loss_].empty()) {
      step.losses += reader_.real(cells, loss_);
      ++step.ranks_with_loss;
    }
    if (data_wait_ && !cells[*data_wait_].empty() && reader_.integer(cells, rank_) == 0)
      step.first_ranks_data_wait_ns = reader_.integer(cells, *data_wait_);
  }

  /// Dossiers of older versions lack it.
  std::optional<std::size_t> data_wait_column() const {
    const auto found = std::ranges::find(reader_.header(), "data_wait_ns");
    if (found == reader_.header().end()) return std::nullopt;
    return static_cast<std::size_t>(found - reader_.header().begin());
  }

  JoinedStep finish() {
    const Partial partial = waiting_.front();
    waiting_.pop_front();
    JoinedStep step;
    step.index = next_index_++;
    step.start_ns = partial.start_ns;
    step.end_ns = partial.end_ns;
    step.units = partial.units;
    const std::int64_t before_ns = step.index == 0 ? step.start_ns : last_end_ns_;
    if (step.end_ns < before_ns) throw unusable(fmt::format("step {} ends before the step before it", step.index));
    const std::int64_t excluded_ns = evaluations_.within(before_ns, step.end_ns);
    step.duration_ns = step.end_ns - before_ns - excluded_ns;
    step.waiting_ns = std::max<std::int64_t>(0, step.start_ns - before_ns - excluded_ns);
    if (partial.ranks_with_gpu == ranks_) step.gpu_ns = partial.slowest_gpu_ns;
    if (partial.ranks_with_loss > 0) step.loss_nats = partial.losses / static_cast<double>(partial.ranks_with_loss);
    step.data_wait_ns = partial.first_ranks_data_wait_ns;
    last_end_ns_ = step.end_ns;
    return step;
  }

  base::CsvReader reader_;
  std::filesystem::path path_;
  std::int64_t ranks_;
  EvaluationTime evaluations_;
  std::size_t index_ = reader_.column("index");
  std::size_t start_ = reader_.column("start_ns");
  std::size_t end_ = reader_.column("end_ns");
  std::size_t gpu_ = reader_.column("gpu_ns");
  std::size_t units_ = reader_.column("units");
  std::size_t loss_ = reader_.column("loss_nats");
  std::size_t rank_ = reader_.column("rank");
  std::optional<std::size_t> data_wait_ = data_wait_column();
  std::deque<Partial> waiting_;
  std::int64_t next_index_ = 0;
  std::int64_t last_end_ns_ = 0;
};

}  // namespace

void for_each_step(const std::filesystem::path& launch_folder, const LaunchEvents& events,
                   const std::function<void(const JoinedStep&)>& visit) {
  Joiner(launch_folder / steps_file, events).run(visit);
}

}  // namespace etalon::dossier
