// Time-LSTM 1 (Zhu et al. 2017), with peepholes. u is the time term v W_t of the time vector v, s squashes
// it.
//   T = σ(a_T + s(u))       i, f, g as with peepholes
//   c = f ⊙ c' + i ⊙ T ⊙ g  o = σ(a_o + c ⊙ p_o)    h = o ⊙ tanh(c)
// The output gate's a_o holds the time vector too. The time gate has no recurrent input and no peephole.
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/tlstm1.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

template <class Inner>
struct Tlstm1 {
  static constexpr int kBlocks = 6;   // T, i, f, g, o, u
  static constexpr int kVectors = 3;  // p_i, p_f, p_o
  static constexpr bool kDirectHidden = false;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* p, N c_prev, N /*h_prev*/, N& c, N& h) {
    a[5] = Inner::value(a[5]);
    a[0] = sigmoid(a[0] + a[5]);
    a[1] = sigmoid(a[1] + c_prev * p[0]);
    a[2] = sigmoid(a[2] + c_prev * p[1]);
    a[3] = tanh(a[3]);
    c = a[2] * c_prev + a[1] * a[0] * a[3];
    a[4] = sigmoid(a[4] + c * p[2]);
    h = a[4] * tanh(c);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N /*h_prev*/, N c, N& dh,
                                  N& dc) {
    const N t = a[0];
    const N i = a[1];
    const N f = a[2];
    const N g = a[3];
    const N o = a[4];
    const N squashed = tanh(c);
    a[4] = dh * squashed * sigmoid_slope(o);
    dc = dc + dh * o * tanh_slope(squashed) + a[4] * p[2];
    a[0] = dc * i * g * sigmoid_slope(t);
    a[1] = dc * t * g * sigmoid_slope(i);
    a[2] = dc * c_prev * sigmoid_slope(f);
    a[3] = dc * i * t * tanh_slope(g);
    a[5] = a[0] * Inner::slope(a[5]);
    dp[0] = dp[0] + a[1] * c_prev;
    dp[1] = dp[1] + a[2] * c_prev;
    dp[2] = dp[2] + a[4] * c;
    dc = dc * f + a[1] * p[0] + a[2] * p[1];
  }
};

using Tlstm1Sigmoid = Tlstm1<InnerSigmoid>;
using Tlstm1Tanh = Tlstm1<InnerTanh>;
T2V_CELL_LOOPS(Tlstm1Sigmoid)
T2V_CELL_LOOPS(Tlstm1Tanh)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Tlstm1Sigmoid)
T2V_CELL_FUNCTIONS(Tlstm1Tanh)

Cell tlstm1(bool tanh) {
  return {.name = "tlstm1",
          .inner = tanh ? "tanh" : "sigmoid",
          .blocks = 6,
          .vectors = 3,
          .input = {0, 5},
          .time = {4, 6},
          .hidden = {1, 5},
          .forget = 2,
          .functions = tanh ? Tlstm1TanhFunctions() : Tlstm1SigmoidFunctions()};
}

}  // namespace t2v::nn
#endif
