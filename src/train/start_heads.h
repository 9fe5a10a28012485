#pragma once

#include "base/packed_batch.h"
#include "data/batches.h"
#include "model/model.h"
#include "model/task.h"

namespace t2v {

/// Lets the heads of a model that was started at random begin with what is plain in some of the training
/// data: classes with their shares, the mixture that says when with the gaps, values over time with their
/// straight line over Time2Vec's linear term and nothing from the sines.
void start_heads(nn::Parameters<double>& start, const Model& model, Task task, data::ValueTarget values,
                 const SequenceBatch& batch);

/// Gives the head 'when' the scale of the gaps of a batch, the grid that they are multiples of, in units, and
/// an atom if some of them are zero.
void measure_gaps(nn::HeadConfig& when, const SequenceBatch& batch, double grid);

}  // namespace t2v
