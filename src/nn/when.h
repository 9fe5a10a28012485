#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "base/random.h"
#include "kernels/losses.h"
#include "kernels/wide.h"
#include "nn/head.h"

namespace t2v::nn {

/// The time until the next event as a mixture of M log-normal distributions and, with HeadConfig::atom, an
/// atom at zero. The outputs of a model are, for each component, the logit of its share, the mean and the
/// logarithm of the deviation of log(gap) in units of `spread` from `centre`, and the logit of a gap of zero:
/// [M logits, M means, M log deviations, atom].
///
/// Where `floor` is not zero, no component is narrower than a cell of a grid of times that is so wide: its
/// variance is σ² + 1 / (2π (1 + (exp(μ) / floor)²)), which keeps its density at about 1 / floor or below.
inline int64_t when_outputs(const HeadConfig& config) {
  return 3 * config.components + (config.atom ? 1 : 0);
}

/// A component as it acts.
template <class W>
struct LogNormal {
  W mu;
  W log_sigma;
  W learned;  // the slope of log σ by what is learned
  W drift;    // and by μ
};

template <class T>
LogNormal<Wide<T>> log_normal_of(const T* z, const HeadConfig& config, int64_t k) {
  using W = Wide<T>;
  const int64_t m = config.components;
  LogNormal<W> of{W(config.centre) + W(config.spread) * W(z[m + k]),
                  W(z[2 * m + k]) + W(std::log(config.spread)), W(1), W(0)};
  if (config.floor == 0) return of;
  // 1 / (1 + x²) as a logistic function, which cannot overflow.
  const W share = kernels::sigmoid(W(-2) * (of.mu - W(std::log(config.floor))));
  const W free = std::exp(W(2) * of.log_sigma);
  const W variance = free + share / W(2 * std::numbers::pi);
  of.log_sigma = W(0.5) * std::log(variance);
  of.learned = free / variance;
  of.drift = -share * (W(1) - share) / (W(2 * std::numbers::pi) * variance);
  return of;
}

/// log Σ exp(term).
template <class W>
W log_sum(std::span<const W> terms) {
  W top = terms[0];
  for (const W& term : terms) top = real_part(term) > real_part(top) ? term : top;
  W sum(0);
  for (const W& term : terms) sum += std::exp(term - top);
  return top + std::log(sum);
}

/// Of a gap above zero: -log of the mixture's density, without the atom.
template <class T>
Wide<T> mixture_loss(T* dz, const T* z, const HeadConfig& config, double gap, T scale) {
  using W = Wide<T>;
  const auto m = static_cast<std::size_t>(config.components);
  const double y = std::log(gap);
  std::vector<W> logits(z, z + m);
  std::vector<W> joint(m);  // log(share) + log density, up to the shares' sum
  std::vector<LogNormal<W>> of(m);
  for (std::size_t k = 0; k < m; ++k) {
    of[k] = log_normal_of(z, config, static_cast<int64_t>(k));
    const W standard = (W(y) - of[k].mu) * std::exp(-of[k].log_sigma);
    joint[k] = logits[k] - of[k].log_sigma - W(0.5) * standard * standard;
  }
  const W all_shares = log_sum<W>(logits);
  const W total = log_sum<W>(joint);
  for (std::size_t k = 0; dz != nullptr && k < m; ++k) {
    const W rate = std::exp(-of[k].log_sigma);
    const W standard = (W(y) - of[k].mu) * rate;
    const W wider = standard * standard - W(1);  // the slope of the density's logarithm by log σ
    const W responsible = W(scale) * std::exp(joint[k] - total);
    dz[k] = static_cast<T>(W(scale) * std::exp(logits[k] - all_shares) - responsible);
    dz[m + k] = static_cast<T>(-W(config.spread) * responsible * (standard * rate + wider * of[k].drift));
    dz[2 * m + k] = static_cast<T>(-responsible * wider * of[k].learned);
  }
  return all_shares - total + W(0.5 * std::log(2 * std::numbers::pi) + y);
}

/// -log p(gap), where a gap of zero has a probability and any other a density; and scale * its gradient
/// unless dz is null.
template <class T>
Wide<T> when_loss(T* dz, const T* z, const HeadConfig& config, double gap, T scale) {
  const int64_t mixture = 3 * config.components;
  Wide<T> loss(0);
  if (config.atom) {
    loss +=
        kernels::logistic_loss(dz == nullptr ? nullptr : dz + mixture, z[mixture], gap == 0 ? 1 : 0, scale);
  }
  if (config.atom && gap == 0) {
    for (int64_t i = 0; dz != nullptr && i < mixture; ++i) dz[i] = T(0);
    return loss;
  }
  return loss + mixture_loss(dz, z, config, gap, scale);
}

/// A distribution of gaps read off the outputs of a model.
class GapMixture {
 public:
  GapMixture(const float* z, const HeadConfig& config);

  /// The expected gap; infinite where a component is so wide that it overflows.
  double mean() const;
  double median() const { return quantile(0.5); }
  /// The gap below which a share p of the distribution lies, 0 < p < 1; 0 within the atom.
  double quantile(double p) const;
  /// The share at or below a gap.
  double share_below(double gap) const;
  /// -log of the density at a gap, or of the probability of the gap 0.
  double loss(double gap) const;
  /// -log of the probability of the cell of a grid that a gap is in the middle of; of the gap 0, of its atom
  /// and half a cell.
  double cell_loss(double gap, double grid) const;
  /// The probability of a gap of zero.
  double atom() const { return atom_; }
  /// A gap drawn from the distribution.
  double draw(Random& random) const;
  /// The quantiles (i + 1/2) / n of the gaps above zero, ascending.
  std::vector<double> middles(int64_t n) const;

 private:
  struct Component {
    double share;
    double mu;
    double sigma;
  };
  /// The share of the components below exp(y), and its slope.
  struct Point {
    double share;
    double slope;
  };
  Point at(double y) const;
  /// The logarithm of a quantile of the components, not below `least`.
  double log_quantile(double p, double least) const;

  std::vector<Component> components_;
  double atom_ = 0;
};

}  // namespace t2v::nn
