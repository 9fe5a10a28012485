#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_store.h"
#include "data/importer.h"
#include "data/splits.h"
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
  std::string origin = "sequence";
  int threads = 0;
};

void add_data_options(CLI::App& command, DataOptions& options);

struct LoadedData {
  data::EventStore store;
  data::GroupCounts counts;
  bool from_store = false;
  std::optional<std::string> beside_the_paper;  // counts, where the format is one of the paper's
};

/// Reads the data and says on standard error what was chosen.
LoadedData load_data(const DataOptions& options, ThreadPool& pool);

/// How sequences are split and limited, and which names are known.
struct SplitOptions {
  data::SplitConfig split;
  std::string test_from;
  data::EncodingConfig encoding;
  int64_t max_len = 0;
  std::string cut = "last";
};

void add_split_options(CLI::App& command, SplitOptions& options, bool by_default);

/// Splits, limits and learns the encoding; says on standard error what came out.
void prepare_store(data::EventStore& store, const SplitOptions& options);

/// "1,234 sequences, 56,789 events, ..." on lines of their own.
std::string summary_of(const data::Events& events);

}  // namespace t2v::cli
