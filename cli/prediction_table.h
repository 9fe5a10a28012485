#pragma once

#include <string>

#include "data/parquet_writer.h"
#include "model/predictor.h"
#include "prediction_writer.h"

namespace t2v::cli {

/// What such a file is, for data::parquet_kind().
inline constexpr const char* kPredictionTable = "predictions";

/// Writes predictions as Parquet, with the columns of the table that PredictionWriter writes: times are
/// exact, a number that is not there is null.
class PredictionTable {
 public:
  /// `rows_per_file`: 0 for one file.
  PredictionTable(const TrainedModel& model, const data::Events& events, PredictionForm form,
                  const std::string& path, int64_t rows_per_file);

  /// The prediction of a sequence at a place.
  void write(int64_t sequence, const Place& place, const Prediction& prediction);
  /// The files are there now.
  void finish() { writer_.finish(); }

 private:
  void write_forecast(int64_t sequence, const Place& place, const Prediction& prediction);
  void write_row(int64_t sequence, const Place& place, const Prediction& prediction, std::size_t rank);

  const TrainedModel& model_;
  const data::Events& events_;
  PredictionForm form_;
  bool has_ids_;
  data::ParquetWriter writer_;
};

/// Refuses numbered files of an output that are there already, unless they may be overwritten.
void check_numbered(const std::string& path, bool force);

}  // namespace t2v::cli
