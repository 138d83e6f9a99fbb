// SPDX-License-Identifier: Apache-2.0
// The CPU twins in place of everything.
#include "base/clock.h"
#include "worker/fused/backend.h"

namespace etalon::fused {
namespace {

/// Nothing to record: the work itself is kept.
class Repetition final : public Recording {
 public:
  explicit Repetition(std::function<void()> work) : work_(std::move(work)) {}
  void run() override { work_(); }

 private:
  std::function<void()> work_;
};

class CpuBackend final : public Backend {
 public:
  at::Device device() const override { return at::kCPU; }
  const kernels::Kernels& kernels() const override { return kernels::reference_kernels(); }
  kernels::Stream stream() const override { return nullptr; }

  void prepare(const kernels::ProductShape&) override {}
  std::int64_t scratch_bytes(const kernels::ProductShape&) const override { return 0; }
  void multiply(const kernels::Product& work, void*) override { kernels::reference::multiply(work); }

  void prepare(const kernels::AttentionShape&) override {}
  std::int64_t scratch_bytes(const kernels::AttentionShape&) const override { return 0; }
  void attend(const kernels::AttentionForward& work, void*) override { kernels::reference::attention_forward(work); }
  void attend(const kernels::AttentionBackward& work, void*) override { kernels::reference::attention_backward(work); }

  std::unique_ptr<Recording> record(const std::function<void()>& work) override {
    return std::make_unique<Repetition>(work);
  }
  double milliseconds(const std::function<void()>& work, int repetitions) override {
    work();
    const std::int64_t begin_ns = base::monotonic_ns();
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      work();
    }
    return static_cast<double>(base::monotonic_ns() - begin_ns) / 1e6 / repetitions;
  }
  base::Json description() const override {
    return {{"backend", "cpu"}, {"products", "reference"}, {"attention", "reference"}};
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace etalon::fused
