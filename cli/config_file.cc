#include "config_file.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/nearest_name.h"
#include "base/options.h"
#include "base/text_check.h"
#include "train/options_file.h"
#include "usage.h"

namespace t2v::cli {
namespace {

using Words = std::vector<std::string>;

/// The value of an option in JSON as texts that the command line takes.
/// Nothing if it is no value of an option.
std::optional<Words> texts_of(const nlohmann::json& value) {
  Words texts;
  bool good = true;
  const auto add = [&](const nlohmann::json& one) {
    good = good && !one.is_structured() && !one.is_null();
    texts.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  };
  if (value.is_array()) {
    for (const auto& one : value) add(one);
  } else {
    add(value);
  }
  return good ? std::optional(texts) : std::nullopt;
}

std::string suggestion(const CLI::App& command, const std::string& name) {
  Words names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back(known);
  }
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace

void read_config_file(CLI::App& command, const std::string& path) {
  const nlohmann::json json = read_options_file(FileSystem::real(), path);
  for (const auto& item : json.items()) {
    if (item.key() == "config")
      fail("{}: a file of options cannot name another one; leave 'config' out", path);
    CLI::Option* option = command.get_option_no_throw(flag_of(item.key()));
    if (option == nullptr) {
      fail("{}: there is no option '{}'{}", path, shown(item.key()), suggestion(command, item.key()));
    }
    if (option->count() > 0) continue;  // the command line comes first
    // As the record of a training has what was not given.
    if (item.value() == "" && option->get_default_str().empty() && option->get_type_name() != "FILE")
      continue;
    const bool bare = option->get_expected_max() == 0 && item.value().is_string();  // "resume": "auto"
    const bool flag = option->get_expected_max() == 0 && !bare;
    auto texts = texts_of(item.value());
    const bool one_text = option->get_expected_max() == 1 && option->get_delimiter() == '\0';
    if (texts && one_text && texts->size() > 1) texts = Words{CLI::detail::join(*texts, ",")};
    if (!texts || item.value().is_boolean() != flag) {
      fail("{}: option '{}' cannot be {}", path, item.key(), shown(item.value().dump()));
    }
    try {
      for (const std::string& value : *texts) option->add_result(value);
      if (!texts->empty()) option->run_callback();
    } catch (const CLI::Error& error) {
      fail("{}: option '{}' cannot be {}: {}", path, item.key(), shown(item.value().dump()),
           plain_words(command, error.what()));
    }
  }
}

}  // namespace t2v::cli
