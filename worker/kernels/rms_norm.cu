// SPDX-License-Identifier: Apache-2.0
// Forward: a block for each row, held in registers. Backward: blocks walk over rows and keep their part of the weight's
// gradient in registers; a second kernel adds the parts up in a fixed order.
#include <string>
#include <type_traits>

#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int most_threads = 256;

template <int vectors>
__global__ void __launch_bounds__(most_threads) forward_rows(const RmsNormForward work) {
  __shared__ float room[32];
  const int groups = static_cast<int>(work.width / 8);
  const std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * groups;
  Eight x[vectors];
  float squares = 0;
#pragma unroll
  for (int vector = 0; vector < vectors; ++vector) {
    const int group = vector * blockDim.x + threadIdx.x;
    if (group < groups) {
      x[vector] = load_bf16(work.x, base + group);
      if (work.delta != nullptr) {
        const Eight delta = load_bf16(work.delta, base + group);
#pragma unroll
        for (int index = 0; index < 8; ++index) x[vector].value[index] += delta.value[index];
        x[vector] = rounded(x[vector]);
        store_bf16(work.sum, base + group, x[vector]);
      }
#pragma unroll
      for (int index = 0; index < 8; ++index) squares += x[vector].value[index] * x[vector].value[index];
    }
  }
  const float mean = block_sum(squares, room) / static_cast<float>(work.width);
  const float inverse = rsqrtf(mean + static_cast<float>(work.epsilon));
  if (threadIdx.x == 0) static_cast<float*>(work.inverse)[blockIdx.x] = inverse;
#pragma unroll
  for (int vector = 0; vector < vectors; ++vector) {
    const int group = vector * blockDim.x + threadIdx.x;
    if (group < groups) {
      const Eight weight = load_f32(work.weight, group);
#pragma unroll
      for (int index = 0; index < 8; ++index) x[vector].value[index] *= inverse * weight.value[index];
      store_bf16(work.normal, base + group, x[vector]);
    }
  }
}

/// A copy to shared memory that goes on while the thread does other things.
__device__ inline void copy_ahead(uint4* target, const void* source, std::int64_t place) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
               "l"(static_cast<const uint4*>(source) + place)
               : "memory");
}
__device__ inline void end_of_copies() { asm volatile("cp.async.commit_group;"); }
template <int later>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(later) : "memory");
}

/// Rows that a block has under way at once, each three matrices wide; a thread reads only what it copied itself.
constexpr int stages = 4;
constexpr std::int64_t most_shared_bytes = 96 << 10;

template <int vectors, int depth>
__global__ void __launch_bounds__(most_threads) backward_rows(const RmsNormBackward work) {
  extern __shared__ uint4 ahead[];
  __shared__ float rooms[2][32];
  const int groups = static_cast<int>(work.width / 8);
  const bool passes = work.sum_gradient != nullptr;
  Eight weight[vectors];
  Eight weight_sum[vectors] = {};
  const auto group_of = [&](int vector) { return static_cast<int>(vector * blockDim.x + threadIdx.x); };
  const auto fetch = [&](std::int64_t row, int stage) {
#pragma unroll
    for (int vector = 0; vector < vectors; ++vector) {
      if (const int group = group_of(vector); group < groups && row < work.rows) {
        uint4* const room = ahead + stage * 3 * groups + group;
        copy_ahead(room, work.sum, row * groups + group);
        copy_ahead(room + groups, work.normal_gradient, row * groups + group);
        if (passes) copy_ahead(room + 2 * groups, work.sum_gradient, row * groups + group);
      }
    }
    end_of_copies();
  };
#pragma unroll
  for (int stage = 0; stage < depth; ++stage) fetch(blockIdx.x + static_cast<std::int64_t>(stage) * gridDim.x, stage);
#pragma unroll
  for (int vector = 0; vector < vectors; ++vector) {
    if (const int group = group_of(vector); group < groups) weight[vector] = load_f32(work.weight, group);
  }
  int parity = 0;
  int stage = 0;
  for (std::int64_t row = blockIdx.x; row < work.rows; row += gridDim.x, parity ^= 1) {
    const float inverse = static_cast<const float*>(work.inverse)[row];
    wait_for_copies<depth - 1>();
    Eight x[vectors], g[vectors], other[vectors];
    float product = 0;
#pragma unroll
    for (int vector = 0; vector < vectors; ++vector) {
      if (const int group = group_of(vector); group < groups) {
        const uint4* const room = ahead + stage * 3 * groups + group;
        x[vector] = unpack(room[0]);
        g[vector] = unpack(room[groups]);
        other[vector] = passes ? unpack(room[2 * groups]) : Eight{};
#pragma unroll
        for (int index = 0; index < 8; ++index) {
          weight_sum[vector].value[index] += g[vector].value[index] * x[vector].value[index] * inverse;
          g[vector].value[index] *= weight[vector].value[index];
          product += g[vector].value[index] * x[vector].value[index];
        }
      }
    }
    fetch(row + static_cast<std::int64_t>(depth) * gridDim.x, stage);
    stage = stage + 1 == depth ? 0 : stage + 1;
    const float projection = block_sum(product, rooms[parity]) * inverse * inverse / static_cast<float>(work.width);
#pragma unroll
    for (int vector = 0; vector < vectors; ++vector) {
      if (const int group = group_of(vector); group < groups) {
#pragma unroll
        for (int index = 0; index < 8; ++index) {
          other[vector].value[index] += inverse * (g[vector].value[index] - x[vector].value[index] * projection);
        }
        store_bf16(work.x_gradient, row * groups + group, other[vector]);
      }
    }
  }
  if (work.weight_gradient != nullptr) {
#pragma unroll
    for (int vector = 0; vector < vectors; ++vector) {
      if (const int group = group_of(vector); group < groups) {
        store_f32(work.scratch, static_cast<std::int64_t>(blockIdx.x) * groups + group, weight_sum[vector]);
      }
    }
  }
}

