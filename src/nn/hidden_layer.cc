#include "nn/hidden_layer.h"

#include <algorithm>

#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "kernels/squash.h"

namespace t2v::nn {
namespace {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;

InputShape shape_of_times(int64_t units) {
  InputShape shape;
  shape.columns = units;
  shape.events = shape.time = {0, units};
  return shape;
}

}  // namespace

HiddenLayer::HiddenLayer(Layout& layout, const std::string& prefix, int64_t units, int64_t below,
                         const TimeInputs* times)
    : units_(units), below_(below), bias_(layout.add(prefix + ".bias", Role::kBias, 1, units)) {
  if (below > 0) below_weights_ = layout.add(prefix + ".below", Role::kWeight, below, units);
  if (times != nullptr) times_.emplace(layout, prefix, shape_of_times(units), *times);
}

template <class T>
void HiddenLayer::forward(State<T>& state, const T* below, const SequenceBatch& batch,
                          std::span<const int32_t> source, const TimeInputs::State<T>* times,
                          const Layout& layout, const Parameters<T>& parameters) const {
  const auto count = static_cast<int64_t>(source.size());
  const T* base = parameters.data(layout[bias_]);
  state.value.reserve(count * units_);
  T* value = state.value.data();
  const bool timed = times_ && times != nullptr;
  if (timed) {
    const Input::Prepared<T> as_they_are;
    times_->load(state.times, batch, source);
    times_->start_forward(state.times, base, *times, as_they_are, layout, parameters);
    times_->forward(value, state.times, {0, count}, base, static_cast<const T*>(nullptr), *times, as_they_are,
                    layout, parameters);
  } else {
    for (int64_t e = 0; e < count; ++e) std::copy_n(base, units_, value + e * units_);
  }
  if (below_weights_ >= 0) {
    matmul(value, units_, Matrix<T>{below, below_},
           Matrix<T>{parameters.data(layout[below_weights_]), units_}, count, units_, below_, 1);
  }
  if (timed || !times_) kernels::squash(value, count * units_);
}

template <class T>
void HiddenLayer::backward(Parameters<T>& gradient, T* dbelow, State<T>& state, const T* below,
                           const TimeInputs& inputs, TimeInputs::State<T>& times, const Layout& layout,
                           const Parameters<T>& parameters) const {
  const int64_t count = state.value.size() / units_;
  T* dsums = state.dvalue.data();
  kernels::squash_backward(dsums, state.value.data(), count * units_);
  kernels::add_column_sums(gradient.data(layout[bias_]), dsums, units_, count, units_);
  const Matrix<T> d{dsums, units_};
  if (below_weights_ >= 0) {
    matmul(gradient.data(layout[below_weights_]), units_, transposed(Matrix<T>{below, below_}), d, below_,
           units_, count, 1);
    matmul(dbelow, below_, d, transposed(Matrix<T>{parameters.data(layout[below_weights_]), units_}), count,
           below_, units_, 1);
  }
  if (!times_) return;
  const Input::Prepared<T> as_they_are;
  RowGradient<T> no_rows;
  times_->start_backward(no_rows, state.times, times);
  times_->backward(gradient, no_rows, static_cast<T*>(nullptr), state.times, {0, count}, dsums,
                   static_cast<const T*>(nullptr), inputs, times, as_they_are, layout, parameters);
  times_->finish_backward(gradient, state.times, inputs, times, as_they_are, layout, parameters);
}

#define T2V_INSTANTIATE(T)                                                                                   \
  template void HiddenLayer::forward<T>(State<T>&, const T*, const SequenceBatch&, std::span<const int32_t>, \
                                        const TimeInputs::State<T>*, const Layout&, const Parameters<T>&)    \
      const;                                                                                                 \
  template void HiddenLayer::backward<T>(Parameters<T>&, T*, State<T>&, const T*, const TimeInputs&,         \
                                         TimeInputs::State<T>&, const Layout&, const Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
