// exp, logistic function and hyperbolic tangent of vectors of floats, for inclusion once per target.
// exp and tanh are within 2 ULP, the logistic function within 3 (the tests assert it); NaN gives NaN.

#if defined(T2V_KERNELS_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef T2V_KERNELS_VECTOR_MATH_INL_H_
#undef T2V_KERNELS_VECTOR_MATH_INL_H_
#else
#define T2V_KERNELS_VECTOR_MATH_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A constant of the kind of `like`.
template <class V>
HWY_INLINE V constant(V /*like*/, double value) {
  using D = hn::DFromV<V>;
  return hn::Set(D(), static_cast<hn::TFromD<D>>(value));
}

/// exp of x held to [-87.3, 88]: the result is a normal number.
template <class V>
HWY_INLINE V exp(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> di;
  // The order of the operands lets a NaN through.
  const V clamped = hn::Min(constant(x, 88.0), hn::Max(constant(x, -87.3), x));
  // x = n ln 2 + r, |r| <= ln(2)/2; ln 2 in two parts, so that n * high is exact. Beside 1.5 * 2^23 a number
  // is rounded to a whole one, which then stands in the lowest bits.
  const V shift = constant(x, 0x1.8p23);
  const V shifted = hn::MulAdd(clamped, constant(x, 1.44269504088896341), shift);
  const V n = hn::Sub(shifted, shift);
  V r = hn::NegMulAdd(n, constant(x, 0.693359375), clamped);
  r = hn::NegMulAdd(n, constant(x, -2.12194440054690583e-4), r);
  // Minimax for (exp(r) - 1 - r) / r^2, relative error of exp 3.1e-9.
  V p = constant(x, 0.001381461392);
  p = hn::MulAdd(p, r, constant(x, 0.008368709837));
  p = hn::MulAdd(p, r, constant(x, 0.04166838735));
  p = hn::MulAdd(p, r, constant(x, 0.1666652069));
  p = hn::MulAdd(p, r, constant(x, 0.4999999345));
  const V y = hn::Add(constant(x, 1), hn::MulAdd(hn::Mul(r, r), p, r));
  const auto exponent = hn::Add(hn::BitCast(di, shifted), hn::Set(di, 127));
  const V result = hn::Mul(y, hn::BitCast(d, hn::ShiftLeft<23>(exponent)));
#if HWY_TARGET == HWY_SCALAR  // whose comparisons lose a NaN in that order
  return hn::IfThenElse(hn::IsNaN(x), x, result);
#else
  return result;
#endif
}

template <class V>
HWY_INLINE V sigmoid(V x) {
  const V one = constant(x, 1);
  return hn::Div(one, hn::Add(one, exp(hn::Neg(x))));
}

template <class V>
HWY_INLINE V tanh(V x) {
  const hn::DFromV<V> d;
  const V one = constant(x, 1);
  const V a = hn::Abs(x);
  // Large: 1 - 2 / (exp(2a) + 1). Small: a minimax polynomial, relative error 4.4e-9 up to 0.625.
  const V large = hn::Sub(one, hn::Div(constant(x, 2), hn::Add(exp(hn::Add(a, a)), one)));
  const V z = hn::Mul(x, x);
  V p = constant(x, -0.005704986993);
  p = hn::MulAdd(p, z, constant(x, 0.02063908724));
  p = hn::MulAdd(p, z, constant(x, -0.05373971509));
  p = hn::MulAdd(p, z, constant(x, 0.133314422));
  p = hn::MulAdd(p, z, constant(x, -0.3333328194));
  const V small = hn::MulAdd(hn::Mul(p, z), x, x);
  const V signed_large = hn::Or(large, hn::And(x, hn::SignBit(d)));
  // A NaN is not above 0.625 and takes the polynomial, which keeps it.
  return hn::IfThenElse(hn::Gt(a, constant(x, 0.625)), signed_large, small);
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // T2V_KERNELS_VECTOR_MATH_INL_H_
