#include "nn/when.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

namespace t2v::nn {
namespace {

constexpr double kWide = 40;  // deviations: beyond, there is nothing
constexpr int kMostIterations = 200;
constexpr double kExact = 1e-15;  // of a share

}  // namespace

GapMixture::GapMixture(const float* z, const HeadConfig& config) {
  const int64_t m = config.components;
  std::vector<double> logits(z, z + m);
  const auto all = log_sum<double>(logits);
  for (int64_t k = 0; k < m; ++k) {
    const LogNormal<double> of = log_normal_of(z, config, k);
    components_.push_back(
        {std::exp(logits[static_cast<std::size_t>(k)] - all), of.mu, std::exp(of.log_sigma)});
  }
  if (config.atom) atom_ = kernels::sigmoid(static_cast<double>(z[3 * m]));
}

double GapMixture::mean() const {
  double mean = 0;
  for (const Component& c : components_) mean += c.share * std::exp(c.mu + 0.5 * c.sigma * c.sigma);
  return (1 - atom_) * mean;
}

GapMixture::Point GapMixture::at(double y) const {
  Point point{0, 0};
  for (const Component& c : components_) {
    const double d = (y - c.mu) / c.sigma;
    point.share += c.share * 0.5 * std::erfc(-d / std::numbers::sqrt2);
    point.slope += c.share * std::exp(-0.5 * d * d) / (c.sigma * std::sqrt(2 * std::numbers::pi));
  }
  return point;
}

double GapMixture::share_below(double gap) const {
  return gap > 0 ? atom_ + (1 - atom_) * at(std::log(gap)).share : atom_;
}

double GapMixture::loss(double gap) const {
  if (gap == 0) return -std::log(atom_);
  std::vector<double> terms;
  const double y = std::log(gap);
  for (const Component& c : components_) {
    const double d = (y - c.mu) / c.sigma;
    terms.push_back(std::log(c.share) - std::log(c.sigma) - 0.5 * d * d);
  }
  return y + 0.5 * std::log(2 * std::numbers::pi) - log_sum<double>(terms) - std::log1p(-atom_);
}

double GapMixture::cell_loss(double gap, double grid) const {
  const double above = share_below(gap + grid / 2);
  const double below = gap > grid / 2 ? share_below(gap - grid / 2) : gap > 0 ? atom_ : 0;
  // Where the cell is so narrow that the shares do not tell its ends apart, the density does.
  const double share = above - below;
  if (gap > 0 && !(share > 1e-9)) return loss(gap) - std::log(grid);
  return -std::log(share);
}

double GapMixture::log_quantile(double p, double least) const {
  double low = least;
  double high = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (const Component& c : components_) {
    lowest = std::min(lowest, c.mu - kWide * c.sigma);
    high = std::max(high, c.mu + kWide * c.sigma);
  }
  low = std::max(low, lowest);
  // Newton's steps, and bisection where they would leave what is known.
  double y = low + (high - low) / 2;
  for (int i = 0; i < kMostIterations && low < high; ++i) {
    const Point point = at(y);
    const double off = p - point.share;
    if (std::abs(off) <= kExact * p) break;
    (off > 0 ? low : high) = y;
    double next = y + off / point.slope;
    if (!(next > low && next < high) || i % 8 == 7) next = low + (high - low) / 2;
    if (!(low < next && next < high)) break;
    y = next;
  }
  return y;
}

double GapMixture::quantile(double p) const {
  if (!(p > 0 && p < 1)) fail("a quantile needs a share between 0 and 1; it is {}", p);
  if (p <= atom_) return 0;
  return std::exp(log_quantile((p - atom_) / (1 - atom_), -std::numeric_limits<double>::infinity()));
}

double GapMixture::draw(Random& random) const {
  if (random.uniform() < atom_) return 0;
  double u = random.uniform();
  std::size_t k = 0;
  for (; k + 1 < components_.size() && u >= components_[k].share; ++k) u -= components_[k].share;
  return std::exp(components_[k].mu + components_[k].sigma * random.normal());
}

std::vector<double> GapMixture::middles(int64_t n) const {
  std::vector<double> gaps;
  double y = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < n; ++i) {
    y = log_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n), y);
    gaps.push_back(std::exp(y));
  }
  return gaps;
}

}  // namespace t2v::nn
