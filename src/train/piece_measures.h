#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "data/batches.h"
#include "model/trained_model.h"
#include "train/prediction_records.h"

namespace t2v {

/// How one piece was predicted by the first head of a model.
struct PieceMeasures {
  int64_t piece;        // number of the piece
  int64_t predictions;  // none: the others are NaN
  double loss;          // the mean
  double measure;       // the mean of measure_of_pieces()
};
using PieceConsumer = std::function<void(const PieceMeasures&)>;

/// What is measured of each piece: "accuracy", "MRR", "MAE" or "MAE of median".
std::string measure_of_pieces(const nn::HeadConfig& head);

/// Gives the measures of the pieces of the last batch that was recorded, in their order in it. `std`: of
/// values, the scale that they are standardised by.
void measure_pieces(const HeadRecords& head, const data::Batch& batch, double std,
                    const PieceConsumer& consumer);

}  // namespace t2v
