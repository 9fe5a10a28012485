#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "base/random.h"
#include "model/model.h"
#include "nn/cell.h"
#include "nn/head.h"
#include "nn/time_encoder.h"

namespace t2v::testing {

/// A made batch that owns its memory: sequences of the given lengths, times with and without repetitions, and
/// something to predict for every head of the model.
struct MadeBatch {
  std::vector<int64_t> offsets{0};
  std::array<std::vector<double>, kTimeInputs> times;
  std::vector<int32_t> events;
  std::vector<float> features;
  std::vector<int32_t> labels;
  std::vector<int32_t> next_events;
  std::vector<double> next_gaps;
  std::vector<float> values;
  std::vector<int64_t> part_offsets{0};  // of a model whose events are sums of rows
  std::vector<EventPart> parts;

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
        const double until = repeated_times ? 1 : random.uniform(0.5, 1.5);
        times[2].push_back(start + until);
        times[3].push_back(until);
        times[4].push_back(start + 0.25);
        if (config.event_types > 0) {
          events.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(config.event_types))));
        }
        add_parts(config.event_rows, random);
        for (int64_t f = 0; f < config.features; ++f)
          features.push_back(static_cast<float>(random.uniform(-1, 1)));
      }
      offsets.push_back(offsets.back() + length);
    }
    for (const nn::HeadConfig& head : config.heads) add_targets(head, lengths, random);
  }

  SequenceBatch view() const {
    return {offsets,      {times[0], times[1], times[2], times[3], times[4]},
            events,       features,
            labels,       next_events,
            next_gaps,    values,
            part_offsets, parts};
  }

 private:
  void add_parts(int64_t rows, Random& random) {
    if (rows == 0) return;  // and nothing is drawn
    for (uint64_t p = random.below(4); p > 0; --p) {
      const auto row = static_cast<int32_t>(random.below(static_cast<uint64_t>(rows)));
      parts.push_back({row, static_cast<float>(random.uniform(-2, 2))});
    }
    part_offsets.push_back(static_cast<int64_t>(parts.size()));
  }
  void add_targets(const nn::HeadConfig& head, const std::vector<int64_t>& lengths, Random& random) {
    const auto classes = static_cast<uint64_t>(head.classes);
    for (const int64_t length : lengths) {
      if (head.kind == "when") {
        for (int64_t i = 0; i < length; ++i) {
          const bool zero = head.atom && random.below(3) == 0;
          next_gaps.push_back(i + 1 == length ? NAN : zero ? 0 : random.uniform(0.1, 5));
        }
      } else if (head.kind == "softmax" || head.kind == "logistic") {
        if (!head.each_step) {
          labels.push_back(static_cast<int32_t>(random.below(classes)));
          continue;
        }
        for (int64_t i = 0; i < length; ++i) {
          next_events.push_back(i + 1 == length ? -1 : static_cast<int32_t>(random.below(classes)));
        }
      } else {
        for (int64_t i = 0; i < (head.each_step ? length : 1); ++i) {
          values.push_back(static_cast<float>(random.uniform(-2, 2)));
        }
      }
    }
  }
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
    config.scale = 0.5;
    config.centre = 0.2;
    config.spread = 2;
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
  three[2].input = TimeInput::kSince;
  all.push_back(three);
  return all;
}

inline std::string describe(const ModelConfig& config) {
  std::string text = config.cell + (config.inner == "tanh" ? " (tanh)" : "");
  if (config.skip) text += " skip";
  if (config.layers > 1) text += " x " + std::to_string(config.layers);
  if (config.chunk > 0) text += " chunks of " + std::to_string(config.chunk);
  for (const nn::HeadConfig& head : config.heads)
    text += " " + head.kind + (head.each_step ? " each step" : "") + (head.pool == "all" ? " of all" : "") +
            (head.timed       ? " timed"
             : head.units > 0 ? " hidden"
                              : "");
  for (const nn::TimeEncoderConfig& time : config.times) {
    text += " " + time.kind + "/" + std::string(nn::name_of(time.input));
    if (time.kind == "t2v") {
      text += "/" + std::string(nn::name_of(time.activation)) + (time.linear ? "" : "/no linear term");
    }
  }
  return text;
}

/// Every head, at the last event and, where it can be, at each.
inline std::vector<nn::HeadConfig> all_head_configs() {
  std::vector<nn::HeadConfig> all;
  for (const nn::Head& kind : nn::heads()) {
    for (const bool each : {false, true}) {
      if (kind.target == nn::TargetKind::kGap && !each) continue;
      nn::HeadConfig head;
      head.kind = kind.name;
      head.each_step = each;
      head.classes = head.kind == "logistic" ? 2 : 3;
      if (head.kind == "softmax" && each) head.class_weights = {0.5, 2, 1};
      head.components = 2;
      all.push_back(head);
    }
  }
  return all;
}

/// What and when: a head of types that sees the times of the next event, and one of gaps.
inline void make_timed(ModelConfig& config, const std::vector<nn::TimeEncoderConfig>& next_times) {
  nn::HeadConfig types;
  types.each_step = types.timed = true;
  types.classes = 3;
  types.units = 4;
  nn::HeadConfig when;
  when.kind = "when";
  when.each_step = true;
  when.components = 2;
  when.units = 3;
  when.centre = 0.5;
  when.spread = 1.5;
  when.floor = 0.25;
  when.atom = true;
  config.heads = {types, when};
  config.next_times = next_times;
  for (nn::TimeEncoderConfig& time : config.next_times) {
    const bool since = time.input == TimeInput::kGap;
    time.input = since ? TimeInput::kUntil : TimeInput::kQuery;
  }
}

