// SPDX-License-Identifier: Apache-2.0
// Every CUDA kernel against its CPU twin on the same random bf16 operands. Skipped without a GPU.
#include "tests/worker/fixture.h"
#include "worker/device/device.h"
#include "worker/fused/backend.h"

namespace etalon {
namespace {

using namespace kernels;

/// One operand in both memories; results start as numbers that nobody would compute.
struct Operand {
  at::Tensor cpu, gpu;
  void* on(bool device) const { return device ? gpu.data_ptr() : cpu.data_ptr(); }
};

class FusedKernelsGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!device::ask_cuda_driver().card) GTEST_SKIP() << "no GPU here";
    device_ = device::choose_device("cuda");
    if (cuda_kernels() == nullptr) GTEST_SKIP() << "built without CUDA kernels";
    at::manual_seed(11);
  }

  Operand given(const at::Tensor& values) const { return {values, values.to(device_.torch)}; }
  Operand random(at::IntArrayRef shape, at::ScalarType type = at::kBFloat16, double scale = 1) const {
    return given((at::randn(shape) * scale).to(type));
  }
  Operand result(at::IntArrayRef shape, at::ScalarType type = at::kBFloat16) const {
    return given(at::full(shape, 1e6, at::kFloat).to(type));
  }
  Operand integers(std::int64_t count, std::int64_t below) const {
    return given(at::randint(below, {count}, at::kLong));
  }

  /// `work` makes the arguments for the CPU (false) or the GPU (true).
  template <class Arguments, class Work>
  void run(void (*Kernels::*kernel)(const Arguments&, Stream), const Work& work) const {
    (reference_kernels().*kernel)(work(false), nullptr);
    (cuda_kernels()->*kernel)(work(true), nullptr);
  }

  static double error(const Operand& operand) {
    const at::Tensor expected = operand.cpu.to(at::kDouble);
    return ((operand.gpu.cpu().to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
  }

  device::Device device_;
};

constexpr double bf16_error = 4e-3;
constexpr double f32_error = 1e-5;

TEST_F(FusedKernelsGpu, NormalisesRowsOfEveryServedWidth) {
  for (const std::int64_t width : {64, 896, 2048, 4096, 5120, 8192}) {
    const std::int64_t rows = 700;
    const Operand x = random({rows, width});
    const Operand delta = random({rows, width});
    const Operand weight = random({width}, at::kFloat);
    const Operand sum = result({rows, width});
    const Operand normal = result({rows, width});
    const Operand inverse = result({rows}, at::kFloat);
    run<RmsNormForward>(&Kernels::rms_norm_forward, [&](bool on) {
      return RmsNormForward{Number::bf16, rows,          width,      1e-5,          x.on(on),
                            delta.on(on), weight.on(on), sum.on(on), normal.on(on), inverse.on(on)};
    });
    EXPECT_LT(error(sum), bf16_error) << width;
    EXPECT_LT(error(normal), bf16_error) << width;
    EXPECT_LT(error(inverse), f32_error) << width;
    const Operand normal_gradient = random({rows, width});
    const Operand sum_gradient = random({rows, width});
    const Operand x_gradient = result({rows, width});
    const Operand weight_gradient = random({width}, at::kFloat);
    const Operand scratch = result({rms_norm_scratch_bytes(width) / 4}, at::kFloat);
    run<RmsNormBackward>(&Kernels::rms_norm_backward, [&](bool on) {
      return RmsNormBackward{.number = Number::bf16,
                             .rows = rows,
                             .width = width,
                             .sum = sum.on(on),
                             .weight = weight.on(on),
                             .inverse = inverse.on(on),
                             .normal_gradient = normal_gradient.on(on),
                             .sum_gradient = width == 896 ? nullptr : sum_gradient.on(on),
                             .x_gradient = x_gradient.on(on),
                             .weight_gradient = weight_gradient.on(on),
                             .adds_weight = width != 4096,
                             .scratch = scratch.on(on)};
    });
    EXPECT_LT(error(x_gradient), bf16_error) << width;
    EXPECT_LT(error(weight_gradient), 1e-4) << width;
  }
}

TEST_F(FusedKernelsGpu, GatesForwardAndBackward) {
  const std::int64_t rows = 321;
  const std::int64_t width = 5632;
  const Operand gate_up = random({rows, 2 * width});
  const Operand product = result({rows, width});
  run<SwiGluForward>(&Kernels::swiglu_forward, [&](bool on) {
    return SwiGluForward{Number::bf16, rows, width, gate_up.on(on), product.on(on)};
  });
  EXPECT_LT(error(product), bf16_error);
  const Operand gradient = random({rows, width});
  const Operand spread = result({rows, 2 * width});
  run<SwiGluBackward>(&Kernels::swiglu_backward, [&](bool on) {
    return SwiGluBackward{Number::bf16, rows, width, gate_up.on(on), gradient.on(on), spread.on(on)};
  });
  EXPECT_LT(error(spread), bf16_error);
}

TEST_F(FusedKernelsGpu, TurnsPackedRowsThereAndBackWithAndWithoutABias) {
  for (const std::int64_t head_width : {64, 128}) {
    const AttentionShape shape{Number::bf16, 3, 50, 6, 2, head_width};
    const Operand packed = random({150, shape.packed_width()});
    const Operand cosine = random({50, head_width / 2}, at::kFloat);
    const Operand sine = random({50, head_width / 2}, at::kFloat);
    const Operand bias = random({shape.packed_width()}, at::kFloat);
    for (const bool backward : {false, true}) {
      run<Rotary>(&Kernels::rotary, [&](bool on) {
        return Rotary{.number = Number::bf16,
                      .rows = 150,
                      .context = 50,
                      .heads = 6,
                      .key_value_heads = 2,
                      .head_width = head_width,
                      .cosine = cosine.on(on),
                      .sine = sine.on(on),
                      .bias = backward || head_width == 128 ? nullptr : bias.on(on),
                      .backward = backward,
                      .packed = packed.on(on)};
      });
      EXPECT_LT(error(packed), bf16_error) << head_width << backward;
    }
    const Operand sums = random({shape.packed_width()}, at::kFloat);
    const Operand scratch = result({column_sums_scratch_bytes(shape.packed_width()) / 4}, at::kFloat);
    run<ColumnSums>(&Kernels::column_sums, [&](bool on) {
      return ColumnSums{Number::bf16,     150,           shape.packed_width(), packed.on(on), sums.on(on),
                        head_width == 64, scratch.on(on)};
    });
    EXPECT_LT(error(sums), 1e-4) << head_width;
  }
}

TEST_F(FusedKernelsGpu, ReadsAndSumsRowsOfATable) {
  const std::int64_t rows = 3000;
  const std::int64_t vocabulary = 500;
  const std::int64_t width = 896;
  const Operand tokens = integers(rows, vocabulary / 2);
  const Operand table = random({vocabulary, width});
  const Operand read = result({rows, width});
  run<EmbeddingForward>(&Kernels::embedding_forward, [&](bool on) {
    return EmbeddingForward{Number::bf16, rows, width, tokens.on(on), table.on(on), read.on(on)};
  });
  EXPECT_EQ(error(read), 0);
  const Operand gradient = random({rows, width});
  for (const bool adds : {false, true}) {
    const Operand sums = random({vocabulary, width}, at::kFloat);
    const Operand scratch = given(at::empty({embedding_scratch_bytes(rows)}, at::kByte));
    run<EmbeddingBackward>(&Kernels::embedding_backward, [&](bool on) {
      return EmbeddingBackward{.number = Number::bf16,
                               .gradient = Number::f32,
                               .rows = rows,
                               .width = width,
                               .vocabulary = vocabulary,
                               .tokens = tokens.on(on),
                               .result_gradient = gradient.on(on),
                               .table_gradient = sums.on(on),
                               .adds = adds,
                               .scratch = scratch.on(on)};
    });
    EXPECT_LT(error(sums), f32_error) << adds;
  }
}

TEST_F(FusedKernelsGpu, MakesLossesAndTheirGradientsOfLogits) {
  for (const std::int64_t classes : {256, 32000, 151936}) {
    const Operand logits = random({40, classes}, at::kBFloat16, 3);
    const Operand targets = integers(40, classes);
    targets.cpu[3] = -1;
    targets.gpu[3] = -1;
    const Operand losses = result({40}, at::kFloat);
    run<CrossEntropy>(&Kernels::cross_entropy, [&](bool on) {
      return CrossEntropy{Number::bf16, 40, classes, 0.25, true, targets.on(on), logits.on(on), losses.on(on)};
    });
    EXPECT_LT(error(losses), 1e-4) << classes;  // the twin adds one after the other: its own error grows with classes
    EXPECT_LT(error(logits), bf16_error) << classes;
    EXPECT_EQ(logits.gpu[3].abs().max().item<float>(), 0) << classes;
    const Operand sum = random({1}, at::kFloat);
    run<ScaledSum>(&Kernels::scaled_sum,
                   [&](bool on) { return ScaledSum{Number::f32, 40, 0.5, true, losses.on(on), sum.on(on)}; });
    EXPECT_LT(error(sum), 1e-4) << classes;
  }
}

TEST_F(FusedKernelsGpu, AddsAndConverts) {
  const Operand first = random({4096});
  const Operand second = random({4096});
  const Operand sum = result({4096});
  run<Add>(&Kernels::add, [&](bool on) { return Add{Number::bf16, 4096, first.on(on), second.on(on), sum.on(on)}; });
  EXPECT_EQ(error(sum), 0);
  const Operand wide = random({4096}, at::kFloat);
  const Operand narrow = result({4096});
  run<Convert>(&Kernels::convert, [&](bool on) {
    return Convert{Number::f32, Number::bf16, 4096, wide.on(on), narrow.on(on)};
  });
  EXPECT_EQ(error(narrow), 0);
}

TEST_F(FusedKernelsGpu, UpdatesParametersAsItsTwinDoes) {
  const std::int64_t count = 1 << 20;
  for (const at::ScalarType type : {at::kBFloat16, at::kFloat}) {
    const Number number = type == at::kFloat ? Number::f32 : Number::bf16;
    const Operand gradient = random({count}, type);
    const Operand master = random({count}, at::kFloat);
    const Operand first = given(at::zeros({count}));
    const Operand second = given(at::zeros({count}));
    const Operand copy = result({count});
    const Operand partial = given(at::zeros({square_blocks}, at::kDouble));
    const Operand state = given(at::zeros({static_cast<std::int64_t>(sizeof(UpdateState))}, at::kByte));
    const auto state_on = [&](bool on) { return static_cast<UpdateState*>(state.on(on)); };
    for (int step = 0; step < 3; ++step) {
      run<SetLearningRate>(&Kernels::set_learning_rate, [&](bool on) { return SetLearningRate{1e-3, state_on(on)}; });
      run<SumOfSquares>(&Kernels::sum_of_squares, [&](bool on) {
        return SumOfSquares{number, count, gradient.on(on), static_cast<double*>(partial.on(on))};
      });
      run<PrepareUpdate>(&Kernels::prepare_update, [&](bool on) {
        return PrepareUpdate{0.9, 0.95, 1, square_blocks, static_cast<double*>(partial.on(on)), state_on(on)};
      });
      run<AdamW>(&Kernels::adamw, [&](bool on) {
        return AdamW{.gradient_number = number,
                     .master_number = Number::f32,
                     .count = count,
                     .beta1 = 0.9,
                     .beta2 = 0.95,
                     .epsilon = 1e-8,
                     .decay = 0.1,
                     .gradient = gradient.on(on),
                     .master = master.on(on),
                     .first_moment = first.on(on),
                     .second_moment = second.on(on),
                     .copy = copy.on(on),
                     .state = state_on(on)};
      });
    }
    EXPECT_LT(error(master), 1e-6);
    EXPECT_LT(error(first), f32_error);
    EXPECT_LT(error(second), f32_error);
    EXPECT_LT(error(copy), 1e-4);
  }
}

TEST_F(FusedKernelsGpu, MultipliesInEveryOrientation) {
  const auto backend = fused::make_cuda_backend(device_.torch);
  for (const bool transpose_left : {false, true}) {
    for (const bool transpose_right : {false, true}) {
      for (const Number number : {Number::bf16, Number::f32}) {
        ProductShape shape{Number::bf16, number, 64, 96, 160, transpose_left, transpose_right, true};
        backend->prepare(shape);
        const Operand left = random({64 * 160});
        const Operand right = random({96 * 160});
        const Operand product = random({64, 96}, number == Number::f32 ? at::kFloat : at::kBFloat16);
        const Operand scratch = given(at::empty({backend->scratch_bytes(shape) + 1}, at::kByte));
        reference::multiply({shape, left.on(false), right.on(false), product.on(false)});
        backend->multiply({shape, left.on(true), right.on(true), product.on(true)}, scratch.on(true));
        EXPECT_LT(error(product), number == Number::f32 ? f32_error : bf16_error) << transpose_left << transpose_right;
      }
    }
  }
}

TEST_F(FusedKernelsGpu, AttendsOnPackedRows) {
  const auto backend = fused::make_cuda_backend(device_.torch);
  for (const AttentionShape& shape :
       {AttentionShape{Number::bf16, 2, 128, 4, 4, 64}, AttentionShape{Number::bf16, 2, 192, 8, 2, 64},
        AttentionShape{Number::bf16, 1, 128, 4, 2, 128}}) {
    backend->prepare(shape);
    const std::int64_t rows = shape.batch * shape.context;
    const std::int64_t width = shape.heads * shape.head_width;
    const Operand packed = random({rows, shape.packed_width()});
    const Operand mixed = result({rows, width});
    const Operand sums = result({shape.batch, shape.heads, shape.context}, at::kFloat);
    const Operand scratch = given(at::empty({backend->scratch_bytes(shape) + 1}, at::kByte));
    reference::attention_forward({shape, packed.on(false), mixed.on(false), sums.on(false)});
    backend->attend(AttentionForward{shape, packed.on(true), mixed.on(true), sums.on(true)}, scratch.on(true));
    EXPECT_LT(error(mixed), 8e-3);
    EXPECT_LT(error(sums), 1e-4);
    const Operand gradient = random({rows, width});
    const Operand spread = result({rows, shape.packed_width()});
    const auto work = [&](bool on) {
      return AttentionBackward{shape, packed.on(on), mixed.on(on), sums.on(on), gradient.on(on), spread.on(on)};
    };
    reference::attention_backward(work(false));
    backend->attend(work(true), scratch.on(true));
    EXPECT_LT(error(spread), 1e-2);
  }
}

}  // namespace
}  // namespace etalon
