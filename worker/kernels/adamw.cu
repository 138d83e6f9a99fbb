// SPDX-License-Identifier: Apache-2.0
// One pass over gradients for their norm, one over everything for the update; a single thread does the scalars.
#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 256;

__global__ void write_rate(const SetLearningRate work) { work.state->learning_rate = work.learning_rate; }

template <bool bf16>
__global__ void __launch_bounds__(threads) add_squares(const SumOfSquares work) {
  __shared__ double room[32];
  const std::int64_t groups = work.count / 8;
  double sum = 0;
  for (std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; group < groups;
       group += static_cast<std::int64_t>(gridDim.x) * threads) {
    const Eight gradient = load<bf16>(work.gradient, group);
    float part = 0;
#pragma unroll
    for (int element = 0; element < 8; ++element) part += gradient.value[element] * gradient.value[element];
    sum += part;
  }
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) work.partial[blockIdx.x] = sum;
}

__global__ void advance(const PrepareUpdate work) {
  __shared__ double room[32];
  double squares = 0;
  for (std::int64_t index = threadIdx.x; index < work.partials; index += blockDim.x) squares += work.partial[index];
  squares = block_sum(squares, room);
  if (threadIdx.x != 0) return;
  UpdateState& state = *work.state;
  ++state.step;
  state.norm = sqrt(squares);
  state.scale = work.clip > 0 ? fmin(1.0, work.clip / (state.norm + 1e-6)) : 1.0;
  state.step_size = state.learning_rate / (1 - pow(work.beta1, static_cast<double>(state.step)));
  state.root_factor = 1 / sqrt(1 - pow(work.beta2, static_cast<double>(state.step)));
}

template <bool bf16>
__global__ void __launch_bounds__(threads) update(const AdamW work) {
  const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (group >= work.count / 8) return;
  const Eight gradient = load<bf16>(work.gradient, group);
  Eight master = load_f32(work.master, group);
  Eight first = load_f32(work.first_moment, group);
  Eight second = load_f32(work.second_moment, group);
  const UpdateState& state = *work.state;
  const auto scale = static_cast<float>(state.scale);
  const auto root_factor = static_cast<float>(state.root_factor);
  const auto step_size = static_cast<float>(state.step_size);
  const auto keep = static_cast<float>(1 - state.learning_rate * work.decay);
  const auto gain1 = static_cast<float>(1 - work.beta1);
  const auto gain2 = static_cast<float>(1 - work.beta2);
  const auto beta2 = static_cast<float>(work.beta2);
  const auto epsilon = static_cast<float>(work.epsilon);
#pragma unroll
  for (int element = 0; element < 8; ++element) {
    const float g = gradient.value[element] * scale;
    float& m = first.value[element];
    float& v = second.value[element];
    m += (g - m) * gain1;
    v = beta2 * v + gain2 * g * g;
    master.value[element] = master.value[element] * keep - step_size * m / (sqrtf(v) * root_factor + epsilon);
  }
  store_f32(work.master, group, master);
  store_f32(work.first_moment, group, first);
  store_f32(work.second_moment, group, second);
  if (work.copy != nullptr) store_bf16(work.copy, group, master);
}

}  // namespace

void set_learning_rate(const SetLearningRate& work, Stream stream) {
  write_rate<<<1, 1, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "set_learning_rate");
}

void sum_of_squares(const SumOfSquares& work, Stream stream) {
  if (work.number == Number::bf16) {
    add_squares<true><<<square_blocks, threads, 0, stream>>>(work);
  } else {
    add_squares<false><<<square_blocks, threads, 0, stream>>>(work);
  }
  check_cuda(cudaGetLastError(), "sum_of_squares");
}

void prepare_update(const PrepareUpdate& work, Stream stream) {
  advance<<<1, 256, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "prepare_update");
}

void adamw(const AdamW& work, Stream stream) {
  const unsigned blocks = blocks_for(work.count / 8, threads);
  if (work.gradient_number == Number::bf16) {
    update<true><<<blocks, threads, 0, stream>>>(work);
  } else {
    update<false><<<blocks, threads, 0, stream>>>(work);
  }
  check_cuda(cudaGetLastError(), "adamw");
}

}  // namespace etalon::kernels::cuda
