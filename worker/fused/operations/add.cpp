// SPDX-License-Identifier: Apache-2.0
// Backward of a sum moves nothing: both inputs have the gradient of the result.
#include "worker/fused/operations/add.h"

namespace etalon::fused {
namespace {

class AddOperation final : public Operation {
 public:
  AddOperation(ValueId first, ValueId second, ValueId result, Number number, std::int64_t count)
      : Operation({first, second}, {result}), number_(number), count_(count) {}

  std::string_view kind() const override { return "add"; }
  std::vector<ValueId> kept() const override { return {}; }
  std::vector<Same> same_gradients() const override {
    return {{outputs()[0], inputs()[0]}, {outputs()[0], inputs()[1]}};
  }

  void forward(const Frame& frame) const override {
    frame.kernels().add({.number = number_,
                         .count = count_,
                         .first = frame.value(inputs()[0]),
                         .second = frame.value(inputs()[1]),
                         .result = frame.value(outputs()[0])},
                        frame.stream());
  }

  void backward(const Frame&) const override {}

  Cost cost(Direction direction) const override {
    const auto count = static_cast<double>(count_);
    return direction == Direction::forward ? Cost{3 * count * static_cast<double>(kernels::bytes_of(number_)), count}
                                           : Cost{};
  }

 private:
  Number number_;
  std::int64_t count_;
};

}  // namespace

ValueId add(Graph& graph, const std::string& name, ValueId first, ValueId second) {
  const Value& value = graph.value(first);
  const std::int64_t count = value.count();
  const ValueId result = graph.activation(name, value.rows, value.columns);
  graph.append(std::make_unique<AddOperation>(first, second, result, graph.number(), count));
  return result;
}

std::unique_ptr<Operation> sum_of_gradients(const Value& value) {
  return std::make_unique<AddOperation>(sum_first, sum_second, sum_result, value.gradient_number, value.count());
}

}  // namespace etalon::fused
