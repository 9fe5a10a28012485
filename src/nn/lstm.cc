// The LSTM (Hochreiter and Schmidhuber 1997), gates in PyTorch's order i, f, g, o:
//   i = σ(a_i)   f = σ(a_f)   g = tanh(a_g)   o = σ(a_o)
//   c = f ⊙ c' + i ⊙ g       h = o ⊙ tanh(c)
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/lstm.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "nn/formula-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {

struct Lstm {
  static constexpr int kBlocks = 4;
  static constexpr int kVectors = 0;
  static constexpr bool kDirectHidden = false;

  template <class N>
  static HWY_INLINE void forward(N (&a)[kBlocks], const N* /*p*/, N c_prev, N /*h_prev*/, N& c, N& h) {
    a[0] = sigmoid(a[0]);
    a[1] = sigmoid(a[1]);
    a[2] = tanh(a[2]);
    a[3] = sigmoid(a[3]);
    c = a[1] * c_prev + a[0] * a[2];
    h = a[3] * tanh(c);
  }

  template <class N>
  static HWY_INLINE void backward(N (&a)[kBlocks], const N* /*p*/, N* /*dp*/, N c_prev, N /*h_prev*/, N c,
                                  N& dh, N& dc) {
    const N i = a[0];
    const N f = a[1];
    const N g = a[2];
    const N o = a[3];
    const N squashed = tanh(c);
    dc = dc + dh * o * tanh_slope(squashed);
    a[0] = dc * g * sigmoid_slope(i);
    a[1] = dc * c_prev * sigmoid_slope(f);
    a[2] = dc * i * tanh_slope(g);
    a[3] = dh * squashed * sigmoid_slope(o);
    dc = dc * f;
  }
};

T2V_CELL_LOOPS(Lstm)

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

T2V_CELL_FUNCTIONS(Lstm)

Cell lstm() {
  return {.name = "lstm",
          .blocks = 4,
          .input = {0, 4},
          .time = {0, 4},
          .hidden = {0, 4},
          .forget = 1,
          .functions = LstmFunctions()};
}

}  // namespace t2v::nn
#endif
