// SPDX-License-Identifier: Apache-2.0
// Values are numbered in the order of their making.
#include "worker/fused/graph.h"

#include <utility>

#include "worker/fused/operation.h"

namespace etalon::fused {

Graph::Graph(Number number) : number_(number) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

ValueId Graph::insert(Value value) {
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size()) - 1;
}

ValueId Graph::input(std::string name, Number number, std::int64_t rows, std::int64_t columns) {
  return insert({.name = std::move(name), .role = Role::input, .number = number, .rows = rows, .columns = columns});
}

ValueId Graph::result(std::string name, Number number) {
  return insert({.name = std::move(name), .role = Role::result, .number = number, .rows = 1, .columns = 1});
}

ValueId Graph::parameter(std::string name, std::int64_t rows, std::int64_t columns, Number number, Number gradient,
                         bool trained) {
  return insert({.name = std::move(name),
                 .role = Role::parameter,
                 .number = number,
                 .rows = rows,
                 .columns = columns,
                 .gradient_number = gradient,
                 .has_gradient = trained});
}

ValueId Graph::activation(std::string name, std::int64_t rows, std::int64_t columns) {
  return insert({.name = std::move(name),
                 .number = number_,
                 .rows = rows,
                 .columns = columns,
                 .gradient_number = number_,
                 .has_gradient = true});
}

ValueId Graph::statistic(std::string name, std::int64_t rows, std::int64_t columns) {
  return insert({.name = std::move(name), .number = kernels::wide(number_), .rows = rows, .columns = columns});
}

void Graph::append(std::unique_ptr<Operation> operation) { operations_.push_back(std::move(operation)); }

}  // namespace etalon::fused
