// SPDX-License-Identifier: Apache-2.0
// The sources of tokens: text read as bytes, and uniform random tokens.
#include "worker/data/token_source.h"

#include <array>
#include <string_view>
#include <utility>

#include "worker/data/corpus.h"
#include "worker/data/counter_random.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::int64_t byte_values = 256;

class ByteSource final : public TokenSource {
 public:
  ByteSource(const TokenRequest& request, Corpus corpus)
      : name_(request.source), corpus_(std::move(corpus)), key_(stream_key("training windows", request.seed)) {
    require_room(corpus_.training, "training", request.context);
    require_room(corpus_.held_out, "held-out", request.context);
    if (request.vocabulary < byte_values) {
      throw worker::unsupported(
          "bytes as tokens need a vocabulary of 256, the model has " + std::to_string(request.vocabulary),
          "choose a model with a larger vocabulary, or data.source = \"synthetic\"");
    }
  }

  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    const std::uint64_t starts = corpus_.training.size() - tokens.size() + 1;
    copy(corpus_.training, below(splitmix64(key_ + static_cast<std::uint64_t>(number)), starts), tokens);
  }

  void held_out_window(std::int64_t number, std::int64_t count, std::span<std::int64_t> tokens) const override {
    const std::uint64_t last = corpus_.held_out.size() - tokens.size();
    const auto intervals = static_cast<std::uint64_t>(count > 1 ? count - 1 : 1);
    copy(corpus_.held_out, last * static_cast<std::uint64_t>(number) / intervals, tokens);
  }

  base::Json description() const override {
    const std::size_t bytes = corpus_.training.size() + corpus_.held_out.size();
    return {{"source", name_},
            {"tokens", "bytes"},
            {"files", corpus_.files},
            {"bytes", bytes},
            {"training_bytes", corpus_.training.size()},
            {"held_out_bytes", corpus_.held_out.size()},
            {"sha256", corpus_.sha256}};
  }

 private:
  static void copy(std::string_view text, std::uint64_t start, std::span<std::int64_t> tokens) {
    for (std::size_t position = 0; position < tokens.size(); ++position) {
      tokens[position] = static_cast<unsigned char>(text[start + position]);
    }
  }

  static void require_room(std::string_view text, const std::string& part, std::int64_t context) {
    if (text.size() <= static_cast<std::size_t>(context)) {
      throw worker::Failure("data",
                            "the " + part + " part of the corpus has " + std::to_string(text.size()) +
                                " bytes, a window of this context needs " + std::to_string(context + 1),
                            "use a longer text or a smaller workload.context (a hundredth of the text is held out)");
    }
  }

  std::string name_;
  Corpus corpus_;
  std::uint64_t key_;
};

class SyntheticSource final : public TokenSource {
 public:
  explicit SyntheticSource(const TokenRequest& request)
      : vocabulary_(static_cast<std::uint64_t>(request.vocabulary)),
        training_key_(stream_key("synthetic training", request.seed)),
        held_out_key_(stream_key("synthetic held-out", request.seed)) {}

  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    draw(training_key_, number, tokens);
  }
  void held_out_window(std::int64_t number, std::int64_t, std::span<std::int64_t> tokens) const override {
    draw(held_out_key_, number, tokens);
  }
  base::Json description() const override {
    return {{"source", "synthetic"}, {"tokens", "uniform random"}, {"vocabulary", vocabulary_}};
  }

 private:
  void draw(std::uint64_t key, std::int64_t number, std::span<std::int64_t> tokens) const {
    const std::uint64_t first = key + static_cast<std::uint64_t>(number) * tokens.size();
    for (std::size_t position = 0; position < tokens.size(); ++position) {
      tokens[position] = static_cast<std::int64_t>(below(splitmix64(first + position), vocabulary_));
    }
  }

  std::uint64_t vocabulary_;
  std::uint64_t training_key_;
  std::uint64_t held_out_key_;
};

struct Entry {
  std::string_view prefix;  // ends with ':' when an argument follows
  std::string_view argument;
  std::string_view meaning;
  std::unique_ptr<TokenSource> (*make)(const TokenRequest& request, const std::string& argument);
};

// One line per source.
constexpr std::array<Entry, 3> sources{{
    {"torch-source", "",
     "the Python sources of the installed torch package, bytes as tokens; every 100th file held out",
     [](const TokenRequest& request, const std::string&) -> std::unique_ptr<TokenSource> {
       return std::make_unique<ByteSource>(request, read_torch_source(request.torch_folder));
     }},
    {"text:", "FILE", "any text file, bytes as tokens; its last hundredth held out",
     [](const TokenRequest& request, const std::string& file) -> std::unique_ptr<TokenSource> {
       return std::make_unique<ByteSource>(request, read_text(file));
     }},
    {"synthetic", "", "uniform random tokens of the model's whole vocabulary: nothing to learn, nothing to read",
     [](const TokenRequest& request, const std::string&) -> std::unique_ptr<TokenSource> {
       return std::make_unique<SyntheticSource>(request);
     }},
}};

bool matches(const Entry& entry, std::string_view source) {
  return entry.argument.empty() ? source == entry.prefix
                                : source.starts_with(entry.prefix) && source.size() > entry.prefix.size();
}

}  // namespace

std::unique_ptr<TokenSource> make_token_source(const TokenRequest& request) {
  std::string known;
  for (const Entry& entry : sources) {
    if (matches(entry, request.source)) {
      return entry.make(request, request.source.substr(entry.prefix.size()));
    }
    known += (known.empty() ? "" : ", ") + std::string(entry.prefix) + std::string(entry.argument);
  }
  throw worker::unsupported("data source \"" + request.source + "\" is not one of this worker's",
                            "use one of: " + known);
}

std::vector<SourceDescription> describe_sources() {
  std::vector<SourceDescription> descriptions;
  for (const Entry& entry : sources) {
    descriptions.push_back({std::string(entry.prefix) + std::string(entry.argument), std::string(entry.meaning)});
  }
  return descriptions;
}

}  // namespace etalon::data
