#include "nn/input.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v::nn {
namespace {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;

template <class T>
void fill_rows(T* to, const T* row, int64_t rows, int64_t columns) {
  for (int64_t e = 0; e < rows; ++e) std::copy_n(row, columns, to + e * columns);
}

/// Row e of to = row index[e] of from [., n].
template <class T>
void copy_rows(T* to, int64_t to_stride, const T* from, std::span<const int32_t> index, int64_t n) {
  for (std::size_t e = 0; e < index.size(); ++e) {
    std::copy_n(from + index[e] * n, n, to + static_cast<int64_t>(e) * to_stride);
  }
}

/// to += weight * from, element by element.
template <class T>
void add_weighted(T* to, const T* from, float weight, int64_t n) {
  const T w(weight);
  for (int64_t i = 0; i < n; ++i) to[i] += w * from[i];
}

/// The entries of some events; none where there is no list.
template <class N>
std::span<const N> some_of(std::span<const N> list, Events events) {
  if (list.empty()) return {};
  return list.subspan(static_cast<std::size_t>(events.begin), static_cast<std::size_t>(events.count()));
}

void check_sizes(const SequenceBatch& batch, const InputShape& shape) {
  const int64_t n = batch.event_count();
  if (shape.event_rows > 0 && static_cast<int64_t>(batch.part_offsets.size()) != n + 1) {
    fail("the model has events that are sums of rows, but the batch does not say of which");
  }
  if (shape.event_rows == 0 && shape.event_types > 0 && static_cast<int64_t>(batch.events.size()) != n) {
    fail("the model has event types, but the batch has {} of them for {} events", batch.events.size(), n);
  }
  if (shape.features > 0 && static_cast<int64_t>(batch.features.size()) != n * shape.features) {
    fail("the model has {} features an event, but the batch has {} numbers for {} events", shape.features,
         batch.features.size(), n);
  }
}

}  // namespace

Input::Input(Layout& layout, const std::string& prefix, const InputShape& shape, const TimeInputs& times)
    : shape_(shape) {
  const int64_t n = shape.events.count();
  if (shape.event_types > 0) {
    const int64_t rows = shape.event_rows > 0 ? shape.event_rows : shape.event_types;
    event_rows_ = layout.add(prefix + ".events", Role::kTable, rows, n);
  }
  if (shape.features > 0)
    feature_weights_ = layout.add(prefix + ".features", Role::kWeight, shape.features, n);
  if (shape.below > 0) below_weights_ = layout.add(prefix + ".below", Role::kWeight, shape.below, n);
  for (std::size_t i = 0; shape.times && i < times.encoders().size(); ++i) {
    time_weights_.push_back(layout.add(fmt::format("{}.time{}", prefix, i), Role::kWeight,
                                       times.encoders()[i].width(), shape.time.count()));
  }
}

int64_t Input::width(const TimeInputs& times) const {
  const int64_t rows = shape_.event_rows > 0 ? shape_.event_rows : shape_.event_types;
  int64_t width = rows + shape_.features + shape_.below;
  for (std::size_t i = 0; i < time_weights_.size(); ++i) width += times.encoders()[i].width();
  return width;
}

template <class Visit>
void Input::over_floored(const Layout& layout, const Visit& visit) const {
  if (!std::isfinite(shape_.floor) || shape_.floored.count() == 0) return;
  const int64_t n = shape_.time.count();
  const int64_t first = shape_.floored.begin - shape_.time.begin;
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    const Tensor& tensor = layout[time_weights_[i]];
    for (int64_t row = 0; row < tensor.rows; ++row) {
      for (int64_t c = first; c < first + shape_.floored.count(); ++c) visit(i, tensor, row * n + c);
    }
  }
}

template <class T>
void Input::prepare(Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const {
  if (!std::isfinite(shape_.floor) || shape_.floored.count() == 0) return;
  prepared.time_weights.resize(time_weights_.size());
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    const Tensor& tensor = layout[time_weights_[i]];
    prepared.time_weights[i].reserve(tensor.size());
    std::copy_n(parameters.data(tensor), tensor.size(), prepared.time_weights[i].data());
  }
  over_floored(layout, [&](std::size_t i, const Tensor&, int64_t at) {
    T& w = prepared.time_weights[i][at];
    if (real_part(w) < shape_.floor) w = T(shape_.floor);
  });
}

