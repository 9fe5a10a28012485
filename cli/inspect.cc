#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/container.h"
#include "base/container_header.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "commands.h"
#include "data/event_store.h"
#include "data/human_time.h"
#include "data_options.h"
#include "inspect_model.h"
#include "inspect_saved.h"
#include "inspect_store.h"
#include "model/learned_time.h"
#include "say.h"

namespace t2v::cli {
namespace {

using Json = nlohmann::json;

struct InspectOptions {
  std::string file;
  bool verify = false;
  bool json = false;
  bool csv = false;
  bool all = false;
  int64_t top = 5;
};

/// A value of the metadata: what is written as JSON becomes part of it, not a string in it.
Json value_json(const std::string& text) {
  Json json = parse_json_text(text);
  return json.is_object() || json.is_array() ? json : Json(text);
}

Json file_json(const Container& file, const InspectOptions& options) {
  Json json = {{"kind", file.kind()}, {"verified", options.verify}};
  for (const auto& [key, value] : file.metadata()) {
    if (key != "t2v.blocks") json["metadata"][key] = value_json(value);
  }
  json["tensors"] = Json::object();
  for (const std::string& name : file.names()) {
    json["tensors"][name] = {{"dtype", name_of(file.dtype(name))},
                             {"shape", file.shape(name)},
                             {"bytes", bytes_of(file.dtype(name), file.shape(name))}};
  }
  if (file.kind() == "events") json["summary"] = store_json(options.file);
  if (file.kind() == "model") json["summary"] = model_json(read_model(options.file));
  if (file.kind() == "checkpoint") json["summary"] = checkpoint_json(file);
  if (file.kind() == "stream") json["summary"] = snapshot_json(file);
  return json;
}

/// Of a kind that is not explained further: what is in it.
std::string contents_text(const Container& file) {
  std::string text = "metadata\n";
  for (const auto& [key, value] : file.metadata()) {
    text += fmt::format("  {:<28} {} bytes\n", key, data::human_count(static_cast<int64_t>(value.size())));
  }
  text += "tensors\n";
  for (const std::string& name : file.names()) {
    text += fmt::format("  {:<28} {:<20} {} bytes\n", name, shape_text(file.dtype(name), file.shape(name)),
                        data::human_count(bytes_of(file.dtype(name), file.shape(name))));
  }
  return text;
}

std::string explained(const Container& file, const InspectOptions& options) {
  if (file.kind() == "events") return store_text(options.file);
  if (file.kind() == "model") return model_text(read_model(options.file), options.top, options.all);
  if (file.kind() == "checkpoint") return checkpoint_text(file);
  if (file.kind() == "stream") return snapshot_text(file);
  return contents_text(file);
}

/// Refuses what is not one of our files, with what to do about it.
void check_ours(const std::string& path) {
  constexpr std::uintmax_t kLeast = 10;  // a length of 8 bytes and {}
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || data::is_store(path)) return;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (size < kLeast) {
    fail("{}: too short to be a file that t2v wrote ({} bytes); it is damaged, restore it or make it again",
         path, size);
  }
  fail("{}: not a file that t2v wrote; look at a table by t2v doctor {}, or make a store of it by t2v import",
       path, path);
}

void run(const InspectOptions& options) {
  check_ours(options.file);
  const Container file = Container::open(options.file);
  if (options.csv && (options.json || file.kind() != "model")) {
    fail("--csv is for what a model learned, and without --json; {} is of kind '{}'", options.file,
         file.kind());
  }
  // Stores are opened without reading them; of the others a damaged one must not look sound.
  if (options.verify || file.kind() != "events") file.verify();
  if (options.json) {
    fmt::print("{}\n", printable(file_json(file, options), 2));
    return;
  }
  if (options.csv) {
    fmt::print("{}", to_csv(learned_time(read_model(options.file))));
    return;
  }
  const std::string text = explained(file, options);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(options.file));
  tell("file       {}, {} bytes, kind '{}', format {}, written by t2v {}\n{}", options.file,
       data::human_count(size), file.kind(), file.get("t2v.format"), file.get("t2v.version"), text);
  if (options.verify) fmt::print("verified   every block has its checksum\n");
}

OptionTable options_of(InspectOptions& options) {
  OptionTable table;
  const auto add_flag = [&](std::string_view name, bool& member, std::string help) {
    table.add({.name = name, .group = kOptionsGroup, .audience = Audience::kBasic, .help = std::move(help)},
              &member);
  };
  add_flag("all", options.all, "also show encoding, sizes, training record and options of a model");
  add_flag("verify", options.verify, "also read all of the file and compare it with its checksums");
  add_flag("json", options.json, "print as JSON what is in the file, and a summary");
  add_flag("csv", options.csv, "print as CSV what a model learned about time, a line for each period");
  table.add({.name = "top",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "how many of the most important periods of a model to show",
             .least = 0},
            &options.top);
  return table;
}

}  // namespace

void add_inspect(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Explain a file that t2v wrote, and what a model learned about time");
  command->footer(
      "Examples:\n"
      "  t2v inspect clicks.events\n"
      "  t2v inspect clicks.t2v --top 20 --all\n"
      "  t2v inspect clicks.t2v --csv > periods.csv");
  command->add_option("file", options->file, "an event store, a model, a checkpoint or a snapshot")
      ->required()
      ->type_name("FILE");
  add_options(*command, options_of(*options));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
