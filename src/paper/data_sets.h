#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_store.h"

namespace t2v::paper {

/// A data set of the paper, and how to get it.
struct DataSet {
  std::string_view name;
  std::string_view title;
  std::string_view files;       // what is looked for below the folder of data, or at the path given
  std::string_view how_to_get;  // a sentence
};

const std::vector<DataSet>& data_sets();
/// Throws t2v::Error that lists the names.
const DataSet& data_set(std::string_view name);

/// Which data, seen how. What differs is part of what a run is.
struct DataRequest {
  std::string set;           // name of a data set
  int64_t train = 0;         // sequences to learn from, drawn once for all; 0 for all
  int64_t test = 0;          // likewise
  bool shift = true;         // mnist: the first event of each image is at 0
  std::string form = "raw";  // spikes: raw, binned or times
  std::string unit = {};     // stackoverflow: s or d; empty: as the source has it
  double unit_length = 1;    // so many of these units count as one
  bool made = false;         // made data of the same form, where there are no others
};

nlohmann::json to_json(const DataRequest& request);

/// A data set, ready to be learned from, and what to say of it.
struct LoadedData {
  data::EventStore store;  // with a split
  nlohmann::json about;    // name, kind (original, part, stand-in, invented), note, counts
};

/// Finds data sets and keeps the last one in memory.
class DataShelf {
 public:
  /// `folder`: where data sets lie under their names. `paths`: where some of them lie instead.
  DataShelf(std::string folder, std::map<std::string, std::string> paths);

  /// Where a data set lies, if its files are there. Throws t2v::Error if a path was given where they are not.
  std::optional<std::string> find(std::string_view set) const;
  /// Where it is looked for, for people.
  std::string place(std::string_view set) const;
  /// Throws t2v::Error if it is not there or makes no sense.
  const LoadedData& load(const DataRequest& request);

 private:
  data::EventStore read(const DataRequest& request) const;

  std::string folder_;
  std::map<std::string, std::string> paths_;
  std::string loaded_;  // the request
  LoadedData data_;
};

}  // namespace t2v::paper
