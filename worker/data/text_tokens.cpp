// SPDX-License-Identifier: Apache-2.0
// Tokenizing, and the split where the corpus brings none.
#include "worker/data/text_tokens.h"

#include <utility>

#include "worker/data/finite_source.h"
#include "worker/data/tokenizers/tokenizer.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

std::unique_ptr<Tokenizer> fitting_tokenizer(const TokenRequest& request) {
  std::unique_ptr<Tokenizer> tokenizer = make_tokenizer(request.tokenizer);
  if (tokenizer->vocabulary() > request.vocabulary) {
    throw worker::unsupported("tokenizer \"" + request.tokenizer + "\" has " + std::to_string(tokenizer->vocabulary()) +
                                  " ids, the model's vocabulary " + std::to_string(request.vocabulary),
                              "choose a model with a larger vocabulary, or another data.tokenizer");
  }
  return tokenizer;
}

}  // namespace

std::unique_ptr<TokenSource> make_text_source(const TokenRequest& request, Corpus corpus) {
  const std::unique_ptr<Tokenizer> tokenizer = fitting_tokenizer(request);
  FiniteTokens tokens;
  tokens.description = {{"source", request.source},
                        {"tokenizer", tokenizer->description()},
                        {"documents", corpus.training.document_ends.size() + corpus.held_out.document_ends.size()},
                        {"files", corpus.files},
                        {"bytes", corpus.training.bytes.size() + corpus.held_out.bytes.size()},
                        {"sha256", corpus.sha256}};
  const bool is_split = !corpus.held_out.bytes.empty();
  const TokenRun training = tokenizer->run(std::move(corpus.training));
  const std::int64_t kept = is_split ? training.size() : training.size() - training.size() / held_out_every;
  tokens.training.push_back(training.part(0, kept));
  tokens.held_out.push_back(is_split ? tokenizer->run(std::move(corpus.held_out))
                                     : training.part(kept, training.size() - kept));
  return make_finite_source(request, std::move(tokens));
}

}  // namespace etalon::data
