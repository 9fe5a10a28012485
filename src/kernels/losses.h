#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/scalar_math.h"

namespace t2v::kernels {

/// Softmax cross-entropy of one row of C logits, fused: returns -log softmax(z)[label] and, unless dlogits is
/// null, writes scale * (softmax(z) - one-hot(label)) there. No logit overflows it.
template <class T>
Wide<T> softmax_loss(T* dlogits, const T* logits, int64_t classes, int64_t label, T scale) {
  T top = logits[0];
  for (int64_t i = 1; i < classes; ++i) top = real_part(logits[i]) > real_part(top) ? logits[i] : top;
  T sum(0);
  for (int64_t i = 0; i < classes; ++i) sum += std::exp(logits[i] - top);
  if (dlogits != nullptr) {
    for (int64_t i = 0; i < classes; ++i) {
      dlogits[i] = scale * (std::exp(logits[i] - top) / sum - T(i == label ? 1 : 0));
    }
  }
  return Wide<T>(std::log(sum)) + Wide<T>(top) - Wide<T>(logits[label]);
}
double softmax_loss(float* dlogits, const float* logits, int64_t classes, int64_t label, float scale);

/// The probabilities of one row; probabilities and logits may be the same.
template <class T>
void softmax(T* probabilities, const T* logits, int64_t classes) {
  T top = logits[0];
  for (int64_t i = 1; i < classes; ++i) top = real_part(logits[i]) > real_part(top) ? logits[i] : top;
  T sum(0);
  for (int64_t i = 0; i < classes; ++i) sum += probabilities[i] = std::exp(logits[i] - top);
  for (int64_t i = 0; i < classes; ++i) probabilities[i] /= sum;
}

inline double log_of_one_plus(double x) { return std::log1p(x); }
inline Complex log_of_one_plus(Complex x) { return std::log(1.0 + x); }

/// Binary cross-entropy of a logit with label 0 or 1: returns log(1 + exp(z)) - label * z and writes
/// scale * (sigmoid(z) - label). One number a sequence, so there is no vector version.
template <class T>
Wide<T> logistic_loss(T* dlogit, T logit, int64_t label, T scale) {
  const Wide<T> z(logit);
  if (dlogit != nullptr) *dlogit = scale * (sigmoid(logit) - T(label != 0 ? 1 : 0));
  // log(1 + exp(z)) = max(z, 0) + log(1 + exp(-|z|)), which cannot overflow.
  const bool positive = real_part(z) > 0;
  const Wide<T> small = log_of_one_plus(std::exp(positive ? -z : z));
  return (positive ? z : Wide<T>(0)) + small - (label != 0 ? z : Wide<T>(0));
}

}  // namespace t2v::kernels
