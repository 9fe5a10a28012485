#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace t2v::forecast {

/// Rows of features, [n, p], each with the number that their weighted sum is to meet.
struct Rows {
  int64_t features = 0;       // p
  std::vector<float> x = {};  // [n, p]
  std::vector<float> y = {};  // [n]

  explicit Rows(int64_t p) : features(p) {}
  int64_t size() const { return static_cast<int64_t>(y.size()); }
  /// A new row of zeros, to be filled.
  float* add(double target);
};

/// A penalty on weights: so much for each row, on the features from number `from` on.
struct Ridge {
  double strength = 1e-3;
  int64_t from = 0;
  /// Less penalty the more is explained: times the square of mean error / mean |y|.
  bool relative = false;
};

/// The weights [p] of least squared error. In closed form; the same bits on any number of threads. To be
/// called on a thread of a ThreadPool.
std::vector<double> least_squares(const Rows& rows, const Ridge& ridge);
/// The weights of least absolute error, nearly: least squares again and again, large errors counting less.
std::vector<double> least_absolute(const Rows& rows, const Ridge& ridge);

double dot(const float* x, std::span<const double> weights);

}  // namespace t2v::forecast
