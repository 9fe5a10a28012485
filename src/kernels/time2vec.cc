#include "kernels/time2vec.h"

#include <algorithm>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/time2vec.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using DI = hn::RebindToSigned<D>;
using DF = hn::Rebind<float, D>;

/// Rows of times handled together, so that their part of the output stays in the nearest cache.
constexpr std::size_t kRowBlock = 64;

/// Values that are written past the caches: more than a second-level cache holds (they would only push out
/// what is there, and every line would be read before it is written).
constexpr std::size_t kPastCaches = std::size_t{1} << 19;

/// Terms of a row up to which that is done: a block of rows is to stay in the nearest cache.
constexpr std::size_t kMostStreamedTerms = 128;

constexpr double kPiHigh = 0x1.921fb54442d18p+1;  // π = high + low + 3e-33
constexpr double kPiLow = 0x1.1a62633145c07p-53;
constexpr double kRounder = 0x1.8p52;  // x + kRounder - kRounder rounds |x| < 2^51 to an integer

/// An unevaluated sum of two doubles.
struct Sum {
  V high;
  V low;
};

#if !HWY_NATIVE_FMA
/// Splits a number into two of 26 bits (Dekker).
HWY_INLINE Sum split(V a) {
  const V t = hn::Mul(a, hn::Set(D(), 134217729.0));
  const V high = hn::Sub(t, hn::Sub(t, a));
  return {high, hn::Sub(a, high)};
}
#endif

/// a * b, exactly.
HWY_INLINE Sum product(V a, V b) {
  const V p = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  return {p, hn::MulSub(a, b, p)};
#else
  const Sum x = split(a);
  const Sum y = split(b);
  V e = hn::Sub(hn::Mul(x.high, y.high), p);
  e = hn::Add(e, hn::Mul(x.high, y.low));
  e = hn::Add(e, hn::Mul(x.low, y.high));
  return {p, hn::Add(e, hn::Mul(x.low, y.low))};
#endif
}

/// x - n π for integral |n| < 2^51, to within a few 1e-16 when the result is of the size of 1.
HWY_INLINE V minus_n_pi(V x, V n) {
#if HWY_NATIVE_FMA
  const V r = hn::NegMulAdd(n, hn::Set(D(), kPiHigh), x);
#else
  const Sum p = product(n, hn::Set(D(), kPiHigh));
  const V r = hn::Sub(hn::Sub(x, p.high), p.low);
#endif
  return hn::NegMulAdd(n, hn::Set(D(), kPiLow), r);
}

/// φ modulo 2π, in [-π, π].
HWY_INLINE V reduce_phi(V phi) {
  const V rounder = hn::Set(D(), kRounder);
  const V turns = hn::Mul(phi, hn::Set(D(), 0.5 / kPiHigh));
  const V n = hn::Sub(hn::Add(turns, rounder), rounder);
  return minus_n_pi(phi, hn::Add(n, n));
}

/// x = r + n π with |r| <= π/2 (up to rounding); `odd` has the sign bit set where n is odd.
struct Reduced {
  V r;
  V odd;
};

/// One term for one vector of frequencies: what does not depend on the time.
struct Frequency {
  V omega;
  V phi;  // reduced
  V phi_over_pi;
};

HWY_INLINE Frequency prepare(V omega, V phi) {
  const V reduced = reduce_phi(phi);
  return {omega, reduced, hn::Mul(reduced, hn::Set(D(), 1 / kPiHigh))};
}

HWY_INLINE Reduced reduce(const Frequency& f, V tau) {
  const V rounder = hn::Set(D(), kRounder);
  const Sum p = product(f.omega, tau);
  const V rounded = hn::Add(hn::MulAdd(p.high, hn::Set(D(), 1 / kPiHigh), f.phi_over_pi), rounder);
  const V n = hn::Sub(rounded, rounder);
  const V r = hn::Add(minus_n_pi(p.high, n), hn::Add(p.low, f.phi));
  // The lowest bit of n is the lowest bit of `rounded`.
  return {r, hn::BitCast(D(), hn::ShiftLeft<63>(hn::BitCast(DI(), rounded)))};
}

