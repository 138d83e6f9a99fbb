// SPDX-License-Identifier: Apache-2.0
// A model as one list of operations on named values. Everything about a value is known before any memory is taken.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "worker/kernels/number.h"

namespace etalon::fused {

using kernels::Number;

enum class Role : std::uint8_t {
  input,       ///< written from outside before a step: tokens, targets, tables
  parameter,   ///< kept over steps; has a gradient when trained
  activation,  ///< lives from the operation that writes it to the last that reads it
  result,      ///< read from outside after a step: the loss
};

/// A dense row-major matrix.
struct Value {
  std::string name;
  Role role = Role::activation;
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Number gradient_number = Number::f32;
  bool has_gradient = false;

  std::int64_t count() const { return rows * columns; }
  std::int64_t bytes() const { return count() * kernels::bytes_of(number); }
  std::int64_t gradient_bytes() const { return count() * kernels::bytes_of(gradient_number); }
};

using ValueId = std::int32_t;
inline constexpr ValueId no_value = -1;

class Operation;

class Graph {
 public:
  /// All activations are of `number`, statistics wide.
  explicit Graph(Number number);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  ValueId input(std::string name, Number number, std::int64_t rows, std::int64_t columns);
  ValueId result(std::string name, Number number);
  /// `number` is the working copy's format, `gradient` that of the sum of its gradients.
  ValueId parameter(std::string name, std::int64_t rows, std::int64_t columns, Number number, Number gradient,
                    bool trained = true);
  ValueId activation(std::string name, std::int64_t rows, std::int64_t columns);
  /// Wide, and nothing is differentiated through it.
  ValueId statistic(std::string name, std::int64_t rows, std::int64_t columns);

  void append(std::unique_ptr<Operation> operation);

  Number number() const { return number_; }
  const Value& value(ValueId id) const { return values_.at(static_cast<std::size_t>(id)); }
  const std::vector<Value>& values() const { return values_; }
  const std::vector<std::unique_ptr<Operation>>& operations() const { return operations_; }

 private:
  ValueId insert(Value value);

  Number number_;
  std::vector<Value> values_;
  std::vector<std::unique_ptr<Operation>> operations_;
};

}  // namespace etalon::fused
