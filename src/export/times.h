#pragma once

#include "export/events.h"
#include "nn/clock.h"
#include "nn/time_encoder.h"

namespace t2v::onnx {

/// The largest |ω| of a Time2Vec encoder.
double largest_omega(const nn::TimeEncoder& encoder, const nn::Layout& layout,
                     const nn::Parameters<float>& parameters);

/// What an encoder makes of times tau [T, B], of type double: [T, B, width] of type float. Times out of its
/// range are not good.
Tensor add_time_vector(EventTensors& events, const Tensor& tau, const nn::TimeEncoder& encoder,
                       const nn::Layout& layout, const nn::Parameters<float>& parameters);

/// How far the units of a phased cell are open at times tau: [T, B, H] of type float. Times out of range are
/// not good. `name` starts the names of the constants.
Tensor add_clock(EventTensors& events, const Tensor& tau, const std::string& name, const nn::Clock& clock,
                 const nn::Layout& layout, const nn::Parameters<float>& parameters);

}  // namespace t2v::onnx
