#pragma once

#include "base/thread_pool.h"
#include "data/pieces.h"
#include "data_options.h"
#include "model/trained_model.h"
#include "provenance.h"

namespace t2v::cli {

/// The model of a file that was given as one; says so if it is none of our files.
TrainedModel read_given_model(const std::string& path);

/// What a model keeps of the data that it was trained on.
KnownData training_data(const TrainedModel& model);

/// Reads data for a trained model. Of a table, columns are found by the names they had in training, unless
/// the options name others; those of features and values that the model needs must be there, for others the
/// usual names do too. With `targets` what the model predicts is read as well. The options are completed by
/// what the model knows; times get its unit and origin.
LoadedData load_for_model(DataOptions& options, const TrainedModel& model, ThreadPool& pool,
                          bool targets = false);

/// Tells on standard error how many events are of types that the model does not know, if it has a place for
/// such; then `more`.
void say_unknown(const TrainedModel& model, const data::Events& events,
                 const std::vector<data::Piece>& pieces, std::string_view more);

}  // namespace t2v::cli
