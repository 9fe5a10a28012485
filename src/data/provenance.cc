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

const std::string& given(const TableOptions& table, Role role) {
  switch (role) {
    case Role::kId:
      return table.id;
    case Role::kTime:
      return table.time;
    case Role::kEvent:
      return table.event;
    case Role::kValue:
      return table.value;
    case Role::kLabel:
      return table.label;
    default:
      return table.target;
  }
}

/// The names of the columns by what they are, "-" for those that were left out on purpose.
Json columns_json(const TableOptions& table, const std::vector<ColumnChoice>& columns) {
  Json json = Json::object();
  for (const Role role : kSingle) {
    if (given(table, role) == "-") json[std::string(word_of(role))] = "-";
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
  json["columns"] = columns_json(options, report.columns);
  json["time_unit"] = options.time_unit;
  json["time_format"] = options.time_format;
  json["day_first"] = report.day_first;
  return json;
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
