#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "data/table_reader.h"
#include "data_options.h"

namespace t2v::cli {

/// What a data set keeps of how it was read, and a model of its data: where they come from, which choices
/// were made.
nlohmann::json provenance_of(const DataOptions& options, const data::EventTable& table,
                             const data::ReadReport& report);

/// What such a record says that tells how to read more data of the same kind.
struct KnownData {
  std::map<data::Role, std::string> columns;  // as in data::TableOptions::known
  std::string time_unit;                      // empty: not known
  std::string timezone;                       // likewise
  std::string digest;                         // likewise; see data::digest_of
};

/// Of a record, which may lack anything or be none at all.
KnownData known_data(const nlohmann::json& provenance);

}  // namespace t2v::cli
