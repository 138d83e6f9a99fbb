// SPDX-License-Identifier: Apache-2.0
// Three products of one shape; gradients that meet are added by the product itself.
#include "worker/fused/operations/linear.h"

#include "worker/fused/operations/products.h"

namespace etalon::fused {
namespace {

class LinearOperation final : public Operation {
 public:
  LinearOperation(const Graph& graph, ValueId x, ValueId weight, ValueId result)
      : Operation({x, weight}, {result}),
        shape_{.number = graph.number(),
               .gradient = graph.value(weight).gradient_number,
               .rows = graph.value(x).rows,
               .inputs = graph.value(weight).columns,
               .outputs = graph.value(weight).rows},
        trained_(graph.value(weight).has_gradient),
        passes_(graph.value(x).has_gradient) {}

  std::string_view kind() const override { return "linear"; }
  std::vector<ValueId> kept() const override {
    return trained_ ? std::vector<ValueId>{inputs()[0], inputs()[1]} : std::vector<ValueId>{inputs()[1]};
  }
  bool adds_to(ValueId) const override { return true; }
  void prepare(Backend& backend) const override { prepare_products(backend, shape_); }
  std::int64_t scratch_bytes(Direction, const Backend& backend) const override {
    return product_scratch_bytes(backend, shape_);
  }

  void forward(const Frame& frame) const override {
    frame.backend().multiply({.shape = forward_product(shape_),
                              .left = frame.value(inputs()[0]),
                              .right = frame.value(inputs()[1]),
                              .result = frame.value(outputs()[0])},
                             frame.scratch());
  }

  void backward(const Frame& frame) const override {
    const auto [x, weight] = std::pair(inputs()[0], inputs()[1]);
    const void* const gradient = frame.gradient(outputs()[0]);
    if (void* const result = frame.gradient(weight)) {
      frame.backend().multiply({.shape = weight_product(shape_, frame.adds(weight)),
                                .left = gradient,
                                .right = frame.value(x),
                                .result = result},
                               frame.scratch());
    }
    if (void* const result = frame.gradient(x)) {
      frame.backend().multiply({.shape = input_product(shape_, frame.adds(x)),
                                .left = gradient,
                                .right = frame.value(weight),
                                .result = result},
                               frame.scratch());
    }
  }

  Cost cost(Direction direction) const override {
    const double products = direction == Direction::backward ? (trained_ ? 1 : 0) + (passes_ ? 1 : 0) : 1;
    const auto element = static_cast<double>(kernels::bytes_of(shape_.number));
    const auto elements = static_cast<double>(shape_.rows * (shape_.inputs + shape_.outputs)) +
                          static_cast<double>(shape_.inputs * shape_.outputs);
    return {products * elements * element, products * forward_product(shape_).flops()};
  }

 private:
  LinearShape shape_;
  bool trained_, passes_;
};

}  // namespace

ValueId linear(Graph& graph, const std::string& name, ValueId x, ValueId weight) {
  const ValueId result = graph.activation(name, graph.value(x).rows, graph.value(weight).rows);
  graph.append(std::make_unique<LinearOperation>(graph, x, weight, result));
  return result;
}

}  // namespace etalon::fused