template <class T>
void Input::mask_floored(Parameters<T>& gradient, const Layout& layout,
                         const Parameters<T>& parameters) const {
  over_floored(layout, [&](std::size_t, const Tensor& tensor, int64_t at) {
    if (real_part(parameters.data(tensor)[at]) < shape_.floor) gradient.data(tensor)[at] = T(0);
  });
}

template <class T>
const T* Input::weights_of(std::size_t i, const Prepared<T>& prepared, const Layout& layout,
                           const Parameters<T>& parameters) const {
  return prepared.time_weights.empty() ? parameters.data(layout[time_weights_[i]])
                                       : prepared.time_weights[i].data();
}

template <class T>
void Input::load_types(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const {
  state.events.resize(source.size());
  for (std::size_t e = 0; e < source.size(); ++e) {
    const int32_t type = batch.events[static_cast<std::size_t>(source[e])];
    if (type < 0 || type >= shape_.event_types) {
      fail("event type {} is not one of the model's 0..{}", type, shape_.event_types - 1);
    }
    state.events[e] = type;
  }
}

template <class T>
void Input::load_parts(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const {
  state.events.clear();
  state.part_weights.clear();
  state.part_starts.assign(1, 0);
  for (const int32_t e : source) {
    const auto at = static_cast<std::size_t>(e);
    for (int64_t p = batch.part_offsets[at]; p < batch.part_offsets[at + 1]; ++p) {
      const EventPart& part = batch.parts[static_cast<std::size_t>(p)];
      if (part.row < 0 || part.row >= shape_.event_rows) {
        fail("a part of an event is row {}, not one of the model's 0..{}", part.row, shape_.event_rows - 1);
      }
      state.events.push_back(part.row);
      state.part_weights.push_back(part.weight);
    }
    state.part_starts.push_back(static_cast<int64_t>(state.events.size()));
  }
}

template <class T>
void Input::load(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const {
  check_sizes(batch, shape_);
  state.count = static_cast<int64_t>(source.size());
  if (shape_.event_rows > 0) {
    load_parts(state, batch, source);
  } else if (event_rows_ >= 0) {
    load_types(state, batch, source);
  }
  state.features.reserve(state.count * shape_.features);
  for (int64_t e = 0; e < state.count && shape_.features > 0; ++e) {
    const float* from = batch.features.data() + source[static_cast<std::size_t>(e)] * shape_.features;
    std::copy_n(from, shape_.features, state.features.data() + e * shape_.features);
  }
}

template <class T>
void Input::start_forward(State<T>& state, const T* base, const TimeInputs::State<T>& times,
                          const Prepared<T>& prepared, const Layout& layout,
                          const Parameters<T>& parameters) const {
  const int64_t n = shape_.time.count();
  state.time_sums.resize(time_weights_.size());
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    const TimeInputs::Encoded<T>& time = times[i];
    if (!time.shared) continue;
    Buffer<T>& sums = state.time_sums[i];
    const int64_t width = layout[time_weights_[i]].rows;
    const bool on_base = i == 0 && times_carry_base<T>(times);
    sums.reserve(time.rows() * n);
    if (on_base) fill_rows(sums.data(), base, time.rows(), n);
    matmul(sums.data(), n, Matrix<T>{time.value.data(), width},
           Matrix<T>{weights_of(i, prepared, layout, parameters), n}, time.rows(), n, width, on_base ? 1 : 0);
  }
}

/// Every row starts from the base. Where there are events, their rows are added in the same pass.
template <class T>
void Input::start_sums(T* sums, std::span<const int32_t> types, int64_t count, const T* base,
                       const Layout& layout, const Parameters<T>& parameters) const {
  if (event_rows_ < 0 || shape_.event_rows > 0) {
    fill_rows(sums, base, count, shape_.columns);
    return;
  }
  const Columns before{0, shape_.events.begin};
  const Columns after{shape_.events.end, shape_.columns};
  kernels::gather_on_base(sums + shape_.events.begin, shape_.columns, base + shape_.events.begin,
                          parameters.data(layout[event_rows_]), types, shape_.events.count());
  for (int64_t e = 0; e < count; ++e) {
    for (const Columns& rest : {before, after}) {
      std::copy_n(base + rest.begin, rest.count(), sums + e * shape_.columns + rest.begin);
    }
  }
}

template <class T>
void Input::forward(T* sums, const State<T>& state, Events events, const T* base, const T* below,
                    const TimeInputs::State<T>& times, const Prepared<T>& prepared, const Layout& layout,
                    const Parameters<T>& parameters) const {
  const int64_t n = shape_.events.count();
  const int64_t n_time = shape_.time.count();
  const bool carries = times_carry_base<T>(times);
  const bool parts = shape_.event_rows > 0;
  const auto types = parts ? std::span<const int32_t>{} : some_of<int32_t>(state.events, events);
  sums += events.begin * shape_.columns;
  if (!carries) start_sums(sums, types, events.count(), base, layout, parameters);
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    T* to = sums + shape_.time.begin;
    const int64_t width = layout[time_weights_[i]].rows;
    if (!times[i].shared) {
      matmul(to, shape_.columns, Matrix<T>{times[i].value.data() + events.begin * width, width},
             Matrix<T>{weights_of(i, prepared, layout, parameters), n_time}, events.count(), n_time, width,
             1);
      continue;
    }
    const std::span<const int32_t> index = some_of<int32_t>(times[i].distinct.index(), events);
    if (carries && i == 0) {
      copy_rows(to, shape_.columns, state.time_sums[i].data(), index, n_time);
    } else {
      kernels::gather_add(to, shape_.columns, state.time_sums[i].data(), n_time, index, n_time);
    }
  }
  T* event_sums = sums + shape_.events.begin;
  if (parts) {
    const T* table = parameters.data(layout[event_rows_]);
    over_parts(state, events, [&](std::size_t p, int64_t e) {
      add_weighted(event_sums + e * shape_.columns, table + state.events[p] * n, state.part_weights[p], n);
    });
  } else if (carries && event_rows_ >= 0) {
    kernels::gather_add(event_sums, shape_.columns, parameters.data(layout[event_rows_]), n, types, n);
  }
  const auto dense = [&](const T* from, int64_t inputs, int weights) {
    matmul(event_sums, shape_.columns, Matrix<T>{from + events.begin * inputs, inputs},
           Matrix<T>{parameters.data(layout[weights]), n}, events.count(), n, inputs, 1);
  };
  if (feature_weights_ >= 0) dense(state.features.data(), shape_.features, feature_weights_);
  if (below_weights_ >= 0) dense(below, shape_.below, below_weights_);
}

template <class T>
void Input::start_backward(RowGradient<T>& rows, State<T>& state, const TimeInputs::State<T>& times) const {
  if (event_rows_ >= 0) {
    state.distinct_events.extend(state.events);
    const auto types = state.distinct_events.values();
    rows.rows.assign(types.begin(), types.end());
    rows.values.resize(types.size() * static_cast<std::size_t>(shape_.events.count()), T(0));
  }
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    if (times[i].shared) state.time_sums[i].assign_zeros(times[i].rows() * shape_.time.count());
  }
}

