#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/container.h"
#include "base/container_header.h"
#include "base/fail.h"
#include "commands.h"
#include "data/event_store.h"
#include "data/human_time.h"
#include "data/splits.h"
#include "data_options.h"
#include "summary.h"

namespace t2v::cli {
namespace {

struct InspectOptions {
  std::string file;
  bool verify = false;
  bool json = false;
};

std::string columns_of(const data::Events& events) {
  std::string text;
  const auto line = [&](const std::string& what, const std::string& name, const std::string& kind) {
    text += fmt::format("  {:<10} {:<20} {}\n", what, name, kind);
  };
  const auto numbers = [&](const char* what, const data::NumberColumn& column) {
    line(what, column.name, "numbers");
  };
  const auto names = [&](const char* what, const data::CategoryColumn& column) {
    line(what, column.name, fmt::format("{} names", data::human_count(column.names.size())));
  };
  if (events.event) names("event", *events.event);
  if (events.value) numbers("value", *events.value);
  if (events.interval) numbers("interval", *events.interval);
  for (const auto& column : events.numbers) numbers("feature", column);
  for (const auto& column : events.categories) names("feature", column);
  for (const auto& column : events.sequence_numbers) numbers("sequence", column);
  for (const auto& column : events.sequence_categories) names("sequence", column);
  if (events.label) names("label", *events.label);
  if (events.target) numbers("target", *events.target);
  return text;
}

/// Where the data come from, as far as it is known.
std::string source_of(const data::Events& events) {
  const auto json = nlohmann::json::parse(events.provenance, nullptr, false);
  std::string text;
  const auto add = [&](const char* name, const nlohmann::json& value) {
    if (value.is_string()) text += fmt::format("{:<10} {}\n", name, value.get<std::string>());
  };
  if (!json.is_object()) return text;
  add("source", json.value("source", nlohmann::json()));
  for (const auto& note : json.value("notes", nlohmann::json::array())) add("note", note);
  return text;
}

std::string store_text(const std::string& path) {
  const data::EventStore store = data::open_store(path);
  store.events.check(0, store.events.size());
  std::string text = summary_of(store.events);
  if (const std::string columns = columns_of(store.events); !columns.empty()) text += "columns\n" + columns;
  if (store.split) text += "split\n" + indented(data::describe(*store.split, {}));
  if (store.encoding) text += "encoding\n" + indented(data::describe(*store.encoding));
  store.events.check_intact();
  return text + source_of(store.events);
}

nlohmann::json file_json(const Container& file) {
  nlohmann::json json;
  json["kind"] = file.kind();
  for (const auto& [key, value] : file.metadata()) {
    if (key != "t2v.blocks") json["metadata"][key] = value;
  }
  for (const std::string& name : file.names()) {
    json["tensors"][name] = {{"dtype", name_of(file.dtype(name))}, {"shape", file.shape(name)}};
  }
  return json;
}

std::string tensors_text(const Container& file) {
  std::string text = "tensors\n";
  for (const std::string& name : file.names()) {
    text += fmt::format("  {:<28} {}\n", name, shape_text(file.dtype(name), file.shape(name)));
  }
  return text;
}

void run(const InspectOptions& options) {
  if (std::filesystem::is_regular_file(options.file) && !data::is_store(options.file)) {
    fail("{}: not a file that t2v wrote; to look at a table use t2v doctor", options.file);
  }
  const Container file = Container::open(options.file);
  if (options.verify) file.verify();
  if (options.json) {
    nlohmann::json json = file_json(file);
    json["verified"] = options.verify;
    fmt::print("{}\n", printable(json, 2));
    return;
  }
  const std::string text = file.kind() == "events" ? store_text(options.file) : tensors_text(file);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(options.file));
  fmt::print("file       {}, {} bytes, kind '{}', format {}, written by t2v {}\n{}", options.file,
             data::human_count(size), file.kind(), file.get("t2v.format"), file.get("t2v.version"), text);
  if (options.verify) fmt::print("verified   every block has its checksum\n");
}

}  // namespace

void add_inspect(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Explain a file that t2v wrote");
  command->add_option("file", options->file, "the file")->required();
  command->add_flag("--verify", options->verify, "compare every block with its checksum");
  command->add_flag("--json", options->json, "metadata and tensors as JSON");
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
