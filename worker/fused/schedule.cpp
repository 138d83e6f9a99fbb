// SPDX-License-Identifier: Apache-2.0
// The reversal. Where several uses of one value meet, their gradients are summed here and nowhere else.
#include "worker/fused/schedule.h"

#include <algorithm>
#include <map>
#include <utility>

#include "worker/failure.h"
#include "worker/fused/operations/add.h"

namespace etalon::fused {
namespace {

constexpr std::int32_t none = -2;

bool lasts(const Value& value) { return value.role != Role::activation; }

[[noreturn]] void cannot(const std::string& what) {
  throw worker::Failure("internal", "the list of operations cannot be reversed: " + what, "report this as a defect");
}

class Builder {
 public:
  Builder(const Graph& graph, const Backend& backend)
      : graph_(graph),
        backend_(backend),
        place_(graph.values().size(), none),
        gradient_(graph.values().size()),
        producer_(graph.values().size(), nullptr) {
    for (const auto& operation : graph.operations()) {
      for (const ValueId output : operation->outputs()) {
        producer_[index(output)] = operation.get();
      }
    }
  }

  void forward(const Operation& operation) {
    Instruction instruction{.operation = &operation, .direction = Direction::forward};
    for (const ValueId input : operation.inputs()) {
      instruction.values.push_back({input, available(input)});
    }
    for (std::size_t number = 0; number < operation.outputs().size(); ++number) {
      const ValueId output = operation.outputs()[number];
      if (number == 0 && operation.in_place()) {
        const ValueId input = operation.inputs().front();
        place_[index(output)] = std::exchange(place_[index(input)], none);
      } else {
        place_[index(output)] = lasts(graph_.value(output)) ? Binding::lasting : buffer_for(output, false);
      }
      instruction.values.push_back({output, place_[index(output)]});
    }
    emit(std::move(instruction));
  }

  void forget(const std::set<ValueId>& values) {
    for (const ValueId value : values) {
      place_[index(value)] = none;
    }
  }

  void backward(const Operation& operation) {
    const bool is_last = operation.backward_includes_forward();
    Instruction instruction{.operation = &operation, .direction = Direction::backward};
    bool anything = is_last;
    for (const ValueId output : operation.outputs()) {
      if (gradient_[index(output)].buffer != none) {
        instruction.gradients.push_back({output, gradient_[index(output)].buffer});
        anything = true;
      }
    }
    if (!anything) {
      return;
    }
    for (const ValueId value : operation.kept()) {
      instruction.values.push_back({value, made_again(value)});
    }
    if (is_last) {
      for (const ValueId output : operation.outputs()) {
        instruction.values.push_back({output, Binding::lasting});
      }
    }
    std::vector<Sum> sums = bind_gradients(operation, instruction);
    emit(std::move(instruction));
    for (const Sum& sum : sums) {
      emit_sum(sum);
    }
    share_gradients(operation);
  }

  Schedule take() { return std::move(schedule_); }

 private:
  struct Gradient {
    std::int32_t buffer = none;
    bool shared = false;  ///< another value has the same memory: it must not change any more
  };
  /// A second contribution that its operation could not add by itself.
  struct Sum {
    ValueId value;
    std::int32_t first, second;
  };

  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }

  std::int32_t new_buffer(std::string name, std::int64_t bytes) {
    const auto now = static_cast<std::int32_t>(schedule_.instructions.size());
    schedule_.buffers.push_back({std::move(name), bytes, now, now});
    return static_cast<std::int32_t>(schedule_.buffers.size()) - 1;
  }

  std::int32_t buffer_for(ValueId id, bool gradient) {
    const Value& value = graph_.value(id);
    return new_buffer(value.name + (gradient ? ".gradient" : ""), gradient ? value.gradient_bytes() : value.bytes());
  }

  std::int32_t available(ValueId id) {
    if (lasts(graph_.value(id))) {
      return Binding::lasting;
    }
    if (place_[index(id)] == none) {
      cannot(graph_.value(id).name + " is read before it is written, or after it was overwritten");
    }
    return place_[index(id)];
  }

  std::int32_t made_again(ValueId id) {
    if (!lasts(graph_.value(id)) && place_[index(id)] == none) {
      const Operation* const producer = producer_[index(id)];
      if (producer == nullptr) {
        cannot("nothing makes " + graph_.value(id).name);
      }
      const std::vector<ValueId> shortcut = producer->remade_from(id);
      for (const ValueId needed : shortcut.empty() ? producer->inputs() : shortcut) {
        made_again(needed);
      }
      if (place_[index(id)] == none) {  // else making one of those gave it too
        shortcut.empty() ? forward(*producer) : remake(*producer, shortcut, id);
      }
    }
    return available(id);
  }

  void remake(const Operation& operation, const std::vector<ValueId>& needed, ValueId id) {
    Instruction instruction{.operation = &operation, .direction = Direction::remake};
    for (const ValueId value : needed) {
      instruction.values.push_back({value, available(value)});
    }
    place_[index(id)] = buffer_for(id, false);
    instruction.values.push_back({id, place_[index(id)]});
    emit(std::move(instruction));
  }