template <class T>
void Input::backward(Parameters<T>& gradient, RowGradient<T>& rows, T* dbelow, State<T>& state, Events events,
                     const T* dsums, const T* below, const TimeInputs& inputs, TimeInputs::State<T>& times,
                     const Prepared<T>& prepared, const Layout& layout,
                     const Parameters<T>& parameters) const {
  const int64_t n = shape_.events.count();
  const int64_t n_time = shape_.time.count();
  dsums += events.begin * shape_.columns;
  const Matrix<T> devents{dsums + shape_.events.begin, shape_.columns};
  const Matrix<T> dtime{dsums + shape_.time.begin, shape_.columns};
  if (shape_.event_rows > 0) {
    over_parts(state, events, [&](std::size_t p, int64_t e) {
      const int64_t row = state.distinct_events.index()[p];
      add_weighted(rows.values.data() + row * n, devents.data + e * shape_.columns, state.part_weights[p], n);
    });
  } else if (event_rows_ >= 0) {
    kernels::scatter_add(rows.values.data(), n, devents.data, shape_.columns,
                         some_of<int32_t>(state.distinct_events.index(), events), n);
  }
  const auto dense = [&](const T* from, int64_t inputs_count, int weights) {
    matmul(gradient.data(layout[weights]), n,
           transposed(Matrix<T>{from + events.begin * inputs_count, inputs_count}), devents, inputs_count, n,
           events.count(), 1);
  };
  if (feature_weights_ >= 0) dense(state.features.data(), shape_.features, feature_weights_);
  if (below_weights_ >= 0) {
    dense(below, shape_.below, below_weights_);
    matmul(dbelow + events.begin * shape_.below, shape_.below, devents,
           transposed(Matrix<T>{parameters.data(layout[below_weights_]), n}), events.count(), shape_.below, n,
           0);
  }
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    if (times[i].shared) {
      kernels::scatter_add(state.time_sums[i].data(), n_time, dtime.data, shape_.columns,
                           some_of<int32_t>(times[i].distinct.index(), events), n_time);
    } else {
      backward_time(gradient, times[i], events, dtime, inputs.encoders()[i], time_weights_[i],
                    weights_of(i, prepared, layout, parameters), layout);
    }
  }
}

