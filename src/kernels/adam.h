#pragma once

#include <cmath>
#include <cstdint>

namespace t2v::kernels {

/// One step of Adam (Kingma and Ba 2015), with the corrections for the start folded in:
///   m = β1 m + (1-β1) g,  v = β2 v + (1-β2) g²,  w -= step m / (sqrt(v) * scale + ε).
struct AdamStep {
  double beta1;
  double beta2;
  double epsilon;
  double step;   // learning rate / (1 - β1^t)
  double scale;  // 1 / sqrt(1 - β2^t)
};

template <class T>
void adam(T* w, T* m, T* v, const T* g, int64_t n, const AdamStep& s) {
  for (int64_t i = 0; i < n; ++i) {
    m[i] = T(s.beta1) * m[i] + T(1 - s.beta1) * g[i];
    v[i] = T(s.beta2) * v[i] + T(1 - s.beta2) * g[i] * g[i];
    w[i] -= T(s.step) * m[i] / (std::sqrt(v[i]) * T(s.scale) + T(s.epsilon));
  }
}
void adam(float* w, float* m, float* v, const float* g, int64_t n, const AdamStep& s);

}  // namespace t2v::kernels
