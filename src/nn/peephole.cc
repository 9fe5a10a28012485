// The LSTM with peepholes (Gers and Schmidhuber 2000): the gates see the cell, the output gate the new one.
//   i = σ(a_i + c' ⊙ p_i)   f = σ(a_f + c' ⊙ p_f)   g = tanh(a_g)
//   c = f ⊙ c' + i ⊙ g      o = σ(a_o + c ⊙ p_o)    h = o ⊙ tanh(c)
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/peephole.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

struct Peephole {
  static constexpr int kBlocks = 4;
  static constexpr int kVectors = 3;  // p_i, p_f, p_o
  static constexpr bool kDirectHidden = false;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* p, N c_prev, N /*h_prev*/, N& c, N& h) {
    a[0] = sigmoid(a[0] + c_prev * p[0]);
    a[1] = sigmoid(a[1] + c_prev * p[1]);
    a[2] = tanh(a[2]);
    c = a[1] * c_prev + a[0] * a[2];
    a[3] = sigmoid(a[3] + c * p[2]);
    h = a[3] * tanh(c);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N /*h_prev*/, N c, N& dh,
                                  N& dc) {
    const N i = a[0];
    const N f = a[1];
    const N g = a[2];
    const N o = a[3];
    const N squashed = tanh(c);
    a[3] = dh * squashed * sigmoid_slope(o);
    dc = dc + dh * o * tanh_slope(squashed) + a[3] * p[2];
    a[0] = dc * g * sigmoid_slope(i);
    a[1] = dc * c_prev * sigmoid_slope(f);
    a[2] = dc * i * tanh_slope(g);
    dp[0] = dp[0] + a[0] * c_prev;
    dp[1] = dp[1] + a[1] * c_prev;
    dp[2] = dp[2] + a[3] * c;
    dc = dc * f + a[0] * p[0] + a[1] * p[1];
  }
};

T2V_CELL_LOOPS(Peephole)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Peephole)

Cell peephole() {
  return {.name = "peephole",
          .blocks = 4,
          .vectors = 3,
          .input = {0, 4},
          .time = {0, 4},
          .hidden = {0, 4},
          .forget = 1,
          .functions = PeepholeFunctions()};
}

}  // namespace t2v::nn
#endif
