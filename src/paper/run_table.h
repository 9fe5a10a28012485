#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/file_system.h"

namespace t2v::paper {

// All finished runs of a folder in two files: runs.jsonl has a line for each, its record without its curves
// (settings, data, machine, checksum); epochs.csv.zst has all epochs of all runs: run,measure,epoch,value.

/// `records`: as read_run_record gives them. The same records give the same bytes.
void write_run_table(FileSystem& files, const std::string& folder,
                     const std::vector<nlohmann::json>& records);

/// In the order of the file; none if there is no table. Throws t2v::Error, naming the line, if a record was
/// changed since it was written.
std::vector<nlohmann::json> read_run_table(FileSystem& files, const std::string& folder);

/// What a run is called in the table, such as event-mnist/lstm-t.s1.
std::string table_name(const nlohmann::json& record);

}  // namespace t2v::paper
