// Time-LSTM 3 (Zhu et al. 2017), with peepholes: input and forget gate coupled, two time gates.
//   T1 = σ(a_T1 + s(u1))   T2 = σ(a_T2 + s(u2))     i = σ(a_i + c' ⊙ p_i)   g = tanh(a_g)
//   c~ = (1 - i ⊙ T1) ⊙ c' + i ⊙ T1 ⊙ g             c = (1 - i) ⊙ c' + i ⊙ T2 ⊙ g
//   o = σ(a_o + c~ ⊙ p_o)                           h = o ⊙ tanh(c~)
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/tlstm3.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

template <class Inner>
struct Tlstm3 {
  static constexpr int kBlocks = 7;   // T1, T2, i, g, o, u1, u2
  static constexpr int kVectors = 2;  // p_i, p_o
  static constexpr bool kDirectHidden = false;

  template <class N>
  static HWY_INLINE N emitted_cell(N t1, N i, N g, N c_prev) {
    return c_prev + i * t1 * (g - c_prev);
  }

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* p, N c_prev, N /*h_prev*/, N& c, N& h) {
    a[5] = Inner::value(a[5]);
    a[6] = Inner::value(a[6]);
    a[0] = sigmoid(a[0] + a[5]);
    a[1] = sigmoid(a[1] + a[6]);
    a[2] = sigmoid(a[2] + c_prev * p[0]);
    a[3] = tanh(a[3]);
    const N emitted = emitted_cell(a[0], a[2], a[3], c_prev);
    c = one_minus(a[2]) * c_prev + a[2] * a[1] * a[3];
    a[4] = sigmoid(a[4] + emitted * p[1]);
    h = a[4] * tanh(emitted);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N /*h_prev*/, N /*c*/, N& dh,
                                  N& dc) {
    const N t1 = a[0];
    const N t2 = a[1];
    const N i = a[2];
    const N g = a[3];
    const N o = a[4];
    const N emitted = emitted_cell(t1, i, g, c_prev);
    const N squashed = tanh(emitted);
    a[4] = dh * squashed * sigmoid_slope(o);
    const N demitted = dh * o * tanh_slope(squashed) + a[4] * p[1];
    a[0] = demitted * i * (g - c_prev) * sigmoid_slope(t1);
    a[1] = dc * i * g * sigmoid_slope(t2);
    a[2] = (demitted * t1 * (g - c_prev) + dc * (t2 * g - c_prev)) * sigmoid_slope(i);
    a[3] = (demitted * t1 + dc * t2) * i * tanh_slope(g);
    a[5] = a[0] * Inner::slope(a[5]);
    a[6] = a[1] * Inner::slope(a[6]);
    dp[0] = dp[0] + a[2] * c_prev;
    dp[1] = dp[1] + a[4] * emitted;
    dc = demitted * one_minus(i * t1) + dc * one_minus(i) + a[2] * p[0];
  }
};

using Tlstm3Sigmoid = Tlstm3<InnerSigmoid>;
using Tlstm3Tanh = Tlstm3<InnerTanh>;
T2V_CELL_LOOPS(Tlstm3Sigmoid)
T2V_CELL_LOOPS(Tlstm3Tanh)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Tlstm3Sigmoid)
T2V_CELL_FUNCTIONS(Tlstm3Tanh)

Cell tlstm3(bool tanh) {
  return {.name = "tlstm3",
          .inner = tanh ? "tanh" : "sigmoid",
          .blocks = 7,
          .vectors = 2,
          .input = {0, 5},
          .time = {4, 7},
          .hidden = {2, 5},
          .first_time_gate = 5,
          .functions = tanh ? Tlstm3TanhFunctions() : Tlstm3SigmoidFunctions()};
}

}  // namespace t2v::nn
#endif
