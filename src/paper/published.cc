#include "paper/published.h"

#include "base/fail.h"

// Source: the figures of Kazemi et al., 'Time2Vec: Learning a Vector Representation of Time' (2019),
// digitised from pictures of them.
namespace t2v::paper {
namespace {

using Values = std::vector<double>;

std::vector<PublishedCurve> event_mnist() {
  const Values all = {5, 10, 25, 50, 100, 150, 199};
  const Values later = {10, 25, 50, 100, 150, 199};
  const std::string_view data = "event-mnist";
  const std::string_view measure = "accuracy";
  return {
      {data, measure, "1a", "LSTM+T", all, {0.70, 0.723, 0.767, 0.800, 0.841, 0.864, 0.882}},
      {data, measure, "1a", "LSTM+T2V", all, {0.717, 0.812, 0.884, 0.913, 0.929, 0.930, 0.930}},
      {data, measure, "5a", "sin", all, {0.765, 0.844, 0.902, 0.925, 0.935, 0.938, 0.939}},
      {data, measure, "5a", "triangle", later, {0.692, 0.750, 0.823, 0.877, 0.895, 0.905}},
      {data, measure, "5a", "mod", all, {0.582, 0.668, 0.719, 0.771, 0.804, 0.829, 0.846}},
      {data, measure, "5a", "tanh", later, {0.64, 0.70, 0.74, 0.78, 0.80, 0.81}},
      {data, measure, "5a", "sigmoid", later, {0.64, 0.70, 0.74, 0.78, 0.80, 0.81}},
      {data, measure, "5a", "relu", all, {0.225, 0.250, 0.308, 0.335, 0.39, 0.41, 0.437}},
      {data, measure, "5b", "learned", all, {0.657, 0.740, 0.837, 0.883, 0.915, 0.924, 0.930}},
      {data, measure, "5b", "equal", all, {0.445, 0.573, 0.692, 0.763, 0.852, 0.886, 0.90}},
      {data, measure, "5b", "positional", all, {0.610, 0.683, 0.74, 0.800, 0.863, 0.885, 0.90}},
  };
}

/// Not of the paper: sines alone without a shift, from Fig. 3 of LeTE (2025, arXiv 2505.00887).
PublishedCurve lete_sines() {
  return {"event-mnist",
          "accuracy",
          "LeTE 3",
          "sines",
          {1, 5, 10, 20, 50, 100, 150, 200},
          {0.605, 0.842, 0.914, 0.941, 0.954, 0.953, 0.962, 0.9565}};
}

/// The encoding of that paper, the best published on this set.
PublishedCurve lete() {
  PublishedCurve curve = lete_sines();
  curve.model = "LeTE";
  curve.values = {0.524, 0.848, 0.915, 0.945, 0.961, 0.971, 0.972, 0.9729};
  return curve;
}

std::vector<PublishedCurve> spikes_and_badges() {
  const Values spikes = {25, 50, 100, 150, 199};
  return {
      {"spikes", "accuracy", "1b", "LSTM+T", spikes, {0.11, 0.142, 0.227, 0.274, 0.332}},
      {"spikes", "accuracy", "1b", "LSTM+T2V", spikes, {0.162, 0.229, 0.365, 0.438, 0.502}},
      {"stackoverflow",
       "recall@3",
       "1c",
       "LSTM+T",
       {5, 10, 20, 50, 100, 150, 195},
       {0.728, 0.732, 0.738, 0.729, 0.724, 0.724, 0.719}},
      {"stackoverflow",
       "recall@3",
       "1c",
       "LSTM+T2V",
       {5, 10, 40, 50, 100, 150, 199},
       {0.746, 0.757, 0.779, 0.768, 0.768, 0.768, 0.768}},
  };
}

}  // namespace

const std::vector<PublishedCurve>& published_curves() {
  static const std::vector<PublishedCurve> kCurves = [] {
    std::vector<PublishedCurve> all = event_mnist();
    for (const PublishedCurve& curve : spikes_and_badges()) all.push_back(curve);
    all.push_back(lete_sines());
    all.push_back(lete());
    return all;
  }();
  return kCurves;
}

const PublishedCurve& published_curve(std::string_view figure, std::string_view model) {
  for (const PublishedCurve& curve : published_curves()) {
    if (curve.figure == figure && curve.model == model) return curve;
  }
  fail("figure {} of the paper has no curve '{}'", figure, model);
}

}  // namespace t2v::paper
