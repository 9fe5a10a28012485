#include "nn/when.h"

#include <algorithm>

#include "base/fail.h"

namespace t2v::nn {

GapMixture::GapMixture(const float* z, int64_t components) {
  double top = z[0];
  for (int64_t k = 1; k < components; ++k) top = std::max(top, static_cast<double>(z[k]));
  double sum = 0;
  for (int64_t k = 0; k < components; ++k) sum += std::exp(static_cast<double>(z[k]) - top);
  for (int64_t k = 0; k < components; ++k) {
    components_.push_back({std::exp(static_cast<double>(z[k]) - top) / sum,
                           static_cast<double>(z[components + k]),
                           std::exp(static_cast<double>(z[2 * components + k]))});
  }
}

double GapMixture::mean() const {
  double mean = 0;
  for (const Component& c : components_) mean += c.share * std::exp(c.mu + 0.5 * c.sigma * c.sigma);
  return mean;
}

double GapMixture::share_below(double gap) const {
  const double y = std::log(gap);
  double share = 0;
  for (const Component& c : components_) {
    share += c.share * 0.5 * std::erfc(-(y - c.mu) / (c.sigma * std::numbers::sqrt2));
  }
  return share;
}

double GapMixture::quantile(double p) const {
  if (!(p > 0 && p < 1)) fail("a quantile needs a share between 0 and 1; it is {}", p);
  // On the logarithmic scale: the quantile lies between those of the outermost components, 40 deviations
  // wide.
  constexpr double kWide = 40;
  double low = components_[0].mu;
  double high = low;
  for (const Component& c : components_) {
    low = std::min(low, c.mu - kWide * c.sigma);
    high = std::max(high, c.mu + kWide * c.sigma);
  }
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (share_below(std::exp(middle)) < p ? low : high) = middle;
  }
  return std::exp(low + (high - low) / 2);
}

}  // namespace t2v::nn
