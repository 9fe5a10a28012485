#include "option_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>
#include <vector>

#include "t2v/error.h"

namespace t2v::cli {
namespace {

using Entry = OptionTable::Entry;

std::set<std::string, std::less<>>& option_names() {
  static std::set<std::string, std::less<>> names;
  return names;
}

bool is_list(const Entry& entry) { return std::holds_alternative<std::vector<std::string>*>(entry.member); }

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
    OptionTable::set(entry, texts);
    return true;
  } catch (const Error& error) {
    throw CLI::ValidationError(with_flags(error.what(), [](std::string_view) { return true; }));
  }
}

void add_flag(CLI::App& command, const std::string& flag, const Entry& entry) {
  // A flag comes as "true" or "false", or as a count of them.
  command
      .add_flag_callback(
          flag, [entry] { take(entry, {"true"}); }, help_of(entry.option))
      ->group(std::string(entry.option.group));
}

void add_value(CLI::App& command, const std::string& flag, const Entry& entry) {
  CLI::Option* option = command.add_option(
      flag, [entry](const CLI::results_t& texts) { return take(entry, texts); }, help_of(entry.option));
  option->type_name(type_of(entry))->group(std::string(entry.option.group));
  if (is_list(entry)) {
    option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false)->default_str("");
    if (kind_of(entry) == "COLUMNS") option->delimiter(',');
  } else {
    option->default_str(texts_of(entry).front());
  }
}

}  // namespace

void add_options(CLI::App& command, const OptionTable& table) {
  for (const Entry& entry : table.entries()) {
    const std::string flag = flag_of(entry.option.name);
    if (std::holds_alternative<bool*>(entry.member)) {
      add_flag(command, flag, entry);
    } else {
      add_value(command, flag, entry);
    }
  }
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
