#include "paper/run_table.h"

#include <zstd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/json_text.h"
#include "data/byte_stream.h"
#include "paper/run_record.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr int kLevel = 19;
constexpr std::size_t kMostTable = std::size_t{256} << 20;
constexpr const char* kHeader = "run,measure,epoch,value\n";
constexpr const char* kTableAdvice = "restore both files of the table, or delete them to run all of it again";

std::string runs_path(const std::string& folder) { return folder + "/runs.jsonl"; }
std::string epochs_path(const std::string& folder) { return folder + "/epochs.csv.zst"; }

void add_curves(std::string& csv, const Json& record) {
  const std::string run = table_name(record);
  for (const auto& [measure, curve] : record.at("curve").items()) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
      csv += fmt::format("{},{},{},{}\n", run, measure, i + 1, curve[i].is_null() ? "" : curve[i].dump());
    }
    if (curve.empty()) csv += fmt::format("{},{},0,\n", run, measure);
  }
}

std::vector<std::byte> compressed(const std::string& text) {
  std::vector<std::byte> bytes(ZSTD_compressBound(text.size()));
  const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0) fail("zstd could not compress the table of runs: {}", ZSTD_getErrorName(size));
  bytes.resize(size);
  return bytes;
}

std::string text_of(FileSystem& files, const std::string& path) {
  const auto stream = data::open_stream(path, files);
  std::string text;
  std::vector<char> part(std::size_t{1} << 20);
  for (int64_t got = 1; got > 0;) {
    got = stream->read(part);
    text.append(part.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostTable) fail("{}: has more than {} MiB; {}", path, kMostTable >> 20, kTableAdvice);
  }
  return text;
}

/// Calls visit(line, number) for each.
template <class Visit>
void over_lines(std::string_view text, const Visit& visit) {
  for (int64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The curves of each run by its name.
std::map<std::string, Json> curves_in(const std::string& path, const std::string& csv) {
  std::map<std::string, Json> curves;
  over_lines(csv, [&](std::string_view line, int64_t number) {
    if (number == 1) return;
    const std::size_t last = line.rfind(',');
    const std::size_t second = last == std::string_view::npos ? last : line.rfind(',', last - 1);
    const std::size_t first = line.find(',');
    if (second == std::string_view::npos || first >= second)
      fail("{}:{}: is no epoch of a run; {}", path, number, kTableAdvice);
    Json& curve =
        curves[std::string(line.substr(0, first))][std::string(line.substr(first + 1, second - first - 1))];
    if (curve.is_null()) curve = Json::array();
    if (line.substr(second + 1, last - second - 1) == "0") return;
    const std::string_view value = line.substr(last + 1);
    curve.push_back(value.empty() ? Json() : parse_json_text(value));
  });
  return curves;
}

}  // namespace

std::string table_name(const Json& record) {
  return record.at("experiment").get<std::string>() + "/" + record.at("run").get<std::string>();
}

void write_run_table(FileSystem& files, const std::string& folder, const std::vector<Json>& records) {
  std::string lines;
  std::string csv = kHeader;
  for (const Json& record : records) {
    add_curves(csv, record);
    Json line = sealed(record);
    line.erase("curve");
    lines += line.dump() + "\n";
  }
  write_file_atomically(files, runs_path(folder), lines);
  write_file_atomically(files, epochs_path(folder), compressed(csv));
}

std::vector<Json> read_run_table(FileSystem& files, const std::string& folder) {
  std::vector<Json> records;
  if (!exists(files, runs_path(folder)) || !exists(files, epochs_path(folder))) return records;
  const std::map<std::string, Json> curves =
      curves_in(epochs_path(folder), text_of(files, epochs_path(folder)));
  over_lines(text_of(files, runs_path(folder)), [&](std::string_view line, int64_t number) {
    const std::string place = fmt::format("{}:{}", runs_path(folder), number);
    Json record = parse_json_text(line);
    if (!record.is_object() || !record.contains("run") || !record["run"].is_string() ||
        !record.contains("experiment") || !record["experiment"].is_string()) {
      fail("{}: is no record of a run; {}", place, kTableAdvice);
    }
    const auto curve = curves.find(table_name(record));
    record["curve"] = curve == curves.end() ? Json::object() : curve->second;
    records.push_back(checked_record(place, std::move(record), kTableAdvice));
  });
  return records;
}

}  // namespace t2v::paper
