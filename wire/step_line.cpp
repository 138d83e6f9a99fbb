// SPDX-License-Identifier: Apache-2.0
// Steps written and read without a JSON tree: a worker may send 100,000 of them a second.
#include "wire/step_line.h"

#include <charconv>
#include <cmath>

namespace etalon::wire {
namespace {

constexpr std::string_view opening = R"({"type":"step","index":)";
constexpr std::string_view start_key = R"(,"start_ns":)";
constexpr std::string_view end_key = R"(,"end_ns":)";
constexpr std::string_view gpu_key = R"(,"gpu_ns":)";
constexpr std::string_view units_key = R"(,"units":)";
constexpr std::string_view loss_key = R"(,"loss":)";
constexpr std::string_view data_wait_key = R"(,"data_wait_ns":)";

template <class Number>
void append(std::string& line, std::string_view key, Number value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  line.append(key);
  line.append(digits, static_cast<std::size_t>(end - digits));
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// Takes what the canonical spelling has next off the front of a line.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool skip(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  bool count(std::int64_t& value) {
    if (text_.empty() || !is_digit(text_[0])) return false;
    if (text_[0] == '0' && text_.size() > 1 && is_digit(text_[1])) return false;
    return convert(value);
  }

  // from_chars takes spellings that JSON does not ("1.", ".5", "01", "inf"); those are left to the general decoder.
  bool real(double& value) {
    const std::string_view unsigned_part = text_.substr(text_.starts_with('-') ? 1 : 0);
    if (unsigned_part.size() < 2 || !is_digit(unsigned_part[0])) return false;
    if (unsigned_part[0] == '0' && is_digit(unsigned_part[1])) return false;
    const std::size_t point = text_.find('.');
    if (point != std::string_view::npos && (point + 1 >= text_.size() || !is_digit(text_[point + 1]))) return false;
    return convert(value) && std::isfinite(value);
  }

  bool at_end() const { return text_.empty(); }

 private:
  template <class Number>
  bool convert(Number& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }

  std::string_view text_;
};

}  // namespace

std::string encode_step(const Step& step) {
  std::string line;
  line.reserve(192);
  append(line, opening, step.index);
  append(line, start_key, step.start_ns);
  append(line, end_key, step.end_ns);
  if (step.gpu_ns) append(line, gpu_key, *step.gpu_ns);
  append(line, units_key, step.units);
  if (step.loss && std::isfinite(*step.loss)) append(line, loss_key, *step.loss);
  if (step.loss && !std::isfinite(*step.loss)) {
    line.append(loss_key).append(std::isnan(*step.loss) ? R"("nan")" : R"("inf")");
  }
  if (step.data_wait_ns) append(line, data_wait_key, *step.data_wait_ns);
  line.append("}\n");
  return line;
}

std::optional<Step> decode_canonical_step(std::string_view line) {
  Step step;
  Scanner scanner(line);
  if (!scanner.skip(opening) || !scanner.count(step.index)) return std::nullopt;
  if (!scanner.skip(start_key) || !scanner.count(step.start_ns)) return std::nullopt;
  if (!scanner.skip(end_key) || !scanner.count(step.end_ns)) return std::nullopt;
  if (scanner.skip(gpu_key)) {
    std::int64_t gpu_ns = 0;
    if (!scanner.count(gpu_ns)) return std::nullopt;
    step.gpu_ns = gpu_ns;
  }
  if (!scanner.skip(units_key) || !scanner.count(step.units)) return std::nullopt;
  if (scanner.skip(loss_key)) {
    double loss = 0;
    if (!scanner.real(loss)) return std::nullopt;
    step.loss = loss;
  }
  if (scanner.skip(data_wait_key)) {
    std::int64_t wait_ns = 0;
    if (!scanner.count(wait_ns)) return std::nullopt;
    step.data_wait_ns = wait_ns;
  }
  if (!scanner.skip("}") || !scanner.at_end() || step.end_ns < step.start_ns) return std::nullopt;
  return step;
}

}  // namespace etalon::wire
