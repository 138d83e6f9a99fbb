// SPDX-License-Identifier: Apache-2.0
// One line per optimiser.
#include "worker/optim/catalog.h"

#include <array>
#include <string>
#include <string_view>

#include "worker/failure.h"
#include "worker/optim/adamw.h"
#include "worker/optim/sgd.h"
#include "worker/optim/stochastic_adamw.h"

namespace etalon::optim {
namespace {

using Make = std::unique_ptr<Optimizer> (*)(const std::vector<at::Tensor>& parameters,
                                            const recipe::Optimizer& settings);

template <class Kind>
std::unique_ptr<Optimizer> make(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings) {
  return std::make_unique<Kind>(parameters, settings);
}

struct Entry {
  std::string_view name;
  Make make;
};
constexpr std::array entries{Entry{"adamw", make<AdamW>}, Entry{"adam", make<AdamW>}, Entry{"sgd", make<Sgd>},
                             Entry{"sgd-nesterov", make<Sgd>}};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings,
                                          bool stochastic, std::int64_t seed) {
  if (stochastic) {
    return std::make_unique<StochasticAdamW>(parameters, settings, seed);
  }
  std::string known;
  for (const Entry& entry : entries) {
    if (entry.name == settings.name) {
      return entry.make(parameters, settings);
    }
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw worker::unsupported("optimiser \"" + settings.name + "\" is unknown",
                            "set training.optimizer.name to one of: " + known);
}

}  // namespace etalon::optim