/// sin r for |r| <= π/2 + 0.001: minimax of degree 11, relative error 2.4e-11.
HWY_INLINE V sine(V r) {
  const V z = hn::Mul(r, r);
  V p = hn::Set(D(), -2.38874309333189513e-8);
  p = hn::MulAdd(p, z, hn::Set(D(), 2.75253024172751177e-6));
  p = hn::MulAdd(p, z, hn::Set(D(), -0.000198408666519945185));
  p = hn::MulAdd(p, z, hn::Set(D(), 0.00833333109702537594));
  p = hn::MulAdd(p, z, hn::Set(D(), -0.166666666258843447));
  return hn::MulAdd(hn::Mul(p, z), r, r);
}

/// cos r = sin(π/2 - |r|).
HWY_INLINE V cosine(V r) {
  return sine(hn::Add(hn::Sub(hn::Set(D(), kPiHigh / 2), hn::Abs(r)), hn::Set(D(), kPiLow / 2)));
}

/// ωτ + φ, not reduced, rounded once or nearly so.
HWY_INLINE V unreduced(V omega, V phi, V tau) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(omega, tau, phi);
#else
  const Sum p = product(omega, tau);
  const V s = hn::Add(p.high, phi);
  const V back = hn::Sub(s, p.high);
  const V lost = hn::Add(hn::Sub(p.high, hn::Sub(s, back)), hn::Sub(phi, back));
  return hn::Add(s, hn::Add(lost, p.low));
#endif
}

struct Output {
  V value;
  V slope;
};

struct Sin {
  static constexpr bool kPeriodic = true;
  static HWY_INLINE V value(const Reduced& x) { return hn::Xor(sine(x.r), x.odd); }
  static HWY_INLINE V slope(const Reduced& x, V /*value*/) { return hn::Xor(cosine(x.r), x.odd); }
};

struct Cos {
  static constexpr bool kPeriodic = true;
  static HWY_INLINE V value(const Reduced& x) { return hn::Xor(cosine(x.r), x.odd); }
  static HWY_INLINE V slope(const Reduced& x, V /*value*/) { return hn::Neg(hn::Xor(sine(x.r), x.odd)); }
};

struct Triangle {
  static constexpr bool kPeriodic = true;
  static HWY_INLINE V value(const Reduced& x) {
    return hn::Xor(hn::Mul(x.r, hn::Set(D(), 2 / kPiHigh)), x.odd);
  }
  static HWY_INLINE V slope(const Reduced& x, V /*value*/) {
    return hn::Xor(hn::Set(D(), 2 / kPiHigh), x.odd);
  }
};

struct Mod {
  static constexpr bool kPeriodic = true;
  static HWY_INLINE V value(const Reduced& x) {
    // x mod 2π is r for even n and r + π for odd n, plus 2π where that is negative.
    const V zero = hn::Zero(D());
    const V over_pi = hn::Mul(x.r, hn::Set(D(), 1 / kPiHigh));
    const V one = hn::Set(D(), 1.0);
    const auto odd = hn::Lt(hn::Or(x.odd, one), zero);
    const V turn = hn::IfThenElse(odd, one, hn::IfThenElse(hn::Lt(over_pi, zero), hn::Set(D(), 2.0), zero));
    return hn::Sub(hn::Add(over_pi, turn), one);
  }
  static HWY_INLINE V slope(const Reduced& /*x*/, V /*value*/) { return hn::Set(D(), 1 / kPiHigh); }
};

/// The functions without a period see the phase as it is. They are smooth or linear, so a float argument
/// does.
struct Sigmoid {
  static constexpr bool kPeriodic = false;
  static HWY_INLINE V value(V x) { return hn::PromoteTo(D(), sigmoid(hn::DemoteTo(DF(), x))); }
  static HWY_INLINE V slope(V /*x*/, V y) { return hn::Mul(y, hn::Sub(hn::Set(D(), 1.0), y)); }
};

struct Tanh {
  static constexpr bool kPeriodic = false;
  static HWY_INLINE V value(V x) { return hn::PromoteTo(D(), tanh(hn::DemoteTo(DF(), x))); }
  static HWY_INLINE V slope(V /*x*/, V y) { return hn::NegMulAdd(y, y, hn::Set(D(), 1.0)); }
};

