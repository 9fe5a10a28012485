#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/load.h"
#include "option_flags.h"

namespace CLI {
class App;
}

namespace t2v::cli {

/// The files that a command reads data from.
struct DataFiles {
  std::vector<std::string> files;
  std::vector<std::string> train;  // instead of files: what the sequences are for is given by files
  std::vector<std::string> valid;
  std::vector<std::string> test;
};

/// What a command needs to read data.
struct DataOptions {
  DataFiles files;
  data::LoadOptions load;
};

/// The files alone, and with all options of reading.
void add_data_files(CLI::App& command, DataFiles& files);
void add_data_options(CLI::App& command, DataOptions& options);

/// All files that the data are read from, also of patterns.
std::vector<std::string> files_of(const DataFiles& files);
/// Throws t2v::Error if both kinds of files are given, or none and no query.
std::vector<data::TableSource> sources_of(const DataOptions& options);

/// Throws t2v::Error for what can be known to be wrong before any data are read.
void check_data_options(const DataOptions& options);

/// Shows how far reading has come, as a line on a terminal: "45 %, 310 MB/s, 3 s left".
class ReadingLine {
 public:
  ReadingLine();
  ~ReadingLine();
  ReadingLine(const ReadingLine&) = delete;
  ReadingLine& operator=(const ReadingLine&) = delete;
  void show(const data::ReadProgress& progress);

 private:
  double start_ = 0;
  double shown_ = 0;
};

/// Reads the data and says on standard error what was chosen.
data::DataSet load_data(const DataOptions& options, ThreadPool& pool);

/// Notes of the library, a line each, on standard error.
void say_notes(const std::vector<std::string>& notes);

/// JSON as text, also if strings in it are not UTF-8; in one line if `indent` is -1.
std::string printable(const nlohmann::json& json, int indent);

}  // namespace t2v::cli
