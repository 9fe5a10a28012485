#pragma once

#include <string>

#include "paper/judge.h"
#include "paper/run_files.h"

namespace t2v::paper {

/// Writes what the finished runs of a folder say: results.json (figures, table, machine), table.csv,
/// table.md, and all runs as a table. `command`: by which they were asked for.
void write_results(FileSystem& disk, const RunFiles& files, Scale scale, const std::string& command,
                   int threads);

/// The names of these files.
inline constexpr const char* kResultFiles[] = {"results.json", "table.csv", "table.md", "runs.jsonl",
                                               "epochs.csv.zst"};

}  // namespace t2v::paper
