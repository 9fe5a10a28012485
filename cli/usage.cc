#include "usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/nearest_name.h"
#include "base/text_check.h"
#include "option_flags.h"

namespace t2v::cli {
namespace {

/// What an option takes: its choices "{a,b}", or a word such as FILE. CLI11 writes "TEXT:{a,b}",
/// "INT:POSITIVE".
std::string kind_of(const std::string& type) {
  const std::size_t colon = type.find(':');
  if (type.find(":{") == colon && colon != std::string::npos) return type.substr(colon + 1);
  const std::string word = type.substr(0, colon);
  if (word == "UINT") return "INT";
  return word == "FLOAT" ? "NUMBER" : word;
}

class Help : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    std::string text;
    const std::string kind = kind_of(option->get_type_name());
    constexpr std::size_t kMostChoices = 90;  // characters of them that a line has room for
    const bool many = kind.starts_with('{') && kind.size() > kMostChoices;
    if (!kind.empty()) text += " " + (many ? "NAME" : kind);
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    if (option->get_required()) text += " (required)";
    if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
    return text;
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const bool commands = mode == CLI::AppFormatMode::Sub;  // the list of them
    const std::string text = commands ? make_expanded(app)
                                      : make_description(app) + make_usage(app, name) +
                                            make_positionals(app) + shown_groups(app, mode) +
                                            make_subcommands(app, mode) + "\n" + make_footer(app);
    return CLI::detail::find_and_replace(text, "\n\n\n", "\n\n");
  }

 private:
  /// Options for experts stand in the full help alone.
  std::string shown_groups(const CLI::App* app, CLI::AppFormatMode mode) const {
    std::string text;
    for (const std::string& group : app->get_groups()) {
      const auto options = app->get_options([&](const CLI::Option* option) {
        return option->get_group() == group && option->nonpositional() &&
               (mode == CLI::AppFormatMode::All || !is_expert(*option));
      });
      if (!group.empty() && !options.empty()) text += make_group(group, false, options) + "\n";
    }
    return text;
  }
};

