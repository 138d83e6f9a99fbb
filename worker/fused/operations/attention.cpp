// SPDX-License-Identifier: Apache-2.0
// Scores are never kept: backward makes them again from the packed rows and one number per query.
#include "worker/fused/operations/attention.h"

#include "worker/fused/operation.h"

namespace etalon::fused {
namespace {

class AttentionOperation final : public Operation {
 public:
  AttentionOperation(ValueId packed, const kernels::AttentionShape& shape, ValueId mixed, ValueId log_sums)
      : Operation({packed}, {mixed, log_sums}), shape_(shape) {}

  std::string_view kind() const override { return "attention"; }
  std::vector<ValueId> kept() const override { return {inputs()[0], outputs()[0], outputs()[1]}; }
  void prepare(Backend& backend) const override { backend.prepare(shape_); }
  std::int64_t scratch_bytes(Direction, const Backend& backend) const override { return backend.scratch_bytes(shape_); }

  void forward(const Frame& frame) const override {
    frame.backend().attend(kernels::AttentionForward{.shape = shape_,
                                                     .packed = frame.value(inputs()[0]),
                                                     .mixed = frame.value(outputs()[0]),
                                                     .log_sums = frame.value(outputs()[1])},
                           frame.scratch());
  }

  void backward(const Frame& frame) const override {
    frame.backend().attend(kernels::AttentionBackward{.shape = shape_,
                                                      .packed = frame.value(inputs()[0]),
                                                      .mixed = frame.value(outputs()[0]),
                                                      .log_sums = frame.value(outputs()[1]),
                                                      .mixed_gradient = frame.gradient(outputs()[0]),
                                                      .packed_gradient = frame.gradient(inputs()[0])},
                           frame.scratch());
  }

  /// Two products forward and five backward on the causal half of the scores.
  Cost cost(Direction direction) const override {
    const double products = direction == Direction::backward ? 5 : 2;
    const auto scores = static_cast<double>(shape_.batch * shape_.heads * shape_.context * (shape_.context + 1)) / 2;
    const auto element = static_cast<double>(shape_.batch * shape_.context * kernels::bytes_of(shape_.number));
    const auto width = static_cast<double>(shape_.packed_width() + shape_.heads * shape_.head_width);
    return {element * width * (direction == Direction::backward ? 2 : 1),
            products * 2 * scores * static_cast<double>(shape_.head_width)};
  }

 private:
  kernels::AttentionShape shape_;
};

}  // namespace

Attended attention(Graph& graph, const std::string& name, ValueId packed, const kernels::AttentionShape& shape) {
  const ValueId mixed = graph.activation(name, graph.value(packed).rows, shape.heads * shape.head_width);
  const ValueId log_sums = graph.statistic(name + ".log_sums", shape.batch * shape.heads, shape.context);
  graph.append(std::make_unique<AttentionOperation>(packed, shape, mixed, log_sums));
  return {mixed, log_sums};
}

}  // namespace etalon::fused
