#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/event_store.h"
#include "data/load_options.h"
#include "data/table_reader.h"

namespace t2v::data {

/// A data set as it was read, before it is split.
struct DataSet {
  EventStore store = {};
  bool origin_given = false;  // else training may choose one that suits the task
  bool from_store = false;
  GroupCounts counts = {};
  std::vector<ColumnChoice> columns = {};            // of a table
  std::vector<std::string> notes = {};               // what was chosen and what is worth knowing, a line each
  std::optional<std::string> beside_the_paper = {};  // counts, where the format is one of the paper's
};

using Progress = std::function<void(const ReadProgress&)>;
/// May add to the rows of files before they are sorted into sequences.
using Amend = std::function<void(EventTable&)>;

/// Reads tables (text, Parquet, databases, the rows of a query), one event store, or the files of a format:
/// the one way from files to a data set. A path may be a pattern. Equal data and options give equal data
/// sets, for any number of threads. Throws t2v::Error for what cannot be read and for options that would have
/// no effect.
DataSet load(const std::vector<TableSource>& sources, const LoadOptions& options, ThreadPool& pool,
             const Progress& progress = {}, const Amend& amend = {});

/// The same of rows in memory. `report`: how they were read, and the names of their columns, if they have
/// some.
DataSet data_set(EventTable rows, const LoadOptions& options, const ReadReport& report = {});

/// Sets the unit and the origin of times, where they are not "auto". A date without an offset is of the zone.
void set_view(DataSet& data, const std::string& unit, const std::string& origin, const std::string& timezone);

/// The path of the one event store among sources, if there is one. Throws t2v::Error if there is more.
std::optional<std::string> store_among(const std::vector<TableSource>& sources, const LoadOptions& options);

}  // namespace t2v::data
