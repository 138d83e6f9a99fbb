// SPDX-License-Identifier: Apache-2.0
// cuBLASLt is column-major: a row-major product is the product of the transposes in the other order.
#include "worker/fused/cublaslt.h"

#include <ATen/ATen.h>
#include <cublasLt.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <tuple>

#include "worker/failure.h"
#include "worker/kernels/cuda_check.cuh"

namespace etalon::fused {
namespace {

using kernels::Number;
using kernels::ProductShape;

constexpr std::size_t largest_scratch = 64U << 20;
constexpr int most_candidates = 8;
constexpr int timed_repetitions = 4;
constexpr int timing_rounds = 3;

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw worker::Failure("internal", std::string(what) + ": cuBLASLt status " + std::to_string(status),
                          "report this with the dossier's worker.log, or set engine.execution=plain");
  }
}

/// LibTorch has loaded the library; no name of it is linked, so that a run on the CPU does not load it.
template <class Function>
Function* find(Function*, const char* name) {
  void* const symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) {
    throw worker::unsupported(std::string("LibTorch brought no cuBLASLt (") + name + ")", "set engine.execution=plain");
  }
  return reinterpret_cast<Function*>(symbol);
}

#define ETALON_CUBLASLT(name) decltype(&cublasLt##name) name = find<decltype(cublasLt##name)>(nullptr, "cublasLt" #name)
struct Functions {
  ETALON_CUBLASLT(Create);
  ETALON_CUBLASLT(Destroy);
  ETALON_CUBLASLT(GetVersion);
  ETALON_CUBLASLT(Matmul);
  ETALON_CUBLASLT(MatmulAlgoGetHeuristic);
  ETALON_CUBLASLT(MatmulDescCreate);
  ETALON_CUBLASLT(MatmulDescDestroy);
  ETALON_CUBLASLT(MatmulDescSetAttribute);
  ETALON_CUBLASLT(MatrixLayoutCreate);
  ETALON_CUBLASLT(MatrixLayoutDestroy);
  ETALON_CUBLASLT(MatmulPreferenceCreate);
  ETALON_CUBLASLT(MatmulPreferenceDestroy);
  ETALON_CUBLASLT(MatmulPreferenceSetAttribute);
};
#undef ETALON_CUBLASLT

cudaDataType_t data_type(Number number) { return number == Number::bf16 ? CUDA_R_16BF : CUDA_R_32F; }

/// A shape without its `adds`: one algorithm serves both.
auto key_of(const ProductShape& shape) {
  return std::tuple(shape.number, shape.result, shape.rows, shape.columns, shape.inner, shape.transpose_left,
                    shape.transpose_right);
}
using Key = decltype(key_of(ProductShape{}));

std::string text_of(const ProductShape& shape) {
  std::string text = std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + "x" +
                     std::to_string(shape.inner) + (shape.transpose_left ? "t" : "n") +
                     (shape.transpose_right ? "t" : "n");
  return text + (shape.number == Number::bf16 ? "b" : "f") + (shape.result == Number::bf16 ? "b" : "f");
}

/// An algorithm as hexadecimal words: the library documents that it may be stored and used again with the same version.
std::string words_of(const cublasLtMatmulAlgo_t& algorithm) {
  std::string text;
  for (const std::uint64_t word : algorithm.data) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(word));
    text += digits;
  }
  return text;
}

bool read_words(const std::string& text, cublasLtMatmulAlgo_t& algorithm) {
  constexpr std::size_t digits = 16;
  if (text.size() != digits * std::size(algorithm.data)) {
    return false;
  }
  for (std::size_t index = 0; index < std::size(algorithm.data); ++index) {
    algorithm.data[index] = std::stoull(text.substr(index * digits, digits), nullptr, 16);
  }
  return true;
}

}  // namespace

