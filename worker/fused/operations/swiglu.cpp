// SPDX-License-Identifier: Apache-2.0
// Backward needs gate and up alone, so the product may be dropped and made again.
#include "worker/fused/operations/swiglu.h"

#include "worker/fused/operation.h"

namespace etalon::fused {
namespace {

class SwiGluOperation final : public Operation {
 public:
  SwiGluOperation(const Graph& graph, ValueId gate_up, ValueId product)
      : Operation({gate_up}, {product}),
        number_(graph.number()),
        rows_(graph.value(product).rows),
        width_(graph.value(product).columns) {}

  std::string_view kind() const override { return "swiglu"; }
  std::vector<ValueId> kept() const override { return {inputs()[0]}; }

  void forward(const Frame& frame) const override {
    frame.kernels().swiglu_forward({.number = number_,
                                    .rows = rows_,
                                    .width = width_,
                                    .gate_up = frame.value(inputs()[0]),
                                    .product = frame.value(outputs()[0])},
                                   frame.stream());
  }

  void backward(const Frame& frame) const override {
    frame.kernels().swiglu_backward({.number = number_,
                                     .rows = rows_,
                                     .width = width_,
                                     .gate_up = frame.value(inputs()[0]),
                                     .product_gradient = frame.gradient(outputs()[0]),
                                     .gate_up_gradient = frame.gradient(inputs()[0])},
                                    frame.stream());
  }

  Cost cost(Direction direction) const override {
    const auto matrix = static_cast<double>(rows_ * width_ * kernels::bytes_of(number_));
    return {matrix * (direction == Direction::backward ? 5 : 3), 0};
  }

 private:
  Number number_;
  std::int64_t rows_, width_;
};

}  // namespace

ValueId swiglu(Graph& graph, const std::string& name, ValueId gate_up) {
  const ValueId product = graph.activation(name, graph.value(gate_up).rows, graph.value(gate_up).columns / 2);
  graph.append(std::make_unique<SwiGluOperation>(graph, gate_up, product));
  return product;
}

}  // namespace etalon::fused
