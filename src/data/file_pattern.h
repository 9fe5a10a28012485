#pragma once

#include <string>
#include <vector>

#include "data/table_reader.h"

namespace t2v::data {

/// The files that a path stands for, sorted: itself if there is such a file; those that match, where it has
/// *, ? or [ (** for any folders); the Parquet files within, where it is a folder. Throws t2v::Error if there
/// are none.
std::vector<std::string> files_matching(const std::string& path);

/// The same of sources, whose parts stay.
std::vector<TableSource> expanded(const std::vector<TableSource>& sources);

}  // namespace t2v::data
