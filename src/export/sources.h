#pragma once

#include <string>
#include <vector>

#include "export/events.h"

namespace t2v::onnx {

/// A tensor that feeds a layer or the heads: from [..., rows] W.
struct Source {
  std::string name;  // of the weights
  Tensor from;
  std::vector<float> weights;  // [rows, columns]; none where each row feeds the column of its number
  int64_t rows;
  int64_t columns;
};

/// What feeds one of Model::inputs().
struct Sources {
  std::vector<Source> inputs;  // events, features, the layer below: to the columns for events
  std::vector<Source> times;   // time vectors: to the columns for times
};

/// Rows of events: all of a batch, or some of them.
struct EventRows {
  Tensor event;  // [...]
  Tensor features;
  std::vector<Tensor> times;
};

/// How an event's type is a source: as its row of weights, or, where that is narrower, as zeros and a one.
enum class EventForm { kRow, kNarrower };

/// `below`: outputs of the layer below, none for the first and for the heads.
Sources sources_of(const EventRows& rows, const Tensor& below, std::size_t input, EventForm form,
                   const Model& model, const nn::Parameters<float>& parameters);

/// The sum of all products, [..., columns]; none of no sources.
Tensor sum_of_products(const std::vector<Source>& sources);

}  // namespace t2v::onnx
