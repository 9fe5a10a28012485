#include "nn/input.h"

#include <algorithm>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v::nn {
namespace {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;

/// Sharing pays when a gather of the product is cheaper than the product: few distinct values.
bool worth_sharing(std::size_t distinct, std::size_t all) { return distinct * 4 <= all * 3; }

template <class T>
void fill_rows(T* to, const T* row, int64_t rows, int64_t columns) {
  for (int64_t e = 0; e < rows; ++e) std::copy_n(row, columns, to + e * columns);
}

void check_sizes(const SequenceBatch& batch, const InputConfig& config) {
  const auto n = static_cast<std::size_t>(batch.offsets.empty() ? 0 : batch.offsets.back());
  if (config.event_types > 0 && batch.events.size() != n) {
    fail("the model has event types, but the batch has {} of them for {} events", batch.events.size(), n);
  }
  if (batch.features.size() != n * static_cast<std::size_t>(config.features)) {
    fail("the model has {} features an event, but the batch has {} numbers for {} events", config.features,
         batch.features.size(), n);
  }
  for (const TimeEncoderConfig& time : config.times) {
    const std::size_t size = batch.times[static_cast<std::size_t>(time.input)].size();
    if (size != n) {
      fail("the model uses the time input '{}', but the batch has {} such times for {} events",
           name_of(time.input), size, n);
    }
  }
}

}  // namespace

Input::Input(Layout& layout, const std::string& prefix, const InputConfig& config, int64_t columns,
             Columns events, Columns times)
    : config_(config), columns_(columns), event_columns_(events), time_columns_(times) {
  for (std::size_t i = 0; i < config.times.size(); ++i) {
    encoders_.emplace_back(layout, fmt::format("time{}", i), config.times[i]);
  }
  if (config.event_types > 0) {
    event_rows_ = layout.add(prefix + ".events", Role::kTable, config.event_types, events.count());
  }
  if (config.features > 0) {
    feature_weights_ = layout.add(prefix + ".features", Role::kWeight, config.features, events.count());
  }
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    time_weights_.push_back(
        layout.add(fmt::format("{}.time{}", prefix, i), Role::kWeight, encoders_[i].width(), times.count()));
  }
}

int64_t Input::width() const {
  int64_t width = config_.event_types + config_.features;
  for (const TimeEncoder& encoder : encoders_) width += encoder.width();
  return width;
}

template <class T>
void Input::load(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source) const {
  check_sizes(batch, config_);
  state.count = static_cast<int64_t>(source.size());
  state.times.resize(encoders_.size());
  if (config_.event_types > 0) {
    state.events.resize(source.size());
    for (std::size_t e = 0; e < source.size(); ++e) {
      const int32_t type = batch.events[static_cast<std::size_t>(source[e])];
      if (type < 0 || type >= config_.event_types) {
        fail("event type {} is not one of the model's 0..{}", type, config_.event_types - 1);
      }
      state.events[e] = type;
    }
  }
  state.features.reserve(state.count * config_.features);
  for (int64_t e = 0; e < state.count; ++e) {
    const float* from = batch.features.data() + source[static_cast<std::size_t>(e)] * config_.features;
    std::copy_n(from, config_.features, state.features.data() + e * config_.features);
  }
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    auto& time = state.times[i];
    const auto tau = batch.times[static_cast<std::size_t>(config_.times[i].input)];
    time.tau.resize(source.size());
    for (std::size_t e = 0; e < source.size(); ++e) time.tau[e] = tau[static_cast<std::size_t>(source[e])];
    time.distinct.find(time.tau);
    time.shared = worth_sharing(time.distinct.values().size(), source.size());
    if (time.shared) time.tau.assign(time.distinct.values().begin(), time.distinct.values().end());
  }
}

template <class T>
void Input::forward(T* sums, State<T>& state, const T* base, const Layout& layout,
                    const Parameters<T>& parameters) const {
  bool filled = false;
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    auto& time = state.times[i];
    const auto rows = static_cast<int64_t>(time.tau.size());
    time.value.reserve(rows * encoders_[i].width());
    time.slope.reserve(rows * encoders_[i].width());
    encoders_[i].forward(time.value.data(), time.slope.data(), layout, parameters, time.tau);
    // The first shared times carry the base with them where they feed all columns; else the sums start there.
    const bool carries = !filled && time.shared && time_columns_.count() == columns_;
    if (!filled && !carries) fill_rows(sums, base, state.count, columns_);
    forward_time(sums, time, i, carries ? base : nullptr, layout, parameters);
    filled = true;
  }
  if (!filled) fill_rows(sums, base, state.count, columns_);
  T* event_sums = sums + event_columns_.begin;
  if (event_rows_ >= 0) {
    kernels::gather_add(event_sums, columns_, parameters.data(layout[event_rows_]), event_columns_.count(),
                        state.events, event_columns_.count());
  }
  if (feature_weights_ >= 0) {
    matmul(event_sums, columns_, Matrix<T>{state.features.data(), config_.features},
           Matrix<T>{parameters.data(layout[feature_weights_]), event_columns_.count()}, state.count,
           event_columns_.count(), config_.features, 1);
  }
}

