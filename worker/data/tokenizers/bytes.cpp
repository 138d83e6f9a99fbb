// SPDX-License-Identifier: Apache-2.0
// Every byte is its own token.
#include "worker/data/tokenizers/catalog.h"

namespace etalon::data {
namespace {

class ByteTokenizer final : public Tokenizer {
 public:
  void encode(std::string_view text, std::vector<std::uint32_t>& ids) override {
    for (const char byte : text) ids.push_back(static_cast<unsigned char>(byte));
  }
  std::int64_t vocabulary() const override { return 256; }
  std::optional<std::uint32_t> end_of_document() const override { return std::nullopt; }
  base::Json description() const override { return {{"name", "bytes"}, {"vocabulary", vocabulary()}}; }
  TokenRun run(Text text) override { return run_of_bytes(std::move(text.bytes)); }
};

}  // namespace

TokenizerKind bytes_tokenizer() {
  return {"bytes", "",
          [](const std::string&) -> std::unique_ptr<Tokenizer> { return std::make_unique<ByteTokenizer>(); }};
}

}  // namespace etalon::data
