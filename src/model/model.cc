#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;
using nn::Parameters;
using nn::Role;
using nn::Tensor;

namespace {

template <class T>
T sign_of(T x) {
  const auto part = real_part(x);
  return part > 0 ? T(1) : part < 0 ? T(-1) : T(0);
}

}  // namespace

Model::Model(const ModelConfig& config) : config_(config), head_(&nn::head_from(config.head)) {
  if (config.classes < 2) fail("a model needs at least 2 classes; it has {}", config.classes);
  if (config.head == "logistic" && config.classes != 2) {
    fail("the logistic head has 2 classes, not {}; use softmax", config.classes);
  }
  const nn::InputConfig& in = config.input;
  if (in.event_types <= 0 && in.features <= 0 && in.times.empty()) {
    fail("a model needs event types, features or times as input");
  }
  outputs_ = head_->outputs(config.classes);
  if (config.cell == "none") {
    input_.emplace(layout_, "head", in, outputs_, nn::Columns{0, outputs_}, nn::Columns{0, outputs_});
  } else {
    const nn::Cell& cell = nn::cell_from(config.cell);
    recurrent_.emplace(layout_, cell, config.hidden, config.biases);
    input_.emplace(layout_, "cell", in, recurrent_->columns(), recurrent_->columns_of(cell.input),
                   recurrent_->columns_of(cell.time));
    head_weights_ = layout_.add("head.weight", Role::kWeight, config.hidden, outputs_);
  }
  head_bias_ = layout_.add("head.bias", Role::kBias, 1, outputs_);
}

int64_t Model::fan_in(const Tensor& tensor) const {
  const bool straight = !recurrent_ && tensor.name.starts_with("head.");
  return straight ? input_->width() : config_.hidden;
}

void Model::check_labels(const SequenceBatch& batch) const {
  if (batch.sequences() == 0) fail("a batch needs at least one sequence");
  if (static_cast<int64_t>(batch.labels.size()) != batch.sequences()) {
    fail("the batch has {} labels for {} sequences", batch.labels.size(), batch.sequences());
  }
  for (std::size_t b = 0; b < batch.labels.size(); ++b) {
    const int32_t label = batch.labels[b];
    if (label < 0 || label >= config_.classes) {
      fail("the label of sequence {} is {}, not one of 0..{}", b, label, config_.classes - 1);
    }
  }
}

template <class T>
void Model::start(Workspace<T>& work, const Parameters<T>& parameters, const SequenceBatch& batch) const {
  pack(work.shards, batch.offsets);
  work.states.resize(std::max(work.states.size(), work.shards.size()));
  if (recurrent_) {
    recurrent_->prepare(work.prepared, layout_, parameters);
  } else {
    work.prepared.base.reserve(outputs_);
    std::copy_n(parameters.data(layout_[head_bias_]), outputs_, work.prepared.base.data());
  }
}

template <class T>
void Model::forward_shard(Workspace<T>& work, std::size_t i, const Parameters<T>& parameters,
                          const SequenceBatch& batch) const {
  const Shard& shard = work.shards[i];
  auto& state = work.states[i];
  const T* base = work.prepared.base.data();
  state.logits.reserve(shard.rows() * outputs_);
  if (!recurrent_) {
    state.last_source.resize(static_cast<std::size_t>(shard.rows()));
    for (std::size_t row = 0; row < state.last_source.size(); ++row) {
      state.last_source[row] =
          shard.source[static_cast<std::size_t>(shard.last_event(static_cast<int64_t>(row)))];
    }
    input_->load(state.input, batch, state.last_source);
    input_->forward(state.logits.data(), state.input, base, layout_, parameters);
    return;
  }
  const int64_t hidden = config_.hidden;
  recurrent_->reserve(state.recurrent, shard);
  input_->load(state.input, batch, shard.source);
  input_->forward(state.recurrent.gates.data(), state.input, base, layout_, parameters);
  recurrent_->forward(state.recurrent, shard, layout_, parameters);
  state.last.reserve(shard.rows() * hidden);
  for (int64_t row = 0; row < shard.rows(); ++row) {
    std::copy_n(state.recurrent.h.data() + shard.last_event(row) * hidden, hidden,
                state.last.data() + row * hidden);
    std::copy_n(parameters.data(layout_[head_bias_]), outputs_, state.logits.data() + row * outputs_);
  }
  matmul(state.logits.data(), outputs_, Matrix<T>{state.last.data(), hidden},
         Matrix<T>{parameters.data(layout_[head_weights_]), outputs_}, shard.rows(), outputs_, hidden, 1);
}

template <class T>
void Model::losses_of_shard(Workspace<T>& work, std::size_t i, const SequenceBatch& batch,
                            bool with_gradient) const {
  const Shard& shard = work.shards[i];
  auto& state = work.states[i];
  const T scale = T(1 / static_cast<double>(batch.sequences()));
  state.dlogits.reserve(shard.rows() * outputs_);
  Wide<T> sum(0);
  for (int64_t row = 0; row < shard.rows(); ++row) {
    const int32_t sequence = shard.sequence[static_cast<std::size_t>(row)];
    const int32_t label = batch.labels[static_cast<std::size_t>(sequence)];
    T* dlogits = with_gradient ? state.dlogits.data() + row * outputs_ : nullptr;
    sum += head_->functions<T>().loss(dlogits, state.logits.data() + row * outputs_, outputs_, label, scale);
  }
  work.gradients[i].loss = sum;
}

