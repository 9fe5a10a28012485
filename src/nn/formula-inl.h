// What the formulas of the cells are made of, for inclusion once per target: squashing functions of numbers
// that are vectors of floats or scalars, and their slopes from their values.

#if defined(T2V_NN_FORMULA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef T2V_NN_FORMULA_INL_H_
#undef T2V_NN_FORMULA_INL_H_
#else
#define T2V_NN_FORMULA_INL_H_
#endif

#include "kernels/cell-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {
using kernels::constant;
using kernels::sigmoid;
using kernels::tanh;
using kernels::HWY_NAMESPACE::constant;
using kernels::HWY_NAMESPACE::sigmoid;
using kernels::HWY_NAMESPACE::tanh;

template <class N>
HWY_INLINE N one_minus(N x) {
  return constant(x, 1) - x;
}

/// The derivative of the logistic function where it has the value y, and of the hyperbolic tangent.
template <class N>
HWY_INLINE N sigmoid_slope(N y) {
  return y * one_minus(y);
}
template <class N>
HWY_INLINE N tanh_slope(N y) {
  return one_minus(y * y);
}

/// What squashes the time term within a time gate: the paper's equations have σ, the code behind its figures
/// tanh.
struct InnerSigmoid {
  template <class N>
  static HWY_INLINE N value(N x) {
    return sigmoid(x);
  }
  template <class N>
  static HWY_INLINE N slope(N y) {
    return sigmoid_slope(y);
  }
};

struct InnerTanh {
  template <class N>
  static HWY_INLINE N value(N x) {
    return tanh(x);
  }
  template <class N>
  static HWY_INLINE N slope(N y) {
    return tanh_slope(y);
  }
};

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // T2V_NN_FORMULA_INL_H_
