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

PublishedCurve recall(std::string_view data, std::string_view figure, std::string_view model,
                      const Values& values) {
  return {data, "recall@10", figure, model, {1, 5, 10, 15, 20, 30, 40, 45, 49, 50}, values};
}

PublishedCurve lastfm(std::string_view figure, std::string_view model, const Values& values) {
  return recall("lastfm", figure, model, values);
}

PublishedCurve citeulike(std::string_view figure, std::string_view model, const Values& values) {
  return recall("citeulike", figure, model, values);
}

/// Figs. 1d, 1e, 2 and 5d.
std::vector<PublishedCurve> recommendations() {
  // clang-format off
  std::vector<PublishedCurve> all = {
      lastfm("1d", "LSTM+T", {0.241, 0.224, 0.227, 0.217, 0.248, 0.261, 0.265, 0.268, 0.272, 0.279}),
      lastfm("1d", "LSTM+T2V", {0.272, 0.249, 0.239, 0.246, 0.277, 0.286, 0.270, 0.309, 0.324, 0.335}),
      lastfm("2a", "TLSTM1", {0.240, 0.226, 0.228, 0.239, 0.248, 0.291, 0.276, 0.321, 0.281, 0.298}),
      lastfm("2a", "TLSTM1+T2V", {0.241, 0.264, 0.265, 0.239, 0.282, 0.304, 0.314, 0.318, 0.335, 0.333}),
      lastfm("2c", "TLSTM3", {0.237, 0.231, 0.230, 0.219, 0.249, 0.263, 0.297, 0.282, 0.281, 0.295}),
      lastfm("2c", "TLSTM3+T2V", {0.240, 0.261, 0.264, 0.266, 0.282, 0.318, 0.323, 0.324, 0.343, 0.341}),
      citeulike("1e", "LSTM+T", {0.152, 0.154, 0.157, 0.139, 0.155, 0.152, 0.159, 0.160, 0.159, 0.163}),
      citeulike("1e", "LSTM+T2V", {0.149, 0.149, 0.157, 0.157, 0.147, 0.161, 0.185, 0.186, 0.196, 0.202}),
      citeulike("2b", "TLSTM1", {0.090, 0.165, 0.174, 0.220, 0.195, 0.318, 0.340, 0.350, 0.358, 0.377}),
      citeulike("2b", "TLSTM1+T2V", {0.150, 0.204, 0.165, 0.265, 0.300, 0.362, 0.407, 0.377, 0.414, 0.405}),
      citeulike("2d", "TLSTM3", {0.145, 0.160, 0.178, 0.252, 0.269, 0.317, 0.357, 0.363, 0.385, 0.204}),
      citeulike("2d", "TLSTM3+T2V", {0.149, 0.165, 0.166, 0.234, 0.307, 0.376, 0.425, 0.451, 0.445, 0.462}),
      citeulike("5d", "TLSTM3+T2V without linear term",
                {0.148, 0.165, 0.156, 0.188, 0.216, 0.245, 0.291, 0.286, 0.315, 0.321}),
  };
  // clang-format on
  all.push_back(all.at(11));
  all.back().figure = "5d";  // shows the curve of Fig. 2d again
  return all;
}

}  // namespace

const std::vector<PublishedCurve>& published_curves() {
  static const std::vector<PublishedCurve> kCurves = [] {
    std::vector<PublishedCurve> all = event_mnist();
    for (const auto& part : {spikes_and_badges(), recommendations()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
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