template <class T>
void Model::backward_shard(Workspace<T>& work, std::size_t i, const Parameters<T>& parameters) const {
  const Shard& shard = work.shards[i];
  auto& state = work.states[i];
  nn::ShardGradient<T>& out = work.gradients[i];
  out.dense.dense.assign_zeros(layout_.dense_size());
  out.dense.wide.assign_zeros(layout_.wide_size());
  const T* dlogits = state.dlogits.data();
  kernels::add_column_sums(out.dense.data(layout_[head_bias_]), dlogits, outputs_, shard.rows(), outputs_);
  if (!recurrent_) {
    input_->backward(out.dense, out.rows, state.input, dlogits, layout_, parameters);
    return;
  }
  const int64_t hidden = config_.hidden;
  const Matrix<T> weights{parameters.data(layout_[head_weights_]), outputs_};
  matmul(out.dense.data(layout_[head_weights_]), outputs_, transposed(Matrix<T>{state.last.data(), hidden}),
         Matrix<T>{dlogits, outputs_}, hidden, outputs_, shard.rows(), 1);
  state.dlast.reserve(shard.rows() * hidden);
  matmul(state.dlast.data(), hidden, Matrix<T>{dlogits, outputs_}, transposed(weights), shard.rows(), hidden,
         outputs_, 0);
  recurrent_->backward(out.dense, state.recurrent, shard, state.dlast.data(), work.prepared, layout_,
                       parameters);
  input_->backward(out.dense, out.rows, state.input, state.recurrent.gates.data(), layout_, parameters);
}

template <class T>
Wide<T> Model::penalty(Parameters<T>* gradient, const Parameters<T>& parameters) const {
  Wide<T> sum(0);
  for (std::size_t i = 0; i < input_->encoders().size(); ++i) {
    const nn::TimeEncoder& encoder = input_->encoders()[i];
    const double strength = encoder.config().l1;
    if (strength == 0) continue;
    const Tensor& tensor = layout_[input_->time_weight(i)];
    const T* w = parameters.data(tensor);
    for (int64_t at = encoder.first_periodic() * tensor.cols; at < tensor.size(); ++at) {
      sum += Wide<T>(strength) * Wide<T>(w[at] * sign_of(w[at]));
      if (gradient != nullptr) gradient->data(tensor)[at] += T(strength) * sign_of(w[at]);
    }
  }
  return sum;
}

template <class T>
Wide<T> Model::loss(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                    ThreadPool& pool) const {
  check_labels(batch);
  start(work, parameters, batch);
  work.gradients.resize(std::max(work.gradients.size(), work.shards.size()));
  pool.run(static_cast<int64_t>(work.shards.size()), [&](int64_t i) {
    const auto shard = static_cast<std::size_t>(i);
    forward_shard(work, shard, parameters, batch);
    losses_of_shard(work, shard, batch, false);
  });
  Wide<T> sum(0);
  for (std::size_t i = 0; i < work.shards.size(); ++i) sum += work.gradients[i].loss;
  return sum / Wide<T>(static_cast<double>(batch.sequences())) + penalty<T>(nullptr, parameters);
}

template <class T>
Wide<T> Model::gradient(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                        ThreadPool& pool) const {
  check_labels(batch);
  start(work, parameters, batch);
  work.gradients.resize(std::max(work.gradients.size(), work.shards.size()));
  pool.run(static_cast<int64_t>(work.shards.size()), [&](int64_t i) {
    const auto shard = static_cast<std::size_t>(i);
    forward_shard(work, shard, parameters, batch);
    losses_of_shard(work, shard, batch, true);
    backward_shard(work, shard, parameters);
  });
  Parameters<T>& gradient = work.gradient;
  if (gradient.table.size() != layout_.table_size()) gradient.table.assign_zeros(layout_.table_size());
  const int table = input_->event_table();
  nn::sum_gradients(std::span(work.gradients).first(work.shards.size()), gradient.table, work.touched_rows,
                    table < 0 ? 0 : layout_[table].cols, pool);
  nn::ShardGradient<T>& sum = work.gradients[0];
  std::swap(gradient.dense, sum.dense.dense);
  std::swap(gradient.wide, sum.dense.wide);
  return sum.loss / Wide<T>(static_cast<double>(batch.sequences())) + penalty(&gradient, parameters);
}

void Model::predict(std::span<float> probabilities, const Parameters<float>& parameters,
                    const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool) const {
  if (batch.sequences() == 0) return;
  start(work, parameters, batch);
  pool.run(static_cast<int64_t>(work.shards.size()), [&](int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    forward_shard(work, index, parameters, batch);
    const Shard& shard = work.shards[index];
    for (int64_t row = 0; row < shard.rows(); ++row) {
      head_->probabilities(
          probabilities.data() + shard.sequence[static_cast<std::size_t>(row)] * config_.classes,
          work.states[index].logits.data() + row * outputs_, config_.classes);
    }
  });
}

int64_t match_hidden(ModelConfig config, int64_t parameter_count) {
  const auto distance = [&](int64_t hidden) {
    config.hidden = hidden;
    return std::abs(Model(config).layout().parameter_count() - parameter_count);
  };
  // The count grows with the hidden size, so the distance falls and then rises.
  int64_t hidden = 1;
  while (distance(hidden + 1) < distance(hidden)) ++hidden;
  return hidden;
}

#define T2V_INSTANTIATE(T)                                                                                \
  template Wide<T> Model::loss<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&, ThreadPool&) \
      const;                                                                                              \
  template Wide<T> Model::gradient<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&,          \
                                      ThreadPool&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
