// SPDX-License-Identifier: Apache-2.0
// Pseudonyms, and where in a text they are due.
#include "machine/conceal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <regex>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

std::string machine_key(const std::filesystem::path& root) {
  // A host name alone could be found by trying names; these are random and stay on the machine.
  for (const char* name : {"/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id"}) {
    const SystemText read = read_system_file(root, name, 256);
    const std::string_view id = base::trim(read.text);
    if (read.ok() && id.size() >= 16) return std::string(id);
  }
  return {};
}

struct Pattern {
  Pattern(const char* what, const char* text) : kind(what), expression(text, std::regex::optimize) {}
  std::string_view kind;
  std::regex expression;  // group 1 stays, group 2 is replaced
};

/// Compiled once. Order matters: credentials before addresses, or a host inside a URL would hide them.
const auto& patterns() {
  static const std::array table{
      Pattern{"credential", "(://)([^/@\\s]+)@"},
      Pattern{"uuid", "()([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"},
      Pattern{"user", "(/home/|/Users/)([^/:\\s]+)"},
      Pattern{"address", "(^|[^0-9.])((?:[0-9]{1,3}\\.){3}[0-9]{1,3})(?![0-9.])"},
      Pattern{"address", "(^|[^0-9a-fA-F:])((?:[0-9a-fA-F]{1,4}:){3,7}(?::?[0-9a-fA-F]{1,4})+)"},
      // The prefixes by which services' tokens are known; short words that merely begin so are left alone.
      Pattern{"secret",
              "(^|[^A-Za-z0-9_-])((?:hf_|ghp_|gho_|github_pat_|glpat-|xoxb-|xoxp-|sk-|AKIA)[A-Za-z0-9_-]{12,})"},
  };
  return table;
}

/// `text` with each finding of `pattern` as `shown` says it.
std::string replaced(const std::string& text, const Pattern& pattern,
                     const std::function<std::string(const std::string&)>& shown) {
  std::string result;
  auto from = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), pattern.expression), end; match != end; ++match) {
    result.append(from, (*match)[2].first);
    result += shown((*match)[2].str());
    from = (*match)[2].second;
  }
  result.append(from, text.cend());
  return result;
}

/// std::regex recurses per character: a hostile, endless text must not exhaust the stack.
constexpr std::size_t longest_piece = 4096;

std::string concealed_piece(std::string_view name, std::string_view piece, const std::filesystem::path& root) {
  std::string text(piece);
  for (const Pattern& pattern : patterns()) {
    // "9.19.0.56" is no address when the name says that it is a version.
    if (pattern.kind == "address" && name.find("VERSION") != std::string_view::npos) continue;
    text = replaced(text, pattern, [&](const std::string& found) { return pseudonym(pattern.kind, found, root); });
  }
  return text;
}

/// Lower case, cut at everything that is neither letter nor digit.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) != 0) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Cut where a name cannot be: after a newline, else a blank, else anywhere.
std::string concealed_in_pieces(std::string_view name, std::string_view text, const std::filesystem::path& root) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = std::min(text.size(), longest_piece);
    if (length < text.size()) {
      const std::string_view piece = text.substr(0, length);
      for (const char separator : {'\n', ' '}) {
        if (const std::size_t end = piece.rfind(separator); end != std::string_view::npos) {
          length = end + 1;
          break;
        }
      }
    }
    result += concealed_piece(name, text.substr(0, length), root);
    text.remove_prefix(length);
  }
  return result;
}

base::Json concealed_below(std::string_view name, const base::Json& value, const std::filesystem::path& root) {
  if (value.is_string()) {
    return concealed_in_pieces(name, value.get_ref<const std::string&>(), root);
  }
  if (!value.is_structured()) return value;
  base::Json result = value;
  for (auto& item : result.items()) {
    const bool versions = name == "VERSION" || item.key() == "versions" || item.key() == "libraries";
    item.value() = concealed_below(versions           ? "VERSION"
                                   : value.is_array() ? name
                                                      : std::string_view(item.key()),
                                   item.value(), root);
  }
  return result;
}

}  // namespace

std::string pseudonym(std::string_view kind, std::string_view value, const std::filesystem::path& root) {
  const std::string key = machine_key(root);
  if (key.empty()) return std::string(kind) + "-unnamed";
  std::string message = key;
  message.append("\n").append(kind).append("\n").append(value);
  return std::string(kind) + "-" + base::sha256(message).substr(0, 12);
}

bool names_secret(std::string_view name) {
  // A language model has tokens and authors: such short words count alone, unmistakable ones also within a word (PGPASSWORD).
  constexpr std::array<std::string_view, 5> alone{"token", "auth", "authorization", "bearer", "passphrase"};
  constexpr std::array<std::string_view, 5> within{"password", "passwd", "secret", "credential", "apikey"};
  const std::vector<std::string> words = words_of(name);
  const bool is_key = words.size() > 1 && words.back() == "key";
  return is_key || std::ranges::any_of(words, [&](const std::string& word) {
           return std::ranges::find(alone, word) != alone.end() ||
                  std::ranges::any_of(within, [&](std::string_view part) { return word.find(part) != word.npos; });
         });
}

std::string without_secrets(std::string_view text) {
  std::string result(text);
  for (const Pattern& pattern : patterns())
    if (pattern.kind == "credential" || pattern.kind == "secret")
      result = replaced(result, pattern, [](const std::string&) { return std::string(redacted); });
  return result;
}

std::string concealed(std::string_view name, std::string_view value, const std::filesystem::path& root) {
  if (value.empty()) return {};
  if (names_secret(name)) return pseudonym("secret", value, root);
  if (value.size() <= longest_piece) return concealed_piece(name, value, root);
  return concealed_piece(name, value.substr(0, longest_piece), root) + "…";
}

std::string concealed_text(std::string_view text, const std::filesystem::path& root) {
  return concealed_in_pieces("", text, root);
}

base::Json concealed(const base::Json& value, const std::filesystem::path& root) {
  return concealed_below("", value, root);
}

}  // namespace etalon::machine
