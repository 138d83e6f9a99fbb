// SPDX-License-Identifier: Apache-2.0
// Times operations on random tokens, and a copy and a product for the ceilings.
#include "worker/fused/bench_kernels.h"

#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "worker/fused/language_model.h"
#include "worker/models/config_file.h"

namespace etalon::fused {
namespace {

constexpr int repetitions = 10;

struct Ceilings {
  double bytes_per_ms = 0;
  double flops_per_ms = 0;
};

/// A copy that is many times larger than any cache, and a product that fills a large GPU; smaller on a CPU.
Ceilings measure_ceilings(Backend& backend) {
  const bool large = backend.device().is_cuda();
  const auto options = at::TensorOptions(large ? at::kBFloat16 : at::kFloat).device(backend.device());
  const at::Tensor source = at::randn({large ? 1L << 30 : 1L << 24}, options);
  const at::Tensor target = at::empty_like(source);
  const double copy_ms = backend.milliseconds([&] { target.copy_(source); }, repetitions);
  const Number number = large ? Number::bf16 : Number::f32;
  const std::int64_t side = large ? 8192 : 256;
  const kernels::ProductShape shape{.number = number, .result = number, .rows = side, .columns = side, .inner = side};
  backend.prepare(shape);
  const at::Tensor scratch = at::empty({backend.scratch_bytes(shape) + 1}, options.dtype(at::kByte));
  const kernels::Product product{shape, source.data_ptr(), source.data_ptr(), target.data_ptr()};
  const double product_ms = backend.milliseconds([&] { backend.multiply(product, scratch.data_ptr()); }, repetitions);
  return {2 * static_cast<double>(source.nbytes()) / copy_ms, shape.flops() / product_ms};
}

struct Sum {
  int calls = 0;
  double ms = 0;
  Cost cost;
};

std::string_view word(Direction direction) {
  return direction == Direction::forward ? "" : direction == Direction::backward ? " backward" : " again";
}

using Row = std::vector<std::string>;

std::string digits(double value, int after) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", after, value);
  return text;
}

Row row(const std::string& name, const Sum& sum, const Ceilings& ceilings) {
  return {name,
          std::to_string(sum.calls),
          digits(sum.ms, 3),
          digits(sum.cost.bytes / 1e9, 2),
          digits(sum.cost.flops / 1e12, 3),
          digits(sum.cost.bytes / sum.ms / 1e6, 0),
          digits(100 * sum.cost.bytes / sum.ms / ceilings.bytes_per_ms, 1),
          digits(sum.cost.flops / sum.ms / 1e9, 1),
          digits(100 * sum.cost.flops / sum.ms / ceilings.flops_per_ms, 1)};
}

}  // namespace

std::string bench_kernels(const workloads::Setting& setting) {
  const models::LlamaConfig config = models::find_config(setting.recipe.workload.model);
  const recipe::Training& training = setting.recipe.training;
  const std::unique_ptr<models::WeightSource> weights =
      models::make_weight_source(training.weights, config, training.seed);
  const std::unique_ptr<LlamaEngine> model = make_llama_engine(setting, config, *weights);
  Engine& engine = model->engine();
  const at::Tensor tokens =
      at::randint(config.vocabulary, {setting.recipe.training.micro_batch, setting.recipe.workload.context + 1},
                  at::TensorOptions(at::kLong).device(setting.device));
  model->set_batch(tokens.narrow(1, 0, setting.recipe.workload.context),
                   tokens.narrow(1, 1, setting.recipe.workload.context));
  const auto step = [&] {
    engine.micro_step(true);
    engine.update(0);
  };
  const double step_ms = engine.backend().milliseconds(step, repetitions);
  std::map<std::string, Sum> sums;
  Sum all;
  for (const Engine::Timed& timed : engine.time_operations(repetitions)) {
    for (Sum* const sum : {&sums[std::string(timed.kind) + std::string(word(timed.direction))], &all}) {
      ++sum->calls;
      sum->ms += timed.ms;
      sum->cost.bytes += timed.cost.bytes;
      sum->cost.flops += timed.cost.flops;
    }
  }
  const Ceilings ceilings = measure_ceilings(engine.backend());
  std::vector<Row> rows{{"operation", "calls", "ms", "GB", "TFLOP", "GB/s", "% of copy", "TFLOP/s", "% of product"}};
  for (const auto& [name, sum] : sums) {
    rows.push_back(row(name, sum, ceilings));
  }
  rows.push_back(row("all", all, ceilings));
  std::string text = base::columns(rows);
  text += "ceilings of this minute: copy " + digits(ceilings.bytes_per_ms / 1e6, 0) + " GB/s, product " +
          digits(ceilings.flops_per_ms / 1e9, 1) + " TFLOP/s\n";
  const auto units = static_cast<double>(tokens.size(0) * (tokens.size(1) - 1));
  text += "whole step " + digits(step_ms, 3) + " ms, " + digits(step_ms / all.ms, 3) + " of the sum of its parts; " +
          digits(units / step_ms * 1e3, 0) + " tokens/s\n";
  text += engine.backend().description().dump() + "\n" + engine.memory().description().dump() + "\n";
  return text;
}

}  // namespace etalon::fused
