#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "data/event_table.h"
#include "data/table_reader.h"
#include "data/table_schema.h"

namespace t2v::data {

/// How a source was read, beside the columns of tables.
struct ReadChoices {
  std::string format = "auto";
  std::vector<std::string> settings = {};  // name=value, of a format
  std::string order = "sort";
  std::string on_error = "stop";
};

/// What a data set keeps of how it was read: where it comes from, which choices were made. The digest of the
/// events is to be added once they are grouped.
nlohmann::json provenance_of(const ReadChoices& choices, const TableOptions& options, const EventTable& table,
                             const ReadReport& report);

/// What such a record says that tells how to read more data of the same kind.
struct KnownData {
  std::map<Role, std::string> columns;  // as in TableOptions::known
  std::string time_unit;                // empty: not known
  std::string timezone;                 // likewise
  std::string time_format;              // likewise
  std::string day_first;                // likewise; what the times told, if they did
  std::string digest;                   // likewise; see digest_of
};

/// What a model keeps of such a record: how to read more data of the same kind, and the digest. Equal data
/// have equal records, wherever they were read from.
nlohmann::json record_for_model(const nlohmann::json& provenance);

/// Of a record, which may lack anything or be none at all.
KnownData known_data(const nlohmann::json& provenance);

}  // namespace t2v::data
