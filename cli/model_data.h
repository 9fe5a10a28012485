#pragma once

#include "base/thread_pool.h"
#include "data_options.h"
#include "model/trained_model.h"

namespace t2v::cli {

/// Reads data for a trained model: of a table, the feature and value columns that the model needs (with
/// `targets` also the values that it predicts) are asked for by the names they had in training, unless the
/// options name some; times get the model's unit and origin.
LoadedData load_for_model(DataOptions options, const TrainedModel& model, ThreadPool& pool,
                          bool targets = false);

}  // namespace t2v::cli
