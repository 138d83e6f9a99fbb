// SPDX-License-Identifier: Apache-2.0
// Any bytes as a token shard and as a Markov chain: refused by a worker::Failure with the place, or consistent.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "worker/data/markov_chain.h"
#include "worker/data/shard.h"
#include "worker/failure.h"

namespace {

using namespace etalon;

void expect_place(const worker::Failure& failure) {
  if (std::string_view(failure.what()).find("the file") == std::string_view::npos) std::abort();
}

void read_as_shard(std::span<const std::byte> bytes) {
  try {
    const data::ShardLayout layout = data::read_layout(bytes, "the file");
    if (layout.header_bytes > bytes.size()) std::abort();
    if ((bytes.size() - layout.header_bytes) % layout.bytes_per_token != 0) std::abort();
  } catch (const worker::Failure& failure) {
    expect_place(failure);
  }
}

void read_as_chain(std::string_view text) {
  try {
    const data::MarkovChain chain = data::parse_markov_chain(text, "the file");
    if (!(chain.entropy() >= 0) || chain.entropy() > chain.single_token_entropy() + 1e-9) std::abort();
    for (const double random : {0.0, 0.5, 0.999999}) {
      const std::uint32_t token = chain.next(chain.first(random), random);
      if (token >= chain.states()) std::abort();
    }
  } catch (const worker::Failure& failure) {
    expect_place(failure);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_as_shard(std::as_bytes(std::span(data, size)));
  read_as_chain({reinterpret_cast<const char*>(data), size});
  return 0;
}
