// Time-LSTM 2 (Zhu et al. 2017), with peepholes: one time gate for what is emitted, one for what is
// remembered.
//   T1 = σ(a_T1 + s(u1))   T2 = σ(a_T2 + s(u2))     i, f, g as with peepholes
//   c~ = f ⊙ c' + i ⊙ T1 ⊙ g                        c = f ⊙ c' + i ⊙ T2 ⊙ g
//   o = σ(a_o + c~ ⊙ p_o)                           h = o ⊙ tanh(c~)
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/tlstm2.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

template <class Inner>
struct Tlstm2 {
  static constexpr int kBlocks = 8;   // T1, T2, i, f, g, o, u1, u2
  static constexpr int kVectors = 3;  // p_i, p_f, p_o
  static constexpr bool kDirectHidden = false;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* p, N c_prev, N /*h_prev*/, N& c, N& h) {
    a[6] = Inner::value(a[6]);
    a[7] = Inner::value(a[7]);
    a[0] = sigmoid(a[0] + a[6]);
    a[1] = sigmoid(a[1] + a[7]);
    a[2] = sigmoid(a[2] + c_prev * p[0]);
    a[3] = sigmoid(a[3] + c_prev * p[1]);
    a[4] = tanh(a[4]);
    const N emitted = a[3] * c_prev + a[2] * a[0] * a[4];
    c = a[3] * c_prev + a[2] * a[1] * a[4];
    a[5] = sigmoid(a[5] + emitted * p[2]);
    h = a[5] * tanh(emitted);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N /*h_prev*/, N /*c*/, N& dh,
                                  N& dc) {
    const N t1 = a[0];
    const N t2 = a[1];
    const N i = a[2];
    const N f = a[3];
    const N g = a[4];
    const N o = a[5];
    const N emitted = f * c_prev + i * t1 * g;
    const N squashed = tanh(emitted);
    a[5] = dh * squashed * sigmoid_slope(o);
    const N demitted = dh * o * tanh_slope(squashed) + a[5] * p[2];
    const N through_gates = demitted * t1 + dc * t2;
    a[0] = demitted * i * g * sigmoid_slope(t1);
    a[1] = dc * i * g * sigmoid_slope(t2);
    a[2] = through_gates * g * sigmoid_slope(i);
    a[3] = (demitted + dc) * c_prev * sigmoid_slope(f);
    a[4] = through_gates * i * tanh_slope(g);
    a[6] = a[0] * Inner::slope(a[6]);
    a[7] = a[1] * Inner::slope(a[7]);
    dp[0] = dp[0] + a[2] * c_prev;
    dp[1] = dp[1] + a[3] * c_prev;
    dp[2] = dp[2] + a[5] * emitted;
    dc = (demitted + dc) * f + a[2] * p[0] + a[3] * p[1];
  }
};

using Tlstm2Sigmoid = Tlstm2<InnerSigmoid>;
using Tlstm2Tanh = Tlstm2<InnerTanh>;
T2V_CELL_LOOPS(Tlstm2Sigmoid)
T2V_CELL_LOOPS(Tlstm2Tanh)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Tlstm2Sigmoid)
T2V_CELL_FUNCTIONS(Tlstm2Tanh)

Cell tlstm2(bool tanh) {
  return {.name = "tlstm2",
          .inner = tanh ? "tanh" : "sigmoid",
          .blocks = 8,
          .vectors = 3,
          .input = {0, 6},
          .time = {5, 8},
          .hidden = {2, 6},
          .forget = 3,
          .first_time_gate = 6,
          .functions = tanh ? Tlstm2TanhFunctions() : Tlstm2SigmoidFunctions()};
}

}  // namespace t2v::nn
#endif
