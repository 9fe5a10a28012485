#include "model/typed_gaps.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace t2v {

double log_normal_loss(const double* of, double gap) {
  if (gap == 0) return -std::log(of[2]);
  const double y = std::log(gap);
  const double standard = (y - of[0]) / of[1];
  return y + std::log(of[1]) + 0.5 * (std::log(2 * std::numbers::pi) + standard * standard) -
         std::log1p(-of[2]);
}

TypedGaps::Said TypedGaps::after(int32_t before, int32_t type, double gap) const {
  const auto types = static_cast<std::size_t>(baselines_.popularity.size());
  std::vector<double> scores(types);
  double sum = kMarkovPrior;
  for (std::size_t v = 0; v < types; ++v) scores[v] = kMarkovPrior * baselines_.popularity[v];
  const auto row = static_cast<std::size_t>(before);
  for (auto i = static_cast<std::size_t>(baselines_.markov_offsets[row]);
       i < static_cast<std::size_t>(baselines_.markov_offsets[row + 1]); ++i) {
    scores[static_cast<std::size_t>(baselines_.markov_types[i])] += baselines_.markov_counts[i];
    sum += baselines_.markov_counts[i];
  }
  const auto target = static_cast<std::size_t>(type);
  Said said{0, true, true};
  const auto joint = [&](std::size_t v) {
    return log_normal_loss(baselines_.type_gaps.data() + 3 * v, gap) - std::log(scores[v] / sum);
  };
  said.loss = joint(target);
  for (std::size_t v = 0; v < types; ++v) {
    said.without =
        said.without && (scores[v] < scores[target] || (scores[v] == scores[target] && v >= target));
    said.given = said.given && joint(v) >= said.loss;
  }
  return said;
}

}  // namespace t2v
