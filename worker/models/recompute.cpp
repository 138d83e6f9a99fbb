// SPDX-License-Identifier: Apache-2.0
// One autograd function whose backward pass records the body anew and differentiates that.
#include "worker/models/recompute.h"

#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>

#include "base/text.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Body = std::function<at::Tensor(const at::Tensor&)>;

constexpr std::array checkpointings{
    Checkpointing{.name = "none", .keeps = "all intermediates"},
    Checkpointing{.name = "selective",
                  .attention_norm = true,
                  .mlp_block = true,
                  .keeps = "the residual stream before attention and before the MLP, and what attention keeps: its "
                           "input, query, key, value and output"},
    Checkpointing{.name = "full", .whole_layer = true, .keeps = "the residual stream before each layer"}};

/// Autocast as it was when this was made, put back while `Scope` lives: the backward pass runs on another thread.
class AutocastState {
 public:
  explicit AutocastState(at::DeviceType device)
      : device_(device),
        enabled_(at::autocast::is_autocast_enabled(device)),
        dtype_(at::autocast::get_autocast_dtype(device)) {}
  void apply() const {
    at::autocast::set_autocast_enabled(device_, enabled_);
    at::autocast::set_autocast_dtype(device_, dtype_);
  }

 private:
  at::DeviceType device_;
  bool enabled_;
  at::ScalarType dtype_;
};

/// No shared casts: one made without a record of gradients must not serve where they are recorded.
class Scope {
 public:
  explicit Scope(const AutocastState& state, at::DeviceType device)
      : before_(device), cache_before_(at::autocast::is_autocast_cache_enabled()) {
    state.apply();
    at::autocast::set_autocast_cache_enabled(false);
  }
  ~Scope() {
    at::autocast::set_autocast_cache_enabled(cache_before_);
    before_.apply();
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  AutocastState before_;
  bool cache_before_;
};

/// What autograd holds from the forward to the backward pass.
struct Held : torch::CustomClassHolder {
  Held(Body body_of_part, at::DeviceType device) : body(std::move(body_of_part)), autocast(device) {}
  Body body;
  AutocastState autocast;
};

/// The names are those that torch::autograd::Function calls.
struct Recompute : torch::autograd::Function<Recompute> {
  static at::Tensor forward(AutogradContext* context, const c10::intrusive_ptr<Held>& held, const at::Tensor& x,
                            at::TensorList trained) {
    variable_list saved{x};
    saved.insert(saved.end(), trained.begin(), trained.end());
    context->save_for_backward(saved);
    context->saved_data["held"] = c10::IValue::make_capsule(held);
    const Scope scope(held->autocast, x.device().type());
    return held->body(x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto capsule = context->saved_data["held"].toCapsule();
    const Held* const held = static_cast<const Held*>(capsule.get());
    variable_list inputs = context->get_saved_variables();
    const bool x_wants_gradient = context->needs_input_grad(0);
    inputs.front() = inputs.front().detach().requires_grad_(x_wants_gradient);
    const at::Tensor output = [&] {
      const c10::AutoGradMode recording(true);
      const Scope scope(held->autocast, inputs.front().device().type());
      return held->body(inputs.front());
    }();
    variable_list result{at::Tensor()};  // for `held`
    if (!x_wants_gradient) {
      inputs.erase(inputs.begin());
      result.emplace_back();
    }
    const variable_list found = torch::autograd::grad({output}, inputs, {gradients.front()});
    result.insert(result.end(), found.begin(), found.end());
    return result;
  }
};

}  // namespace

at::Tensor recomputed(const Body& body, const at::Tensor& x, const std::vector<at::Tensor>& trained) {
  return Recompute::apply(c10::make_intrusive<Held>(body, x.device().type()), x, at::TensorList(trained));
}

const Checkpointing& find_checkpointing(const std::string& name) {
  std::vector<std::string> names;
  for (const Checkpointing& checkpointing : checkpointings) {
    if (checkpointing.name == name) {
      return checkpointing;
    }
    names.emplace_back(checkpointing.name);
  }
  throw worker::unsupported("training.checkpointing = \"" + name + "\" is not served by the native worker",
                            "set training.checkpointing to one of: " + base::join(names, ", "));
}

}  // namespace etalon::models
