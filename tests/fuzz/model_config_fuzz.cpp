// SPDX-License-Identifier: Apache-2.0
// Any text as a config.json: refused by an exception of ours, or a model whose sizes can be counted and that reads back
// from what is written for it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "worker/failure.h"
#include "worker/models/config_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etalon;
  try {
    const models::LlamaConfig config =
        models::parse_config(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    if (models::parameter_count(config) <= 0) std::abort();
    const std::string text = base::to_line(models::config_document(config));
    if (base::to_line(models::config_document(models::parse_config(text, "again"))) != text) std::abort();
  } catch (const worker::Failure& failure) {
    if (failure.next_step().empty()) std::abort();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::usage) std::abort();
  }
  return 0;
}
