#include "nn/recurrent.h"

#include <algorithm>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v::nn {

using kernels::matmul;
using kernels::Matrix;

Recurrent::Recurrent(Layout& layout, const Cell& cell, int64_t hidden, int biases)
    : cell_(&cell), hidden_(hidden) {
  if (hidden < 1) fail("the hidden size must be at least 1; it is {}", hidden);
  if (biases != 1 && biases != 2) fail("a cell has 1 or 2 bias vectors, not {}", biases);
  hidden_weights_ = layout.add("cell.hidden", Role::kWeight, hidden, cell.hidden.count() * hidden);
  bias_ = layout.add("cell.bias", Role::kBias, 1, cell.input.count() * hidden);
  if (biases == 2) {
    bias_hidden_ = layout.add("cell.bias_hidden", Role::kBias, 1, cell.hidden.count() * hidden);
  }
  if (cell.vectors > 0) vectors_ = layout.add("cell.vectors", Role::kWeight, cell.vectors, hidden);
}

template <class T>
void Recurrent::prepare(Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const {
  prepared.base.assign_zeros(columns());
  const Columns input = columns_of(cell_->input);
  const Columns hidden = columns_of(cell_->hidden);
  kernels::add(prepared.base.data() + input.begin, parameters.data(layout[bias_]), input.count());
  if (bias_hidden_ >= 0) {
    kernels::add(prepared.base.data() + hidden.begin, parameters.data(layout[bias_hidden_]), hidden.count());
  }
  const T* weights = parameters.data(layout[hidden_weights_]);
  const int64_t n = hidden.count();
  prepared.hidden_transposed.reserve(n * hidden_);
  for (int64_t i = 0; i < hidden_; ++i) {
    for (int64_t j = 0; j < n; ++j) prepared.hidden_transposed[j * hidden_ + i] = weights[i * n + j];
  }
}

template <class T>
void Recurrent::reserve(State<T>& state, const Shard& shard) const {
  const int64_t events = shard.events();
  state.gates.reserve(events * columns());
  state.c.reserve(events * hidden_);
  state.h.reserve(events * hidden_);
  state.h_prev.reserve(events * hidden_);
  state.zeros.assign_zeros(shard.rows() * hidden_);
}

template <class T>
void Recurrent::forward(State<T>& state, const Shard& shard, const Layout& layout,
                        const Parameters<T>& parameters) const {
  const Columns fed = columns_of(cell_->hidden);
  const Matrix<T> weights{parameters.data(layout[hidden_weights_]), fed.count()};
  const T* vectors = vectors_ < 0 ? nullptr : parameters.data(layout[vectors_]);
  const auto& step = cell_->functions<T>().forward;
  const T* c_prev = state.zeros.data();
  const T* h_prev = state.zeros.data();
  for (int64_t t = 0; t < shard.steps(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    const int64_t rows = shard.active[i];
    const int64_t at = shard.start[i] * hidden_;
    T* gates = state.gates.data() + shard.start[i] * columns();
    if (t > 0) {  // before the first event h is 0
      h_prev = std::copy_n(h_prev, rows * hidden_, state.h_prev.data() + at) - rows * hidden_;
      matmul(gates + fed.begin, columns(), Matrix<T>{h_prev, hidden_}, weights, rows, fed.count(), hidden_,
             1);
    }
    step({rows, hidden_, gates, vectors, c_prev, h_prev, state.c.data() + at, state.h.data() + at});
    c_prev = state.c.data() + at;
    h_prev = state.h.data() + at;
  }
}

template <class T>
void Recurrent::backward(Parameters<T>& gradient, State<T>& state, const Shard& shard, const T* dlast,
                         const Prepared<T>& prepared, const Layout& layout,
                         const Parameters<T>& parameters) const {
  const Columns fed = columns_of(cell_->hidden);
  const T* vectors = vectors_ < 0 ? nullptr : parameters.data(layout[vectors_]);
  T* dvectors = vectors_ < 0 ? nullptr : gradient.data(layout[vectors_]);
  const auto& step = cell_->functions<T>().backward;
  state.dh.reserve(shard.rows() * hidden_);
  state.dc.reserve(shard.rows() * hidden_);
  int64_t already = 0;  // rows that were active at the step after this one
  for (int64_t t = shard.steps() - 1; t >= 0; --t) {
    const auto i = static_cast<std::size_t>(t);
    const int64_t rows = shard.active[i];
    const int64_t at = shard.start[i] * hidden_;
    const int64_t before = t == 0 ? 0 : shard.start[i - 1] * hidden_;
    T* gates = state.gates.data() + shard.start[i] * columns();
    // Rows whose last event this is join in.
    const int64_t joining = (rows - already) * hidden_;
    std::copy_n(dlast + already * hidden_, joining, state.dh.data() + already * hidden_);
    std::fill_n(state.dc.data() + already * hidden_, joining, T(0));
    const T* c_prev = t == 0 ? state.zeros.data() : state.c.data() + before;
    const T* h_prev = t == 0 ? state.zeros.data() : state.h_prev.data() + at;
    step({rows, hidden_, gates, vectors, dvectors, c_prev, h_prev, state.c.data() + at, state.dh.data(),
          state.dc.data()});
    if (t > 0) {
      matmul(state.dh.data(), hidden_, Matrix<T>{gates + fed.begin, columns()},
             Matrix<T>{prepared.hidden_transposed.data(), hidden_}, rows, hidden_, fed.count(),
             cell_->direct_hidden ? 1 : 0);
    }
    already = rows;
  }
  // One tall product for the weights, over all events but the first of each sequence.
  const int64_t first = shard.steps() > 1 ? shard.start[1] : shard.events();
  matmul(gradient.data(layout[hidden_weights_]), fed.count(),
         transposed(Matrix<T>{state.h_prev.data() + first * hidden_, hidden_}),
         Matrix<T>{state.gates.data() + first * columns() + fed.begin, columns()}, hidden_, fed.count(),
         shard.events() - first, 1);
  state.dbias.assign_zeros(columns());
  kernels::add_column_sums(state.dbias.data(), state.gates.data(), columns(), shard.events(), columns());
  const Columns input = columns_of(cell_->input);
  kernels::add(gradient.data(layout[bias_]), state.dbias.data() + input.begin, input.count());
  if (bias_hidden_ >= 0) {
    kernels::add(gradient.data(layout[bias_hidden_]), state.dbias.data() + fed.begin, fed.count());
  }
}

#define T2V_INSTANTIATE(T)                                                                                 \
  template void Recurrent::prepare<T>(Prepared<T>&, const Layout&, const Parameters<T>&) const;            \
  template void Recurrent::reserve<T>(State<T>&, const Shard&) const;                                      \
  template void Recurrent::forward<T>(State<T>&, const Shard&, const Layout&, const Parameters<T>&) const; \
  template void Recurrent::backward<T>(Parameters<T>&, State<T>&, const Shard&, const T*,                  \
                                       const Prepared<T>&, const Layout&, const Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
