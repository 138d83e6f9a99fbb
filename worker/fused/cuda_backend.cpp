// SPDX-License-Identifier: Apache-2.0
// Our kernels, cuBLASLt and cuDNN on ATen's stream, and recordings as CUDA graphs.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "base/paths.h"
#include "worker/device/cuda_driver.h"
#include "worker/failure.h"
#include "worker/fused/backend.h"
#include "worker/fused/cublaslt.h"
#include "worker/fused/cudnn_attention.h"
#include "worker/kernels/cuda_check.cuh"

namespace etalon::fused {
namespace {

using kernels::check_cuda;

/// Where what was measured on this card with this driver is kept; empty where there is no place.
std::filesystem::path tuning_cache() {
  const std::filesystem::path folder = base::cache_folder();
  const std::optional<device::Card> card = device::ask_cuda_driver().card;
  if (folder.empty() || !card) {
    return {};
  }
  std::string name = "products-" + card->name + "-" + card->uuid + "-driver-" + card->driver_cuda;
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == ' ' || letter == '/'; }, '-');
  return folder / name;
}

class GraphRecording final : public Recording {
 public:
  explicit GraphRecording(cudaGraph_t graph) {
    check_cuda(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
  }
  ~GraphRecording() override { cudaGraphExecDestroy(executable_); }
  GraphRecording(const GraphRecording&) = delete;
  GraphRecording& operator=(const GraphRecording&) = delete;

  void run() override { check_cuda(cudaGraphLaunch(executable_, nullptr), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

/// ATen's default stream, on which the worker trains, is CUDA's: null.
class CudaBackend final : public Backend {
 public:
  CudaBackend(const at::Device& device, const kernels::Kernels& kernels)
      : device_(device), kernels_(kernels), products_(tuning_cache()) {
    check_cuda(cudaStreamCreateWithFlags(&recording_stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~CudaBackend() override { cudaStreamDestroy(recording_stream_); }
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  at::Device device() const override { return device_; }
  const kernels::Kernels& kernels() const override { return kernels_; }
  kernels::Stream stream() const override { return stream_; }

  void prepare(const kernels::ProductShape& shape) override { products_.prepare(shape); }
  std::int64_t scratch_bytes(const kernels::ProductShape& shape) const override {
    return products_.scratch_bytes(shape);
  }
  void multiply(const kernels::Product& work, void* scratch) override { products_.multiply(work, scratch, stream_); }

  void prepare(const kernels::AttentionShape& shape) override { attention_.prepare(shape); }
  std::int64_t scratch_bytes(const kernels::AttentionShape& shape) const override {
    return attention_.scratch_bytes(shape);
  }
  void attend(const kernels::AttentionForward& work, void* scratch) override {
    attention_.forward(work, scratch, stream_);
  }
  void attend(const kernels::AttentionBackward& work, void* scratch) override {
    attention_.backward(work, scratch, stream_);
  }

  std::unique_ptr<Recording> record(const std::function<void()>& work) override {
    work();  // loads what is loaded on first use, which a recording must not do
    check_cuda(cudaDeviceSynchronize(), "the first run of a step");
    check_cuda(cudaStreamBeginCapture(recording_stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    stream_ = recording_stream_;
    cudaGraph_t graph = nullptr;
    try {
      work();
    } catch (...) {
      stream_ = nullptr;
      cudaStreamEndCapture(recording_stream_, &graph);
      throw;
    }
    stream_ = nullptr;
    check_cuda(cudaStreamEndCapture(recording_stream_, &graph), "cudaStreamEndCapture");
    auto recording = std::make_unique<GraphRecording>(graph);
    cudaGraphDestroy(graph);
    return recording;
  }

  double milliseconds(const std::function<void()>& work, int repetitions) override {
    return kernels::milliseconds_of(work, repetitions);
  }

  base::Json description() const override {
    return {{"backend", "cuda"},
            {"products", products_.description()},
            {"attention", attention_.description()},
            {"recordings", "CUDA graphs: micro-step and update apart"}};
  }

 private:
  at::Device device_;
  const kernels::Kernels& kernels_;
  CublasLt products_;
  CudnnAttention attention_;
  cudaStream_t recording_stream_ = nullptr;
  kernels::Stream stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(const at::Device& device) {
  return std::make_unique<CudaBackend>(device, *kernels::cuda_kernels());
}

}  // namespace etalon::fused
