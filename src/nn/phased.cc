// The phased LSTM (Neil et al. 2016): an LSTM with peepholes whose units a clock opens for a small part of
// each period; κ is how far a unit is open (clock.h).
//   ĉ, ĥ as with peepholes   c = κ ⊙ ĉ + (1 - κ) ⊙ c'   h = κ ⊙ ĥ + (1 - κ) ⊙ h'
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/phased.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

struct Phased {
  static constexpr int kBlocks = 5;   // i, f, g, o, κ
  static constexpr int kVectors = 3;  // p_i, p_f, p_o
  static constexpr bool kDirectHidden = true;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* p, N c_prev, N h_prev, N& c, N& h) {
    a[0] = sigmoid(a[0] + c_prev * p[0]);
    a[1] = sigmoid(a[1] + c_prev * p[1]);
    a[2] = tanh(a[2]);
    const N proposed = a[1] * c_prev + a[0] * a[2];
    a[3] = sigmoid(a[3] + proposed * p[2]);
    c = c_prev + a[4] * (proposed - c_prev);
    h = h_prev + a[4] * (a[3] * tanh(proposed) - h_prev);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N h_prev, N /*c*/, N& dh,
                                  N& dc) {
    const N i = a[0];
    const N f = a[1];
    const N g = a[2];
    const N o = a[3];
    const N open = a[4];
    const N proposed = f * c_prev + i * g;
    const N squashed = tanh(proposed);
    a[4] = dc * (proposed - c_prev) + dh * (o * squashed - h_prev);
    a[3] = dh * open * squashed * sigmoid_slope(o);
    const N dproposed = dc * open + dh * open * o * tanh_slope(squashed) + a[3] * p[2];
    a[0] = dproposed * g * sigmoid_slope(i);
    a[1] = dproposed * c_prev * sigmoid_slope(f);
    a[2] = dproposed * i * tanh_slope(g);
    dp[0] = dp[0] + a[0] * c_prev;
    dp[1] = dp[1] + a[1] * c_prev;
    dp[2] = dp[2] + a[3] * proposed;
    dc = dc * one_minus(open) + dproposed * f + a[0] * p[0] + a[1] * p[1];
    dh = dh * one_minus(open);
  }
};

T2V_CELL_LOOPS(Phased)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Phased)

Cell phased() {
  return {.name = "phased",
          .blocks = 5,
          .vectors = 3,
          .input = {0, 4},
          .time = {0, 4},
          .hidden = {0, 4},
          .forget = 1,
          .clock = 4,
          .direct_hidden = true,
          .functions = PhasedFunctions()};
}

}  // namespace t2v::nn
#endif