/// All cells, and none: a configuration with the cell chosen.
inline std::vector<ModelConfig> all_cell_configs() {
  std::vector<ModelConfig> all(1);
  all[0].cell = "none";
  for (const nn::Cell& cell : nn::cells()) {
    ModelConfig config;
    config.cell = cell.name;
    if (!cell.inner.empty()) config.inner = cell.inner;
    config.t1_constraint = "none";
    all.push_back(config);
  }
  return all;
}

/// The full cross of cells (and none), time encoders and heads.
inline std::vector<ModelConfig> all_model_configs(int64_t hidden) {
  std::vector<ModelConfig> all;
  int count = 0;
  for (const ModelConfig& cell : all_cell_configs()) {
    for (const auto& times : all_time_configs()) {
      for (const nn::HeadConfig& head : all_head_configs()) {
        ModelConfig config = cell;
        config.event_types = 4;
        config.features = 2;
        config.times = times;
        config.hidden = hidden;
        config.biases = 1 + count % 2;
        config.skip = count++ / 2 % 2 == 1;
        config.heads = {head};
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
    // Times go up to a hundred; outputs that large would leave the losses no slope.
    const bool straight = tensor.name.starts_with("skip.");
    const double bound = tensor.role == nn::Role::kOmega ? 1.5
                         : tensor.role == nn::Role::kPhi ? 2
                         : straight                      ? 0x1p-7
                                                         : 0.5;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      double value = random.uniform(-bound, bound);
      // Clocks whose units are open often enough to matter.
      if (tensor.role == nn::Role::kPeriod) value = random.uniform(1, 4);
      if (tensor.role == nn::Role::kShift) value = random.uniform(0, 0.2);
      parameters.set(tensor, i, static_cast<double>(static_cast<float>(value)));
    }
  }
  for (const nn::TimeEncoder* of : model.encoders()) {
    const nn::TimeEncoder& encoder = *of;
    if (!encoder.learned()) continue;
    const nn::Activation activation = encoder.config().activation;
    if (activation == nn::Activation::kSigmoid || activation == nn::Activation::kTanh ||
        activation == nn::Activation::kRelu) {
      // Times go up to a hundred; beyond a phase of a few these have no slope left, or blow up.
      double* omega = parameters.wide_data(model.layout()[encoder.omega()]);
      for (int64_t i = encoder.first_periodic(); i < encoder.width(); ++i) omega[i] /= 64;
    }
    if (activation != nn::Activation::kRelu) continue;
    // All but the last term are alive at all times, which are not negative.
    for (const int id : {encoder.omega(), encoder.phi()}) {
      double* values = parameters.wide_data(model.layout()[id]);
      for (int64_t i = 0; i + 1 < encoder.width(); ++i) values[i] = std::abs(values[i]);
    }
  }
  return parameters;
}

/// A batch under which no tensor's gradient is tiny or mostly zero: errors may cancel in the sums of a small
/// one. The first of some seeds that does it, if one does.
inline std::optional<MadeBatch> batch_with_gradients(const std::vector<int64_t>& lengths, const Model& model,
                                                     const nn::Parameters<double>& parameters,
                                                     bool repeated_times) {
  ThreadPool pool(1);
  Workspace<double> work;
  for (uint64_t seed = 1; seed < 30; ++seed) {
    MadeBatch batch(lengths, model.config(), seed, repeated_times);
    model.gradient(parameters, batch.view(), work, pool);
    bool good = true;
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      int64_t zeros = 0;
      double largest = 0;
      for (int64_t i = 0; i < tensor.size(); ++i) {
        const double size = std::abs(work.gradient.get(tensor, i));
        zeros += size < 1e-9 ? 1 : 0;
        largest = std::max(largest, size);
      }
      good = good && zeros * 2 <= tensor.size() && largest > 1e-3;
    }
    if (good) return batch;
  }
  return std::nullopt;
}

/// Parameters and a batch for them under which every gradient can be compared.
struct MadeCase {
  nn::Parameters<double> parameters;
  MadeBatch batch;
};

inline MadeCase made_case(const Model& model, const std::vector<int64_t>& lengths, bool repeated_times,
                          const std::function<bool(const nn::Parameters<double>&, const MadeBatch&)>& good) {
  for (uint64_t seed = 1;; ++seed) {
    nn::Parameters<double> parameters = made_parameters(model, seed);
    const auto batch = batch_with_gradients(lengths, model, parameters, repeated_times);
    if (batch && good(parameters, *batch)) return {parameters, *batch};
    if (seed > 200) throw std::logic_error("no case for " + describe(model.config()));
  }
}

/// The slope of an absolute error, or of the linear part of a Huber loss, is of one size, so the gradients of
/// what is added to it are of few sizes.
inline bool may_saturate(const ModelConfig& config) {
  return config.heads[0].kind == "mae" || config.heads[0].kind == "huber";
}

/// All entries of a tensor as doubles.
template <class T>
std::vector<double> values_of(const nn::Parameters<T>& parameters, const nn::Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i) values.push_back(real_part(parameters.get(tensor, i)));
  return values;
}

}  // namespace t2v::testing
