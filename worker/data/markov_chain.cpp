// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a chain, and its two origins.
#include "worker/data/markov_chain.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "worker/data/counter_random.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t most_tokens_of_a_file = 1024;
constexpr double sum_tolerance = 1e-6;
constexpr std::int64_t followers = 8;
constexpr std::int64_t fewest_tokens = 64;

worker::Failure malformed(const std::string& place, const std::string& problem) {
  return {"data", place + ": " + problem,
          "write {\"transitions\": [[…], …]}: row i holds the probabilities of what follows token i"};
}

std::uint32_t choose(const std::vector<double>& cumulative, std::size_t first, std::size_t end, double random) {
  const auto begin = cumulative.begin();
  const auto found =
      std::upper_bound(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end), random);
  const auto index = static_cast<std::size_t>(found - begin);
  return static_cast<std::uint32_t>(std::min(index, end - 1));  // the last sum may miss 1 by a rounding
}

/// Distinct followers of `token`; the next number is one of them, so that every token leads to every other.
std::vector<std::uint32_t> draw_followers(std::int64_t token, std::int64_t vocabulary, std::uint64_t key) {
  std::vector<std::uint32_t> chosen{static_cast<std::uint32_t>((token + 1) % vocabulary)};
  const std::uint64_t row_key = splitmix64(key + static_cast<std::uint64_t>(token));
  for (std::uint64_t draw = 0; chosen.size() < static_cast<std::size_t>(followers); ++draw) {
    const auto candidate =
        static_cast<std::uint32_t>(below(splitmix64(row_key + draw), static_cast<std::uint64_t>(vocabulary)));
    if (std::find(chosen.begin(), chosen.end(), candidate) == chosen.end()) chosen.push_back(candidate);
  }
  // The next number shall not always be the likeliest.
  std::swap(chosen.front(), chosen[below(splitmix64(~row_key), followers)]);
  return chosen;
}

MarkovChain::Row read_row(const base::Json& json, std::size_t token, std::size_t tokens, const std::string& place) {
  if (!json.is_array() || json.size() != tokens) {
    throw malformed(place, fmt::format("row {} is no list of {} numbers: the matrix must be square", token, tokens));
  }
  MarkovChain::Row row;
  double sum = 0;
  for (std::size_t follower = 0; follower < tokens; ++follower) {
    const double probability = json[follower].is_number() ? json[follower].get<double>() : -1;
    if (!(probability >= 0 && probability <= 1)) {
      throw malformed(place, fmt::format("row {}, column {} is no number from 0 to 1", token, follower));
    }
    sum += probability;
    if (probability > 0) {
      row.next.push_back(static_cast<std::uint32_t>(follower));
      row.probability.push_back(probability);
    }
  }
  if (std::abs(sum - 1) > sum_tolerance) throw malformed(place, fmt::format("row {} sums to {}, not to 1", token, sum));
  for (double& probability : row.probability) probability /= sum;
  return row;
}

}  // namespace

MarkovChain::MarkovChain(const std::vector<Row>& rows, const std::string& place) {
  row_starts_.push_back(0);
  for (const Row& row : rows) {
    double sum = 0;
    for (std::size_t index = 0; index < row.next.size(); ++index) {
      sum += row.probability[index];
      next_.push_back(row.next[index]);
      probability_.push_back(row.probability[index]);
      cumulative_.push_back(sum);
    }
    row_starts_.push_back(next_.size());
  }
  stationary_.assign(rows.size(), 1.0 / static_cast<double>(rows.size()));
  require_connected(place);
  find_stationary(place);
  compute_entropies();
}

/// Every token is reached from token 0, and token 0 from every token.
void MarkovChain::require_connected(const std::string& place) const {
  std::vector<std::vector<std::uint32_t>> forward(stationary_.size());
  std::vector<std::vector<std::uint32_t>> backward(stationary_.size());
  for (std::uint32_t token = 0; token < stationary_.size(); ++token) {
    for (std::size_t index = row_starts_[token]; index < row_starts_[token + 1]; ++index) {
      forward[token].push_back(next_[index]);
      backward[next_[index]].push_back(token);
    }
  }
  for (const bool onward : {true, false}) {
    const auto& edges = onward ? forward : backward;
    std::vector<bool> reached(edges.size(), false);
    std::vector<std::uint32_t> waiting{0};
    reached[0] = true;
    while (!waiting.empty()) {
      const std::uint32_t token = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t other : edges[token]) {
        if (!reached[other]) waiting.push_back(other);
        reached[other] = true;
      }
    }
    const auto missed = std::find(reached.begin(), reached.end(), false);
    if (missed != reached.end()) {
      throw malformed(
          place, fmt::format("token {} {} token 0: the entropy would depend on the start", missed - reached.begin(),
                             onward ? "cannot be reached from" : "never leads to"));
    }
  }
}

std::vector<double> MarkovChain::after_one_step(const std::vector<double>& distribution) const {
  std::vector<double> after(distribution.size(), 0.0);
  for (std::size_t token = 0; token < distribution.size(); ++token) {
    for (std::size_t index = row_starts_[token]; index < row_starts_[token + 1]; ++index) {
      after[next_[index]] += distribution[token] * probability_[index];
    }
  }
  return after;
}

void MarkovChain::find_stationary(const std::string& place) {
  const bool found = stationary_.size() <= most_tokens_of_a_file ? eliminate() : iterate();
  if (!found) {
    throw malformed(place,
                    "its stationary distribution is not found: the tokens fall into groups that hardly ever meet");
  }
}