struct Relu {
  static constexpr bool kPeriodic = false;
  static HWY_INLINE V value(V x) { return hn::IfThenElseZero(hn::Gt(x, hn::Zero(D())), x); }
  static HWY_INLINE V slope(V x, V /*y*/) {
    return hn::IfThenElseZero(hn::Gt(x, hn::Zero(D())), hn::Set(D(), 1.0));
  }
};

/// One vector of terms at one time.
template <class F, bool kSlope>
HWY_INLINE Output evaluate(const Frequency& f, V raw_phi, V tau) {
  if constexpr (F::kPeriodic) {
    const Reduced x = reduce(f, tau);
    const V value = F::value(x);
    return {value, kSlope ? F::slope(x, value) : value};
  } else {
    const V x = unreduced(f.omega, raw_phi, tau);
    const V value = F::value(x);
    return {value, kSlope ? F::slope(x, value) : value};
  }
}

template <class F, bool kSlope>
void periodic_terms(float* HWY_RESTRICT value, float* HWY_RESTRICT slope, int64_t stride, int64_t count,
                    const double* omega, const double* phi, std::span<const double> tau) {
  const D d;
  const DF df;
  const int64_t lanes = lane_count(d);
  for (int64_t i = 0; i < count; i += lanes) {
    const First<D> some(count - i);
    const First<DF> some_floats(count - i);
    const V raw_phi = some.load(phi + i);
    const Frequency f = prepare(some.load(omega + i), raw_phi);
    for (std::size_t u = 0; u < tau.size(); ++u) {
      const int64_t at = static_cast<int64_t>(u) * stride + i;
      const Output y = evaluate<F, kSlope>(f, raw_phi, hn::Set(d, tau[u]));
      some_floats.store(hn::DemoteTo(df, y.value), value + at);
      if constexpr (kSlope) some_floats.store(hn::DemoteTo(df, y.slope), slope + at);
    }
  }
}

void linear_term(float* value, float* slope, int64_t stride, double omega, double phi,
                 std::span<const double> tau) {
  const D d;
  for (std::size_t u = 0; u < tau.size(); ++u) {
    const V x = unreduced(hn::Set(d, omega), hn::Set(d, phi), hn::Set(d, tau[u]));
    const auto at = static_cast<int64_t>(u) * stride;
    value[at] = static_cast<float>(hn::GetLane(x));
    if (slope != nullptr) slope[at] = 1.0F;
  }
}

/// Times few enough that their part of the output stays in the nearest cache.
template <class F>
void forward_block(float* value, float* slope, int64_t stride, const Terms<double>& terms,
                   std::span<const double> tau) {
  const int64_t first = terms.linear ? 1 : 0;
  if (terms.linear) linear_term(value, slope, stride, terms.omega[0], terms.phi[0], tau);
  const double* omega = terms.omega + first;
  const double* phi = terms.phi + first;
  if (slope == nullptr) {
    periodic_terms<F, false>(value + first, nullptr, stride, terms.count - first, omega, phi, tau);
  } else {
    periodic_terms<F, true>(value + first, slope + first, stride, terms.count - first, omega, phi, tau);
  }
}

/// Copies without a detour over the caches.
void copy_past_caches(float* HWY_RESTRICT to, const float* HWY_RESTRICT from, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i < n && reinterpret_cast<uintptr_t>(to + i) % (lanes * sizeof(float)) != 0; ++i) to[i] = from[i];
  for (; i + lanes <= n; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  for (; i < n; ++i) to[i] = from[i];
}

/// Rows without gaps between them, by way of a block that stays in the nearest cache.
template <class F>
void forward_past_caches(float* value, const Terms<double>& terms, std::span<const double> tau) {
  HWY_ALIGN float block[kRowBlock * kMostStreamedTerms];
  const auto count = static_cast<std::size_t>(terms.count);
  for (std::size_t begin = 0; begin < tau.size(); begin += kRowBlock) {
    const auto some = tau.subspan(begin, std::min(kRowBlock, tau.size() - begin));
    forward_block<F>(block, nullptr, terms.count, terms, some);
    copy_past_caches(value + begin * count, block, some.size() * count);
  }
  hwy::FlushStream();
}

