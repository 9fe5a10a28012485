#pragma once

#include "data/provenance.h"
#include "data/table_schema.h"
#include "model/trained_model.h"

namespace t2v {

/// What a model keeps of the data that it was trained on.
data::KnownData training_data(const TrainedModel& model);

/// What of the options of a table was given, and so stays.
struct GivenTableOptions {
  bool time_unit = false;
  bool timezone = false;
};

/// Completes the options by which a table is read for a model: columns are found by the names they had in
/// training, unless the options name others; those of features and values that the model needs must be there,
/// for others the usual names do too. With `targets` what the model predicts is read as well.
void complete_for_model(data::TableOptions& table, const TrainedModel& model, bool targets,
                        GivenTableOptions given);

}  // namespace t2v
