// SPDX-License-Identifier: Apache-2.0
// A Markov chain of the user's.
#include "base/error.h"
#include "base/file.h"
#include "worker/data/markov_source.h"
#include "worker/data/sources/catalog.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::string read(const std::string& file) {
  try {
    return base::read_file(file, most_bytes);
  } catch (const base::Error& error) {
    throw worker::Failure("data", error.what(), error.next_step());
  }
}

}  // namespace

SourceKind markov_file_source() {
  return {"markov:", "FILE", "endless sentences of the Markov chain in a JSON file {\"transitions\": [[…], …]}",
          [](const TokenRequest& request, const std::string& file) {
            return make_markov_source(request, parse_markov_chain(read(file), file));
          }};
}

}  // namespace etalon::data
