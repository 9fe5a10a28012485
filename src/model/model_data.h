#pragma once

#include <vector>

#include "data/load.h"
#include "data/provenance.h"
#include "data/time_zone.h"
#include "model/trained_model.h"

namespace t2v {

/// What a model keeps of the data that it was trained on.
data::KnownData training_data(const TrainedModel& model);

/// Throws t2v::Error for a unit or an origin, which are the model's.
void refuse_view(const data::LoadOptions& options);

/// The options by which data are read for a model: columns are found by the names they had in training,
/// unless the options name others; those of features and values that the model needs must be there, for
/// others the usual names do too. With `targets` what the model predicts is read as well.
data::LoadOptions options_for_model(data::LoadOptions options, const TrainedModel& model, bool targets);

/// The zone of dates without an offset: that of the options if it was given, else that of the training data.
data::TimeZone zone_for_model(const data::LoadOptions& options, const TrainedModel& model);

/// Reads data for a model, whose unit and origin the times get.
data::DataSet load_for_model(const std::vector<data::TableSource>& sources, const data::LoadOptions& options,
                             const TrainedModel& model, bool targets, ThreadPool& pool,
                             const data::Progress& progress = {});

}  // namespace t2v