template <int vectors, int depth>
void launch_backward(const RmsNormBackward& work, int blocks, int threads, Stream stream) {
  const auto bytes = static_cast<int>(depth * 3 * work.width * 2);
  check_cuda(cudaFuncSetAttribute(backward_rows<vectors, depth>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(most_shared_bytes)),
             "rms_norm_backward");
  backward_rows<vectors, depth><<<blocks, threads, static_cast<std::size_t>(bytes), stream>>>(work);
}

/// A warp for each column would read columns apart; a thread for each reads rows of the scratch memory together.
__global__ void add_parts(const float* parts, int rows, int width, float* sums, bool adds) {
  __shared__ float room[8][33];
  const int column = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  float sum = 0;
  if (column < width) {
    for (int row = static_cast<int>(threadIdx.y); row < rows; row += 8) {
      sum += parts[static_cast<std::int64_t>(row) * width + column];
    }
  }
  room[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < width) {
    for (int part = 1; part < 8; ++part) sum += room[part][threadIdx.x];
    sums[column] = (adds ? sums[column] : 0.0F) + sum;
  }
}

/// Calls `action` with as many groups of eight per thread as the width asks for.
template <class Action>
void with_vectors(std::int64_t width, const Action& action) {
  const auto groups = static_cast<int>(width / 8);
  const int threads = groups < most_threads ? (groups + 31) / 32 * 32 : most_threads;
  const int vectors = (groups + threads - 1) / threads;
  if (width % 8 != 0 || vectors > 4) {
    throw worker::unsupported(
        "the normalisation's kernel serves widths that are multiples of 8 up to 8192, not " + std::to_string(width),
        "set engine.execution=plain");
  }
  if (vectors == 1) {
    action(std::integral_constant<int, 1>{}, threads);
  } else if (vectors == 2) {
    action(std::integral_constant<int, 2>{}, threads);
  } else {
    action(std::integral_constant<int, 4>{}, threads);
  }
}

}  // namespace

void rms_norm_forward(const RmsNormForward& work, Stream stream) {
  with_vectors(work.width, [&](auto vectors, int threads) {
    forward_rows<decltype(vectors)::value><<<static_cast<unsigned>(work.rows), threads, 0, stream>>>(work);
  });
  check_cuda(cudaGetLastError(), "rms_norm_forward");
}

void rms_norm_backward(const RmsNormBackward& work, Stream stream) {
  const auto blocks = static_cast<int>(work.rows < rms_norm_blocks ? work.rows : rms_norm_blocks);
  with_vectors(work.width, [&](auto vectors, int threads) {
    constexpr int count = decltype(vectors)::value;
    if (stages * 3 * work.width * 2 <= most_shared_bytes) {
      launch_backward<count, stages>(work, blocks, threads, stream);
    } else {
      launch_backward<count, 2>(work, blocks, threads, stream);
    }
  });
  if (work.weight_gradient != nullptr) {
    const auto width = static_cast<int>(work.width);
    add_parts<<<(width + 31) / 32, dim3(32, 8), 0, stream>>>(static_cast<const float*>(work.scratch), blocks, width,
                                                             static_cast<float*>(work.weight_gradient),
                                                             work.adds_weight);
  }
  check_cuda(cudaGetLastError(), "rms_norm_backward");
}

}  // namespace etalon::kernels::cuda
