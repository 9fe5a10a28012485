#pragma once

#include <optional>
#include <string>

#include "data/events.h"
#include "data/parquet_writer.h"
#include "prediction_writer.h"
#include "train/piece_measures.h"

namespace t2v::cli {

/// What such a file is, for data::parquet_kind().
inline constexpr const char* kMeasureTable = "measures";

/// Writes how each sequence was predicted, as CSV or, by the name of the file, as Parquet: id, predictions,
/// loss, and the measure of the task; empty where there was nothing to predict.
class SequenceMeasures {
 public:
  SequenceMeasures(const std::string& path, const std::string& measure);

  void write(std::string_view id, const PieceMeasures& measures);
  /// The file is there now.
  void finish();

 private:
  std::optional<TextOutput> text_;
  std::optional<data::ParquetWriter> table_;
};

}  // namespace t2v::cli
