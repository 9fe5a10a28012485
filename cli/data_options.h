#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_store.h"
#include "data/importer.h"
#include "data/table_reader.h"

namespace t2v::cli {

/// What a command needs to know to read data: an event store, tables, or files of a known format.
struct DataOptions {
  std::vector<std::string> files;
  std::vector<std::string> train;  // instead of files: what the sequences are for is given by files
  std::vector<std::string> valid;
  std::vector<std::string> test;
  std::string format = "auto";
  std::vector<std::string> settings;  // name=value, of a format
  data::TableOptions table;
  std::string order = "sort";
  std::string on_error = "stop";
  std::string unit = "auto";
  std::string origin = "auto";
  int threads = 0;
  std::string time_option = "--time";         // the option that names the column of times
  std::vector<const CLI::Option*> of_tables;  // options that only tables have
};

void add_data_options(CLI::App& command, DataOptions& options);

/// All files that the data are read from.
std::vector<std::string> files_of(const DataOptions& options);

/// Throws t2v::Error for what can be known to be wrong before any data are read. `dates`: what other options
/// say that the time zone may be for, empty where they were not given.
void check_data_options(const DataOptions& options, const std::vector<std::string>& dates = {});

struct LoadedData {
  data::EventStore store;
  data::GroupCounts counts;
  bool from_store = false;
  std::optional<std::string> beside_the_paper;  // counts, where the format is one of the paper's
};

/// Reads the data and says on standard error what was chosen.
LoadedData load_data(const DataOptions& options, ThreadPool& pool);

/// The tick of a date, or of a number where times are plain numbers. A date without an offset is of the time
/// zone. `option`: where the text is from, for a message.
int64_t tick_of(const data::Events& events, const std::string& text, const std::string& timezone,
                std::string_view option);

/// Throws t2v::Error if a text is neither a date nor a number, whatever the times of the data are.
void check_date_or_number(const std::string& text, std::string_view option);

/// Whether one of the options was given, by its name: "--id".
bool is_given(const std::vector<const CLI::Option*>& options, std::string_view name);

/// A text for a help, in lines of a fitting width.
std::string wrapped(const std::string& text);

/// JSON as text, also if strings in it are not UTF-8; in one line if `indent` is -1.
std::string printable(const nlohmann::json& json, int indent);

}  // namespace t2v::cli
