// SPDX-License-Identifier: Apache-2.0
// One stretch after another.
#include "worker/fused/lasting_memory.h"

#include "worker/fused/memory_plan.h"
#include "worker/kernels/adamw.h"

namespace etalon::fused {
namespace {

/// Parameters start at multiples of this, so that every one is aligned in every number format.
constexpr std::int64_t element_alignment = 128;

class Layout {
 public:
  explicit Layout(const Graph& graph) : graph_(graph) {}

  LastingMemory of(const std::vector<StoredParameter>& parameters) {
    for (const bool trained : {true, false}) {
      for (const bool matrices : {true, false}) {
        ParameterKind kind = gather(parameters, matrices, trained);
        if (kind.count > 0) {
          place(kind);
          memory_.kinds.push_back(std::move(kind));
        }
      }
    }
    for (std::size_t index = 0; index < graph_.values().size(); ++index) {
      const Value& value = graph_.values()[index];
      if (value.role == Role::input || value.role == Role::result) {
        memory_.offsets[static_cast<ValueId>(index)] = take(value.bytes());
      }
    }
    memory_.state_offset = take(sizeof(kernels::UpdateState));
    const auto partials = static_cast<std::int64_t>(memory_.kinds.size()) * kernels::square_blocks;
    memory_.partial_offset = take(partials * static_cast<std::int64_t>(sizeof(double)));
    return std::move(memory_);
  }

 private:
  std::int64_t take(std::int64_t bytes) {
    const std::int64_t offset = memory_.bytes;
    memory_.bytes += aligned(bytes);
    return offset;
  }

  ParameterKind gather(const std::vector<StoredParameter>& parameters, bool matrices, bool trained) const {
    ParameterKind kind{.trained = trained, .decays = matrices};
    for (const StoredParameter& parameter : parameters) {
      const Value& value = graph_.value(parameter.value);
      if ((value.rows > 1) == matrices && value.has_gradient == trained) {
        kind.parameters.push_back(parameter);
        kind.first_elements.push_back(kind.count);
        kind.count += (value.count() + element_alignment - 1) / element_alignment * element_alignment;
        kind.working = value.number;
        kind.gradient = value.gradient_number;
        kind.master = trained ? kernels::wide(value.number) : value.number;
      }
    }
    return kind;
  }

  void place(ParameterKind& kind) {
    const std::int64_t master_bytes = kind.count * kernels::bytes_of(kind.master);
    kind.working_offset = take(kind.count * kernels::bytes_of(kind.working));
    kind.master_offset = kind.has_copy() ? take(master_bytes) : kind.working_offset;
    const std::int64_t before_gradient = memory_.bytes;
    kind.gradient_offset = take(kind.trained ? kind.count * kernels::bytes_of(kind.gradient) : 0);
    const std::int64_t before_moments = memory_.bytes;
    kind.first_moment_offset = take(kind.trained ? master_bytes : 0);
    kind.second_moment_offset = take(kind.trained ? master_bytes : 0);
    memory_.parameter_bytes += before_gradient - kind.working_offset;
    memory_.gradient_bytes += before_moments - before_gradient;
    memory_.optimizer_bytes += memory_.bytes - before_moments;
    for (std::size_t index = 0; index < kind.parameters.size(); ++index) {
      const ValueId value = kind.parameters[index].value;
      const std::int64_t first = kind.first_elements[index];
      memory_.offsets[value] = kind.working_offset + first * kernels::bytes_of(kind.working);
      if (kind.trained) {
        memory_.gradient_offsets[value] = kind.gradient_offset + first * kernels::bytes_of(kind.gradient);
      }
    }
  }

  const Graph& graph_;
  LastingMemory memory_;
};

}  // namespace

LastingMemory lay_out(const Graph& graph, const std::vector<StoredParameter>& parameters) {
  return Layout(graph).of(parameters);
}

}  // namespace etalon::fused
