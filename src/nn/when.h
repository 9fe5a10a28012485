#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "kernels/wide.h"

namespace t2v::nn {

/// The time until the next event as a mixture of M log-normal distributions. The outputs of a model are, for
/// each component, the logit of its share, the mean μ and the logarithm of the deviation σ of log(gap): [M
/// logits, M μ, M log σ].

/// -log p(gap), and scale * its gradient unless dz is null.
template <class T>
Wide<T> when_loss(T* dz, const T* z, int64_t components, double gap, T scale) {
  using W = Wide<T>;
  const double y = std::log(gap);
  std::vector<W> joint(
      static_cast<std::size_t>(components));  // log(share) + log density, up to the shares' sum
  const auto log_sum = [](const auto& terms, auto&& term) {
    W top = term(terms[0]);
    for (const auto& t : terms) top = real_part(term(t)) > real_part(top) ? term(t) : top;
    W sum(0);
    for (const auto& t : terms) sum += std::exp(term(t) - top);
    return top + std::log(sum);
  };
  const std::span<const T> logits(z, static_cast<std::size_t>(components));
  const W all_shares = log_sum(logits, [](const T& logit) { return W(logit); });
  for (std::size_t k = 0; k < joint.size(); ++k) {
    const auto m = static_cast<std::size_t>(components);
    const W log_sigma(z[2 * m + k]);
    const W standard = (W(y) - W(z[m + k])) * std::exp(-log_sigma);
    joint[k] = W(z[k]) - log_sigma - W(0.5) * standard * standard;
  }
  const W total = log_sum(joint, [](const W& term) { return term; });
  for (std::size_t k = 0; dz != nullptr && k < joint.size(); ++k) {
    const auto m = static_cast<std::size_t>(components);
    const W rate = std::exp(-W(z[2 * m + k]));
    const W standard = (W(y) - W(z[m + k])) * rate;
    const W responsible = std::exp(joint[k] - total);
    const W share = std::exp(W(z[k]) - all_shares);
    dz[k] = static_cast<T>(W(scale) * (share - responsible));
    dz[m + k] = static_cast<T>(-W(scale) * responsible * standard * rate);
    dz[2 * m + k] = static_cast<T>(W(scale) * responsible * (W(1) - standard * standard));
  }
  return all_shares - total + W(0.5 * std::log(2 * std::numbers::pi) + y);
}

/// A mixture read off the outputs of a model.
class GapMixture {
 public:
  GapMixture(const float* z, int64_t components);

  /// The expected gap; infinite where a component is so wide that it overflows.
  double mean() const;
  double median() const { return quantile(0.5); }
  /// The gap below which a share p of the distribution lies, 0 < p < 1.
  double quantile(double p) const;
  /// The share below a gap.
  double share_below(double gap) const;

 private:
  struct Component {
    double share;
    double mu;
    double sigma;
  };
  std::vector<Component> components_;
};

}  // namespace t2v::nn
