#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "data/table_schema.h"

namespace t2v::data {

/// How data are read, and how a model sees their times.
struct LoadOptions {
  std::string format = "auto";        // an event store or tables
  std::vector<std::string> set = {};  // name=value, settings of a format
  TableOptions table = {};
  std::string order = "sort";
  std::string on_error = "stop";
  std::string unit = "auto";    // that of a store, else by the median gap
  std::string origin = "auto";  // that of a store or format, else sequence; training may choose another
  int threads = 0;

  GivenOptions given = {};
  std::vector<std::string> dates = {};  // of other options, which the time zone may be for
};

/// `time` is the name of the option for the column of times, which may have another meaning beside others.
OptionTable options_of(LoadOptions& options, std::string_view time = "time");

/// Whether an option says something of tables alone: of their columns or their form.
bool is_of_tables(std::string_view name);

/// Throws t2v::Error for options that can be known to be wrong before any data are read. `from_store`:
/// whether an event store will be read.
void check(const LoadOptions& options, bool from_store);

}  // namespace t2v::data
