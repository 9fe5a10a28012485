// The LSTM (Hochreiter and Schmidhuber 1997), gates in PyTorch's order i, f, g, o:
//   i = σ(a_i)   f = σ(a_f)   g = tanh(a_g)   o = σ(a_o)
//   c = f ⊙ c' + i ⊙ g       h = o ⊙ tanh(c)
#include "kernels/target.h"
#include "nn/cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/lstm.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "kernels/cell-inl.h"

HWY_BEFORE_NAMESPACE();
namespace t2v::nn::HWY_NAMESPACE {
using kernels::constant;
using kernels::sigmoid;
using kernels::tanh;
using kernels::HWY_NAMESPACE::constant;
using kernels::HWY_NAMESPACE::sigmoid;
using kernels::HWY_NAMESPACE::tanh;

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
    const N one = constant(c, 1);
    const N i = a[0];
    const N f = a[1];
    const N g = a[2];
    const N o = a[3];
    const N squashed = tanh(c);
    dc = dc + dh * o * (one - squashed * squashed);
    a[0] = dc * g * i * (one - i);
    a[1] = dc * c_prev * f * (one - f);
    a[2] = dc * i * (one - g * g);
    a[3] = dh * squashed * o * (one - o);
    dc = dc * f;
  }
};

void Forward(const kernels::CellForward<float>& s) { kernels::HWY_NAMESPACE::cell_forward<Lstm>(s); }
void Backward(const kernels::CellBackward<float>& s) { kernels::HWY_NAMESPACE::cell_backward<Lstm>(s); }

}  // namespace t2v::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::nn {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

const Cell& lstm() {
  static const Cell cell =
      make_cell<HWY_NAMESPACE::Lstm>("lstm", /*input=*/{0, 4}, /*time=*/{0, 4}, /*hidden=*/{0, 4},
                                     {[](const kernels::CellForward<float>& s) {
                                        T2V_DISPATCH(Forward)
                                        (s);
                                      },
                                      [](const kernels::CellBackward<float>& s) {
                                        T2V_DISPATCH(Backward)
                                        (s);
                                      }});
  return cell;
}

}  // namespace t2v::nn
#endif
