#include "data/provenance.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/version.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;

constexpr std::array<Role, 6> kSingle = {Role::kId,    Role::kTime,  Role::kEvent,
                                         Role::kValue, Role::kLabel, Role::kTarget};

/// The names of the columns by what they are, "-" for those that there are none of.
Json columns_json(const std::vector<ColumnChoice>& columns) {
  Json json = Json::object();
  for (const Role role : kSingle) {
    if (role != Role::kTime) json[std::string(word_of(role))] = "-";
  }
  for (const ColumnChoice& column : columns) {
    if (!is_feature(column.role)) json[std::string(word_of(column.role))] = column.name;
  }
  return json;
}

/// The text of a key, empty unless there is one.
std::string text_at(const Json& json, std::string_view key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Json provenance_of(const ReadChoices& choices, const TableOptions& options, const EventTable& table,
                   const ReadReport& report) {
  Json json;
  json["source"] = table.source;
  json["format"] = choices.format;
  json["settings"] = choices.settings;
  json["notes"] = table.notes;
  json["choices"] = report.choices;
  json["timezone"] = options.timezone;
  json["order"] = choices.order;
  json["on_error"] = choices.on_error;
  json["version"] = kVersion;
  if (report.columns.empty()) return json;
  json["columns"] = columns_json(report.columns);
  json["time_unit"] = options.time_unit;
  json["time_format"] = options.time_format;
  json["day_first"] = report.day_first;
  return json;
}

Json record_for_model(const Json& provenance) {
  Json record = Json::object();
  if (!provenance.is_object()) return record;
  for (const char* key : {"columns", "time_unit", "time_format", "day_first", "timezone", "digest"}) {
    const auto found = provenance.find(key);
    if (found != provenance.end() && *found != "") record[key] = *found;
  }
  return record;
}

KnownData known_data(const Json& provenance) {
  KnownData known;
  known.time_unit = text_at(provenance, "time_unit");
  known.timezone = text_at(provenance, "timezone");
  known.time_format = text_at(provenance, "time_format");
  known.day_first = text_at(provenance, "day_first");
  known.digest = text_at(provenance, "digest");
  const auto columns = provenance.find("columns");
  if (columns == provenance.end()) return known;
  for (const Role role : kSingle) {
    const std::string name = text_at(*columns, word_of(role));
    if (!name.empty()) known.columns[role] = name;
  }
  return known;
}

}  // namespace t2v::data
