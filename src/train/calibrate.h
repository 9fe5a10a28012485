#pragma once

#include "base/thread_pool.h"
#include "data/batches.h"
#include "model/trained_model.h"

namespace t2v {

/// Makes the probabilities of the classes of sequences honest by validation data: the outputs are divided by
/// a temperature, which goes into the weights, and those of two classes with weights lose what the weights
/// did. For two classes it also chooses the threshold. Nothing changes with fewer than kLeastCalibrated
/// sequences, for other tasks, or where the temperature gains nothing.
void calibrate(TrainedModel& trained, const Model& model, const data::Batches& valid, ThreadPool& pool);
inline constexpr int64_t kLeastCalibrated = 50;

/// The temperature with the least log loss of some outputs [N, classes], with a prior that holds it near 1.
double best_temperature(std::span<const float> outputs, std::span<const int32_t> labels, int64_t classes);

}  // namespace t2v
