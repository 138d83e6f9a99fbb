// SPDX-License-Identifier: Apache-2.0
// One kind of step in a model's list: forward, backward, and what the reversal, the memory plan and the ledger must
// know of them. A kind is one file pair in operations/.
#pragma once

#include <string_view>
#include <vector>

#include "worker/fused/backend.h"
#include "worker/fused/graph.h"

namespace etalon::fused {

/// `remake` gives one output again from others that were kept.
enum class Direction : std::uint8_t { forward, backward, remake };

/// What one run of an operation must do at least: every operand read or written once.
struct Cost {
  double bytes = 0;
  double flops = 0;
};

/// Addresses of everything that one run of an operation touches.
class Frame {
 public:
  struct Slot {
    ValueId value = no_value;
    void* data = nullptr;
    bool adds = false;
  };
  Frame(Backend& backend, std::vector<Slot> values, std::vector<Slot> gradients, void* scratch, bool accumulates)
      : backend_(&backend),
        values_(std::move(values)),
        gradients_(std::move(gradients)),
        scratch_(scratch),
        accumulates_(accumulates) {}

  Backend& backend() const { return *backend_; }
  const kernels::Kernels& kernels() const { return backend_->kernels(); }
  kernels::Stream stream() const { return backend_->stream(); }
  /// Null for a value that this run has no use for.
  void* value(ValueId id) const { return find(values_, id).data; }
  /// Null where nobody wants it, or (of an output) where nothing came back.
  void* gradient(ValueId id) const { return find(gradients_, id).data; }
  /// Whether the gradient of an input is added to what is there.
  bool adds(ValueId id) const { return find(gradients_, id).adds; }
  void* scratch() const { return scratch_; }
  /// A later micro-step of an accumulated step: the loss is added too.
  bool accumulates() const { return accumulates_; }

 private:
  static Slot find(const std::vector<Slot>& slots, ValueId id) {
    for (const Slot& slot : slots) {
      if (slot.value == id) {
        return slot;
      }
    }
    return {};
  }

  Backend* backend_;
  std::vector<Slot> values_, gradients_;
  void* scratch_;
  bool accumulates_;
};

class Operation {
 public:
  Operation(std::vector<ValueId> inputs, std::vector<ValueId> outputs)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  virtual ~Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const std::vector<ValueId>& inputs() const { return inputs_; }
  const std::vector<ValueId>& outputs() const { return outputs_; }

  virtual std::string_view kind() const = 0;
  virtual void forward(const Frame& frame) const = 0;
  /// From gradients of outputs to gradients of inputs, each overwritten or added to as the frame says.
  virtual void backward(const Frame& frame) const = 0;
  /// Inputs and outputs whose values backward reads; the rest may be overwritten after the last forward use.
  virtual std::vector<ValueId> kept() const = 0;
  virtual Cost cost(Direction direction) const = 0;

  /// Whether backward can add to the gradient of this input; otherwise it is given fresh memory and the sum is made
  /// for it. Parameters' gradients must be addable.
  virtual bool adds_to(ValueId) const { return false; }
  /// The first output takes the place of the first input, and so do their gradients.
  virtual bool in_place() const { return false; }
  /// The gradient of input `input` is exactly that of `of` (another input, or an output), so it is not written again.
  struct Same {
    ValueId of = no_value;
    ValueId input = no_value;
  };
  virtual std::vector<Same> same_gradients() const { return {}; }
  /// Backward makes the outputs too, and so training leaves forward out: for the last operation, the loss.
  virtual bool backward_includes_forward() const { return false; }
  /// What remake() needs to give `output` again more cheaply than forward would; empty when there is no such way.
  virtual std::vector<ValueId> remade_from(ValueId) const { return {}; }
  virtual void remake(const Frame&) const {}
  virtual void prepare(Backend&) const {}
  virtual std::int64_t scratch_bytes(Direction, const Backend&) const { return 0; }

 private:
  std::vector<ValueId> inputs_, outputs_;
};

}  // namespace etalon::fused
