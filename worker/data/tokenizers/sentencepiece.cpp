// SPDX-License-Identifier: Apache-2.0
// Tokenizers of the Llama kind, by the library that defines them.
#include <sentencepiece_processor.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "worker/data/tokenizers/catalog.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t most_model_bytes = std::size_t{256} << 20;
/// The library needs a hundred bytes for each byte that it encodes at once.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t most_bytes_at_once = std::size_t{64} << 20;
constexpr const char* blank = "\xE2\x96\x81";  // how pieces write ' '

class SentencePieceTokenizer final : public Tokenizer {
 public:
  explicit SentencePieceTokenizer(const std::string& file) {
    std::string model;
    try {
      model = base::read_file(file, most_model_bytes);
    } catch (const base::Error& error) {
      throw worker::Failure("data", error.what(), error.next_step());
    }
    sha256_ = base::sha256(model);
    if (const auto status = processor_.LoadFromSerializedProto(model); !status.ok() || processor_.GetPieceSize() < 1) {
      throw worker::Failure("data", file + " is no sentencepiece model: " + status.ToString(),
                            "use a tokenizer.model, or make one with etalon-torch --make-shards");
    }
    may_cut_ = newline_stands_alone();
  }

  void encode(std::string_view text, std::vector<std::uint32_t>& ids) override {
    bool continues = false;
    while (!text.empty()) {
      const std::size_t newline = may_cut_ && text.size() > piece_bytes ? text.find('\n', piece_bytes) : text.npos;
      encode_piece(text.substr(0, newline), continues, ids);
      text.remove_prefix(std::min(newline, text.size()));
      continues = true;
    }
  }
  std::int64_t vocabulary() const override { return processor_.GetPieceSize(); }
  std::optional<std::uint32_t> end_of_document() const override {
    const int id = processor_.eos_id();
    return id < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(id));
  }
  base::Json description() const override {
    return {{"name", "sentencepiece"}, {"vocabulary", vocabulary()}, {"model_sha256", sha256_}};
  }

 private:
  /// Where no piece reaches over a newline, and each becomes a token of its own, a text may be cut before one: what stands on
  /// one side does not change the other. The rest then begins with the blank that the library puts before every text.
  bool newline_stands_alone() const {
    for (int id = 0; id < processor_.GetPieceSize(); ++id) {
      const std::string& piece = processor_.IdToPiece(id);
      if (piece.size() > 1 && piece.find('\n') != piece.npos) return false;
    }
    std::vector<std::string> pieces;
    return processor_.Encode("\n", &pieces).ok() && pieces.size() == 2 && pieces[0] == blank &&
           (pieces[1] == "<0x0A>" || pieces[1] == "\n");
  }

  void encode_piece(std::string_view text, bool continues, std::vector<std::uint32_t>& ids) const {
    if (text.size() > most_bytes_at_once) {
      throw worker::Failure("data",
                            "sentencepiece would need too much memory for a document of " +
                                std::to_string(text.size()) + " bytes that cannot be cut at line ends",
                            "cut the text into several files and make shards of them (etalon-torch --make-shards)");
    }
    std::vector<int> pieces;
    if (const auto status = processor_.Encode(text, &pieces); !status.ok()) {
      throw worker::Failure("data", "sentencepiece cannot encode the text: " + status.ToString(),
                            "use a text in UTF-8, or another tokenizer");
    }
    for (std::size_t index = continues ? 1 : 0; index < pieces.size(); ++index) {
      ids.push_back(static_cast<std::uint32_t>(pieces[index]));
    }
  }

  sentencepiece::SentencePieceProcessor processor_;
  std::string sha256_;
  bool may_cut_ = false;
};

}  // namespace

TokenizerKind sentencepiece_tokenizer() {
  return {"sentencepiece:", "FILE", [](const std::string& file) -> std::unique_ptr<Tokenizer> {
            return std::make_unique<SentencePieceTokenizer>(file);
          }};
}

}  // namespace etalon::data