std::string likely(std::string_view mistyped, const std::vector<std::string>& names) {
  const std::string near = nearest_name(mistyped, names);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

/// Names without the dashes, which are alike in all.
std::string likely_option(const CLI::App& command, std::string_view mistyped) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  const std::size_t dashes = std::min(mistyped.find_first_not_of('-'), mistyped.size());
  const std::string near = nearest_name(mistyped.substr(dashes), names);
  return near.empty() ? "" : fmt::format(" (did you mean '--{}'?)", near);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// Why an argument is of no use to a command, or to the tool itself.
std::string unexpected(const CLI::App& app, const CLI::App& command, const std::string& argument) {
  if (argument.starts_with('-')) {
    const std::string name = argument.substr(0, argument.find('='));
    return fmt::format("there is no option '{}'{}", shown(name), likely_option(command, name));
  }
  if (&app == &command) {
    return fmt::format("there is no command '{}'{}", shown(argument), likely(argument, command_names(app)));
  }
  return fmt::format("'{}' is one argument too many", shown(argument));
}

/// Whether an argument that was not understood is the likely reason.
bool is_of_the_rest(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
         dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
}

/// "'0' is not a positive number": CLI11 writes the bounds of a range with all their digits.
std::string out_of_range(const CLI::App& command, const std::string& option, const std::string& value,
                         const std::string& bounds) {
  const CLI::Option* of = command.get_option_no_throw(option);
  const std::string type = of == nullptr ? "" : of->get_type_name();
  std::string wanted = "number from " + bounds;
  if (type.find("POSITIVE") != std::string::npos) wanted = "positive number";
  if (type.find("NONNEGATIVE") != std::string::npos) wanted = "number from 0 up";
  return fmt::format("{} '{}' is not a {}", option, shown(value), wanted);
}

/// 't2v help' and 't2v help COMMAND', beside the option that all commands have.
void add_help_command(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Print the help of a command, or of all");
  help->footer("Example:\n  t2v help train");
  const auto name = std::make_shared<std::string>();
  help->add_option("command", *name, "the command")->type_name("COMMAND")->default_str("");
  help->callback([&app, name] {
    if (name->empty()) {
      // App::help would give that of the chosen command, which is this one.
      fmt::print("{}", app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
      return;
    }
    const std::vector<std::string> names = command_names(app);
    if (std::ranges::find(names, *name) == names.end()) {
      fail("there is no command '{}'{}", shown(*name), likely(*name, names));
    }
    fmt::print("{}", app.get_subcommand(*name)->help(app.get_name()));
  });
}

}  // namespace

std::string plain_words(const CLI::App& command, const std::string& what) {
  constexpr std::string_view kConversion = "Could not convert: ";
  if (what.starts_with(kConversion)) {
    const std::size_t equals = std::min(what.find(" = "), what.size() - 3);
    const std::string option = what.substr(kConversion.size(), equals - kConversion.size());
    const CLI::Option* of = command.get_option_no_throw(option);
    const bool whole = of != nullptr && kind_of(of->get_type_name()) == "INT";
    return fmt::format("{} '{}' is not a {}number", option, shown(what.substr(equals + 3)),
                       whole ? "whole " : "");
  }
  const std::size_t colon = what.find(": ");
  const std::size_t list = what.find(" not in {");
  if (colon == std::string::npos) return what;
  if (colon == 0) return "an option is given that is not for this command";  // hidden ones have no name
  const std::string option = what.substr(0, colon);
  if (list != std::string::npos && list > colon && what.ends_with('}')) {
    const std::string value = what.substr(colon + 2, list - colon - 2);
    const std::string names = what.substr(list + 9, what.size() - list - 10);
    return fmt::format("{} '{}' is none of {}{}", option, shown(value),
                       CLI::detail::find_and_replace(names, ",", ", "),
                       likely(value, CLI::detail::split(names, ',')));
  }
  constexpr std::string_view kValue = "Value ";
  constexpr std::string_view kRange = " not in range ";
  const std::size_t range = what.find(kRange);
  if (range != std::string::npos && what.find(kValue) == colon + 2) {
    const std::size_t value = colon + 2 + kValue.size();
    return out_of_range(command, option, what.substr(value, range - value),
                        what.substr(range + kRange.size()));
  }
  if (what.ends_with(" missing")) return option + " needs a value";
  if (what.find("At Most 1 required") == colon + 2) return option + " is given more than once";
  return what;
}

void set_up_help(CLI::App& app) {
  add_help_command(app);
  const auto help = std::make_shared<Help>();
  help->label("SUBCOMMAND", "COMMAND");
  help->label("Positionals", "Arguments");
  app.formatter(help);
  app.get_help_ptr()->description("print this help");
  if (app.get_version_ptr() != nullptr) app.get_version_ptr()->description("print the version");
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->group("Commands");
    command->formatter(help);
    command->get_help_ptr()->description("print this help");
    const auto hidden = command->get_options([](const CLI::Option* option) { return is_expert(*option); });
    if (hidden.empty()) continue;
    command->set_help_all_flag("--help-all",
                               fmt::format("print this help with {} more options", hidden.size()));
  }
}

std::string empty_value(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool assigned = words[i].starts_with("--") && words[i].find('=') + 1 == words[i].size();
    if (!words[i].empty() && !assigned) continue;
    const std::string& before = words[i - 1];
    const std::string option = assigned ? words[i].substr(0, words[i].size() - 1)
                               : i > 1 && before.starts_with('-') && before != "-" ? before
                                                                                   : "an argument";
    const std::string name = i > 1 ? "t2v " + escaped(words[1]) : "t2v";
    return fmt::format("{}: {} is empty; give a value, or leave it out; see '{} --help'", name, shown(option),
                       name);
  }
  return "";
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
  const std::vector<std::string> rest = app.remaining(true);
  std::string what = is_of_the_rest(error) && !rest.empty() ? unexpected(app, command, rest.front())
                                                            : plain_words(command, error.what());
  std::ranges::replace(what, '\n', ' ');
  return fmt::format("{}: {}; see '{} --help'", name, what, name);
}

}  // namespace t2v::cli
