// SPDX-License-Identifier: Apache-2.0
// A language whose entropy is known: each token depends on the one before it alone, so the loss that a perfect model reaches
// can be computed without training one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::data {

class MarkovChain {
 public:
  /// What may follow one token. Probabilities are positive and sum to 1 within rounding.
  struct Row {
    std::vector<std::uint32_t> next;
    std::vector<double> probability;
  };

  /// One row per token. Throws worker::Failure("data") naming `place` where some token cannot be reached from another (the
  /// entropy would depend on the start), or where the stationary distribution is not found.
  MarkovChain(const std::vector<Row>& rows, const std::string& place);

  std::int64_t states() const { return static_cast<std::int64_t>(stationary_.size()); }
  /// H = −Σᵢ πᵢ Σⱼ pᵢⱼ ln pᵢⱼ in nats per token (Shannon 1948, §7): what no model can undercut in the mean.
  double entropy() const { return entropy_; }
  /// −Σᵢ πᵢ ln πᵢ: the loss of a model that knows how often each token comes, and nothing more.
  double single_token_entropy() const { return single_token_entropy_; }
  /// π, with πP = π.
  const std::vector<double>& stationary() const { return stationary_; }
  std::string sha256() const;  ///< of the table: for each entry token, follower (4 bytes each), probability (8)

  /// The token that `random` in [0, 1) chooses: by π, and by what follows `token`.
  std::uint32_t first(double random) const;
  std::uint32_t next(std::uint32_t token, double random) const;

 private:
  void require_connected(const std::string& place) const;
  void find_stationary(const std::string& place);
  bool eliminate();
  bool iterate();
  void compute_entropies();
  std::vector<double> after_one_step(const std::vector<double>& distribution) const;

  std::vector<std::size_t> row_starts_;  // of states() + 1 rows, in the three lists below
  std::vector<std::uint32_t> next_;
  std::vector<double> probability_;
  std::vector<double> cumulative_;  // within each row
  std::vector<double> stationary_;
  std::vector<double> stationary_cumulative_;
  double entropy_ = 0;
  double single_token_entropy_ = 0;
};

/// The built-in language: each of `vocabulary` tokens has eight followers, drawn under `seed`, with probabilities in the ratio
/// 1 : 1/2 : … : 1/8. Its entropy, 1.816 nats/token, is less than half that of its single tokens.
/// Throws worker::Failure("unsupported") for a vocabulary below 64.
MarkovChain make_markov_chain(std::int64_t vocabulary, std::int64_t seed);

/// {"transitions": [[p, …], …]}: a square matrix, row by row; at most 1,024 tokens. Throws worker::Failure("data") naming
/// `place` and what is wrong.
MarkovChain parse_markov_chain(std::string_view text, const std::string& place);

}  // namespace etalon::data
