#include "model/initialise.h"

#include <cmath>

#include "base/random.h"

namespace t2v {

nn::Parameters<double> initialise(const Model& model, uint64_t seed, std::span<const nn::TimeScale> scales) {
  const nn::Layout& layout = model.layout();
  nn::Parameters<double> parameters;
  parameters.assign_zeros(layout);
  for (std::size_t id = 0; id < layout.tensors().size(); ++id) {
    const nn::Tensor& tensor = layout.tensors()[id];
    if (tensor.wide()) continue;
    Random random(seed, id);
    const double bound = 1 / std::sqrt(static_cast<double>(model.fan_in(tensor)));
    for (int64_t i = 0; i < tensor.size(); ++i) parameters.data(tensor)[i] = random.uniform(-bound, bound);
  }
  const auto& encoders = model.input().encoders();
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    if (!encoders[i].learned()) continue;
    const auto omega = static_cast<uint64_t>(encoders[i].omega());
    const auto phi = static_cast<uint64_t>(encoders[i].phi());
    Random omega_random(seed, omega);
    Random phi_random(seed, phi);
    nn::start_frequencies(parameters.wide_data(layout.tensors()[omega]),
                          parameters.wide_data(layout.tensors()[phi]), encoders[i].config(),
                          i < scales.size() ? scales[i] : nn::TimeScale{}, omega_random, phi_random);
  }
  return parameters;
}

}  // namespace t2v
