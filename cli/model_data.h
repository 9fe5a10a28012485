#pragma once

#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "data/pieces.h"
#include "data_options.h"
#include "model/model_data.h"
#include "model/trained_model.h"

namespace t2v::cli {

/// The model of a file that was given as one; says so if it is none of our files.
TrainedModel read_given_model(const std::string& path);

/// Reads data for a trained model (load_for_model) and says on standard error what was chosen.
data::DataSet load_given_data(const DataOptions& options, const TrainedModel& model, ThreadPool& pool,
                              bool targets = false);

/// Throws t2v::Error if not all ranks have the same model and data. To be called by all of them.
void check_same_model_and_data(comm::Communicator& ranks, const TrainedModel& model,
                               const data::Events& events);

/// Tells on standard error how many events are of types that the model does not know, if it has a place for
/// such; then `more`.
void say_unknown(const TrainedModel& model, const data::Events& events,
                 const std::vector<data::Piece>& pieces, std::string_view more);

}  // namespace t2v::cli
