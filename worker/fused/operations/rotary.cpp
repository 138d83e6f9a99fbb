// SPDX-License-Identifier: Apache-2.0
// Backward turns the gradient back, also in place; the bias's gradient is then the sum of its columns.
#include "worker/fused/operations/rotary.h"

#include "worker/fused/operation.h"

namespace etalon::fused {
namespace {

std::vector<ValueId> inputs_of(ValueId packed, const RotaryTables& tables, ValueId bias) {
  std::vector<ValueId> inputs{packed, tables.cosine, tables.sine};
  if (bias != no_value) {
    inputs.push_back(bias);
  }
  return inputs;
}

class RotaryOperation final : public Operation {
 public:
  RotaryOperation(ValueId packed, ValueId bias, const RotaryTables& tables, const kernels::AttentionShape& shape,
                  ValueId result)
      : Operation(inputs_of(packed, tables, bias), {result}), shape_(shape), tables_(tables), bias_(bias) {}

  std::string_view kind() const override { return "rotary"; }
  std::vector<ValueId> kept() const override { return {tables_.cosine, tables_.sine}; }
  bool in_place() const override { return true; }
  bool adds_to(ValueId input) const override { return input == bias_; }

  void forward(const Frame& frame) const override { turn(frame, frame.value(outputs()[0]), false); }

  void backward(const Frame& frame) const override {
    void* const gradient = frame.gradient(outputs()[0]);
    turn(frame, gradient, true);
    if (void* const sums = frame.gradient(bias_)) {
      frame.kernels().column_sums({.number = shape_.number,
                                   .rows = rows(),
                                   .columns = shape_.packed_width(),
                                   .matrix = gradient,
                                   .sums = sums,
                                   .adds = frame.adds(bias_),
                                   .scratch = frame.scratch()},
                                  frame.stream());
    }
  }

  std::int64_t scratch_bytes(Direction direction, const Backend&) const override {
    return direction == Direction::backward && bias_ != no_value
               ? kernels::column_sums_scratch_bytes(shape_.packed_width())
               : 0;
  }

  Cost cost(Direction direction) const override {
    const std::int64_t turned = (shape_.heads + shape_.key_value_heads) * shape_.head_width;
    const std::int64_t columns = bias_ == no_value ? turned : shape_.packed_width();
    const double passes = direction == Direction::backward && bias_ != no_value ? 3 : 2;
    return {passes * static_cast<double>(rows() * columns * kernels::bytes_of(shape_.number)), 0};
  }

 private:
  std::int64_t rows() const { return shape_.batch * shape_.context; }

  void turn(const Frame& frame, void* packed, bool backward) const {
    frame.kernels().rotary({.number = shape_.number,
                            .rows = rows(),
                            .context = shape_.context,
                            .heads = shape_.heads,
                            .key_value_heads = shape_.key_value_heads,
                            .head_width = shape_.head_width,
                            .cosine = frame.value(tables_.cosine),
                            .sine = frame.value(tables_.sine),
                            .bias = backward || bias_ == no_value ? nullptr : frame.value(bias_),
                            .backward = backward,
                            .packed = packed},
                           frame.stream());
  }

  kernels::AttentionShape shape_;
  RotaryTables tables_;
  ValueId bias_;
};

}  // namespace

ValueId rotary(Graph& graph, const std::string& name, ValueId packed, ValueId bias, const RotaryTables& tables,
               const kernels::AttentionShape& shape) {
  const ValueId result = graph.activation(name, graph.value(packed).rows, graph.value(packed).columns);
  graph.append(std::make_unique<RotaryOperation>(packed, bias, tables, shape, result));
  return result;
}

}  // namespace etalon::fused
