#pragma once

#include <memory>
#include <string>

#include "base/options.h"
#include "base/output_lock.h"

namespace t2v::cli {

/// What a command writes, and how a file of it is known again.
struct OutputKind {
  const char* what;  // "a model"
  bool (*is_one)(const std::string& path);
  bool is_read = false;  // it is gone on with, so that nothing else can be in its place
};

extern const OutputKind kModelFile;
extern const OutputKind kEventStore;
extern const OutputKind kSnapshot;
extern const OutputKind kOnnxGraph;
extern const OutputKind kReportPage;
extern const OutputKind kAblationFile;
extern const OutputKind kPredictions;
extern const OutputKind kVectors;
extern const OutputKind kSequenceMeasures;
extern const OutputKind kTrainingLog;
extern const OutputKind kResults;
extern const OutputKind kBesideResults;

/// The one gate for the outputs of commands. It is passed before any work: the path is that of a regular file
/// or of none yet, can be written, and what is there is empty, a file of the same kind, or overwritten by
/// `force`. While it exists no other process passes it for the same file. Throws t2v::Error otherwise.
class Output {
 public:
  Output(const std::string& path, const OutputKind& kind, bool force);

 private:
  OutputLock lock_;
};

/// For outputs that may not be asked for: nullptr for no path.
std::unique_ptr<Output> output_if_file(const std::string& path, const OutputKind& kind, bool force);

/// The option `force`, for the table of a command.
OptionTable force_option(bool& force, std::string_view group);

}  // namespace t2v::cli
