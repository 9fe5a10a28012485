#include "completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "commands.h"
#include "nn/time_encoder.h"
#include "prediction_writer.h"

namespace t2v::cli {
namespace {

using Words = std::vector<std::string>;

/// Values of options that take more than a set of them: of --time also columns, of --time-input several.
Words named_values(const CLI::Option& option) {
  if (option.check_name("--time-input")) return {"auto", "start", "gap", "query", "until", "since"};
  if (!option.check_name("--time") || option.get_type_name() != "TEXT") return {};
  Words words = {"none"};
  for (const auto& kind : nn::time_encoders()) words.emplace_back(kind.name);
  return words;
}

/// The set of values that an option takes; empty if there is none. CLI11 has it within the name of the type:
/// "TEXT:{a,b}".
Words choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return named_values(option);
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::string kind_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

bool is_file(const CLI::Option& option) {
  static const Words kKinds = {"TEXT", "FILE", "FOLDER", "MODEL", "DATA", "TIMES"};
  return std::ranges::find(kKinds, kind_of(option)) != kKinds.end();
}

/// "-o", "--output".
Words names_of(const CLI::Option& option) { return CLI::detail::split(option.get_name(false, true), ','); }

using Options = std::vector<const CLI::Option*>;

/// Those that the help shows.
Options options_of(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return !option->get_positional() && !option->get_group().empty(); });
}

Options arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

Words all_names(const CLI::App& app) {
  Words all;
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& name : names_of(*option)) all.push_back(name);
  }
  return all;
}

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string joined(const Words& words, const std::string& between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

// --- bash ---

/// What completes a value, in the words of kBashEnd.
std::string bash_values(const CLI::Option& option) {
  const Words choices = choices_of(option);
  if (!choices.empty()) return joined(choices);
  return is_file(option) ? "FILES" : "";
}

std::string bash_arguments(const CLI::App& command) {
  const Options arguments = arguments_of(command);
  return arguments.empty() ? "" : bash_values(*arguments.front());
}

std::string bash_command(const CLI::App& command) {
  std::vector<std::pair<std::string, Words>> same;  // values, and the options that take them
  for (const CLI::Option* option : options_of(command)) {
    if (is_flag(*option)) continue;
    const std::string values = bash_values(*option);
    auto place = std::ranges::find(same, values, &std::pair<std::string, Words>::first);
    if (place == same.end()) place = same.insert(same.end(), {values, {}});
    for (const std::string& name : names_of(*option)) place->second.push_back(name);
  }
  std::string text = fmt::format("    {})\n      options='{}'\n      case $before in\n", command.get_name(),
                                 joined(all_names(command)));
  for (const auto& [values, names] : same) {
    text += fmt::format("        {}) values='{}' ;;\n", joined(names, "|"), values);
  }
  return text +
         fmt::format("        *) values='{}' argument=yes ;;\n      esac ;;\n", bash_arguments(command));
}

constexpr std::string_view kBashStart = R"(
_t2v() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local options= values= argument=
  COMPREPLY=()
  # bash makes --name=value three words.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then command=; fi
  case $command in
)";

constexpr std::string_view kBashEnd = R"(  esac
  if [[ $argument && $word == -* ]]; then values=$options; fi
  if [[ $before == *[\<\>] ]]; then values=FILES; fi
  if [[ $values == FILES ]]; then
    compopt -o default
  else
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  fi
}

complete -F _t2v t2v
)";

// --- zsh ---

std::string quoted(const std::string& text) {
  return "'" + CLI::detail::find_and_replace(text, "'", "'\\''") + "'";
}

/// With a backslash before each of these characters and before backslashes.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// The first sentence of a help, in one line.
std::string gist(const std::string& help) {
  std::string line = help;
  std::ranges::replace(line, '\n', ' ');
  return line.substr(0, std::min(line.find(". "), line.find("; ")));
}

std::string zsh_values(const CLI::Option& option) {
  const Words choices = choices_of(option);
  if (!choices.empty()) return "value:(" + joined(choices) + ")";
  return kind_of(option) + (is_file(option) ? ":_files" : ": ");
}

/// One for each name, as _arguments takes them: '(-o --output)-o+[the model to write]:FILE:_files'.
std::string zsh_option(const CLI::Option& option) {
  const Words names = names_of(option);
  const bool several = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  const std::string others = several ? "*" : names.size() > 1 ? "(" + joined(names) + ")" : "";
  const std::string help = "[" + escaped(gist(option.get_description()), "[]:") + "]";
  std::string text;
  for (const std::string& name : names) {
    const std::string value = is_flag(option) ? "" : name.starts_with("--") ? "=" : "+";
    text += fmt::format("        {}\n", quoted(others + name + value + help +
                                               (is_flag(option) ? "" : ":" + zsh_values(option))));
  }
  return text;
}

std::string zsh_command(const CLI::App& command) {
  std::string text = fmt::format("    {})\n      arguments=(\n", command.get_name());
  for (const CLI::Option* option : options_of(command)) text += zsh_option(*option);
  const Options arguments = arguments_of(command);
  if (!arguments.empty()) text += fmt::format("        {}\n", quoted("*:" + zsh_values(*arguments.front())));
  return text + "      ) ;;\n";
}

constexpr std::string_view kZshMiddle = R"(  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command=
  if ((CURRENT > 2)); then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
)";

constexpr std::string_view kZshEnd = R"(    *) return 1 ;;
  esac
  _arguments $arguments
}

# Loaded as a function of this name by compinit, or sourced.
if [[ $funcstack[1] == _t2v ]]; then _t2v "$@"; else compdef _t2v t2v; fi
)";

/// The options of the tool itself, as a command without a name.
std::string zsh_tool(const CLI::App& app) {
  std::string text = "    '')\n      arguments=(\n";
  for (const CLI::Option* option : options_of(app)) text += zsh_option(*option);
  return text + "      ) ;;\n";
}

void run(const CLI::App& app, const std::string& shell) {
  TextOutput output("-");
  output.buffer() = shell == "bash" ? bash_completion(app) : zsh_completion(app);
  output.finish();
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string text =
      fmt::format("# bash completion for t2v {}, written by 't2v completion bash'.\n", kVersion);
  text += kBashStart;
  text += fmt::format("    '') options='{}' values='{}' argument=yes ;;\n", joined(all_names(app)),
                      joined(commands_of(app)));
  for (const CLI::App* command : app.get_subcommands({})) text += bash_command(*command);
  text += kBashEnd;
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string text = fmt::format(
      "#compdef t2v\n# zsh completion for t2v {}, written by 't2v completion zsh'.\n\n_t2v() {{\n"
      "  local -a commands arguments\n  commands=(\n",
      kVersion);
  for (const CLI::App* command : app.get_subcommands({})) {
    text +=
        fmt::format("    {}\n", quoted(command->get_name() + ":" + escaped(command->get_description(), ":")));
  }
  text += kZshMiddle;
  text += zsh_tool(app);
  for (const CLI::App* command : app.get_subcommands({})) text += zsh_command(*command);
  text += kZshEnd;
  return text;
}

void add_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script by which a shell completes t2v's commands and options");
  command->footer(
      "Examples:\n"
      "  source <(t2v completion bash)                                         for this session\n"
      "  t2v completion bash > ~/.local/share/bash-completion/completions/t2v  for all that follow\n"
      "  t2v completion zsh > ~/.zfunc/_t2v                                    a folder of zsh's fpath");
  command->add_option("shell", *shell, "the shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->default_str("");
  command->callback([&app, shell] { run(app, *shell); });
}

}  // namespace t2v::cli
