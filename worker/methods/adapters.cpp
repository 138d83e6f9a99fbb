// SPDX-License-Identifier: Apache-2.0
// The adapters, their first values, their count, and their files.
#include "worker/methods/adapters.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "worker/failure.h"
#include "worker/models/safetensors.h"

namespace etalon::methods {
namespace {

constexpr std::array adaptable{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};

class AdaptedLinear final : public models::Linear {
 public:
  AdaptedLinear(models::LinearPtr base, at::Tensor inner, at::Tensor outer, double scale)
      : base_(std::move(base)), inner_(std::move(inner)), outer_(std::move(outer)), scale_(scale) {}
  at::Tensor operator()(const at::Tensor& x) const override {
    return (*base_)(x) + at::linear(at::linear(x, inner_), outer_) * scale_;
  }
  std::vector<at::Tensor> trained() const override { return {inner_, outer_}; }

 private:
  models::LinearPtr base_;
  at::Tensor inner_;
  at::Tensor outer_;
  double scale_;
};

/// "q_proj" of "model.layers.0.self_attn.q_proj".
std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

bool is_target(const recipe::Lora& lora, const std::string& name) {
  return std::find(lora.targets.begin(), lora.targets.end(), last_part(name)) != lora.targets.end();
}

void require_targets(const std::vector<std::string>& targets) {
  for (const std::string& target : targets) {
    if (std::find(adaptable.begin(), adaptable.end(), target) == adaptable.end()) {
      throw worker::unsupported(
          "training.lora.targets: \"" + base::printable(target, 80) + "\" is no linear layer here",
          "choose among q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj and down_proj");
    }
    if (std::count(targets.begin(), targets.end(), target) > 1) {
      throw worker::unsupported("training.lora.targets names " + target + " twice", "name each layer once");
    }
  }
  if (targets.empty()) {
    throw worker::unsupported("training.lora.targets is empty: nothing would be trained",
                              "name at least one linear layer, such as q_proj");
  }
}

class Adapters final : public Method {
 public:
  Adapters(const Request& request, const char* name, std::unique_ptr<FrozenBase> base)
      : request_(request), name_(name), base_(std::move(base)), lora_(request.training.lora) {
    require_targets(lora_.targets);
    if (request.precision.format().fp8_products) {
      throw worker::unsupported("training.precision = \"fp8\" does not go with frozen linear layers",
                                "set training.precision to bf16-autocast, or training.method to full");
    }
  }

  at::Tensor tensor(const models::NamedShape& named) override {
    // The output head is used in a product alone.
    const at::ScalarType type =
        named.name == "lm_head.weight" ? request_.precision.product_type(trained_type()) : trained_type();
    const at::Tensor values = at::empty(named.shape, request_.options.dtype(type));
    request_.weights.give({named.name, values});
    frozen_count_ += values.numel();
    return values;
  }

  models::LinearPtr linear(const models::LinearPlace& place) override {
    models::LinearPtr base = base_->keep(host_values(models::weight_shape(place)),
                                         place.has_bias ? tensor(models::bias_shape(place)) : at::Tensor());
    if (!is_target(lora_, place.name)) {
      return base;
    }
    const std::string prefix = "base_model.model." + place.name + ".lora_";
    const models::NamedTensor inner{prefix + "A.weight", at::empty({lora_.rank, place.inputs}, request_.options)};
    const models::NamedTensor outer{prefix + "B.weight", at::empty({place.outputs, lora_.rank}, request_.options)};
    request_.weights.give_adapter(inner, outer);
    adapter_operations_ += static_cast<double>(lora_.rank * (place.inputs + place.outputs));
    train(inner);
    train(outer);
    return std::make_shared<AdaptedLinear>(std::move(base), inner.tensor, outer.tensor,
                                           lora_.alpha / static_cast<double>(lora_.rank));
  }

  models::MultiplyAccumulates operations(const models::MultiplyAccumulates& base) const override {
    models::MultiplyAccumulates all = base;
    all.adapters = adapter_operations_;
    return all;
  }

  double training_flops(const models::MultiplyAccumulates& operations) const override {
    return operations.frozen_training_flops();
  }

  base::Json description() const override {
    return {{"name", name_},
            {"trained_parameters", trained_count()},
            {"frozen_parameters", frozen_count_},
            {"rank", lora_.rank},
            {"alpha", lora_.alpha},
            {"targets", lora_.targets},
            {"dropout", 0},
            {"frozen_linear_layers", base_->description()}};
  }

  void save(const std::filesystem::path& folder) const override {
    std::filesystem::create_directories(folder);
    models::save_safetensors(folder / "adapter_model.safetensors", trained());
    const base::Json config{{"peft_type", "LORA"},
                            {"task_type", "CAUSAL_LM"},
                            {"base_model_name_or_path", request_.config.name},
                            {"r", lora_.rank},
                            {"lora_alpha", lora_.alpha},
                            {"lora_dropout", 0.0},
                            {"target_modules", lora_.targets},
                            {"bias", "none"},
                            {"fan_in_fan_out", false},
                            {"use_rslora", false},
                            {"use_dora", false},
                            {"modules_to_save", nullptr},
                            {"inference_mode", true}};
    base::replace_file(folder / "adapter_config.json", base::to_document(config));
  }

 private:
  at::Tensor host_values(const models::NamedShape& named) {
    const at::Tensor values = at::empty(named.shape, request_.options.device(at::kCPU).dtype(wide_type()));
    request_.weights.give({named.name, values});
    frozen_count_ += values.numel();
    return values;
  }

  at::ScalarType trained_type() const { return c10::typeMetaToScalarType(request_.options.dtype()); }
  at::ScalarType wide_type() const { return trained_type() == at::kDouble ? at::kDouble : at::kFloat; }

  Request request_;
  std::string name_;
  std::unique_ptr<FrozenBase> base_;
  recipe::Lora lora_;
  std::int64_t frozen_count_ = 0;
  double adapter_operations_ = 0;
};

}  // namespace

std::int64_t adapter_parameters(const models::LlamaConfig& config, const recipe::Lora& lora) {
  constexpr std::string_view suffix = ".weight";
  std::int64_t count = 0;
  for (const models::NamedShape& named : models::parameter_shapes(config)) {
    if (named.name.ends_with(suffix) && is_target(lora, named.name.substr(0, named.name.size() - suffix.size()))) {
      count += lora.rank * (named.shape[0] + named.shape[1]);
    }
  }
  return count;
}

std::unique_ptr<Method> make_adapters(const Request& request, const char* name, std::unique_ptr<FrozenBase> base) {
  return std::make_unique<Adapters>(request, name, std::move(base));
}

}  // namespace etalon::methods
