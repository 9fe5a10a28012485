// The layer alone, in a training loop that is not ours: logistic regression on t2v(day), whose weights,
// frequencies and phases a hand-written Adam learns. Every seventh day is to be told from the others; days
// 1..273 of a year are learned from, the rest is predicted. (From some other seeds no sine finds the week:
// where frequencies start matters.)
//   example_layer
#include <cmath>
#include <cstdio>
#include <vector>

#include "t2v/time2vec.h"

namespace {

/// Adam, for one array of numbers.
class Adam {
 public:
  Adam(std::vector<double>& values, double rate)
      : values_(values), rate_(rate), mean_(values.size()), square_(values.size()) {}

  void step(const std::vector<double>& gradient) {
    ++steps_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      mean_[i] += 0.1 * (gradient[i] - mean_[i]);
      square_[i] += 0.001 * (gradient[i] * gradient[i] - square_[i]);
      const double mean = mean_[i] / (1 - std::pow(0.9, steps_));
      const double square = square_[i] / (1 - std::pow(0.999, steps_));
      values_[i] -= rate_ * mean / (std::sqrt(square) + 1e-8);
    }
  }

 private:
  std::vector<double>& values_;
  double rate_;
  std::vector<double> mean_;
  std::vector<double> square_;
  int steps_ = 0;
};

bool is_seventh(double day) { return std::fmod(day, 7) == 0; }

/// Logistic regression on vectors of times.
struct Classifier {
  t2v::Time2Vec layer;
  std::vector<double> omega;
  std::vector<double> phi;
  std::vector<double> weights;  // one an entry of the vector, then the bias

  explicit Classifier(const std::vector<double>& days)
      : layer({.k = 32}),
        omega(static_cast<std::size_t>(layer.width())),
        phi(omega.size()),
        weights(omega.size() + 1) {
    layer.start(omega, phi, t2v::FrequencyStart::kSpan, 1, days);
  }

  double probability(const float* vector) const {
    double logit = weights.back();
    for (std::size_t i = 0; i < omega.size(); ++i) logit += weights[i] * static_cast<double>(vector[i]);
    return 1 / (1 + std::exp(-logit));
  }

  double accuracy(const std::vector<double>& days) const {
    std::vector<float> value(days.size() * omega.size());
    layer.encode(value, omega, phi, days);
    int right = 0;
    for (std::size_t u = 0; u < days.size(); ++u) {
      right += (probability(&value[u * omega.size()]) > 0.5) == is_seventh(days[u]) ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(days.size());
  }
};

void train(Classifier& model, const std::vector<double>& days, int steps) {
  const std::size_t width = model.omega.size();
  std::vector<float> value(days.size() * width);
  std::vector<float> slope(value.size());
  std::vector<float> dvalue(value.size());
  Adam weights(model.weights, 0.02);
  Adam omega(model.omega, 0.002);
  Adam phi(model.phi, 0.02);
  for (int step = 0; step < steps; ++step) {
    model.layer.forward(value, slope, model.omega, model.phi, days);
    std::vector<double> dweights(width + 1);
    for (std::size_t u = 0; u < days.size(); ++u) {
      const float* vector = &value[u * width];
      const double error =
          (model.probability(vector) - (is_seventh(days[u]) ? 1 : 0)) / static_cast<double>(days.size());
      for (std::size_t i = 0; i < width; ++i) {
        dweights[i] += error * static_cast<double>(vector[i]);
        dvalue[u * width + i] = static_cast<float>(error * model.weights[i]);
      }
      dweights[width] += error;
    }
    std::vector<double> domega(width);
    std::vector<double> dphi(width);
    model.layer.backward(domega, dphi, dvalue, slope, days);
    weights.step(dweights);
    omega.step(domega);
    phi.step(dphi);
  }
}

}  // namespace

int main() {
  std::vector<double> learned;
  std::vector<double> others;
  for (int day = 1; day <= 365; ++day) (day <= 273 ? learned : others).push_back(day);
  Classifier model(learned);
  train(model, learned, 2500);
  std::printf("accuracy on days 274 to 365: %.3f\n", model.accuracy(others));
}