template <class T>
void Input::finish_backward(Parameters<T>& gradient, const State<T>& state, const TimeInputs& inputs,
                            TimeInputs::State<T>& times, const Prepared<T>& prepared, const Layout& layout,
                            const Parameters<T>& parameters) const {
  for (std::size_t i = 0; i < time_weights_.size(); ++i) {
    if (!times[i].shared) continue;
    backward_time(gradient, times[i], {0, times[i].rows()},
                  Matrix<T>{state.time_sums[i].data(), shape_.time.count()}, inputs.encoders()[i],
                  time_weights_[i], weights_of(i, prepared, layout, parameters), layout);
  }
}

template <class T>
void Input::backward_time(Parameters<T>& gradient, TimeInputs::Encoded<T>& time, Events rows, Matrix<T> dtime,
                          const TimeEncoder& encoder, int weights_id, const T* weights,
                          const Layout& layout) const {
  const int64_t width = encoder.width();
  const int64_t n = shape_.time.count();
  const int64_t at = rows.begin * width;
  matmul(gradient.data(layout[weights_id]), n, transposed(Matrix<T>{time.value.data() + at, width}), dtime,
         width, n, rows.count(), 1);
  if (!encoder.learned()) return;
  matmul(time.dvalue.data() + at, width, dtime, transposed(Matrix<T>{weights, n}), rows.count(), width, n, 1);
}

#define T2V_INSTANTIATE(T)                                                                                 \
  template void Input::prepare<T>(Prepared<T>&, const Layout&, const Parameters<T>&) const;                \
  template void Input::mask_floored<T>(Parameters<T>&, const Layout&, const Parameters<T>&) const;         \
  template void Input::load<T>(State<T>&, const SequenceBatch&, std::span<const int32_t>) const;           \
  template void Input::start_forward<T>(State<T>&, const T*, const TimeInputs::State<T>&,                  \
                                        const Prepared<T>&, const Layout&, const Parameters<T>&) const;    \
  template void Input::forward<T>(T*, const State<T>&, Events, const T*, const T*,                         \
                                  const TimeInputs::State<T>&, const Prepared<T>&, const Layout&,          \
                                  const Parameters<T>&) const;                                             \
  template void Input::start_backward<T>(RowGradient<T>&, State<T>&, const TimeInputs::State<T>&) const;   \
  template void Input::backward<T>(Parameters<T>&, RowGradient<T>&, T*, State<T>&, Events, const T*,       \
                                   const T*, const TimeInputs&, TimeInputs::State<T>&, const Prepared<T>&, \
                                   const Layout&, const Parameters<T>&) const;                             \
  template void Input::finish_backward<T>(Parameters<T>&, const State<T>&, const TimeInputs&,              \
                                          TimeInputs::State<T>&, const Prepared<T>&, const Layout&,        \
                                          const Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
