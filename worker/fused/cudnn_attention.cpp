// SPDX-License-Identifier: Apache-2.0
// One graph forward and one backward for each shape, built once.
#include "worker/fused/cudnn_attention.h"

#define NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING
#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>
#include <dlfcn.h>

#include <cmath>
#include <unordered_map>
#include <vector>

#include "worker/failure.h"

namespace cudnn_frontend {
void* cudnn_dlhandle = nullptr;  // the headers look for the library here
}

namespace etalon::fused {
namespace {

namespace graphs = cudnn_frontend::graph;
using kernels::AttentionShape;

void check(cudnn_frontend::error_t error, const char* what) {
  if (error.is_bad()) {
    throw worker::unsupported(std::string(what) + ": " + error.get_message(), "set engine.execution=plain");
  }
}

enum Operand : std::int64_t {
  query,
  key,
  value,
  mixed,
  sums,
  mixed_gradient,
  query_gradient,
  key_gradient,
  value_gradient
};

using Tensor = std::shared_ptr<graphs::Tensor_attributes>;

/// Shapes are [batch, heads, context, width] by cuDNN's rule; the strides tell where things really lie.
struct Geometry {
  explicit Geometry(const AttentionShape& of) : shape(of) {}
  AttentionShape shape;

  std::vector<std::int64_t> extents(std::int64_t heads) const {
    return {shape.batch, heads, shape.context, shape.head_width};
  }
  std::vector<std::int64_t> strides(std::int64_t row) const { return {shape.context * row, shape.head_width, row, 1}; }
  std::vector<std::int64_t> packed() const { return strides(shape.packed_width()); }
  std::vector<std::int64_t> dense() const { return strides(shape.heads * shape.head_width); }
  std::vector<std::int64_t> sum_extents() const { return {shape.batch, shape.heads, shape.context, 1}; }
  std::vector<std::int64_t> sum_strides() const { return {shape.heads * shape.context, shape.context, 1, 1}; }
  float scale() const { return static_cast<float>(1 / std::sqrt(static_cast<double>(shape.head_width))); }
};

graphs::Graph new_graph() {
  graphs::Graph graph;
  graph.set_io_data_type(cudnn_frontend::DataType_t::BFLOAT16)
      .set_intermediate_data_type(cudnn_frontend::DataType_t::FLOAT)
      .set_compute_data_type(cudnn_frontend::DataType_t::FLOAT);
  return graph;
}

Tensor operand(graphs::Graph& graph, Operand uid, const std::vector<std::int64_t>& extents,
               const std::vector<std::int64_t>& strides) {
  return graph.tensor(graphs::Tensor_attributes().set_uid(uid).set_dim(extents).set_stride(strides));
}

void output(const Tensor& tensor, Operand uid, const std::vector<std::int64_t>& extents,
            const std::vector<std::int64_t>& strides) {
  tensor->set_output(true).set_uid(uid).set_dim(extents).set_stride(strides);
}

struct Plans {
  graphs::Graph forward = new_graph();
  graphs::Graph backward = new_graph();
  std::int64_t scratch = 0;
};

void describe_forward(graphs::Graph& graph, const Geometry& of) {
  const std::int64_t few = of.shape.key_value_heads;
  const Tensor q = operand(graph, query, of.extents(of.shape.heads), of.packed());
  const Tensor k = operand(graph, key, of.extents(few), of.packed());
  const Tensor v = operand(graph, value, of.extents(few), of.packed());
  auto [result, statistics] = graph.sdpa(q, k, v,
                                         graphs::SDPA_attributes()
                                             .set_name("attention")
                                             .set_generate_stats(true)
                                             .set_causal_mask(true)
                                             .set_attn_scale(of.scale()));
  output(result, mixed, of.extents(of.shape.heads), of.dense());
  output(statistics, sums, of.sum_extents(), of.sum_strides());
  statistics->set_data_type(cudnn_frontend::DataType_t::FLOAT);
}

void describe_backward(graphs::Graph& graph, const Geometry& of) {
  const std::int64_t few = of.shape.key_value_heads;
  const Tensor q = operand(graph, query, of.extents(of.shape.heads), of.packed());
  const Tensor k = operand(graph, key, of.extents(few), of.packed());
  const Tensor v = operand(graph, value, of.extents(few), of.packed());
  const Tensor o = operand(graph, mixed, of.extents(of.shape.heads), of.dense());
  const Tensor gradient = operand(graph, mixed_gradient, of.extents(of.shape.heads), of.dense());
  const Tensor statistics = operand(graph, sums, of.sum_extents(), of.sum_strides());
  statistics->set_data_type(cudnn_frontend::DataType_t::FLOAT);
  auto [dq, dk, dv] = graph.sdpa_backward(q, k, v, o, gradient, statistics,
                                          graphs::SDPA_backward_attributes()
                                              .set_name("attention_backward")
                                              .set_causal_mask(true)
                                              .set_attn_scale(of.scale()));
  output(dq, query_gradient, of.extents(of.shape.heads), of.packed());
  output(dk, key_gradient, of.extents(few), of.packed());
  output(dv, value_gradient, of.extents(few), of.packed());
}

/// Addresses of queries, keys and values inside packed rows.
void bind_packed(std::unordered_map<std::int64_t, void*>& operands, const AttentionShape& shape, const void* packed,
                 const std::vector<Operand>& names) {
  auto* const first = static_cast<std::byte*>(const_cast<void*>(packed));
  const std::int64_t head = shape.head_width * kernels::bytes_of(shape.number);
  operands[names[0]] = first;
  operands[names[1]] = first + shape.heads * head;
  operands[names[2]] = first + (shape.heads + shape.key_value_heads) * head;
}

}  // namespace

class CudnnAttention::Library {
 public:
  Library() {
    for (const char* const name : {"libcudnn.so.9", "libcudnn.so"}) {
      cudnn_frontend::cudnn_dlhandle =
          cudnn_frontend::cudnn_dlhandle == nullptr ? dlopen(name, RTLD_LAZY) : cudnn_frontend::cudnn_dlhandle;
    }
    if (cudnn_frontend::cudnn_dlhandle == nullptr) {
      throw worker::unsupported("LibTorch brought no cuDNN 9", "set engine.execution=plain");
    }
    if (cudnn_frontend::detail::create_handle(&handle_) != CUDNN_STATUS_SUCCESS) {
      throw worker::Failure("internal", "cuDNN does not start on this GPU", "set engine.execution=plain");
    }
  }
  ~Library() { cudnn_frontend::detail::destroy_handle(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void prepare(const AttentionShape& shape) {
    if (find(shape) != nullptr) {
      return;
    }
    auto plans = std::make_unique<Plans>();
    describe_forward(plans->forward, Geometry(shape));
    describe_backward(plans->backward, Geometry(shape));
    for (graphs::Graph* const graph : {&plans->forward, &plans->backward}) {
      check(graph->build(handle_, {cudnn_frontend::HeurMode_t::A}), "cuDNN has no attention for this shape");
      std::int64_t bytes = 0;
      check(graph->get_workspace_size(bytes), "cuDNN's scratch memory");
      plans->scratch = std::max(plans->scratch, bytes);
    }
    plans_.emplace_back(shape, std::move(plans));
  }

  const Plans* find(const AttentionShape& shape) const {
    for (const auto& [known, plans] : plans_) {
      if (known == shape) {
        return plans.get();
      }
    }
    return nullptr;
  }

  void execute(const graphs::Graph& graph, std::unordered_map<std::int64_t, void*>& operands, void* scratch,
               kernels::Stream stream) const {
    if (cudnn_frontend::detail::set_stream(handle_, stream) != CUDNN_STATUS_SUCCESS) {
      throw worker::Failure("internal", "cuDNN takes no stream", "report this with the dossier's worker.log");
    }
    check(graph.execute(handle_, operands, scratch), "cuDNN's attention failed");
  }

 private:
  cudnnHandle_t handle_ = nullptr;
  std::vector<std::pair<AttentionShape, std::unique_ptr<Plans>>> plans_;
};

CudnnAttention::CudnnAttention() : library_(std::make_unique<Library>()) {}
CudnnAttention::~CudnnAttention() = default;

void CudnnAttention::prepare(const AttentionShape& shape) { library_->prepare(shape); }

std::int64_t CudnnAttention::scratch_bytes(const AttentionShape& shape) const { return library_->find(shape)->scratch; }

void CudnnAttention::forward(const kernels::AttentionForward& work, void* scratch, kernels::Stream stream) const {
  std::unordered_map<std::int64_t, void*> operands{{mixed, work.mixed}, {sums, work.log_sums}};
  bind_packed(operands, work.shape, work.packed, {query, key, value});
  library_->execute(library_->find(work.shape)->forward, operands, scratch, stream);
}

void CudnnAttention::backward(const kernels::AttentionBackward& work, void* scratch, kernels::Stream stream) const {
  std::unordered_map<std::int64_t, void*> operands{{mixed, const_cast<void*>(work.mixed)},
                                                   {sums, const_cast<void*>(work.log_sums)},
                                                   {mixed_gradient, const_cast<void*>(work.mixed_gradient)}};
  bind_packed(operands, work.shape, work.packed, {query, key, value});
  bind_packed(operands, work.shape, work.packed_gradient, {query_gradient, key_gradient, value_gradient});
  library_->execute(library_->find(work.shape)->backward, operands, scratch, stream);
}

base::Json CudnnAttention::description() const {
  return {{"backend", "cudnn"}, {"version", cudnn_frontend::detail::get_backend_version()}};
}

}  // namespace etalon::fused
