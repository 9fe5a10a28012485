#pragma once

#include <cmath>
#include <cstdint>

// One step of each optimizer on n parameters w with gradients g. What all of them do first: scale the
// gradient (by clipping), and shrink the weights (decoupled decay) or add decay * w to the gradient.
namespace t2v::kernels {

/// Adam (Kingma and Ba 2015), with the corrections for the start folded in, and AdamW (Loshchilov and Hutter
/// 2019):
///   w *= keep,  m = β1 m + (1-β1) g,  v = β2 v + (1-β2) g²,  w -= step m / (sqrt(v) * scale + ε).
struct AdamStep {
  double beta1;
  double beta2;
  double epsilon;
  double step;      // learning rate / (1 - β1^t)
  double scale;     // 1 / sqrt(1 - β2^t)
  double keep = 1;  // 1 - learning rate * weight decay
};

template <class T>
void adam(T* w, T* m, T* v, const T* g, int64_t n, const AdamStep& s) {
  for (int64_t i = 0; i < n; ++i) {
    m[i] = T(s.beta1) * m[i] + T(1 - s.beta1) * g[i];
    v[i] = T(s.beta2) * v[i] + T(1 - s.beta2) * g[i] * g[i];
    w[i] = T(s.keep) * w[i] - T(s.step) * m[i] / (std::sqrt(v[i]) * T(s.scale) + T(s.epsilon));
  }
}
void adam(float* w, float* m, float* v, const float* g, int64_t n, const AdamStep& s);

/// Adagrad (Duchi et al. 2011): g += decay w,  v += g²,  w -= rate g / (sqrt(v) + ε), or / sqrt(v + ε) with ε
/// inside the root, as Lasagne has it.
struct AdagradStep {
  double rate;
  double epsilon;
  bool inside;
  double decay = 0;
};

template <class T>
void adagrad(T* w, T* v, const T* g, int64_t n, const AdagradStep& s) {
  for (int64_t i = 0; i < n; ++i) {
    const T d = g[i] + T(s.decay) * w[i];
    v[i] = v[i] + d * d;
    const T root = s.inside ? std::sqrt(v[i] + T(s.epsilon)) : std::sqrt(v[i]) + T(s.epsilon);
    w[i] = w[i] - T(s.rate) * d / root;
  }
}
void adagrad(float* w, float* v, const float* g, int64_t n, const AdagradStep& s);

/// Gradient descent with momentum: g += decay w,  m = momentum m + g,  w -= rate m.
struct SgdStep {
  double rate;
  double momentum;
  double decay = 0;
};

template <class T>
void sgd(T* w, T* m, const T* g, int64_t n, const SgdStep& s) {
  for (int64_t i = 0; i < n; ++i) {
    m[i] = T(s.momentum) * m[i] + (g[i] + T(s.decay) * w[i]);
    w[i] = w[i] - T(s.rate) * m[i];
  }
}
void sgd(float* w, float* m, const float* g, int64_t n, const SgdStep& s);

/// Σ g², and g *= factor.
template <class T>
double sum_of_squares(const T* g, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  return sum;
}
template <class T>
void scale(T* g, int64_t n, double factor) {
  for (int64_t i = 0; i < n; ++i) g[i] *= T(factor);
}

}  // namespace t2v::kernels
