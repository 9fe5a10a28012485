#include "paper/published_recommendation.h"

// Source: the figures of Kazemi et al., 'Time2Vec: Learning a Vector Representation of Time' (2019),
// digitised from pictures of them.
namespace t2v::paper {
namespace {

using Values = std::vector<double>;

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

}  // namespace

const std::vector<PublishedCurve>& published_recommendations() {
  // clang-format off
  static const std::vector<PublishedCurve> kCurves = {
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
  return kCurves;
}

const PublishedCurve* published_recommendation(std::string_view data, std::string_view model) {
  for (const PublishedCurve& curve : published_recommendations()) {
    if (curve.data == data && curve.model == model) return &curve;
  }
  return nullptr;
}

}  // namespace t2v::paper
