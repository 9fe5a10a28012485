// The gated recurrent unit (Cho et al. 2014), as PyTorch has it. m is what the hidden state alone gives the
// candidate.
//   r = σ(a_r)   z = σ(a_z)   n = tanh(a_n + r ⊙ m)   h = (1 - z) ⊙ n + z ⊙ h'
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gru.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

struct Gru {
  static constexpr int kBlocks = 4;  // n, r, z, m
  static constexpr int kVectors = 0;
  static constexpr bool kDirectHidden = true;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* /*p*/, N /*c_prev*/, N h_prev, N& c, N& h) {
    a[1] = sigmoid(a[1]);
    a[2] = sigmoid(a[2]);
    a[0] = tanh(a[0] + a[1] * a[3]);
    h = a[0] + a[2] * (h_prev - a[0]);
    c = h;  // there is no cell beside the hidden state
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* /*p*/, N* /*dp*/, N /*c_prev*/, N h_prev, N /*c*/,
                                  N& dh, N& dc) {
    const N n = a[0];
    const N r = a[1];
    const N z = a[2];
    const N m = a[3];
    a[0] = dh * one_minus(z) * tanh_slope(n);
    a[1] = a[0] * m * sigmoid_slope(r);
    a[2] = dh * (h_prev - n) * sigmoid_slope(z);
    a[3] = a[0] * r;
    dh = dh * z;
    dc = constant(dc, 0);
  }
};

T2V_CELL_LOOPS(Gru)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Gru)

Cell gru() {
  return {.name = "gru",
          .blocks = 4,
          .input = {0, 3},
          .time = {0, 3},
          .hidden = {1, 4},
          .direct_hidden = true,
          .functions = GruFunctions()};
}

}  // namespace t2v::nn
#endif
