#include "nn/recurrent.h"

#include <algorithm>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v::nn {

using kernels::matmul;
using kernels::Matrix;

namespace {

/// Events from those that a step works on to those that it fetches.
constexpr int64_t kSoon = 256;
/// As in the file of a model.
constexpr int64_t kMostHidden = int64_t{1} << 24;

}  // namespace

Recurrent::Recurrent(Layout& layout, const std::string& prefix, const Cell& cell, int64_t hidden, int biases)
    : cell_(&cell), hidden_(hidden) {
  if (hidden < 1) fail("the hidden size must be at least 1; it is {}", hidden);
  if (hidden > kMostHidden) fail("the hidden size must be at most {}; it is {}", kMostHidden, hidden);
  if (biases != 1 && biases != 2) fail("a cell has 1 or 2 bias vectors, not {}", biases);
  hidden_weights_ = layout.add(prefix + ".hidden", Role::kWeight, hidden, cell.hidden.count() * hidden);
  bias_ = layout.add(prefix + ".bias", Role::kBias, 1, cell.input.count() * hidden);
  if (biases == 2) {
    bias_hidden_ = layout.add(prefix + ".bias_hidden", Role::kBias, 1, cell.hidden.count() * hidden);
  }
  if (cell.vectors > 0) vectors_ = layout.add(prefix + ".vectors", Role::kWeight, cell.vectors, hidden);
  if (cell.clock >= 0) clock_.emplace(layout, prefix, hidden);
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
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < hidden_; ++i) prepared.hidden_transposed[j * hidden_ + i] = weights[i * n + j];
  }
}

template <class T>
void Recurrent::start(State<T>& state, int64_t rows) const {
  state.c_start.assign_zeros(rows * hidden_);
  state.h_start.assign_zeros(rows * hidden_);
  state.from_zero = true;
}

template <class T>
void Recurrent::reserve(State<T>& state, const Chunk& chunk, const SequenceBatch& batch) const {
  const int64_t events = chunk.events();
  state.gates.reserve(events * columns());
  state.c.reserve(events * hidden_);
  state.h.reserve(events * hidden_);
  state.h_prev.reserve(events * hidden_);
  if (!clock_) return;
  const auto times = batch.times[static_cast<std::size_t>(TimeInput::kStart)];
  state.clock.clear();
  for (const int32_t e : chunk.source) state.clock.push_back(times[static_cast<std::size_t>(e)]);
}

template <class T>
void Recurrent::forward(State<T>& state, const Chunk& chunk, Steps steps, const Layout& layout,
                        const Parameters<T>& parameters) const {
  const Columns fed = columns_of(cell_->hidden);
  const Matrix<T> weights{parameters.data(layout[hidden_weights_]), fed.count()};
  const T* vectors = vectors_ < 0 ? nullptr : parameters.data(layout[vectors_]);
  const auto& step = cell_->functions.get<T>().forward;
  if (clock_) {
    const Events events = chunk.events_of(steps);
    clock_->forward(state.gates.data() + events.begin * columns() + cell_->clock * hidden_, columns(),
                    state.clock_of(events), layout, parameters);
  }
  if (steps.begin == 0) std::copy_n(state.h_start.data(), chunk.rows() * hidden_, state.h_prev.data());
  for (int64_t t = steps.begin; t < steps.end; ++t) {
    const auto i = static_cast<std::size_t>(t);
    const int64_t rows = chunk.active[i];
    const int64_t at = chunk.start[i] * hidden_;
    T* gates = state.gates.data() + chunk.start[i] * columns();
    const T* c_prev = t == 0 ? state.c_start.data() : state.c.data() + chunk.start[i - 1] * hidden_;
    const T* h_prev = state.h_prev.data() + at;
    if (t > 0 || !state.from_zero) {
      matmul(gates + fed.begin, columns(), Matrix<T>{h_prev, hidden_}, weights, rows, fed.count(), hidden_,
             1);
    }
    const bool more = chunk.start[i] + rows + kSoon <= chunk.events();
    step({rows, hidden_, gates, vectors, c_prev, h_prev, state.c.data() + at, state.h.data() + at,
          state.h_prev.data() + at + rows * hidden_, t + 1 < chunk.steps() ? chunk.active[i + 1] : 0,
          more ? kSoon : 0});
  }
}

