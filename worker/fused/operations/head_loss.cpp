// SPDX-License-Identifier: Apache-2.0
// Scratch memory holds one chunk of logits, which become their gradient in place, and the loss of every row.
#include "worker/fused/operations/head_loss.h"

#include <algorithm>

#include "worker/fused/operations/products.h"

namespace etalon::fused {
namespace {

constexpr std::int64_t alignment = 256;
constexpr std::int64_t rounded(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

class HeadLossOperation final : public Operation {
 public:
  HeadLossOperation(const Graph& graph, ValueId x, ValueId weight, ValueId targets, ValueId loss,
                    const HeadLoss& settings)
      : Operation({x, weight, targets}, {loss}),
        shape_{.number = graph.number(),
               .gradient = graph.value(weight).gradient_number,
               .rows = graph.value(x).rows,
               .inputs = graph.value(weight).columns,
               .outputs = graph.value(weight).rows},
        share_(settings.share) {
    const std::int64_t row_bytes = shape_.outputs * kernels::bytes_of(shape_.number);
    const std::int64_t most = std::max<std::int64_t>(1, settings.chunk_bytes / row_bytes);
    const std::int64_t chunks = (shape_.rows + most - 1) / most;
    chunk_ = (shape_.rows + chunks - 1) / chunks;
  }

  std::string_view kind() const override { return "head_loss"; }
  std::vector<ValueId> kept() const override { return inputs(); }
  bool backward_includes_forward() const override { return true; }
  bool adds_to(ValueId) const override { return true; }

  void forward(const Frame& frame) const override { run(frame, false); }
  void backward(const Frame& frame) const override { run(frame, true); }

  void prepare(Backend& backend) const override {
    for_each_chunk([&](std::int64_t, const LinearShape& chunk) { prepare_products(backend, chunk); });
  }
  std::int64_t scratch_bytes(Direction, const Backend& backend) const override {
    std::int64_t products = 0;
    for_each_chunk([&](std::int64_t, const LinearShape& chunk) {
      products = std::max(products, product_scratch_bytes(backend, chunk));
    });
    return losses_bytes() + logits_bytes() + products;
  }

  Cost cost(Direction direction) const override {
    const double products = direction == Direction::backward ? 3 : 1;
    const auto logits = static_cast<double>(shape_.rows * shape_.outputs * kernels::bytes_of(shape_.number));
    return {logits * (direction == Direction::backward ? 5 : 2), products * forward_product(shape_).flops()};
  }

 private:
  std::int64_t losses_bytes() const { return rounded(shape_.rows * kernels::bytes_of(kernels::wide(shape_.number))); }
  std::int64_t logits_bytes() const { return rounded(chunk_ * shape_.outputs * kernels::bytes_of(shape_.number)); }

  template <class Action>
  void for_each_chunk(const Action& action) const {
    for (std::int64_t first = 0; first < shape_.rows; first += chunk_) {
      LinearShape chunk = shape_;
      chunk.rows = std::min(chunk_, shape_.rows - first);
      action(first, chunk);
    }
  }

  void run(const Frame& frame, bool backward) const {
    auto* const losses = static_cast<std::byte*>(frame.scratch());
    for_each_chunk([&](std::int64_t first, const LinearShape& chunk) {
      void* const logits = losses + losses_bytes();
      void* const scratch = losses + losses_bytes() + logits_bytes();
      const void* const x = at_row(frame.value(inputs()[0]), first);
      frame.backend().multiply(
          {.shape = forward_product(chunk), .left = x, .right = frame.value(inputs()[1]), .result = logits}, scratch);
      frame.kernels().cross_entropy({.number = chunk.number,
                                     .rows = chunk.rows,
                                     .classes = chunk.outputs,
                                     .scale = share_ / static_cast<double>(shape_.rows),
                                     .wants_gradient = backward,
                                     .targets = static_cast<const std::int64_t*>(frame.value(inputs()[2])) + first,
                                     .logits = logits,
                                     .losses = losses + first * kernels::bytes_of(kernels::wide(shape_.number))},
                                    frame.stream());
      if (backward) {
        spread(frame, chunk, first, logits, scratch);
      }
    });
    frame.kernels().scaled_sum({.number = kernels::wide(shape_.number),
                                .count = shape_.rows,
                                .scale = share_ / static_cast<double>(shape_.rows),
                                .adds = frame.accumulates(),
                                .values = losses,
                                .result = frame.value(outputs()[0])},
                               frame.stream());
  }

  void spread(const Frame& frame, const LinearShape& chunk, std::int64_t first, const void* logits,
              void* scratch) const {
    const auto [x, weight] = std::pair(inputs()[0], inputs()[1]);
    if (void* const result = frame.gradient(weight)) {
      frame.backend().multiply({.shape = weight_product(chunk, frame.adds(weight) || first > 0),
                                .left = logits,
                                .right = at_row(frame.value(x), first),
                                .result = result},
                               scratch);
    }
    frame.backend().multiply({.shape = input_product(chunk, frame.adds(x)),
                              .left = logits,
                              .right = frame.value(weight),
                              .result = at_row(frame.gradient(x), first)},
                             scratch);
  }

  template <class Pointer>
  Pointer* at_row(Pointer* matrix, std::int64_t row) const {
    auto* const bytes = static_cast<const std::byte*>(matrix) + row * shape_.inputs * kernels::bytes_of(shape_.number);
    return const_cast<std::byte*>(bytes);
  }

  LinearShape shape_;
  double share_;
  std::int64_t chunk_ = 0;
};

}  // namespace

void head_loss(Graph& graph, ValueId x, ValueId weight, ValueId targets, ValueId loss, const HeadLoss& settings) {
  graph.append(std::make_unique<HeadLossOperation>(graph, x, weight, targets, loss, settings));
}

}  // namespace etalon::fused