  bool wants_gradient(ValueId id) const { return graph_.value(id).has_gradient; }

  std::vector<Sum> bind_gradients(const Operation& operation, Instruction& instruction) {
    std::vector<Sum> sums;
    for (std::size_t number = 0; number < operation.inputs().size(); ++number) {
      const ValueId input = operation.inputs()[number];
      if (!wants_gradient(input) || is_same(operation, input)) {
        continue;
      }
      Gradient& gradient = gradient_[index(input)];
      if (number == 0 && operation.in_place()) {
        gradient = in_place_gradient(operation);
      } else if (graph_.value(input).role == Role::parameter) {
        instruction.gradients.push_back({input, Binding::lasting, gradient.buffer != none});
        gradient.buffer = Binding::lasting;
        continue;
      } else if (gradient.buffer == none) {
        gradient = {buffer_for(input, true)};
      } else if (operation.adds_to(input) && !gradient.shared) {
        instruction.gradients.push_back({input, gradient.buffer, true});
        continue;
      } else {
        const std::int32_t fresh = buffer_for(input, true);
        instruction.gradients.push_back({input, fresh});
        sums.push_back({input, gradient.buffer, fresh});
        continue;
      }
      instruction.gradients.push_back({input, gradient.buffer});
    }
    return sums;
  }

  Gradient in_place_gradient(const Operation& operation) {
    const Gradient& after = gradient_[index(operation.outputs().front())];
    if (after.shared || gradient_[index(operation.inputs().front())].buffer != none) {
      cannot("the gradient that " + std::string(operation.kind()) + " changes in place is used elsewhere");
    }
    return after;
  }

  void emit_sum(const Sum& sum) {
    const Value& value = graph_.value(sum.value);
    schedule_.sums.push_back(sum_of_gradients(value));
    const std::int32_t result = buffer_for(sum.value, true);
    Instruction instruction{.operation = schedule_.sums.back().get(), .direction = Direction::forward};
    instruction.values = {{sum_first, sum.first}, {sum_second, sum.second}, {sum_result, result}};
    emit(std::move(instruction));
    gradient_[index(sum.value)] = {result};
  }

  static bool is_same(const Operation& operation, ValueId input) {
    const std::vector<Operation::Same> same = operation.same_gradients();
    return std::any_of(same.begin(), same.end(), [&](const Operation::Same& one) { return one.input == input; });
  }

  void share_gradients(const Operation& operation) {
    for (const auto& [of, input] : operation.same_gradients()) {
      if (!wants_gradient(input)) {
        continue;
      }
      if (gradient_[index(of)].buffer < 0 || graph_.value(input).role == Role::parameter) {
        cannot("the shared gradient of " + graph_.value(input).name + " has no memory of its own");
      }
      if (gradient_[index(input)].buffer == none) {
        gradient_[index(of)].shared = true;
        gradient_[index(input)] = gradient_[index(of)];
      } else {
        emit_sum({input, gradient_[index(input)].buffer, gradient_[index(of)].buffer});
      }
    }
  }

  void emit(Instruction instruction) {
    const std::int64_t bytes = instruction.operation->scratch_bytes(instruction.direction, backend_);
    if (bytes > 0) {
      instruction.scratch = new_buffer(std::string(instruction.operation->kind()) + ".scratch", bytes);
    }
    const auto now = static_cast<std::int32_t>(schedule_.instructions.size());
    const auto touch = [&](std::int32_t buffer) {
      if (buffer >= 0) {
        schedule_.buffers[static_cast<std::size_t>(buffer)].last = now;
      }
    };
    for (const std::vector<Binding>* const bindings : {&instruction.values, &instruction.gradients}) {
      std::for_each(bindings->begin(), bindings->end(), [&](const Binding& binding) { touch(binding.buffer); });
    }
    touch(instruction.scratch);
    schedule_.instructions.push_back(std::move(instruction));
  }

  const Graph& graph_;
  const Backend& backend_;
  Schedule schedule_;
  std::vector<std::int32_t> place_;  ///< where each value lies now
  std::vector<Gradient> gradient_;
  std::vector<const Operation*> producer_;
};

}  // namespace

Schedule forward_schedule(const Graph& graph, const Backend& backend) {
  Builder builder(graph, backend);
  for (const auto& operation : graph.operations()) {
    builder.forward(*operation);
  }
  return builder.take();
}

Schedule training_schedule(const Graph& graph, const Backend& backend, const std::set<ValueId>& recomputed) {
  Builder builder(graph, backend);
  const auto& operations = graph.operations();
  for (const auto& operation : operations) {
    if (!operation->backward_includes_forward()) {
      builder.forward(*operation);
    } else if (operation != operations.back()) {
      cannot(std::string(operation->kind()) + " is not the last operation");
    }
  }
  builder.forget(recomputed);
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    builder.backward(**operation);
  }
  return builder.take();
}

}  // namespace etalon::fused
