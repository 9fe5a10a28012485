#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "paper/run.h"

namespace t2v::paper {

/// The finished runs of a folder: FOLDER/runs/HOME/RUN.json, one file each, and those of its table of runs.
class RunFiles {
 public:
  RunFiles(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  /// The name of a run, such as lstm-t.s1.
  static std::string name_of(const Run& run);
  /// Its file without the extension.
  std::string stem(const Run& run) const;

  /// The record of a run that is finished, as long or, where that serves, longer. Throws t2v::Error if one is
  /// there that was run otherwise, and names what differs; but runs that earlier versions made ("carried" in
  /// the table) are taken as they are.
  std::optional<nlohmann::json> read(const Run& run) const;
  void write(const Run& run, nlohmann::json record) const;
  /// Throws t2v::Error if a finished run on the same data set was made of other data, by their counts.
  void refuse_other_data(const Run& run, const nlohmann::json& about) const;
  /// Clears away what a crash left of unfinished files in the folder.
  void clear_unfinished() const;
  /// All records there are, by home and name; those with a file of their own in place of the table's.
  std::vector<nlohmann::json> all() const;
  /// Writes all of them to the table.
  void write_table() const;

 private:
  const std::map<std::string, nlohmann::json>& table() const;

  FileSystem& files_;
  std::string folder_;
  mutable std::optional<std::map<std::string, nlohmann::json>> table_;  // by home and name, once it was read
};

}  // namespace t2v::paper