class CublasLt::Library {
 public:
  explicit Library(std::filesystem::path cache) : cache_(std::move(cache)) {
    check(functions_.Create(&handle_), "cublasLtCreate");
    if (!cache_.empty()) {
      cache_ += "-cublaslt-" + std::to_string(functions_.GetVersion()) + ".txt";
      load();
    }
  }
  ~Library() {
    for (const auto& [key, plan] : plans_) {
      destroy(plan);
    }
    functions_.Destroy(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  struct Plan {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t left = nullptr, right = nullptr, result = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
    std::int64_t scratch = 0;
    Timing timing;
  };

  void prepare(const ProductShape& shape) {
    if (plans_.contains(key_of(shape))) {
      return;
    }
    Plan plan = describe(shape);
    if (!recall(shape, plan)) {
      measure(shape, plan);
      remember(shape, plan);
    }
    plans_.emplace(key_of(shape), plan);
  }

  const Plan& plan(const ProductShape& shape) const {
    const auto found = plans_.find(key_of(shape));
    if (found == plans_.end()) {
      throw worker::Failure("internal", "no algorithm was chosen for the product " + text_of(shape),
                            "report this as a defect");
    }
    return found->second;
  }

  cublasStatus_t run(const Plan& plan, const cublasLtMatmulAlgo_t& algorithm, const kernels::Product& work,
                     void* scratch, std::size_t bytes, kernels::Stream stream) const {
    const float one = 1;
    const float beta = work.shape.adds ? 1 : 0;
    return functions_.Matmul(handle_, plan.operation, &one, work.right, plan.right, work.left, plan.left, &beta,
                             work.result, plan.result, work.result, plan.result, &algorithm, scratch, bytes, stream);
  }

  const std::map<Key, Plan>& plans() const { return plans_; }
  std::int64_t recalled() const { return recalled_; }
  std::size_t version() const { return functions_.GetVersion(); }

 private:
  cublasLtMatrixLayout_t layout(Number number, std::int64_t rows, std::int64_t columns) const {
    cublasLtMatrixLayout_t made = nullptr;
    check(functions_.MatrixLayoutCreate(&made, data_type(number), static_cast<std::uint64_t>(columns),
                                        static_cast<std::uint64_t>(rows), columns),
          "cublasLtMatrixLayoutCreate");
    return made;
  }

  /// Row-major [rows, columns] is column-major [columns, rows].
  Plan describe(const ProductShape& shape) const {
    Plan plan;
    check(functions_.MatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, bool transpose) {
      const cublasOperation_t value = transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
      check(functions_.MatmulDescSetAttribute(plan.operation, attribute, &value, sizeof value),
            "cublasLtMatmulDescSetAttribute");
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, shape.transpose_right);
    set(CUBLASLT_MATMUL_DESC_TRANSB, shape.transpose_left);
    plan.right = shape.transpose_right ? layout(shape.number, shape.columns, shape.inner)
                                       : layout(shape.number, shape.inner, shape.columns);
    plan.left = shape.transpose_left ? layout(shape.number, shape.inner, shape.rows)
                                     : layout(shape.number, shape.rows, shape.inner);
    plan.result = layout(shape.result, shape.rows, shape.columns);
    plan.timing.shape = shape;
    return plan;
  }

  void destroy(const Plan& plan) const {
    for (const cublasLtMatrixLayout_t made : {plan.left, plan.right, plan.result}) {
      functions_.MatrixLayoutDestroy(made);
    }
    functions_.MatmulDescDestroy(plan.operation);
  }

  std::vector<cublasLtMatmulHeuristicResult_t> candidates(const Plan& plan) const {
    cublasLtMatmulPreference_t preference = nullptr;
    check(functions_.MatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    const std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    functions_.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &largest_scratch,
                                            sizeof largest_scratch);
    functions_.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions,
                                            sizeof reductions);
    std::vector<cublasLtMatmulHeuristicResult_t> found(most_candidates);
    int count = 0;
    const cublasStatus_t status =
        functions_.MatmulAlgoGetHeuristic(handle_, plan.operation, plan.right, plan.left, plan.result, plan.result,
                                          preference, most_candidates, found.data(), &count);
    functions_.MatmulPreferenceDestroy(preference);
    check(status, ("cuBLASLt suggests nothing for the product " + text_of(plan.timing.shape)).c_str());
    found.resize(static_cast<std::size_t>(count));
    return found;
  }

  void measure(const ProductShape& shape, Plan& plan) const {
    const auto options = at::TensorOptions(at::kBFloat16).device(at::kCUDA);
    const at::Tensor left = at::randn({shape.rows, shape.inner}, options);
    const at::Tensor right = at::randn({shape.inner, shape.columns}, options);
    const at::Tensor result = at::empty({shape.rows, shape.columns},
                                        options.dtype(shape.result == Number::bf16 ? at::kBFloat16 : at::kFloat));
    const at::Tensor scratch = at::empty({static_cast<std::int64_t>(largest_scratch)}, options.dtype(at::kByte));
    kernels::Product work{shape, left.data_ptr(), right.data_ptr(), result.data_ptr()};
    work.shape.adds = false;
    const std::vector<cublasLtMatmulHeuristicResult_t> found = candidates(plan);
    std::vector<double> best_ms(found.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < timing_rounds;
         ++round) {  // the card's clock moves: each gets its best of several turns
      for (std::size_t index = 0; index < found.size(); ++index) {
        best_ms[index] = std::min(best_ms[index], time(plan, found[index], work, scratch.data_ptr()));
      }
    }
    for (std::size_t index = 0; index < found.size(); ++index) {
      if (!std::isfinite(best_ms[index])) {
        continue;
      }
      Timing& timing = plan.timing;
      timing.first_ms = timing.candidates++ == 0 ? best_ms[index] : timing.first_ms;
      if (timing.best_ms == 0 || best_ms[index] < timing.best_ms) {
        timing.best_ms = best_ms[index];
        plan.algorithm = found[index].algo;
        plan.scratch = static_cast<std::int64_t>(found[index].workspaceSize);
      }
    }
    if (plan.timing.candidates == 0) {
      throw worker::unsupported("cuBLASLt has no algorithm for the product " + text_of(shape),
                                "set engine.execution=plain");
    }
  }

  /// Milliseconds of one run, hot; infinite when it fails.
  double time(const Plan& plan, const cublasLtMatmulHeuristicResult_t& candidate, const kernels::Product& work,
              void* scratch) const {
    bool works = true;
    const auto once = [&] {
      works =
          works && run(plan, candidate.algo, work, scratch, candidate.workspaceSize, nullptr) == CUBLAS_STATUS_SUCCESS;
    };
    once();
    const double ms = works ? kernels::milliseconds_of(once, timed_repetitions) : 0;
    return works ? ms : std::numeric_limits<double>::infinity();
  }

  void load() {
    std::ifstream file(cache_);
    std::string shape;
    std::string words;
    std::int64_t scratch = 0;
    while (file >> shape >> scratch >> words) {
      cublasLtMatmulAlgo_t algorithm{};
      if (scratch >= 0 && scratch <= static_cast<std::int64_t>(largest_scratch) &&
          words.find_first_not_of("0123456789abcdef") == std::string::npos && read_words(words, algorithm)) {
        stored_[shape] = {algorithm, scratch};
      }
    }
  }

  bool recall(const ProductShape& shape, Plan& plan) {
    const auto found = stored_.find(text_of(shape));
    if (found == stored_.end()) {
      return false;
    }
    std::tie(plan.algorithm, plan.scratch) = found->second;
    ++recalled_;
    return true;
  }

  /// A cache that cannot be written costs time at the next start, nothing else.
  void remember(const ProductShape& shape, const Plan& plan) const {
    if (!cache_.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(cache_.parent_path(), ignored);
      std::ofstream(cache_, std::ios::app)
          << text_of(shape) << ' ' << plan.scratch << ' ' << words_of(plan.algorithm) << '\n';
    }
  }

  std::filesystem::path cache_;
  Functions functions_;
  cublasLtHandle_t handle_ = nullptr;
  std::map<Key, Plan> plans_;
  std::map<std::string, std::pair<cublasLtMatmulAlgo_t, std::int64_t>> stored_;
  std::int64_t recalled_ = 0;
};

CublasLt::CublasLt(std::filesystem::path cache) : library_(std::make_unique<Library>(std::move(cache))) {}
CublasLt::~CublasLt() = default;

void CublasLt::prepare(const ProductShape& shape) { library_->prepare(shape); }

std::int64_t CublasLt::scratch_bytes(const ProductShape& shape) const { return library_->plan(shape).scratch; }

void CublasLt::multiply(const kernels::Product& work, void* scratch, kernels::Stream stream) const {
  const Library::Plan& plan = library_->plan(work.shape);
  check(library_->run(plan, plan.algorithm, work, scratch, static_cast<std::size_t>(plan.scratch), stream),
        "cublasLtMatmul");
}

std::vector<CublasLt::Timing> CublasLt::timings() const {
  std::vector<Timing> timings;
  for (const auto& [key, plan] : library_->plans()) {
    timings.push_back(plan.timing);
  }
  return timings;
}

base::Json CublasLt::description() const {
  double first = 0;
  double best = 0;
  for (const Timing& timing : timings()) {
    first += timing.first_ms;
    best += timing.best_ms;
  }
  base::Json result{{"library", "cuBLASLt " + std::to_string(library_->version())},
                    {"shapes", timings().size()},
                    {"shapes_from_cache", library_->recalled()}};
  if (best > 0) {
    result["gain_over_first_suggestion"] = first / best - 1;
  }
  return result;
}

}  // namespace etalon::fused