/// Grassmann, Taksar and Heyman 1985: elimination without a subtraction, so that every πᵢ is exact to its last digits.
bool MarkovChain::eliminate() {
  const std::size_t count = stationary_.size();
  std::vector<double> matrix(count * count, 0.0);
  for (std::size_t token = 0; token < count; ++token) {
    for (std::size_t index = row_starts_[token]; index < row_starts_[token + 1]; ++index) {
      matrix[token * count + next_[index]] += probability_[index];
    }
  }
  for (std::size_t last = count - 1; last > 0; --last) {
    const double* const from_last = &matrix[last * count];
    double leaving = 0;
    for (std::size_t token = 0; token < last; ++token) leaving += from_last[token];
    if (!(leaving > 0)) return false;
    for (std::size_t token = 0; token < last; ++token) {
      double* const row = &matrix[token * count];
      row[last] /= leaving;
      for (std::size_t other = 0; row[last] > 0 && other < last; ++other) row[other] += row[last] * from_last[other];
    }
  }
  double sum = stationary_[0] = 1;
  for (std::size_t token = 1; token < count; ++token) {
    stationary_[token] = 0;
    for (std::size_t other = 0; other < token; ++other) {
      stationary_[token] += stationary_[other] * matrix[other * count + token];
    }
    sum += stationary_[token];
  }
  for (double& probability : stationary_) probability /= sum;
  return std::isfinite(sum);
}

/// Power iteration on (1 + P)/2: it has the same π, and converges where P has a period.
bool MarkovChain::iterate() {
  constexpr double largest_change = 1e-13;
  constexpr int most_steps = 2000;
  for (int step = 0; step < most_steps; ++step) {
    const std::vector<double> after = after_one_step(stationary_);
    double change = 0;
    double sum = 0;
    for (std::size_t token = 0; token < after.size(); ++token) {
      change += std::abs(after[token] - stationary_[token]);
      stationary_[token] = (after[token] + stationary_[token]) / 2;
      sum += stationary_[token];
    }
    for (double& probability : stationary_) probability /= sum;
    if (change <= largest_change) return true;
  }
  return false;
}

void MarkovChain::compute_entropies() {
  double sum = 0;
  for (std::size_t token = 0; token < stationary_.size(); ++token) {
    double of_row = 0;
    for (std::size_t index = row_starts_[token]; index < row_starts_[token + 1]; ++index) {
      of_row -= probability_[index] * std::log(probability_[index]);
    }
    entropy_ += stationary_[token] * of_row;
    if (stationary_[token] > 0) single_token_entropy_ -= stationary_[token] * std::log(stationary_[token]);
    sum += stationary_[token];
    stationary_cumulative_.push_back(sum);
  }
}

std::string MarkovChain::sha256() const {
  std::string table;
  const auto add = [&](const auto& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    table.append(bytes, sizeof value);
  };
  for (std::uint32_t token = 0; token < stationary_.size(); ++token) {
    for (std::size_t index = row_starts_[token]; index < row_starts_[token + 1]; ++index) {
      add(token);
      add(next_[index]);
      add(probability_[index]);
    }
  }
  return base::sha256(table);
}

std::uint32_t MarkovChain::first(double random) const {
  return choose(stationary_cumulative_, 0, stationary_cumulative_.size(), random);
}

std::uint32_t MarkovChain::next(std::uint32_t token, double random) const {
  return next_[choose(cumulative_, row_starts_[token], row_starts_[token + 1], random)];
}

MarkovChain make_markov_chain(std::int64_t vocabulary, std::int64_t seed) {
  if (vocabulary < fewest_tokens) {
    throw worker::unsupported(
        fmt::format("the built-in Markov source needs a vocabulary of {}, the model has {}", fewest_tokens, vocabulary),
        "choose a model with a larger vocabulary, or data.source = \"markov:FILE\"");
  }
  double sum = 0;
  for (std::int64_t rank = 1; rank <= followers; ++rank) sum += 1.0 / static_cast<double>(rank);
  std::vector<MarkovChain::Row> rows(static_cast<std::size_t>(vocabulary));
  const std::uint64_t key = stream_key("markov transitions", seed);
  for (std::int64_t token = 0; token < vocabulary; ++token) {
    MarkovChain::Row& row = rows[static_cast<std::size_t>(token)];
    row.next = draw_followers(token, vocabulary, key);
    for (std::int64_t rank = 1; rank <= followers; ++rank) {
      row.probability.push_back(1.0 / static_cast<double>(rank) / sum);
    }
  }
  return {rows, "the built-in Markov source"};
}

MarkovChain parse_markov_chain(std::string_view text, const std::string& place) {
  base::Json json;
  try {
    json = base::parse_json(text, place);
  } catch (const base::Error& error) {
    throw worker::Failure("data", error.what(), error.next_step());
  }
  if (!json.is_object() || !json.contains("transitions") || !json["transitions"].is_array()) {
    throw malformed(place, "it is no object with a list \"transitions\"");
  }
  const base::Json& transitions = json["transitions"];
  if (transitions.empty() || transitions.size() > most_tokens_of_a_file) {
    throw malformed(place,
                    fmt::format("it has {} rows, from 1 to {} are served", transitions.size(), most_tokens_of_a_file));
  }
  std::vector<MarkovChain::Row> rows;
  for (std::size_t token = 0; token < transitions.size(); ++token) {
    rows.push_back(read_row(transitions[token], token, transitions.size(), place));
  }
  return {rows, place};
}

}  // namespace etalon::data
