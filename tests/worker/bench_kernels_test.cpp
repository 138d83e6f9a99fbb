// SPDX-License-Identifier: Apache-2.0
// The table of operations on the CPU: complete, and refused where the fused execution is.
#include "worker/fused/bench_kernels.h"

#include <gmock/gmock.h>

#include "tests/worker/fixture.h"
#include "worker/failure.h"

namespace etalon {
namespace {

TEST(BenchKernels, ListsEveryKindOfOperationBesideTheCeilings) {
  const std::string table = fused::bench_kernels({.recipe = worker_test::small_recipe()});
  for (const char* const part : {"adamw", "attention backward", "embedding", "head_loss backward", "linear",
                                 "rms_norm backward", "rotary", "swiglu", "ceilings of this minute", "whole step"}) {
    EXPECT_THAT(table, testing::HasSubstr(part));
  }
}

TEST(BenchKernels, RefusesWhatTheFusedExecutionDoesNotServe) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.training.precision = "tf32";
  EXPECT_THROW(fused::bench_kernels({.recipe = recipe}), worker::Failure);
}

}  // namespace
}  // namespace etalon
