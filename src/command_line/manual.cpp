// SPDX-License-Identifier: Apache-2.0
#include "command_line/manual.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/version.h"

namespace etalon::command_line {

namespace {

struct OptionText {
  std::vector<std::string> names;  ///< "--set", "-o"; for an argument its name alone
  std::string value;               ///< "KEY=VALUE"; empty for a flag
  std::string meaning;
  bool argument = false;
};

std::vector<OptionText> options_of(const CLI::App& app) {
  std::vector<OptionText> result;
  for (const CLI::Option* option : app.get_options()) {
    OptionText text;
    for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
    text.argument = option->get_positional();
    if (text.argument) text.names = {option->get_name(true)};
    if (!text.argument && option->get_items_expected_max() > 0) text.value = option->get_type_name();
    text.meaning = option->get_description();
    result.push_back(std::move(text));
  }
  return result;
}

template <class Do>
void for_each_shown_verb(Do&& act) {
  for (const Verb& verb : all_verbs())
    if (!verb.hidden) act(verb);
}

std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string result;
  for (const char byte : text) {
    if (byte == from) {
      result += to;
    } else {
      result += byte;
    }
  }
  return result;
}

std::string roff(std::string_view text) {
  const std::string escaped = replaced(replaced(text, '\\', "\\e"), '-', "\\-");
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string roff_options(const CLI::App& app) {
  std::string text;
  for (const OptionText& option : options_of(app))
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(base::join(option.names, ", ")),
                        option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR", roff(option.meaning));
  return text;
}

std::string single_quoted(std::string_view text) { return "'" + replaced(text, '\'', "'\\''") + "'"; }

}  // namespace

std::string closing_notes() {
  return R"(Exit codes:
  0  done                          6  verification failed
  1  internal error                7  comparison regressed
  2  command line or recipe        8  throttled
  3  preflight refused             9  invalid
  4  worker failed                10  incomplete (--strict)
  5  no steady state             130  interrupted

Variables: ETALON_OUTPUT, ETALON_RECIPE, ETALON_RECIPES, ETALON_WORKER, ETALON_IDENTIFY, NO_COLOR.
Configuration: ~/.config/etalon/config.toml (docs/recipes.md).)";
}

std::string man_page(const CommandLine& command_line) {
  std::string text = fmt::format(".TH ETALON 1 \"\" \"etalon {}\"\n.SH NAME\netalon \\- {}\n", base::build().version,
                                 "measures GPU training speed so that the number survives scrutiny");
  text += ".SH SYNOPSIS\n.B etalon\n\\fIVERB\\fR [\\fIOPTIONS\\fR]\n.SH OPTIONS\n" + roff_options(*command_line.app);
  text += ".SH VERBS\n";
  for_each_shown_verb([&](const Verb& verb) {
    text += fmt::format(".SS etalon {}\n{}\n", roff(verb.name), roff(verb.description));
    text += roff_options(*command_line.app->get_subcommand(verb.name));
    for (const std::string& example : verb.examples) text += fmt::format(".PP\n.nf\n  {}\n.fi\n", roff(example));
  });
  text += ".SH NOTES\n.nf\n";
  const std::string notes = closing_notes();
  for (const std::string_view line : base::split(notes, '\n')) text += roff(line) + "\n";
  return text + ".fi\n";
}

std::string bash_completion(const CommandLine& command_line) {
  std::string verbs;
  std::string cases;
  for_each_shown_verb([&](const Verb& verb) {
    verbs += verb.name + " ";
    std::string words;
    for (const OptionText& option : options_of(*command_line.app->get_subcommand(verb.name)))
      if (!option.argument) words += base::join(option.names, " ") + " ";
    cases +=
        fmt::format("    {}) words={}{} ;;\n", verb.name, single_quoted(words), verb.takes_recipe ? " recipes=1" : "");
  });
  return fmt::format(R"sh(# bash completion for etalon
_etalon() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} words= recipes=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W {} -- "$current")
    return
  fi
  case $verb in
{}  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [ -n "$recipes" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(etalon list recipes --names 2>/dev/null)" -- "$current"; compgen -f -X '!*.toml' -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  fi
}}
complete -F _etalon etalon
)sh",
                     single_quoted(verbs + "--help --version"), cases);
}

std::string zsh_completion(const CommandLine& command_line) {
  std::string verbs;
  std::string cases;
  for_each_shown_verb([&](const Verb& verb) {
    verbs += "    " + single_quoted(verb.name + ":" + replaced(verb.summary, ':', "\\:")) + "\n";
    cases += fmt::format("    {}) _arguments", verb.name);
    for (const OptionText& option : options_of(*command_line.app->get_subcommand(verb.name))) {
      if (option.argument) continue;
      for (const std::string& name : option.names) {
        const std::string meaning = replaced(replaced(replaced(option.meaning, '[', "("), ']', ")"), ':', "\\:");
        const std::string value = option.value.empty() ? "" : ":" + replaced(option.value, ':', " ");
        cases += " " + single_quoted(fmt::format("{}[{}]{}", name, meaning, value));
      }
    }
    cases +=
        verb.takes_recipe ? " '*:recipe:($(etalon list recipes --names 2>/dev/null))' ;;\n" : " '*:file:_files' ;;\n";
  });
  return fmt::format(R"sh(#compdef etalon
# zsh completion for etalon
_etalon() {{
  local -a verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
_etalon "$@"
)sh",
                     verbs, cases);
}

std::string fish_completion(const CommandLine& command_line) {
  std::string text = "# fish completion for etalon\ncomplete -c etalon -f\n";
  for_each_shown_verb([&](const Verb& verb) {
    text += fmt::format("complete -c etalon -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                        single_quoted(verb.summary));
    const std::string condition = single_quoted("__fish_seen_subcommand_from " + verb.name);
    for (const OptionText& option : options_of(*command_line.app->get_subcommand(verb.name))) {
      if (option.argument) continue;
      std::string line = "complete -c etalon -n " + condition;
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text += line + (option.value.empty() ? "" : " -r") + " -d " + single_quoted(option.meaning) + "\n";
    }
    text += verb.takes_recipe
                ? fmt::format("complete -c etalon -n {} -a '(etalon list recipes --names 2>/dev/null)'\n", condition)
                : fmt::format("complete -c etalon -n {} -F\n", condition);
  });
  return text;
}

}  // namespace etalon::command_line
