#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace t2v::paper {

/// The file of a finished run: JSON with a checksum of all the rest in it, so that damage does not become a
/// result.
void write_run_record(FileSystem& files, const std::string& path, nlohmann::json record);

/// The text of such a file.
std::string run_record_text(nlohmann::json record);
/// The record with its checksum in it.
nlohmann::json sealed(nlohmann::json record);

/// The record in a file, without the checksum. Throws t2v::Error, naming the file, if it was changed since it
/// was written, or if what every record has is missing or of the wrong type.
nlohmann::json read_run_record(FileSystem& files, const std::string& path);
/// The same of its text.
nlohmann::json parse_run_record(const std::string& path, std::string_view text);
/// The same of a record with its checksum; messages begin with `place` and end with `advice`.
nlohmann::json checked_record(const std::string& place, nlohmann::json record, std::string_view advice);

/// A file of JSON that `t2v reproduce` writes: at most 16 MiB and a million values, not deeply nested.
/// A discarded value for what is not so. Throws t2v::Error if it cannot be read.
nlohmann::json read_own_json(FileSystem& files, const std::string& path);

}  // namespace t2v::paper
