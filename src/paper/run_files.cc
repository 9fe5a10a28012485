#include "paper/run_files.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/version.h"
#include "kernels/target.h"
#include "paper/machine.h"
#include "paper/run_record.h"
#include "paper/run_table.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The name of an option that is not the same in both; empty if all are. One that the record lacks is of a
/// later version, which does by default what was done before.
std::string difference(const Json& record, const Run& run) {
  if (record.value("scale", "") != paper::name_of(run.scale)) return "scale";
  if (record.value("carried", false)) return "";
  const Json flat = record.value("config", Json::object()).flatten();
  const Json wanted = run.config.flatten();
  for (const auto& item : flat.items()) {
    if (!wanted.contains(item.key()) || wanted[item.key()] != item.value()) return item.key().substr(1);
  }
  return "";
}

}  // namespace

std::string RunFiles::name_of(const Run& run) { return fmt::format("{}.s{}", run.model, run.seed); }

std::string RunFiles::stem(const Run& run) const {
  return (fs::path(folder_) / "runs" / run.home / name_of(run)).string();
}

const std::map<std::string, Json>& RunFiles::table() const {
  if (table_) return *table_;
  table_.emplace();
  for (Json& record : read_run_table(files_, folder_)) {
    const std::string name = table_name(record);
    table_->emplace(name, std::move(record));
  }
  return *table_;
}

std::optional<Json> RunFiles::read(const Run& run) const {
  const std::string path = stem(run) + ".json";
  const bool own = exists(files_, path);
  const auto found = table().find(run.home + "/" + name_of(run));
  if (!own && found == table().end()) return std::nullopt;
  Json record = own ? read_run_record(files_, path) : found->second;
  const std::string differs = difference(record, run);
  if (!differs.empty()) {
    fail("{}: was run with another {}; name another folder by -o, or delete {} to run it again",
         own ? path : folder_ + "/runs.jsonl: " + found->first, differs, own ? "that file" : "the table");
  }
  const auto epochs = record.value("epochs", int64_t{0});
  const bool long_enough = run.longer_serves ? epochs >= run.epochs : epochs == run.epochs;
  return long_enough ? std::optional(std::move(record)) : std::nullopt;
}

void RunFiles::write(const Run& run, Json record) const {
  record["experiment"] = run.home;
  record["run"] = name_of(run);
  record["model"] = run.model;
  record["seed"] = run.seed;
  record["scale"] = paper::name_of(run.scale);
  record["config"] = run.config;
  record["epochs"] = run.epochs;
  record["target"] = kernels::active_target();
  record["cpu"] = processor_name();
  record["date"] = date_of_today();
  record["version"] = kVersion;
  write_run_record(files_, stem(run) + ".json", std::move(record));
}

void RunFiles::refuse_other_data(const Run& run, const Json& about) const {
  const auto request_of = [](const Json& config) { return config.value("data", Json()); };
  for (const Json& record : all()) {
    const bool same_set =
        record.value("experiment", "") == run.home && record.value("scale", "") == paper::name_of(run.scale);
    const auto data = record.find("data");
    if (!same_set || data == record.end()) continue;
    const bool same_view = request_of(record.at("config")) == request_of(run.config);
    for (const auto& count : about.items()) {
      const Json before = data->value(count.key(), Json());
      if (!count.value().is_number() || !before.is_number() || before == count.value()) continue;
      // Other forms of the same data have other events, but as many sequences.
      if (!same_view && count.key().ends_with("events")) continue;
      fail("{}/runs/{}/{}.json: was run on other data ({}: {}, now {}); name another folder by -o", folder_,
           run.home, record.value("run", ""), count.key(), before.dump(), count.value().dump());
    }
  }
}

void RunFiles::clear_unfinished() const {
  constexpr std::string_view kEnd = ".t2v-unfinished";
  if (!fs::exists(folder_)) return;
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    std::string path = entry.path().string();
    if (path.ends_with(kEnd)) paths.push_back(path.substr(0, path.size() - kEnd.size()));
  }
  for (const std::string& path : paths) t2v::clear_unfinished(files_, path);
}

std::vector<Json> RunFiles::all() const {
  std::map<std::string, Json> by_name = table();
  const fs::path runs = fs::path(folder_) / "runs";
  if (fs::exists(runs)) {
    for (const auto& entry : fs::recursive_directory_iterator(runs)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".json") continue;
      Json record = read_run_record(files_, entry.path().string());
      const std::string name = table_name(record);
      by_name.insert_or_assign(name, std::move(record));
    }
  }
  std::vector<Json> records;
  for (auto& [name, record] : by_name) records.push_back(std::move(record));
  return records;
}

void RunFiles::write_table() const { write_run_table(files_, folder_, all()); }

}  // namespace t2v::paper
