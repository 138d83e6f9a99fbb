// SPDX-License-Identifier: Apache-2.0
// Values are made on the host by counters, in parallel, and then copied to where the parameter lives.
#include "worker/models/initialise.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include "worker/data/counter_random.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

constexpr std::int64_t grain = 1 << 14;

/// ATen's parallel_for is serial in code that is compiled without OpenMP, as ours is.
template <class Work>
void in_parallel(std::int64_t count, const Work& work) {
  const std::int64_t threads = std::clamp<std::int64_t>(count / grain, 1, at::get_num_threads());
  std::vector<std::jthread> helpers;
  for (std::int64_t thread = 1; thread < threads; ++thread) {
    helpers.emplace_back([=, &work] { work(count * thread / threads, count * (thread + 1) / threads); });
  }
  work(0, count / threads);
}

template <class Value>
void assign(const at::Tensor& tensor, const Value& value) {
  const at::Tensor host = at::empty(tensor.sizes(), at::kFloat);
  float* const elements = host.mutable_data_ptr<float>();
  in_parallel(host.numel(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index < end; ++index) {
      elements[index] = static_cast<float>(value(index));
    }
  });
  const c10::NoGradGuard no_gradient;
  tensor.copy_(host);
}

/// The double-precision value in [-1, 1) of element `index`.
double symmetric(std::uint64_t key, std::int64_t index) {
  return 2 * data::unit_interval(data::splitmix64(key + static_cast<std::uint64_t>(index))) - 1;
}

/// Box–Muller on two counters of the element's own.
double normal(std::uint64_t key, std::int64_t index) {
  const std::uint64_t counter = key + 2 * static_cast<std::uint64_t>(index);
  const double radius = std::sqrt(-2 * std::log(1 - data::unit_interval(data::splitmix64(counter))));
  return radius * std::cos(2 * std::numbers::pi * data::unit_interval(data::splitmix64(counter + 1)));
}

bool is_norm(const NamedTensor& parameter) { return parameter.tensor.dim() < 2 && parameter.name.ends_with("weight"); }

}  // namespace

void fill(const NamedTensor& parameter) {
  const std::uint64_t key = data::name_key(parameter.name);
  const at::Tensor& tensor = parameter.tensor;
  if (tensor.dim() >= 2) {
    const double scale = std::sqrt(3.0 / static_cast<double>(tensor.numel() / tensor.size(0)));
    assign(tensor, [=](std::int64_t index) { return symmetric(key, index) * scale; });
  } else if (is_norm(parameter)) {
    assign(tensor, [=](std::int64_t index) { return 1 + 0.1 * symmetric(key, index); });
  } else {
    assign(tensor, [=](std::int64_t index) { return 0.1 * symmetric(key, index); });
  }
}

void initialise_normal(const NamedTensor& parameter, std::int64_t seed, double deviation) {
  if (parameter.tensor.dim() < 2) {
    const double value = is_norm(parameter) ? 1 : 0;
    assign(parameter.tensor, [=](std::int64_t) { return value; });
    return;
  }
  const std::uint64_t key = data::stream_key(parameter.name, seed);
  assign(parameter.tensor, [=](std::int64_t index) { return deviation * normal(key, index); });
}

void initialise_uniform(const NamedTensor& parameter, std::int64_t seed) {
  const at::Tensor& tensor = parameter.tensor;
  const double bound = 1 / std::sqrt(static_cast<double>(tensor.numel() / tensor.size(0)));
  const std::uint64_t key = data::stream_key(parameter.name, seed);
  assign(tensor, [=](std::int64_t index) { return bound * symmetric(key, index); });
}

void initialise_zero(const NamedTensor& parameter) {
  const c10::NoGradGuard no_gradient;
  parameter.tensor.zero_();
}

void initialise(const NamedTensor& parameter, std::string_view method, std::int64_t seed, std::int64_t layers) {
  constexpr double deviation = 0.02;
  const double residual_deviation = deviation / std::sqrt(2.0 * static_cast<double>(layers));
  const bool residual = parameter.name.ends_with("o_proj.weight") || parameter.name.ends_with("down_proj.weight");
  if (method == "fill") {
    fill(parameter);
  } else if (method == "normal") {
    initialise_normal(parameter, seed, residual ? residual_deviation : deviation);
  } else {
    throw worker::unsupported("initialisation \"" + std::string(method) + "\" is unknown", "use normal or fill");
  }
}

void initialise(const std::vector<NamedTensor>& parameters, std::string_view method, std::int64_t seed,
                std::int64_t layers) {
  for (const NamedTensor& parameter : parameters) {
    initialise(parameter, method, seed, layers);
  }
}

}  // namespace etalon::models