template <class F>
void forward_with(float* value, float* slope, int64_t stride, const Terms<double>& terms,
                  std::span<const double> tau) {
  const bool gapless = slope == nullptr && stride == terms.count;
  const auto count = static_cast<std::size_t>(terms.count);
  if (gapless && count <= kMostStreamedTerms && tau.size() * count >= kPastCaches) {
    return forward_past_caches<F>(value, terms, tau);
  }
  for (std::size_t begin = 0; begin < tau.size(); begin += kRowBlock) {
    const auto row = static_cast<int64_t>(begin) * stride;
    forward_block<F>(value + row, slope == nullptr ? nullptr : slope + row, stride, terms,
                     tau.subspan(begin, std::min(kRowBlock, tau.size() - begin)));
  }
}

void Forward(float* value, float* slope, int64_t stride, const Terms<double>& terms,
             std::span<const double> tau) {
  switch (terms.activation) {
    case Activation::kSin:
      return forward_with<Sin>(value, slope, stride, terms, tau);
    case Activation::kCos:
      return forward_with<Cos>(value, slope, stride, terms, tau);
    case Activation::kTriangle:
      return forward_with<Triangle>(value, slope, stride, terms, tau);
    case Activation::kMod:
      return forward_with<Mod>(value, slope, stride, terms, tau);
    case Activation::kSigmoid:
      return forward_with<Sigmoid>(value, slope, stride, terms, tau);
    case Activation::kTanh:
      return forward_with<Tanh>(value, slope, stride, terms, tau);
    case Activation::kRelu:
      return forward_with<Relu>(value, slope, stride, terms, tau);
  }
}

void Backward(double* HWY_RESTRICT domega, double* HWY_RESTRICT dphi, const float* HWY_RESTRICT dvalue,
              const float* HWY_RESTRICT slope, int64_t stride, int64_t count, std::span<const double> tau) {
  const D d;
  const int64_t lanes = lane_count(d);
  for (int64_t i = 0; i < count; i += lanes) {
    const First<D> some(count - i);
    const First<DF> some_floats(count - i);
    V sum_omega = some.load(domega + i);
    V sum_phi = some.load(dphi + i);
    for (std::size_t u = 0; u < tau.size(); ++u) {
      const int64_t at = static_cast<int64_t>(u) * stride + i;
      const V dv = hn::PromoteTo(d, some_floats.load(dvalue + at));
      const V dx = hn::Mul(dv, hn::PromoteTo(d, some_floats.load(slope + at)));
      sum_omega = hn::MulAdd(hn::Set(d, tau[u]), dx, sum_omega);
      sum_phi = hn::Add(sum_phi, dx);
    }
    some.store(sum_omega, domega + i);
    some.store(sum_phi, dphi + i);
  }
}

void Phases(double* phase, const Terms<double>& terms, std::span<const double> tau) {
  const D d;
  for (std::size_t u = 0; u < tau.size(); ++u) {
    for (int64_t i = 0; i < terms.count; ++i) {
      const Frequency f = prepare(hn::Set(d, terms.omega[i]), hn::Set(d, terms.phi[i]));
      const Reduced x = reduce(f, hn::Set(d, tau[u]));
      const double r = hn::GetLane(x.r);
      const bool odd = std::signbit(hn::GetLane(x.odd));
      phase[static_cast<int64_t>(u) * terms.count + i] = odd ? r - std::copysign(kPiHigh, r) : r;
    }
  }
}

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);
HWY_EXPORT(Phases);

void time2vec_forward(float* value, float* slope, int64_t stride, const Terms<double>& terms,
                      std::span<const double> tau) {
  T2V_DISPATCH(Forward)(value, slope, stride, terms, tau);
}

void time2vec_backward(double* domega, double* dphi, const float* dvalue, const float* slope, int64_t stride,
                       int64_t count, std::span<const double> tau) {
  T2V_DISPATCH(Backward)(domega, dphi, dvalue, slope, stride, count, tau);
}

void time2vec_phases(double* phase, const Terms<double>& terms, std::span<const double> tau) {
  T2V_DISPATCH(Phases)(phase, terms, tau);
}

}  // namespace t2v::kernels
#endif
