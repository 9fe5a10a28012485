#include "paper/run_files.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/version.h"
#include "kernels/target.h"
#include "paper/machine.h"
#include "paper/run_record.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The name of an option that is not the same in both; empty if all are.
std::string difference(const Json& record, const Run& run) {
  for (const char* key : {"scale", "protocol"}) {
    const std::string wanted(std::string_view(key) == "scale" ? paper::name_of(run.scale)
                                                              : paper::name_of(run.protocol));
    if (record.value(key, "") != wanted) return key;
  }
  const Json flat = record.value("config", Json::object()).flatten();
  const Json wanted = run.config.flatten();
  for (const auto& item : wanted.items()) {
    if (!flat.contains(item.key()) || flat[item.key()] != item.value()) return item.key().substr(1);
  }
  return flat.size() == wanted.size() ? "" : "config";
}

int64_t epochs_of(const Json& record) { return record.value("epochs", int64_t{0}); }

/// The curves up to an epoch, and the share of the time. What else is recorded, such as frequencies, is of
/// the whole run, as are its `epochs`.
void cut(Json& record, int64_t epochs) {
  for (auto& curve : record["curve"]) {
    while (static_cast<int64_t>(curve.size()) > epochs) curve.erase(curve.size() - 1);
  }
  // A run that diverged later is a run like others up to there.
  const auto reached = [](const Json& curve) { return !curve.empty() && !curve.back().is_null(); };
  const Json& curves = record["curve"];
  if (record.contains("stopped") && !curves.empty() && std::ranges::all_of(curves, reached)) {
    record.erase("stopped");
  }
  if (epochs_of(record) <= epochs || !record.contains("seconds")) return;
  const double share = static_cast<double>(epochs) / static_cast<double>(epochs_of(record));
  record["seconds"] = record["seconds"].get<double>() * share;
}

bool long_enough(const Json& record, const Run& run) {
  return run.longer_serves ? epochs_of(record) >= run.epochs : epochs_of(record) == run.epochs;
}

}  // namespace

std::string RunFiles::name_of(const Run& run) {
  const std::string prefix =
      run.protocol == Protocol::kPaper ? "" : std::string(paper::name_of(run.protocol)) + ".";
  return fmt::format("{}{}.s{}", prefix, run.model, run.seed);
}

std::string RunFiles::stem(const Run& run) const {
  return (fs::path(folder_) / "runs" / run.home / name_of(run)).string();
}

std::optional<Json> RunFiles::read(const Run& run) const {
  const std::string path = stem(run) + ".json";
  if (!exists(files_, path)) return std::nullopt;
  Json record = read_run_record(files_, path);
  const std::string differs = difference(record, run);
  if (!differs.empty()) {
    fail("{}: was run with another {}; name another folder by -o, or delete that file to run it again", path,
         differs);
  }
  if (!long_enough(record, run)) return std::nullopt;
  cut(record, run.epochs);
  return record;
}

std::vector<Json> RunFiles::read_all_seeds(const Run& run) const {
  std::vector<Json> records;
  const std::string folder = fs::path(stem(run)).parent_path().string();
  if (!fs::exists(folder)) return records;
  const std::string name = name_of(run);
  const std::string before = name.substr(0, name.rfind(".s") + 2);
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!entry.is_regular_file() || !file.starts_with(before) || !file.ends_with(".json")) continue;
    Json record = read_run_record(files_, entry.path().string());
    if (!difference(record, run).empty() || !long_enough(record, run)) continue;
    cut(record, run.epochs);
    records.push_back(std::move(record));
  }
  std::ranges::sort(records, {}, [](const Json& record) { return record.value("seed", uint64_t{0}); });
  return records;
}

void RunFiles::write(const Run& run, Json record) const {
  record["experiment"] = run.home;
  record["run"] = name_of(run);
  record["model"] = run.model;
  record["seed"] = run.seed;
  record["protocol"] = paper::name_of(run.protocol);
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
    const bool same_set = record.value("experiment", "") == run.home &&
                          record.value("protocol", "") == paper::name_of(run.protocol) &&
                          record.value("scale", "") == paper::name_of(run.scale);
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
  std::vector<std::string> paths;
  const fs::path runs = fs::path(folder_) / "runs";
  if (!fs::exists(runs)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(runs)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json")
      paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<Json> records;
  for (const std::string& path : paths) records.push_back(read_run_record(files_, path));
  return records;
}

}  // namespace t2v::paper
