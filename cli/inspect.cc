#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/container.h"
#include "base/container_header.h"
#include "commands.h"
#include "data/event_store.h"
#include "data/human_time.h"
#include "data_options.h"

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

std::string store_text(const data::EventStore& store) {
  std::string text = summary_of(store.events);
  text += "columns\n" + columns_of(store.events);
  if (store.split) text += "split\n" + data::describe(*store.split, {});
  if (store.encoding) text += "encoding\n" + data::describe(*store.encoding);
  const auto source = nlohmann::json::parse(store.events.provenance, nullptr, false);
  if (source.is_object() && source.contains("source")) {
    text += fmt::format("source     {}\n", source["source"].get<std::string>());
    for (const auto& note : source["notes"]) text += fmt::format("note       {}\n", note.get<std::string>());
  }
  return text;
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
  const Container file = Container::open(options.file);
  if (options.verify) file.verify();
  if (options.json) {
    nlohmann::json json = file_json(file);
    json["verified"] = options.verify;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  const auto size = static_cast<int64_t>(std::filesystem::file_size(options.file));
  fmt::print("file       {}, {} bytes, kind '{}', format {}, written by t2v {}\n", options.file,
             data::human_count(size), file.kind(), file.get("t2v.format"), file.get("t2v.version"));
  if (file.kind() == "events") {
    const data::EventStore store = data::open_store(options.file);
    store.events.check(0, store.events.size());
    fmt::print("{}", store_text(store));
  } else {
    fmt::print("{}", tensors_text(file));
  }
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
