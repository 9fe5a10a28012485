#include "forecast/regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "forecast/series.h"
#include "kernels/matmul.h"

namespace t2v::forecast {
namespace {

constexpr int64_t kBlockRows = 256;
constexpr int kRounds = 8;
/// Errors below this share of the median error count no more than that: absolute errors have no curvature.
constexpr double kLeastError = 0.05;

/// X'WX and X'Wy as one matrix [p + 1, p + 1], summed block by block in double.
class Moments {
 public:
  explicit Moments(int64_t p)
      : width_(p + 1), sums_(square(), 0.0), block_(square_of(kBlockRows, width_)), product_(square()) {}

  const std::vector<double>& sum(const Rows& rows, std::span<const double> weights) {
    std::ranges::fill(sums_, 0.0);
    for (int64_t begin = 0; begin < rows.size(); begin += kBlockRows) {
      add(rows, weights, begin, std::min(rows.size(), begin + kBlockRows));
    }
    return sums_;
  }

 private:
  static std::size_t square_of(int64_t a, int64_t b) { return static_cast<std::size_t>(a * b); }
  std::size_t square() const { return square_of(width_, width_); }

  void add(const Rows& rows, std::span<const double> weights, int64_t begin, int64_t end) {
    const int64_t p = rows.features;
    for (int64_t i = begin; i < end; ++i) {
      const auto root = static_cast<float>(std::sqrt(weights[static_cast<std::size_t>(i)]));
      const float* x = rows.x.data() + i * p;
      float* out = block_.data() + (i - begin) * width_;
      for (int64_t j = 0; j < p; ++j) out[j] = root * x[j];
      out[p] = root * rows.y[static_cast<std::size_t>(i)];
    }
    const kernels::Matrix<float> block{block_.data(), width_};
    kernels::matmul(product_.data(), width_, transposed(block), block, width_, width_, end - begin, 0);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += double{product_[i]};
  }

  int64_t width_;
  std::vector<double> sums_;
  std::vector<float> block_;
  std::vector<float> product_;
};

/// Solves (A + D) w = b by Cholesky's factors; `moments` holds A and, in its last column, b.
std::vector<double> solve(const std::vector<double>& moments, int64_t p, const Ridge& ridge, double total) {
  const int64_t width = p + 1;
  std::vector<double> factor(static_cast<std::size_t>(p * p));
  const auto at = [&](int64_t i, int64_t j) -> double& {
    return factor[static_cast<std::size_t>(i * p + j)];
  };
  const auto moment = [&](int64_t i, int64_t j) { return moments[static_cast<std::size_t>(i * width + j)]; };
  for (int64_t i = 0; i < p; ++i) {
    const double penalty = (i >= ridge.from ? ridge.strength : 0) * total + 1e-9 * total;
    for (int64_t j = 0; j <= i; ++j) {
      double sum = moment(i, j) + (i == j ? penalty : 0);
      const double* a = factor.data() + i * p;
      const double* b = factor.data() + j * p;
      for (int64_t k = 0; k < j; ++k) sum -= a[k] * b[k];
      at(i, j) = i == j ? std::sqrt(std::max(sum, 1e-12 * total)) : sum / at(j, j);
    }
  }
  std::vector<double> w(static_cast<std::size_t>(p));
  for (int64_t i = 0; i < p; ++i) {
    double sum = moment(i, p);
    for (int64_t k = 0; k < i; ++k) sum -= at(i, k) * w[static_cast<std::size_t>(k)];
    w[static_cast<std::size_t>(i)] = sum / at(i, i);
  }
  for (int64_t i = p - 1; i >= 0; --i) {
    double sum = w[static_cast<std::size_t>(i)];
    for (int64_t k = i + 1; k < p; ++k) sum -= at(k, i) * w[static_cast<std::size_t>(k)];
    w[static_cast<std::size_t>(i)] = sum / at(i, i);
  }
  return w;
}

/// |y - xw| of each row.
void absolute_errors(std::vector<double>& errors, const Rows& rows, std::span<const double> w) {
  errors.resize(rows.y.size());
  for (int64_t i = 0; i < rows.size(); ++i) {
    errors[static_cast<std::size_t>(i)] =
        std::abs(double{rows.y[static_cast<std::size_t>(i)]} - dot(rows.x.data() + i * rows.features, w));
  }
}

/// The weights that make squares of errors their absolute values, of mean 1.
bool weights_of(std::vector<double>& weights, const std::vector<double>& errors) {
  std::vector<double> sorted = errors;
  const double least = kLeastError * quantile_of(sorted, 0.5);
  if (!(least > 0) || !std::isfinite(least)) return false;
  double sum = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) sum += weights[i] = 1 / std::max(errors[i], least);
  for (double& weight : weights) weight *= static_cast<double>(errors.size()) / sum;
  return true;
}

/// The share of sum |y| that is left.
double share_left(const Rows& rows, const std::vector<double>& errors) {
  double left = 0;
  double all = 0;
  for (const double error : errors) left += error;
  for (const float y : rows.y) all += std::abs(double{y});
  return all > 0 ? std::min(left / all, 1.0) : 1;
}

/// Least squares, and so many rounds more with other weights of rows or another penalty.
std::vector<double> fit(const Rows& rows, const Ridge& ridge, int rounds, bool absolute) {
  if (rows.size() == 0) return std::vector<double>(static_cast<std::size_t>(rows.features), 0.0);
  Moments moments(rows.features);
  std::vector<double> weights(rows.y.size(), 1.0);
  std::vector<double> errors;
  const auto total = static_cast<double>(rows.size());
  Ridge now = ridge;
  std::vector<double> w = solve(moments.sum(rows, weights), rows.features, now, total);
  for (int round = 0; round < rounds; ++round) {
    absolute_errors(errors, rows, w);
    if (ridge.relative) now.strength = ridge.strength * std::pow(share_left(rows, errors), 2);
    if (absolute && !weights_of(weights, errors)) break;
    w = solve(moments.sum(rows, weights), rows.features, now, total);
  }
  return w;
}

}  // namespace

float* Rows::add(double target) {
  x.resize(x.size() + static_cast<std::size_t>(features), 0.0F);
  y.push_back(static_cast<float>(target));
  return x.data() + x.size() - features;
}

double dot(const float* x, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += double{x[j]} * weights[j];
  return sum;
}

std::vector<double> least_squares(const Rows& rows, const Ridge& ridge) {
  return fit(rows, ridge, ridge.relative ? 2 : 0, false);
}

std::vector<double> least_absolute(const Rows& rows, const Ridge& ridge) {
  return fit(rows, ridge, kRounds, true);
}

}  // namespace t2v::forecast
