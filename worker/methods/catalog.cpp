// SPDX-License-Identifier: Apache-2.0
// The table of the methods, made from the list.
#include "worker/methods/catalog.h"

#include <array>
#include <string>

#include "worker/failure.h"

namespace etalon::methods {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Method> (*make)(const Request& request);
};
#define ETALON_METHOD(name) Entry{#name, make_##name},
constexpr std::array table{METHODS(ETALON_METHOD)};
#undef ETALON_METHOD

}  // namespace

std::unique_ptr<Method> make_method(const Request& request) {
  std::string known;
  for (const Entry& entry : table) {
    if (entry.name == request.training.method) {
      return entry.make(request);
    }
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw worker::unsupported("training.method = \"" + request.training.method + "\" is not served by the native worker",
                            "set training.method to one of: " + known);
}

}  // namespace etalon::methods
