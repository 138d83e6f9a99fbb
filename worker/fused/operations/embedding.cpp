// SPDX-License-Identifier: Apache-2.0
// Backward keeps nothing but the tokens.
#include "worker/fused/operations/embedding.h"

#include "worker/fused/operation.h"

namespace etalon::fused {
namespace {

class EmbeddingOperation final : public Operation {
 public:
  EmbeddingOperation(const Graph& graph, ValueId tokens, ValueId table, ValueId result)
      : Operation({tokens, table}, {result}),
        number_(graph.number()),
        gradient_(graph.value(table).gradient_number),
        rows_(graph.value(result).rows),
        width_(graph.value(result).columns),
        vocabulary_(graph.value(table).rows) {}

  std::string_view kind() const override { return "embedding"; }
  std::vector<ValueId> kept() const override { return {inputs()[0]}; }

  void forward(const Frame& frame) const override {
    frame.kernels().embedding_forward({.number = number_,
                                       .rows = rows_,
                                       .width = width_,
                                       .tokens = frame.value(inputs()[0]),
                                       .table = frame.value(inputs()[1]),
                                       .result = frame.value(outputs()[0])},
                                      frame.stream());
  }

  void backward(const Frame& frame) const override {
    if (void* const table_gradient = frame.gradient(inputs()[1])) {
      frame.kernels().embedding_backward({.number = number_,
                                          .gradient = gradient_,
                                          .rows = rows_,
                                          .width = width_,
                                          .vocabulary = vocabulary_,
                                          .tokens = frame.value(inputs()[0]),
                                          .result_gradient = frame.gradient(outputs()[0]),
                                          .table_gradient = table_gradient,
                                          .adds = frame.adds(inputs()[1]),
                                          .scratch = frame.scratch()},
                                         frame.stream());
    }
  }

  std::int64_t scratch_bytes(Direction direction, const Backend&) const override {
    return direction == Direction::backward ? kernels::embedding_scratch_bytes(rows_) : 0;
  }

  Cost cost(Direction direction) const override {
    const auto moved = static_cast<double>(rows_ * width_ * kernels::bytes_of(number_));
    const auto table = static_cast<double>(vocabulary_ * width_ * kernels::bytes_of(gradient_));
    return {direction == Direction::forward ? 2 * moved : moved + table, 0};
  }

 private:
  Number number_, gradient_;
  std::int64_t rows_, width_, vocabulary_;
};

}  // namespace

ValueId embedding(Graph& graph, const std::string& name, ValueId tokens, ValueId table) {
  const ValueId result = graph.activation(name, graph.value(tokens).rows, graph.value(table).columns);
  graph.append(std::make_unique<EmbeddingOperation>(graph, tokens, table, result));
  return result;
}

}  // namespace etalon::fused
