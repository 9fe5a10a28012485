#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "data/event_store.h"
#include "data/splits.h"

namespace t2v::cli {

/// How sequences are split and limited, and which names are known.
struct SplitOptions {
  data::SplitConfig split;
  bool by_default = false;  // whether data without parts of their own are split at random, or not at all
  std::string test_from;
  data::EncodingConfig encoding;
  int64_t max_len = 0;
  std::string cut = "last";
  std::vector<const CLI::Option*> all;  // the options themselves, to know which were given
};

void add_split_options(CLI::App& command, SplitOptions& options, bool by_default);

/// Throws t2v::Error for what can be known to be wrong before any data are read.
void check_split_options(const SplitOptions& options);

/// Splits, limits and learns the encoding; says on standard error what came out. Dates without an offset are
/// of the time zone.
void prepare_store(data::EventStore& store, const SplitOptions& options, const std::string& timezone);

}  // namespace t2v::cli
