#include "next_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "data/time_grid.h"

namespace t2v::cli {
namespace {

/// As a shell takes it for one word.
std::string word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./,:=+@%").find(static_cast<char>(c)) != std::string::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

/// Options that a command was given, of those that another one has, too.
std::string given_options(const CLI::App& command, const CLI::App& other) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (name == "--threads" || other.get_option_no_throw(name) == nullptr) continue;
    text += " " + name;
    for (const std::string& value : option->results()) text += " " + word(value);
  }
  return text;
}

/// A day of what is measured by the hour, a week of what is by the day, a year of months.
std::string horizon_of(const data::Events& events) {
  constexpr double kHour = 3600;
  const double step = data::regular_step(events, data::kAsMonths) / std::pow(10.0, events.scale.decimals);
  if (!events.scale.has_unit() || !(step > 0)) return "";
  if (step <= kHour) return "24h";
  return step <= 24 * kHour ? "7d" : "365d";
}

/// clicks.t2v of /data/clicks.csv.gz.
std::string model_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  const std::string stem = name.substr(0, name.find('.', 1));
  return (stem.empty() || stem == "-" ? "model" : stem) + ".t2v";
}

bool has_other_task(const data::Events& events) { return events.event || events.label || events.target; }

}  // namespace

std::string next_command(const CLI::App& command, const DataFiles& files, const data::Events& events) {
  const CLI::App* train = command.get_parent()->get_subcommand("train");
  std::string text = "t2v train";
  for (const std::string& file : files.files) text += " " + word(file);
  text += given_options(command, *train);
  const bool takes_horizon = train->get_option_no_throw("--horizon") != nullptr;
  if (const std::string horizon = horizon_of(events);
      takes_horizon && events.value && !has_other_task(events) && !horizon.empty()) {
    text += " --horizon " + horizon;
  }
  const std::vector<std::string> all = files_of(files);
  const std::string first = all.empty() ? "query" : all.front();
  return text + " -o " + word(model_of(first));
}

}  // namespace t2v::cli
