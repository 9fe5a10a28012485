#include "option_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/fail.h"

namespace t2v::cli {
namespace {

using Entry = OptionTable::Entry;

std::set<std::string, std::less<>>& option_names() {
  static std::set<std::string, std::less<>> names;
  return names;
}

std::map<std::string, OptionTable, std::less<>>& tables() {
  static std::map<std::string, OptionTable, std::less<>> all;
  return all;
}

std::set<const CLI::Option*>& expert_options() {
  static std::set<const CLI::Option*> all;
  return all;
}

/// "FLAG" for none; "TEXT:{a,b}" for choices, as CLI11 has them.
std::string type_of(const Entry& entry) {
  if (entry.option.choices.empty()) return kind_of(entry);
  return fmt::format("TEXT:{{{}}}", fmt::join(entry.option.choices, ","));
}

/// A name as `field` reads as an option in the middle of a help.
std::string help_of(const Option& option) {
  return wrapped(with_flags(option.help, [](std::string_view) { return true; }));
}

/// Sets the value; what is wrong becomes an error of the command line.
bool take(const Entry& entry, const std::vector<std::string>& texts) {
  try {
    if (std::ranges::find(texts, "") != texts.end()) {
      fail("`{}` is empty; give a value, or leave it out", entry.option.name);
    }
    OptionTable::set(entry, texts);
    return true;
  } catch (const Error& error) {
    throw CLI::ValidationError(with_flags(error.what(), [](std::string_view) { return true; }));
  }
}

/// "-o,--output".
std::string names_of(const Option& option) {
  return option.letter == 0 ? flag_of(option.name)
                            : fmt::format("-{},{}", option.letter, flag_of(option.name));
}

CLI::Option* add_flag(CLI::App& command, const Entry& entry) {
  // A flag comes as "true" or "false", or as a count of them.
  return command.add_flag_callback(
      names_of(entry.option), [entry] { take(entry, {"true"}); }, help_of(entry.option));
}

/// An option that may stand alone: --resume, --resume=auto. See join_values for "--resume auto".
CLI::Option* add_bare(CLI::App& command, const Entry& entry) {
  const auto text = std::make_shared<std::string>();
  CLI::Option* option = command.add_flag(names_of(entry.option), *text, help_of(entry.option));
  return option->each([entry, text](const std::string& value) {
    take(entry, {value == "true" ? std::string(entry.option.bare) : value});
  });
}

CLI::Option* add_value(CLI::App& command, const Entry& entry) {
  CLI::Option* option = command.add_option(
      names_of(entry.option), [entry](const CLI::results_t& texts) { return take(entry, texts); },
      help_of(entry.option));
  option->type_name(type_of(entry));
  if (!is_list(entry)) {
    option->default_str(texts_of(entry).front());
    return option;
  }
  option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false)->default_str("");
  const std::string kind = kind_of(entry);
  const bool with_commas = kind == "COLUMNS" || kind == "NAMES" || kind == "INT";
  if (with_commas) option->delimiter(',');
  return option;
}

CLI::Option* add_option(CLI::App& command, const Entry& entry) {
  if (std::holds_alternative<bool*>(entry.member)) return add_flag(command, entry);
  return entry.option.bare.empty() ? add_value(command, entry) : add_bare(command, entry);
}

}  // namespace

void add_options(CLI::App& command, const OptionTable& table) {
  for (const Entry& entry : table.entries()) {
    CLI::Option* option = add_option(command, entry);
    option->group(std::string(entry.option.group));
    if (entry.option.audience == Audience::kExpert) make_expert(*option);
  }
  tables()[command.get_name()].add(table);
}

const OptionTable& table_of(const std::string& command) { return tables()[command]; }

bool is_expert(const CLI::Option& option) { return expert_options().contains(&option); }
void make_expert(const CLI::Option& option) { expert_options().insert(&option); }
void remove_option(CLI::App& command, const std::string& name) {
  CLI::Option* option = command.get_option(name);
  expert_options().erase(option);  // another may come to stand in its place
  command.remove_option(option);
}

std::vector<std::string> join_values(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  const auto table = words.size() > 1 ? tables().find(words[1]) : tables().end();
  for (std::size_t i = 0; table != tables().end() && i + 1 < words.size(); ++i) {
    const Entry* entry = words[i].starts_with("--") ? table->second.find(words[i].substr(2)) : nullptr;
    if (entry == nullptr || entry->option.bare.empty()) continue;
    if (std::ranges::find(entry->option.choices, words[i + 1]) == entry->option.choices.end()) continue;
    words[i] += "=" + words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return words;
}

void collect_option_names(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) option_names().insert(field_name(name));
    }
  }
}

std::string in_flags(std::string_view message) {
  return with_flags(message, [](std::string_view name) { return option_names().contains(name); });
}

std::string wrapped(const std::string& text) {
  constexpr std::size_t kWidth = 70;
  std::string result;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool fits = line == 0 || line + 1 + word.size() <= kWidth;
    if (!result.empty()) result += fits ? " " : "\n";
    line = fits && line > 0 ? line + 1 + word.size() : word.size();
    result += word;
    at = end + 1;
  }
  return result;
}

}  // namespace t2v::cli
