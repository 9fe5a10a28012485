#pragma once

#include <string_view>

#include "model/trained_model.h"

namespace t2v {

/// Makes a model see times multiplied by `factor`, in which it gives the outputs that it gave before; what a
/// `when` head says about gaps is multiplied too. Time2Vec is invariant to the unit of time: ω / factor does
/// it. Other parts change alike: what `raw` and `log` measure times by, the clocks of `phased`, the unit of
/// `calendar`, the means of `when`.
///   Dates: the factor must lead to a named unit, which becomes the model's. The same data give the same
///   predictions as before.
///   Plain numbers: the model then expects data whose numbers are multiplied by the factor.
/// Outputs are the same within rounding (1e-6 of their size, for |ωτ| up to 1e6). Throws t2v::Error, and
/// leaves the model as it is, if the factor is not within 1e-18 .. 1e18 or leads to no unit, if an origin of
/// plain numbers would not be a number with their decimals, or if a weight would not be finite.
void rescale(TrainedModel& trained, double factor);

/// The same for a model of dates: to s, min, h, d or w.
void rescale_to_unit(TrainedModel& model, std::string_view unit);

}  // namespace t2v
