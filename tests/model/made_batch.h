#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "base/random.h"
#include "model/model.h"
#include "nn/cell.h"
#include "nn/head.h"
#include "nn/time_encoder.h"

namespace t2v::testing {

/// A made batch that owns its memory: sequences of the given lengths, times with and without repetitions.
struct MadeBatch {
  std::vector<int64_t> offsets{0};
  std::array<std::vector<double>, kTimeInputs> times;
  std::vector<int32_t> events;
  std::vector<float> features;
  std::vector<int32_t> labels;

  MadeBatch(const std::vector<int64_t>& lengths, const ModelConfig& config, uint64_t seed,
            bool repeated_times) {
    Random random(seed);
    for (const int64_t length : lengths) {
      double start = 0;
      for (int64_t i = 0; i < length; ++i) {
        const double drawn = 3 * random.uniform();
        const double gap = i == 0 ? 0 : repeated_times ? std::floor(2 * drawn) / 2 : drawn;
        start += gap;
        times[0].push_back(start);
        times[1].push_back(gap);
        times[2].push_back(start + (repeated_times ? 1 : random.uniform(0.5, 1.5)));
        if (config.input.event_types > 0) {
          events.push_back(
              static_cast<int32_t>(random.below(static_cast<uint64_t>(config.input.event_types))));
        }
        for (int64_t f = 0; f < config.input.features; ++f) {
          features.push_back(static_cast<float>(random.uniform(-1, 1)));
        }
      }
      offsets.push_back(offsets.back() + length);
      labels.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(config.classes))));
    }
  }

  SequenceBatch view() const { return {offsets, {times[0], times[1], times[2]}, events, features, labels}; }
};

/// Every encoder of the table, Time2Vec with every activation, with and without its linear term, and several
/// time inputs at once.
inline std::vector<std::vector<nn::TimeEncoderConfig>> all_time_configs() {
  std::vector<std::vector<nn::TimeEncoderConfig>> all;
  for (const nn::TimeEncoderKind& kind : nn::time_encoders()) {
    if (kind.encode == nullptr) continue;
    nn::TimeEncoderConfig config;
    config.kind = kind.name;
    config.input = kind.name == "log" ? TimeInput::kGap : TimeInput::kStart;
    all.push_back({config});
  }
  using nn::Activation;
  for (const Activation activation :
       {Activation::kSin, Activation::kCos, Activation::kTriangle, Activation::kMod, Activation::kSigmoid,
        Activation::kTanh, Activation::kRelu}) {
    for (const bool linear : {true, false}) {
      nn::TimeEncoderConfig config;
      config.k = 5;
      config.activation = activation;
      config.linear = linear;
      config.l1 = linear ? 0.01 : 0;
      all.push_back({config});
    }
  }
  std::vector<nn::TimeEncoderConfig> three(3);
  three[0].k = 3;
  three[1].k = 4;
  three[1].input = TimeInput::kGap;
  three[2].kind = "raw";
  three[2].input = TimeInput::kQuery;
  all.push_back(three);
  return all;
}

inline std::string describe(const ModelConfig& config) {
  std::string text = config.cell + " " + config.head + (config.biases == 2 ? " two biases" : "");
  for (const nn::TimeEncoderConfig& time : config.input.times) {
    text += " " + time.kind + "/" + std::string(nn::name_of(time.input));
    if (time.kind == "t2v") {
      text += "/" + std::string(nn::name_of(time.activation)) + (time.linear ? "" : "/no linear term");
    }
  }
  return text;
}

/// The full cross of cells (and none), time encoders and heads.
inline std::vector<ModelConfig> all_model_configs(int64_t hidden) {
  std::vector<std::string> cells = {"none"};
  for (const nn::Cell* cell : nn::cells()) cells.emplace_back(cell->name);
  std::vector<ModelConfig> all;
  for (const std::string& cell : cells) {
    for (const auto& times : all_time_configs()) {
      for (const nn::Head& head : nn::heads()) {
        ModelConfig config;
        config.input.event_types = 4;
        config.input.features = 2;
        config.input.times = times;
        config.cell = cell;
        config.hidden = hidden;
        config.biases = head.name == "softmax" ? 2 : 1;
        config.head = head.name;
        config.classes = head.name == "softmax" ? 3 : 2;
        all.push_back(config);
      }
    }
  }
  return all;
}

/// Parameters that floats hold exactly: weights in ±0.5, frequencies in ±1.5, phases in ±2.
inline nn::Parameters<double> made_parameters(const Model& model, uint64_t seed) {
  nn::Parameters<double> parameters;
  parameters.assign_zeros(model.layout());
  Random random(seed);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    const double bound = tensor.role == nn::Role::kOmega ? 1.5 : tensor.role == nn::Role::kPhi ? 2 : 0.5;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      parameters.set(tensor, i, static_cast<double>(static_cast<float>(random.uniform(-bound, bound))));
    }
  }
  for (const nn::TimeEncoder& encoder : model.input().encoders()) {
    if (!encoder.learned() || encoder.config().activation != nn::Activation::kRelu) continue;
    // All but the last term are alive at all times, which are not negative.
    for (const int id : {encoder.omega(), encoder.phi()}) {
      double* values = parameters.wide_data(model.layout()[id]);
      for (int64_t i = 0; i + 1 < encoder.width(); ++i) values[i] = std::abs(values[i]);
    }
  }
  return parameters;
}

/// All entries of a tensor as doubles.
template <class T>
std::vector<double> values_of(const nn::Parameters<T>& parameters, const nn::Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i) values.push_back(real_part(parameters.get(tensor, i)));
  return values;
}

}  // namespace t2v::testing
