#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

/// What a person sets for an import, by name.
using Settings = std::map<std::string, std::string>;

/// A thing to set, for help.
struct Setting {
  std::string_view name;
  std::string_view values;  // what it may be; the default comes first
  std::string_view meaning;
};

/// What the paper, or the sources it names, say of the data set; empty where they say nothing.
struct PaperCounts {
  std::string_view data_set;
  std::string_view sequences;
  std::string_view events;
  std::string_view types;  // of events, or classes of sequences
  std::string_view lengths;
  /// Where a format has many data sets: whether a table may be the paper's.
  bool (*may_be)(const EventTable& table) = nullptr;
};

/// A format that becomes a table of events.
struct Importer {
  std::string_view name;
  std::string_view description;
  std::string_view files;     // which it wants, in which order
  std::size_t files_at_once;  // it wants this many, or, if several parts may be given, a multiple
  bool several_parts;
  std::vector<Setting> settings;
  PaperCounts paper;
  EventTable (*run)(const std::vector<std::string>& paths, const Settings& settings);
};

const std::vector<Importer>& importers();

/// Checks the number of files and the settings, and imports. Throws t2v::Error.
EventTable import_files(const Importer& importer, const std::vector<std::string>& paths,
                        const Settings& settings);

/// Lines of text: sequences, events, types, classes, lengths, span of time, and beside them what the paper
/// says, if this may be its data set.
std::string counts_beside_the_paper(const Importer& importer, const EventTable& table);

}  // namespace t2v::data
