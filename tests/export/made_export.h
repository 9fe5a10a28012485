#pragma once

#include <limits>
#include <string>
#include <vector>

#include "export/onnx.h"
#include "model/made_batch.h"
#include "model/prediction.h"

namespace t2v::testing {

/// What the models of a test differ in beside their configuration.
struct MadeKind {
  bool event_types = true;
  bool many_types = false;  // more than a cell has columns
  bool features = true;     // of events
  bool sequence_features = false;
  bool unknown = false;  // a place for names that are not known
  bool rules = false;    // in the logits of the next type
  std::string task = "next";
  std::string values = "none";  // or event, next, sequence
};

inline data::Vocabulary made_vocabulary(int64_t count, bool unknown) {
  data::Vocabulary vocabulary;
  for (int64_t i = 0; i + (unknown ? 1 : 0) < count; ++i) vocabulary.names.push_back("n" + std::to_string(i));
  vocabulary.unknown = unknown;
  return vocabulary;
}

inline data::Encoding made_encoding(const MadeKind& kind) {
  data::Encoding encoding;
  if (kind.event_types) encoding.event = made_vocabulary(kind.many_types ? 40 : 4, kind.unknown);
  if (kind.features) {
    encoding.numbers.push_back({"price", 2, 0.5, true, 3});
    encoding.numbers.push_back({"size", -1, 3, false, 0});
    encoding.categories.push_back({"room", made_vocabulary(3, kind.unknown)});
  }
  if (kind.sequence_features) {
    encoding.sequence_numbers.push_back({"age", 40, 10, true, 1});
    encoding.sequence_categories.push_back({"home", made_vocabulary(2, false)});
  }
  encoding.label = made_vocabulary(3, false);
  encoding.value_scale = data::NumberFeature{"value", 3, 2, false, 0};
  encoding.target_scale = data::NumberFeature{"target", -5, 0.5, false, 0};
  return encoding;
}

/// Counts of each type and of what follows each, all different.
inline void add_rules(TrainedModel& model, ModelConfig& config) {
  const int64_t types = model.encoding.event_types();
  const int32_t unknown = model.encoding.event->unknown_code();
  config.heads[0].rules = true;
  model.baselines.markov_offsets = {0};
  for (int32_t u = 0; u < types; ++u) {
    model.baselines.popularity.push_back(2.0 * (u + 1) / static_cast<double>(types * (types + 1)));
    for (int32_t v = u % 2; v < types; v += 2) {
      if (v == unknown) continue;
      model.baselines.markov_types.push_back(v);
      model.baselines.markov_counts.push_back(1 + u + 3 * v);
    }
    model.baselines.markov_offsets.push_back(static_cast<int64_t>(model.baselines.markov_types.size()));
  }
}

/// A model of a configuration, whose sizes are set to fit the kind, with random parameters.
inline TrainedModel made_export(ModelConfig config, const MadeKind& kind, uint64_t seed) {
  TrainedModel model;
  model.task = task_from(kind.task);
  model.values = kind.values == "event"      ? data::ValueTarget::kOfEvent
                 : kind.values == "next"     ? data::ValueTarget::kOfNextEvent
                 : kind.values == "sequence" ? data::ValueTarget::kOfSequence
                                             : data::ValueTarget::kNone;
  model.encoding = made_encoding(kind);
  config.event_types = model.encoding.event_types();
  config.features = model.encoding.features();
  for (nn::HeadConfig& head : config.heads) {
    head.class_weights.clear();
    if (head.kind == "softmax")
      head.classes = kind.task == "classify" ? 3 : std::max<int64_t>(2, config.event_types);
  }
  if (kind.rules) add_rules(model, config);
  model.config = config;
  model.times.scale = {true, 9};
  model.times.view = {"d", 86400e9, data::OriginKind::kSequence, 0};
  const Model laid_out(config);
  nn::Parameters<double> parameters = made_parameters(laid_out, seed);
  laid_out.project(parameters);
  model.parameters = nn::convert<float>(parameters);
  return model;
}

}  // namespace t2v::testing