template <class T>
void Recurrent::backward(Parameters<T>& gradient, State<T>& state, const Chunk& chunk, Steps steps,
                         const T* dsteps, const Prepared<T>& prepared, const Layout& layout,
                         const Parameters<T>& parameters) const {
  const Columns fed = columns_of(cell_->hidden);
  const T* vectors = vectors_ < 0 ? nullptr : parameters.data(layout[vectors_]);
  T* dvectors = vectors_ < 0 ? nullptr : gradient.data(layout[vectors_]);
  const auto& step = cell_->functions.get<T>().backward;
  state.dh.reserve(chunk.rows() * hidden_);
  state.dc.reserve(chunk.rows() * hidden_);
  // Rows that were active at the step after this one.
  int64_t already = steps.end < chunk.steps() ? chunk.active[static_cast<std::size_t>(steps.end)] : 0;
  for (int64_t t = steps.end - 1; t >= steps.begin; --t) {
    const auto i = static_cast<std::size_t>(t);
    const int64_t rows = chunk.active[i];
    const int64_t at = chunk.start[i] * hidden_;
    T* gates = state.gates.data() + chunk.start[i] * columns();
    // Rows whose last event of the chunk this is join in.
    std::fill_n(state.dh.data() + already * hidden_, (rows - already) * hidden_, T(0));
    std::fill_n(state.dc.data() + already * hidden_, (rows - already) * hidden_, T(0));
    kernels::add(state.dh.data(), dsteps + at, rows * hidden_);
    const T* c_prev = t == 0 ? state.c_start.data() : state.c.data() + chunk.start[i - 1] * hidden_;
    step({rows, hidden_, gates, vectors, dvectors, c_prev, state.h_prev.data() + at, state.c.data() + at,
          state.dh.data(), state.dc.data(), chunk.start[i] >= kSoon ? kSoon : 0});
    if (t > 0) {
      matmul(state.dh.data(), hidden_, Matrix<T>{gates + fed.begin, columns()},
             Matrix<T>{prepared.hidden_transposed.data(), hidden_}, rows, hidden_, fed.count(),
             cell_->direct_hidden ? 1 : 0);
    }
    already = rows;
  }
  // One tall product for the weights, over the events but those that found a state of zero.
  const Events events = chunk.events_of(steps);
  const int64_t first = state.from_zero && steps.begin == 0 ? chunk.start[1] : events.begin;
  matmul(gradient.data(layout[hidden_weights_]), fed.count(),
         transposed(Matrix<T>{state.h_prev.data() + first * hidden_, hidden_}),
         Matrix<T>{state.gates.data() + first * columns() + fed.begin, columns()}, hidden_, fed.count(),
         events.end - first, 1);
  state.dbias.assign_zeros(columns());
  T* gates = state.gates.data() + events.begin * columns();
  kernels::add_column_sums(state.dbias.data(), gates, columns(), events.count(), columns());
  const Columns input = columns_of(cell_->input);
  kernels::add(gradient.data(layout[bias_]), state.dbias.data() + input.begin, input.count());
  if (bias_hidden_ >= 0) {
    kernels::add(gradient.data(layout[bias_hidden_]), state.dbias.data() + fed.begin, fed.count());
  }
  if (clock_) {
    clock_->backward(gradient, gates + cell_->clock * hidden_, columns(), state.clock_of(events), layout,
                     parameters);
  }
}

template <class T>
void Recurrent::carry(State<T>& state, const Chunk& chunk) const {
  const int64_t at = chunk.start[static_cast<std::size_t>(chunk.steps() - 1)] * hidden_;
  const int64_t count = chunk.active.back() * hidden_;
  std::copy_n(state.c.data() + at, count, state.c_start.data());
  std::copy_n(state.h.data() + at, count, state.h_start.data());
  state.from_zero = false;
}

#define T2V_INSTANTIATE(T)                                                                                 \
  template void Recurrent::prepare<T>(Prepared<T>&, const Layout&, const Parameters<T>&) const;            \
  template void Recurrent::start<T>(State<T>&, int64_t) const;                                             \
  template void Recurrent::reserve<T>(State<T>&, const Chunk&, const SequenceBatch&) const;                \
  template void Recurrent::forward<T>(State<T>&, const Chunk&, Steps, const Layout&, const Parameters<T>&) \
      const;                                                                                               \
  template void Recurrent::backward<T>(Parameters<T>&, State<T>&, const Chunk&, Steps, const T*,           \
                                       const Prepared<T>&, const Layout&, const Parameters<T>&) const;     \
  template void Recurrent::carry<T>(State<T>&, const Chunk&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
