// SPDX-License-Identifier: Apache-2.0
// Training of a sentencepiece model, encoding, writing.
#include "worker/data/make_shards.h"

#include <algorithm>
#include <fstream>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>
#include <sentencepiece_trainer.h>

#include "base/file.h"
#include "worker/data/corpus.h"
#include "worker/data/shard.h"
#include "worker/data/tokenizers/tokenizer.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

/// The lines of all texts, one after another.
class Lines final : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::filesystem::path>& texts) : texts_(texts) { Next(); }

  bool done() const override { return done_; }
  void Next() override {
    while (!std::getline(file_, line_)) {
      if (next_ == texts_.size()) {
        done_ = true;
        return;
      }
      file_ = std::ifstream(texts_[next_++]);
    }
  }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::filesystem::path>& texts_;
  std::size_t next_ = 0;
  std::ifstream file_;
  std::string line_;
  bool done_ = false;
};

/// As Llama's tokenizer was trained: pairs of bytes' characters, digits apart, bytes where a character has no piece, and the
/// text as it is.
std::string train_model(const ShardOrder& order) {
  const std::unordered_map<std::string, std::string> options{
      {"model_type", "bpe"},
      {"vocab_size", std::to_string(order.vocabulary)},
      {"byte_fallback", "true"},
      {"split_digits", "true"},
      {"allow_whitespace_only_pieces", "true"},
      {"normalization_rule_name", "identity"},
      {"remove_extra_whitespaces", "false"},
      {"character_coverage", "0.99995"},
      {"max_sentence_length", std::to_string(1 << 24)},
      {"input_sentence_size", "10000000"},
      {"num_threads", std::to_string(std::max(1U, std::thread::hardware_concurrency()))},
      {"minloglevel", "2"},
  };
  Lines lines(order.texts);
  std::string model;
  if (const auto status = sentencepiece::SentencePieceTrainer::Train(options, &lines, &model); !status.ok()) {
    throw worker::Failure(
        "data",
        fmt::format("no tokenizer of {} pieces comes out of these texts: {}", order.vocabulary, status.ToString()),
        "use more text, or a smaller --vocabulary");
  }
  return model;
}

std::vector<std::uint32_t> encode_all(const ShardOrder& order, Tokenizer& tokenizer) {
  std::vector<std::uint32_t> ids;
  for (const std::filesystem::path& text : order.texts) {
    if (!ids.empty() && tokenizer.end_of_document()) ids.push_back(*tokenizer.end_of_document());
    tokenizer.encode(read_text(text).training.bytes, ids);
  }
  return ids;
}

void write_part(const ShardOrder& order, const std::string& part, std::span<const std::uint32_t> ids,
                std::int64_t vocabulary, base::Json& files) {
  for (std::size_t number = 0; number * order.tokens_per_shard < ids.size(); ++number) {
    const std::size_t first = number * order.tokens_per_shard;
    const auto shard = ids.subspan(first, std::min(order.tokens_per_shard, ids.size() - first));
    const std::filesystem::path path = order.folder / fmt::format("{}_{:06}.bin", part, number);
    write_shard(path, shard, vocabulary);
    files.push_back({{"file", path.string()}, {"tokens", shard.size()}});
  }
}

void require_texts(const ShardOrder& order) {
  if (order.texts.empty()) throw worker::unsupported("there is no text to make shards of", "give --text FILE");
  for (const std::filesystem::path& text : order.texts) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(text, error)) {
      throw worker::Failure("data", text.string() + " is no file",
                            "check the path: it counts from the working directory");
    }
  }
}

}  // namespace

base::Json make_shards(const ShardOrder& order) {
  require_texts(order);
  std::filesystem::create_directories(order.folder);
  std::string name = order.tokenizer;
  if (name.empty()) {
    const std::filesystem::path model = order.folder / "tokenizer.model";
    base::AppendFile file(model);
    file.append(train_model(order));
    file.sync();
    file.close();
    name = "sentencepiece:" + model.string();
  }
  const std::unique_ptr<Tokenizer> tokenizer = make_tokenizer(name);
  const std::vector<std::uint32_t> ids = encode_all(order, *tokenizer);
  const std::size_t held_out = ids.size() / static_cast<std::size_t>(held_out_every);
  if (held_out == 0) {
    throw worker::Failure("data", fmt::format("{} tokens are too few: a hundredth is held out", ids.size()),
                          "give more text");
  }
  const std::span<const std::uint32_t> all(ids);
  base::Json files = base::Json::array();
  write_part(order, "train", all.first(ids.size() - held_out), tokenizer->vocabulary(), files);
  write_part(order, "val", all.last(held_out), tokenizer->vocabulary(), files);
  return {{"tokenizer", name},
          {"vocabulary", tokenizer->vocabulary()},
          {"documents", order.texts.size()},
          {"tokens", ids.size()},
          {"shards", std::move(files)},
          {"recipe", "data.source = \"tokens:" + order.folder.string() + "\""}};
}

}  // namespace etalon::data
