#include "model/initialise.h"

#include <cmath>

#include "base/fail.h"
#include "base/random.h"
#include "base/text_check.h"

namespace t2v {
namespace {

using nn::Role;
using nn::Tensor;

constexpr double kLasagneDeviation = 0.1;
constexpr double kLasagneHeadDeviation = 0.01;

double draw(const Model& model, const Tensor& tensor, const InitialiserConfig& config, Random& random) {
  switch (tensor.role) {
    case Role::kPeriod:
      return model.config().clock_scale * random.uniform(config.period_low, config.period_high);
    case Role::kShift:
      return model.config().clock_scale * random.uniform(0, config.shift_high);
    case Role::kBias:
      if (config.kind == "lasagne") return 0;
      break;
    default:
      break;
  }
  if (config.kind == "lasagne") {
    return random.normal() * (tensor.name.starts_with("head") ? kLasagneHeadDeviation : kLasagneDeviation);
  }
  // An event that is the sum of rows has more than one.
  const bool one_row = model.config().event_rows == 0;
  const bool events = tensor.role == Role::kTable && one_row && !model.layers().empty();
  const double bound = events && config.event_bound > 0
                           ? config.event_bound
                           : 1 / std::sqrt(static_cast<double>(model.fan_in(tensor)));
  return random.uniform(-bound, bound);
}

/// T1's time weights start where their constraint lets them be.
void start_constrained(nn::Parameters<double>& parameters, const Model& model,
                       const InitialiserConfig& config, uint64_t seed) {
  if (model.config().t1_constraint == "none") return;
  for (std::size_t layer = 0; layer < model.layers().size(); ++layer) {
    const nn::Columns columns = model.constrained_columns(layer);
    for (std::size_t i = 0; i < model.times().encoders().size(); ++i) {
      const int id = model.layout().find(fmt::format("{}.time{}", Model::layer_prefix(layer), i));
      if (id < 0) continue;
      const Tensor& tensor = model.layout()[id];
      Random random(seed, static_cast<uint64_t>(id) + (uint64_t{1} << 32));
      for (int64_t row = 0; row < tensor.rows; ++row) {
        for (int64_t c = columns.begin; c < columns.end; ++c) {
          double& w = parameters.data(tensor)[row * tensor.cols + c];
          w = config.kind == "lasagne" ? random.uniform(-1, 0) : -std::abs(w);
        }
      }
    }
  }
}

void add_forget_bias(nn::Parameters<double>& parameters, const Model& model, double amount) {
  for (const nn::Recurrent& layer : model.layers()) {
    const nn::Cell& cell = layer.cell();
    if (cell.forget < 0) continue;
    double* bias = parameters.data(model.layout()[layer.bias()]);
    const int64_t first = (cell.forget - cell.input.begin) * layer.hidden();
    for (int64_t j = 0; j < layer.hidden(); ++j) bias[first + j] += amount;
  }
}

}  // namespace

nn::Parameters<double> initialise(const Model& model, uint64_t seed, const InitialiserConfig& config,
                                  std::span<const nn::TimeScale> scales) {
  if (config.kind != "pytorch" && config.kind != "lasagne") {
    fail("unknown initialiser '{}'; use pytorch or lasagne", shown(config.kind));
  }
  const nn::Layout& layout = model.layout();
  nn::Parameters<double> parameters;
  parameters.assign_zeros(layout);
  for (std::size_t id = 0; id < layout.tensors().size(); ++id) {
    const Tensor& tensor = layout.tensors()[id];
    if (tensor.role == Role::kOmega || tensor.role == Role::kPhi) continue;
    Random random(seed, id);
    for (int64_t i = 0; i < tensor.size(); ++i)
      parameters.set(tensor, i, draw(model, tensor, config, random));
  }
  start_constrained(parameters, model, config, seed);
  add_forget_bias(parameters, model, config.forget_bias);
  const auto encoders = model.encoders();
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    if (!encoders[i]->learned()) continue;
    const auto omega = static_cast<uint64_t>(encoders[i]->omega());
    const auto phi = static_cast<uint64_t>(encoders[i]->phi());
    Random omega_random(seed, omega);
    Random phi_random(seed, phi);
    nn::start_frequencies(parameters.wide_data(layout.tensors()[omega]),
                          parameters.wide_data(layout.tensors()[phi]), encoders[i]->config(),
                          i < scales.size() ? scales[i] : nn::TimeScale{}, omega_random, phi_random);
  }
  return parameters;
}

}  // namespace t2v