template <class T>
void Input::forward_time(T* sums, typename State<T>::Time& time, std::size_t i, const T* carried,
                         const Layout& layout, const Parameters<T>& parameters) const {
  const int64_t width = encoders_[i].width();
  const int64_t n = time_columns_.count();
  const auto rows = static_cast<int64_t>(time.tau.size());
  const Matrix<T> value{time.value.data(), width};
  const Matrix<T> weights{parameters.data(layout[time_weights_[i]]), n};
  T* to = sums + time_columns_.begin;
  if (!time.shared) {
    matmul(to, columns_, value, weights, rows, n, width, 1);
    return;
  }
  time.sums.reserve(rows * n);
  if (carried != nullptr) fill_rows(time.sums.data(), carried, rows, n);
  matmul(time.sums.data(), n, value, weights, rows, n, width, carried != nullptr ? 1 : 0);
  if (carried != nullptr) {
    const auto index = time.distinct.index();
    for (std::size_t e = 0; e < index.size(); ++e) {
      std::copy_n(time.sums.data() + index[e] * n, n, to + static_cast<int64_t>(e) * columns_);
    }
  } else {
    kernels::gather_add(to, columns_, time.sums.data(), n, time.distinct.index(), n);
  }
}

template <class T>
void Input::backward(Parameters<T>& gradient, RowGradient<T>& rows, State<T>& state, const T* dsums,
                     const Layout& layout, const Parameters<T>& parameters) const {
  const T* devents = dsums + event_columns_.begin;
  const int64_t n = event_columns_.count();
  if (event_rows_ >= 0) {
    state.distinct_events.find(state.events);
    const auto types = state.distinct_events.values();
    rows.rows.assign(types.begin(), types.end());
    rows.values.assign_zeros(static_cast<int64_t>(types.size()) * n);
    kernels::scatter_add(rows.values.data(), n, devents, columns_, state.distinct_events.index(), n);
  }
  if (feature_weights_ >= 0) {
    matmul(gradient.data(layout[feature_weights_]), n,
           transposed(Matrix<T>{state.features.data(), config_.features}), Matrix<T>{devents, columns_},
           config_.features, n, state.count, 1);
  }
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    backward_time(gradient, state.times[i], i, dsums, layout, parameters);
  }
}

template <class T>
void Input::backward_time(Parameters<T>& gradient, typename State<T>::Time& time, std::size_t i,
                          const T* dsums, const Layout& layout, const Parameters<T>& parameters) const {
  const int64_t width = encoders_[i].width();
  const int64_t n = time_columns_.count();
  const auto rows = static_cast<int64_t>(time.tau.size());
  const Matrix<T> value{time.value.data(), width};
  const Matrix<T> weights{parameters.data(layout[time_weights_[i]]), n};
  Matrix<T> dtime{dsums + time_columns_.begin, columns_};
  if (time.shared) {
    std::fill_n(time.sums.data(), rows * n, T(0));
    kernels::scatter_add(time.sums.data(), n, dtime.data, columns_, time.distinct.index(), n);
    dtime = {time.sums.data(), n};
  }
  matmul(gradient.data(layout[time_weights_[i]]), n, transposed(value), dtime, width, n, rows, 1);
  if (!encoders_[i].learned()) return;
  time.dvalue.reserve(rows * width);
  matmul(time.dvalue.data(), width, dtime, transposed(weights), rows, width, n, 0);
  encoders_[i].backward(layout, gradient, time.dvalue.data(), time.slope.data(), time.tau);
}

#define T2V_INSTANTIATE(T)                                                                              \
  template void Input::load<T>(State<T>&, const SequenceBatch&, std::span<const int32_t>) const;        \
  template void Input::forward<T>(T*, State<T>&, const T*, const Layout&, const Parameters<T>&) const;  \
  template void Input::backward<T>(Parameters<T>&, RowGradient<T>&, State<T>&, const T*, const Layout&, \
                                   const Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
