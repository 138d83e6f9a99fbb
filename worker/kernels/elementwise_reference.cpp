// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the elementwise kernels.
#include "worker/kernels/elementwise.h"

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {

void add(const Add& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    for (std::int64_t index = 0; index < work.count; ++index) {
      static_cast<Element*>(work.result)[index] = Element(widen(static_cast<const Element*>(work.first)[index]) +
                                                          widen(static_cast<const Element*>(work.second)[index]));
    }
  });
}

void convert(const Convert& work, Stream) {
  with_number(work.from, [&](auto from) {
    with_number(work.to, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      for (std::int64_t index = 0; index < work.count; ++index) {
        static_cast<To*>(work.result)[index] =
            To(static_cast<Wide<To>>(widen(static_cast<const From*>(work.source)[index])));
      }
    });
  });
}

}  // namespace etalon::kernels::reference
