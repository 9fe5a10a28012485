#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "paper/run.h"

namespace t2v::paper {

/// The finished runs in a folder: FOLDER/runs/HOME/RUN.json, one file each.
class RunFiles {
 public:
  RunFiles(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  /// The name of a run, such as lstm-t.s1 or, with the protocol best, best.lstm-t.s1.
  static std::string name_of(const Run& run);
  /// Its file without the extension.
  std::string stem(const Run& run) const;

  /// The record of a run that is finished; its curves end with the run's last epoch. Nothing if there is none
  /// or it has fewer epochs. Throws t2v::Error if one is there that was run otherwise, and names what
  /// differs.
  std::optional<nlohmann::json> read(const Run& run) const;
  /// The same for every seed that is there, for results: what was run otherwise is left out.
  std::vector<nlohmann::json> read_all_seeds(const Run& run) const;
  void write(const Run& run, nlohmann::json record) const;
  /// Throws t2v::Error if a finished run on the same data set was made of other data, by their counts.
  void refuse_other_data(const Run& run, const nlohmann::json& about) const;
  /// Clears away what a crash left of unfinished files in the folder.
  void clear_unfinished() const;
  /// All records there are, by home and name.
  std::vector<nlohmann::json> all() const;

 private:
  FileSystem& files_;
  std::string folder_;
};

}  // namespace t2v::paper
