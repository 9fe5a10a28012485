#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "data/events.h"
#include "model/predictor.h"

namespace t2v::cli {

/// Text on its way to standard output, or to a file that is there whole or not at all.
class TextOutput {
 public:
  /// `path`: a file, - for standard output, or empty if the text is only kept in the buffer.
  explicit TextOutput(std::string path);

  /// What is added to the text; call flush_if_full() now and then.
  std::string& buffer() { return buffer_; }
  void flush_if_full();
  /// Writes what is left; the file is there now.
  void finish();

 private:
  void flush();

  std::string path_;
  std::unique_ptr<AtomicFile> file_;  // none for standard output
  std::string buffer_;
};

/// Adds a cell of a table of text, in quotes where it needs them.
void add_csv_cell(std::string& text, std::string_view cell);

/// Whether a model has a head of this kind.
bool predicts(const TrainedModel& model, nn::TargetKind kind);

struct PredictionForm {
  bool csv = false;                    // a table, else lines of JSON
  bool safe = false;                   // of a table: no cell that a spreadsheet would take for a formula
  bool has_query = false;              // whether predictions have query times
  std::vector<double> quantiles = {};  // of forecasts
};

/// Writes predictions as lines of JSON, or as a table.
class PredictionWriter {
 public:
  PredictionWriter(const TrainedModel& model, const data::Events& events, PredictionForm form,
                   TextOutput& output);

  /// The prediction of a sequence at a place.
  void write(int64_t sequence, const Place& place, const Prediction& prediction);

 private:
  void write_json(int64_t sequence, const Place& place, const Prediction& prediction);
  void write_csv(int64_t sequence, const Place& place, const Prediction& prediction);
  void write_header();
  void write_forecast_header();
  void write_forecast_json(int64_t sequence, const Place& place, const Prediction& prediction);
  void write_forecast_csv(int64_t sequence, const Place& place, const Prediction& prediction);
  void add_name(std::string_view name);

  const TrainedModel& model_;
  const data::Events& events_;
  PredictionForm form_;
  bool has_ids_;  // of forecasts: a single series without a name has none
  TextOutput& output_;
};

}  // namespace t2v::cli
