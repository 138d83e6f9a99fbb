// SPDX-License-Identifier: Apache-2.0
// Attention written out: one head of one sequence after the other.
#include "worker/kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace etalon::kernels::reference {
namespace {

/// Element `column` of head `head` at a position, in wide arithmetic; the packed row is queries, keys, values.
template <class Element>
struct Packed {
  const AttentionShape& shape;
  const Element* data;

  const Element* row(std::int64_t batch, std::int64_t position, std::int64_t head) const {
    return data + (batch * shape.context + position) * shape.packed_width() + head * shape.head_width;
  }
  std::int64_t key_head(std::int64_t head) const { return shape.heads + head / (shape.heads / shape.key_value_heads); }
  std::int64_t value_head(std::int64_t head) const { return key_head(head) + shape.key_value_heads; }
};

template <class Element>
Wide<Element> dot(const Element* first, const Element* second, std::int64_t count) {
  Wide<Element> sum = 0;
  for (std::int64_t index = 0; index < count; ++index) {
    sum += widen(first[index]) * widen(second[index]);
  }
  return sum;
}

template <class Element>
Wide<Element> scale_of(const AttentionShape& shape) {
  return 1 / std::sqrt(static_cast<Wide<Element>>(shape.head_width));
}

template <class Element>
void mix_query(const AttentionForward& work, std::int64_t batch, std::int64_t head, std::int64_t position) {
  using Real = Wide<Element>;
  const AttentionShape& shape = work.shape;
  const Packed<Element> packed{shape, static_cast<const Element*>(work.packed)};
  std::vector<Real> weights(static_cast<std::size_t>(position) + 1);
  Real largest = -INFINITY;
  for (std::int64_t key = 0; key <= position; ++key) {
    const Real score = scale_of<Element>(shape) * dot(packed.row(batch, position, head),
                                                      packed.row(batch, key, packed.key_head(head)), shape.head_width);
    weights[static_cast<std::size_t>(key)] = score;
    largest = std::max(largest, score);
  }
  Real sum = 0;
  for (Real& weight : weights) {
    weight = std::exp(weight - largest);
    sum += weight;
  }
  static_cast<Real*>(work.log_sums)[(batch * shape.heads + head) * shape.context + position] = largest + std::log(sum);
  auto* const mixed =
      static_cast<Element*>(work.mixed) + ((batch * shape.context + position) * shape.heads + head) * shape.head_width;
  for (std::int64_t column = 0; column < shape.head_width; ++column) {
    Real value = 0;
    for (std::int64_t key = 0; key <= position; ++key) {
      value += weights[static_cast<std::size_t>(key)] * widen(packed.row(batch, key, packed.value_head(head))[column]);
    }
    mixed[column] = Element(value / sum);
  }
}

/// Gradients of one query head's scores, added into wide sums of the sequence's packed gradient.
template <class Element>
void spread_query(const AttentionBackward& work, std::int64_t batch, std::int64_t head, std::int64_t position,
                  std::vector<Wide<Element>>& sums) {
  using Real = Wide<Element>;
  const AttentionShape& shape = work.shape;
  const Packed<Element> packed{shape, static_cast<const Element*>(work.packed)};
  const std::int64_t place = ((batch * shape.context + position) * shape.heads + head) * shape.head_width;
  const Element* const gradient = static_cast<const Element*>(work.mixed_gradient) + place;
  const Real own = dot(gradient, static_cast<const Element*>(work.mixed) + place, shape.head_width);
  const Real log_sum = static_cast<const Real*>(work.log_sums)[(batch * shape.heads + head) * shape.context + position];
  const Element* const query = packed.row(batch, position, head);
  const auto sum_row = [&](std::int64_t at, std::int64_t of) {
    return sums.data() + at * shape.packed_width() + of * shape.head_width;
  };
  for (std::int64_t key = 0; key <= position; ++key) {
    const Element* const key_row = packed.row(batch, key, packed.key_head(head));
    const Real weight = std::exp(scale_of<Element>(shape) * dot(query, key_row, shape.head_width) - log_sum);
    const Real through = dot(gradient, packed.row(batch, key, packed.value_head(head)), shape.head_width);
    const Real score = weight * (through - own) * scale_of<Element>(shape);
    for (std::int64_t column = 0; column < shape.head_width; ++column) {
      sum_row(key, packed.value_head(head))[column] += weight * widen(gradient[column]);
      sum_row(key, packed.key_head(head))[column] += score * widen(query[column]);
      sum_row(position, head)[column] += score * widen(key_row[column]);
    }
  }
}

template <class Action>
void for_each_query(const AttentionShape& shape, std::int64_t batch, const Action& action) {
  for (std::int64_t head = 0; head < shape.heads; ++head) {
    for (std::int64_t position = 0; position < shape.context; ++position) {
      action(batch, head, position);
    }
  }
}

}  // namespace

void attention_forward(const AttentionForward& work) {
  with_number(work.shape.number, [&](auto element) {
    for (std::int64_t batch = 0; batch < work.shape.batch; ++batch) {
      for_each_query(work.shape, batch, [&](std::int64_t row, std::int64_t head, std::int64_t position) {
        mix_query<decltype(element)>(work, row, head, position);
      });
    }
  });
}

void attention_backward(const AttentionBackward& work) {
  with_number(work.shape.number, [&](auto element) {
    using Element = decltype(element);
    const std::int64_t count = work.shape.context * work.shape.packed_width();
    std::vector<Wide<Element>> sums;
    for (std::int64_t batch = 0; batch < work.shape.batch; ++batch) {
      sums.assign(static_cast<std::size_t>(count), 0);
      for_each_query(work.shape, batch, [&](std::int64_t row, std::int64_t head, std::int64_t position) {
        spread_query<Element>(work, row, head, position, sums);
      });
      auto* const result = static_cast<Element*>(work.packed_gradient) + batch * count;
      std::transform(sums.begin(), sums.end(), result, [](Wide<Element> sum) { return Element(sum); });
    }
  });
}

}  // namespace etalon::kernels::reference
