// SPDX-License-Identifier: Apache-2.0
// With a delta both inputs have the same gradient, written once. The normalised rows can be made again from the stream.
#include "worker/fused/operations/rms_norm.h"

#include "worker/fused/operation.h"

namespace etalon::fused {
namespace {

struct Operands {
  ValueId x, delta, weight, stream, normal, inverse;
};

std::vector<ValueId> inputs_of(const Operands& of) {
  return of.delta == no_value ? std::vector<ValueId>{of.x, of.weight} : std::vector<ValueId>{of.x, of.weight, of.delta};
}

std::vector<ValueId> outputs_of(const Operands& of) {
  return of.delta == no_value ? std::vector<ValueId>{of.normal, of.inverse}
                              : std::vector<ValueId>{of.normal, of.inverse, of.stream};
}

class RmsNormOperation final : public Operation {
 public:
  RmsNormOperation(const Graph& graph, const Operands& operands, double epsilon)
      : Operation(inputs_of(operands), outputs_of(operands)),
        of_(operands),
        number_(graph.number()),
        rows_(graph.value(operands.x).rows),
        width_(graph.value(operands.x).columns),
        epsilon_(epsilon) {}

  std::string_view kind() const override { return "rms_norm"; }
  std::vector<ValueId> kept() const override { return {of_.stream, of_.weight, of_.inverse}; }
  std::vector<Same> same_gradients() const override {
    return of_.delta == no_value ? std::vector<Same>{} : std::vector<Same>{{of_.x, of_.delta}};
  }

  void forward(const Frame& frame) const override {
    const bool adds = of_.delta != no_value;
    run(frame, frame.value(of_.x), adds ? frame.value(of_.delta) : nullptr, adds ? frame.value(of_.stream) : nullptr);
  }

  std::vector<ValueId> remade_from(ValueId output) const override {
    return output == of_.normal ? std::vector<ValueId>{of_.stream, of_.weight, of_.inverse} : std::vector<ValueId>{};
  }
  void remake(const Frame& frame) const override { run(frame, frame.value(of_.stream), nullptr, nullptr); }

  void backward(const Frame& frame) const override {
    // Without a delta the stream is the input itself, and what else flows into it is summed by the reversal.
    void* const passing = of_.delta == no_value ? nullptr : frame.gradient(of_.stream);
    frame.kernels().rms_norm_backward({.number = number_,
                                       .rows = rows_,
                                       .width = width_,
                                       .sum = frame.value(of_.stream),
                                       .weight = frame.value(of_.weight),
                                       .inverse = frame.value(of_.inverse),
                                       .normal_gradient = frame.gradient(of_.normal),
                                       .sum_gradient = frame.adds(of_.x) ? frame.gradient(of_.x) : passing,
                                       .x_gradient = frame.gradient(of_.x),
                                       .weight_gradient = frame.gradient(of_.weight),
                                       .adds_weight = frame.adds(of_.weight),
                                       .scratch = frame.scratch()},
                                      frame.stream());
  }

  /// The kernel adds one matrix to the gradient: what is there already, where nothing passes through the stream.
  bool adds_to(ValueId input) const override {
    return input == of_.weight || (input == of_.x && of_.delta == no_value);
  }
  std::int64_t scratch_bytes(Direction direction, const Backend&) const override {
    return direction == Direction::backward ? kernels::rms_norm_scratch_bytes(width_) : 0;
  }

  Cost cost(Direction direction) const override {
    const auto matrix = static_cast<double>(rows_ * width_ * kernels::bytes_of(number_));
    const bool adds = of_.delta != no_value;
    if (direction == Direction::remake) {
      return {2 * matrix, 0};
    }
    return {matrix * (direction == Direction::forward ? (adds ? 4 : 2) : (adds ? 4 : 3)), 0};
  }

 private:
  void run(const Frame& frame, const void* x, const void* delta, void* sum) const {
    frame.kernels().rms_norm_forward({.number = number_,
                                      .rows = rows_,
                                      .width = width_,
                                      .epsilon = epsilon_,
                                      .x = x,
                                      .delta = delta,
                                      .weight = frame.value(of_.weight),
                                      .sum = sum,
                                      .normal = frame.value(of_.normal),
                                      .inverse = frame.value(of_.inverse)},
                                     frame.stream());
  }

  Operands of_;
  Number number_;
  std::int64_t rows_, width_;
  double epsilon_;
};

}  // namespace

Normalised rms_norm(Graph& graph, const std::string& name, ValueId x, ValueId delta, ValueId weight, double epsilon) {
  const std::int64_t rows = graph.value(x).rows;
  const std::int64_t width = graph.value(x).columns;
  const ValueId stream = delta == no_value ? x : graph.activation(name + ".stream", rows, width);
  const Operands operands{.x = x,
                          .delta = delta,
                          .weight = weight,
                          .stream = stream,
                          .normal = graph.activation(name + ".normal", rows, width),
                          .inverse = graph.statistic(name + ".inverse", rows, 1)};
  graph.append(std::make_unique<RmsNormOperation>(graph, operands, epsilon));
  return {stream, operands.normal};
}

}  // namespace etalon::fused
