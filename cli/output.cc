#include "output.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "base/container.h"
#include "base/fail.h"
#include "base/file_system.h"
#include "base/json_text.h"
#include "data/event_store.h"
#include "data/parquet_writer.h"

namespace t2v::cli {
namespace {

namespace fs = std::filesystem;

/// The start of a file.
std::string start_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(std::size_t{64} << 10, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return start;
}

std::string first_line(const std::string& path) {
  const std::string start = start_of(path);
  return start.substr(0, start.find('\n'));
}

/// The object in a text; an empty one if there is none.
nlohmann::json object_in(const std::string& text) {
  nlohmann::json json = parse_json_text(text);
  return json.is_object() ? json : nlohmann::json::object();
}

bool has_all(const nlohmann::json& object, std::initializer_list<const char*> keys) {
  return std::ranges::all_of(keys, [&](const char* key) { return object.contains(key); });
}

/// Containers name their kind.
bool is_container(const std::string& path, std::string_view kind) {
  try {
    return data::is_store(path) && Container::open(path).kind() == kind;
  } catch (const Error&) {
    return false;
  }
}

/// Of ONNX: the version of the format, then the name of the program that wrote it.
bool is_graph(const std::string& path) {
  constexpr std::string_view kProducer = "time2vec";
  const std::string start = start_of(path).substr(0, 64);
  return start.starts_with('\x08') && start.find(kProducer) != std::string::npos;
}

bool is_page(const std::string& path) {
  const std::string start = start_of(path);
  return start.starts_with("<!doctype html>\n") &&
         start.find("<title>Time2Vec reproduction: ") != std::string::npos;
}

bool is_ablation(const std::string& path) {
  const std::string start = start_of(path);
  return start.starts_with('{') && start.find("\"higher_is_better\"") != std::string::npos &&
         start.find("\"complete\"") != std::string::npos;
}

/// What no table of a user has: a ranked class or type, or when the next event comes. Tables of id, time and
/// value are data as well as predictions, so they are not taken for ours.
bool are_predictions(const std::string& path) {
  if (start_of(path).starts_with("PAR1")) return data::parquet_kind(path) == "predictions";
  const std::string line = first_line(path);
  if (line.starts_with("id,time")) {
    return line.find(",rank,") != std::string::npos || line.find(",when_p10,") != std::string::npos;
  }
  const nlohmann::json object = object_in(line);
  if (!has_all(object, {"id", "time"})) return false;
  return std::ranges::any_of(std::array{"next", "class", "when"}, [&](const char* key) {
    return object.contains(key) && object[key].is_structured();
  });
}

bool are_vectors(const std::string& path) { return data::parquet_kind(path) == "vectors"; }

bool are_measures(const std::string& path) {
  return data::parquet_kind(path) == "measures" || first_line(path).starts_with("id,predictions,loss");
}

bool is_log(const std::string& path) {
  const nlohmann::json object = object_in(first_line(path));
  return has_all(object, {"event", "version", "options"}) && object["event"] == "start";
}

bool are_results(const std::string& path) {
  const std::string start = start_of(path);
  return start.starts_with('{') && start.find("\"figures\"") != std::string::npos;
}

/// What is beside results or runs of ours.
bool is_beside_results(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return are_results((folder / "results.json").string()) ||
         has_all(object_in(first_line((folder / "runs.jsonl").string())), {"checksum", "config"});
}

void refuse_others(const std::string& path, const OutputKind& kind) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::file_size(path, error) == 0 || error) return;
  if (kind.is_one(path)) return;
  fail("{}: is there already and is not {}; name another output, {}", path, kind.what,
       kind.is_read ? "or remove it" : "remove it, or overwrite it with `force`");
}

}  // namespace

const OutputKind kModelFile = {"a model",
                               [](const std::string& path) { return is_container(path, "model"); }};
const OutputKind kEventStore = {"an event store",
                                [](const std::string& path) { return is_container(path, "events"); }};
const OutputKind kSnapshot = {"a snapshot of a stream",
                              [](const std::string& path) { return is_container(path, "stream"); }, true};
const OutputKind kOnnxGraph = {"a graph that t2v wrote", is_graph};
const OutputKind kReportPage = {"a page that t2v wrote", is_page};
const OutputKind kAblationFile = {"a file that t2v ablate wrote", is_ablation};
const OutputKind kPredictions = {"a file of predictions of classes, types or times", are_predictions};
const OutputKind kVectors = {"a file of vectors", are_vectors};
const OutputKind kSequenceMeasures = {"a file of measures of sequences", are_measures};
const OutputKind kTrainingLog = {"a log of a training", is_log};
const OutputKind kResults = {"results of t2v reproduce", are_results};
const OutputKind kBesideResults = {"beside results of t2v reproduce", is_beside_results};

Output::Output(const std::string& path, const OutputKind& kind, bool force) : lock_(path) {
  if (path == "-") fail("-: standard output is no place for {}; name a file", kind.what);
  check_writable(FileSystem::real(), path);
  if (!force) refuse_others(path, kind);
}

std::unique_ptr<Output> output_if_file(const std::string& path, const OutputKind& kind, bool force) {
  return path.empty() ? nullptr : std::make_unique<Output>(path, kind, force);
}

OptionTable force_option(bool& force, std::string_view group) {
  OptionTable table;
  table.add({.name = "force", .group = group, .help = "overwrite a file that is there and of another kind"},
            &force);
  return table;
}

}  // namespace t2v::cli
