#include "paper/run_record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/json_text.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostValues = 1'000'000;
constexpr const char* kSeal = "checksum";

std::string seal_of(const Json& record) {
  const std::string text = record.dump();
  return checksum_text(checksum(std::as_bytes(std::span(text))));
}

bool is_curve(const Json& curve) {
  return curve.is_array() &&
         std::ranges::all_of(curve, [](const Json& value) { return value.is_number() || value.is_null(); });
}

bool is_description(const Json& data) {
  return data.is_object() && std::ranges::all_of(std::array{"name", "kind", "note"}, [&](const char* key) {
           return data.contains(key) && data[key].is_string();
         });
}

/// What of a record is not as every record has it; empty if all is.
std::string fault_of(const Json& record) {
  for (const char* key : {"experiment", "run", "model", "scale"}) {
    if (!record.contains(key) || !record[key].is_string()) return key;
  }
  for (const char* key : {"seed", "epochs"}) {
    if (!record.contains(key) || !record[key].is_number_unsigned()) return key;
  }
  if (!record.contains("config") || !record["config"].is_object()) return "config";
  const auto curves = record.find("curve");
  if (curves == record.end() || !curves->is_object() || !std::ranges::all_of(*curves, is_curve))
    return "curve";
  if (record.contains("seconds") && !record["seconds"].is_number()) return "seconds";
  if (record.contains("data") && !is_description(record["data"])) return "data";
  return "";
}

Json parsed(std::string_view text) { return parse_json_text(text, kMostValues); }

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Json sealed(Json record) {
  record.erase(kSeal);
  record[kSeal] = seal_of(record);
  return record;
}

std::string run_record_text(Json record) { return sealed(std::move(record)).dump(1) + "\n"; }

void write_run_record(FileSystem& files, const std::string& path, Json record) {
  write_file_atomically(files, path, run_record_text(std::move(record)));
}

Json parse_run_record(const std::string& path, std::string_view text) {
  return checked_record(path, parsed(text), "delete it to run that again");
}

Json checked_record(const std::string& place, Json record, std::string_view advice) {
  if (!record.is_object()) fail("{}: is no record of a run; {}", place, advice);
  const Json seal = record.value(kSeal, Json());
  record.erase(kSeal);
  if (seal != seal_of(record)) fail("{}: was changed since it was written; {}", place, advice);
  const std::string fault = fault_of(record);
  if (!fault.empty()) fail("{}: its '{}' is not what a run records; {}", place, fault, advice);
  return record;
}

Json read_run_record(FileSystem& files, const std::string& path) {
  return parse_run_record(path, text_of(read_regular_file(files, path, kMostBytes)));
}

Json read_own_json(FileSystem& files, const std::string& path) {
  return parsed(text_of(read_regular_file(files, path, kMostBytes)));
}

}  // namespace t2v::paper
