#include <algorithm>

#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "model/model.h"
#include "nn/dropout.h"

// The heads of a model: from hidden states to outputs, losses and back.
namespace t2v {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;
using nn::Parameters;

namespace {

/// Numbers of a block of a head's outputs: bounds the memory for large vocabularies.
constexpr int64_t kHeadBlock = 1 << 20;
constexpr int64_t kFewestHeadRows = 32;

}  // namespace

template <class T>
void Model::forward_hidden(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                           const Parameters<T>& parameters, const SequenceBatch& batch) const {
  auto& state = work.states[task.worker];
  state.hidden.resize(heads_.size());
  const bool times = !work.open && !config_.next_times.empty();
  if (times) next_times_.forward(state.next_times, batch, chunk.source, layout_, parameters);
  state.next_times.resize(config_.next_times.size());
  const T* h = seen_of(work, task);
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    if (!heads_[i].hidden) continue;
    heads_[i].hidden->forward(state.hidden[i], h, batch, chunk.source,
                              work.open ? nullptr : &state.next_times, layout_, parameters);
  }
}

template <class T>
void Model::backward_hidden(Workspace<T>& work, ShardTask task, std::size_t index,
                            const Parameters<T>& parameters) const {
  auto& state = work.states[task.worker];
  const T* h = seen_of(work, task);
  T* dh = recurrents_.empty() ? nullptr : top_layer(state).doutput.data();
  heads_[index].hidden->backward(work.gradients[task.shard].dense, dh, state.hidden[index], h, next_times_,
                                 state.next_times, layout_, parameters);
}

template <class T>
const T* Model::units_of(typename Workspace<T>::OfThread& state, std::size_t index, const HeadRows<T>& rows,
                         int64_t begin, int64_t count) const {
  const int64_t units = heads_[index].config.units;
  const T* all = state.hidden[index].value.data();
  if (rows.each) return all + begin * units;
  state.picked.reserve(count * units);
  for (int64_t r = 0; r < count; ++r) {
    std::copy_n(all + rows.event_of(begin + r) * units, units, state.picked.data() + r * units);
  }
  return state.picked.data();
}

template <class T>
const T* Model::open_row(typename Workspace<T>::OfThread& state, std::size_t index, const HeadRows<T>& rows,
                         int64_t r, const T* outputs) const {
  const Head& head = heads_[index];
  state.open.reserve(head.outputs + head.config.units);
  std::copy_n(outputs, head.outputs, state.open.data());
  std::copy_n(units_of<T>(state, index, rows, r, 1), head.config.units, state.open.data() + head.outputs);
  return state.open.data();
}

/// The outputs of rows [begin, begin + count) of a head.
template <class T>
void Model::head_logits(typename Workspace<T>::OfThread& state, const Workspace<T>& work, std::size_t index,
                        const HeadRows<T>& rows, int64_t begin, int64_t count,
                        const Parameters<T>& parameters) const {
  const Head& head = heads_[index];
  state.logits.reserve(count * head.outputs);
  for (int64_t r = 0; r < count; ++r) {
    const T* from =
        straight_ < 0 ? work.head_base.data() : state.sums.data() + rows.event_of(begin + r) * all_outputs_;
    std::copy_n(from + head.first_output, head.outputs, state.logits.data() + r * head.outputs);
  }
  if (rows.h != nullptr) {
    matmul(state.logits.data(), head.outputs, Matrix<T>{rows.h + begin * rows.stride, rows.stride},
           Matrix<T>{parameters.data(layout_[head.weights]), head.outputs}, count, head.outputs, head.inputs,
           1);
  }
  if (head.hidden && !(work.open && head.config.timed)) {
    const int64_t units = head.config.units;
    matmul(state.logits.data(), head.outputs, Matrix<T>{units_of<T>(state, index, rows, begin, count), units},
           Matrix<T>{parameters.data(layout_[head.hidden_weights]), head.outputs}, count, head.outputs, units,
           1);
  }
  if (head.rules < 0) return;
  for (int64_t r = 0; r < count; ++r) {
    add_terms(state.logits.data() + r * head.outputs, state.rules.terms_of(r),
              parameters.data(layout_[head.rules]));
  }
}

/// Their losses and, with a gradient, the gradients of the outputs.
template <class T>
Wide<T> Model::head_losses(typename Workspace<T>::OfThread& state, const Head& head, const HeadRows<T>& rows,
                           int64_t begin, int64_t count, const SequenceBatch& batch, double scale,
                           bool with_gradient) const {
  Wide<T> sum(0);
  if (with_gradient) state.dlogits.reserve(count * head.outputs);
  for (int64_t r = 0; r < count; ++r) {
    T* dlogits = with_gradient ? state.dlogits.data() + r * head.outputs : nullptr;
    nn::Target target{};
    if (!head.targets.get(target, batch, rows.place_of(begin + r))) {
      if (with_gradient) std::fill_n(dlogits, head.outputs, T(0));
      continue;
    }
    const double weight = scale * head.targets.weight(target);
    sum +=
        Wide<T>(weight) * head.kind->functions.get<T>().loss(dlogits, state.logits.data() + r * head.outputs,
                                                             head.config, target, T(weight));
  }
  return sum;
}

/// From the gradients of the outputs to those of the head's tensors and of its rows.
template <class T>
void Model::head_backward(nn::ShardGradient<T>& out, typename Workspace<T>::OfThread& state,
                          std::size_t index, const HeadRows<T>& rows, int64_t begin, int64_t count,
                          const Parameters<T>& parameters) const {
  const Head& head = heads_[index];
  const Matrix<T> dlogits{state.dlogits.data(), head.outputs};
  kernels::add_column_sums(out.dense.data(layout_[head.bias]), dlogits.data, head.outputs, count,
                           head.outputs);
  for (int64_t r = 0; straight_ >= 0 && r < count; ++r) {
    std::copy_n(dlogits.data + r * head.outputs, head.outputs,
                state.dsums.data() + rows.event_of(begin + r) * all_outputs_ + head.first_output);
  }
  for (int64_t r = 0; head.rules >= 0 && r < count; ++r) {
    add_term_gradients(out.dense.data(layout_[head.rules]), state.rules.terms_of(r),
                       dlogits.data + r * head.outputs);
  }
  if (head.hidden) {
    const int64_t units = head.config.units;
    auto& hidden = state.hidden[index];
    const Matrix<T> value{hidden.value.data() + begin * units, units};
    matmul(out.dense.data(layout_[head.hidden_weights]), head.outputs, transposed(value), dlogits, units,
           head.outputs, count, 1);
    matmul(hidden.dvalue.data() + begin * units, units, dlogits,
           transposed(Matrix<T>{parameters.data(layout_[head.hidden_weights]), head.outputs}), count, units,
           head.outputs, 0);
  }
  if (rows.h == nullptr) return;
  matmul(out.dense.data(layout_[head.weights]), head.outputs,
         transposed(Matrix<T>{rows.h + begin * rows.stride, rows.stride}), dlogits, head.inputs, head.outputs,
         count, 1);
  matmul(rows.dh + begin * rows.stride, rows.stride, dlogits,
         transposed(Matrix<T>{parameters.data(layout_[head.weights]), head.outputs}), count, head.inputs,
         head.outputs, rows.writes ? 0 : 1);
}

/// One head over a chunk, block by block: a large vocabulary has large outputs.
template <class T>
void Model::run_head(Workspace<T>& work, ShardTask task, std::size_t index, const Chunk& chunk,
                     const Parameters<T>& parameters, const SequenceBatch& batch, bool with_gradient,
                     const Consumer<T>* consumer) const {
  const Head& head = heads_[index];
  auto& state = work.states[task.worker];
  HeadRows<T> rows{chunk, work.shards[task.shard], state.ending, head.targets.at_each_event()};
  if (!recurrents_.empty()) {
    rows.h = rows.each ? output_of<T>(state, recurrents_.size() - 1) : state.last.data();
    rows.dh = rows.each ? top_layer(state).doutput.data() : state.dlast.data();
    rows.stride = rows.each ? config_.hidden : last_width();
    rows.writes =
        rows.each && index == 0;  // the first head at each event writes the gradient of h, others add
  }
  if (head.hidden && with_gradient) {
    state.hidden[index].dvalue.reserve(chunk.events() * head.config.units);
  }
  const int64_t block = std::max(kFewestHeadRows, kHeadBlock / head.outputs);
  for (int64_t begin = 0; begin < rows.count(); begin += block) {
    const int64_t count = std::min(block, rows.count() - begin);
    if (head.rules >= 0) rule_terms(state.rules, rows, begin, count, batch);
    head_logits<T>(state, work, index, rows, begin, count, parameters);
    for (int64_t r = 0; consumer != nullptr && r < count; ++r) {
      const T* outputs = state.logits.data() + r * head.outputs;
      const bool open = work.open && head.config.timed;
      (*consumer)(index, rows.place_of(begin + r),
                  open ? open_row<T>(state, index, rows, begin + r, outputs) : outputs);
    }
    if (consumer != nullptr) continue;
    work.gradients[task.shard].loss +=
        head_losses<T>(state, head, rows, begin, count, batch, work.head_scales[index], with_gradient);
    if (with_gradient)
      head_backward<T>(work.gradients[task.shard], state, index, rows, begin, count, parameters);
  }
  if (head.hidden && with_gradient) backward_hidden(work, task, index, parameters);
}

template <class T>
void Model::drop_last(Buffer<T>& last, const Workspace<T>& work, ShardTask task) const {
  if (config_.head_dropout == 0 || !work.dropout_key) return;
  std::vector<int32_t> sequences;
  for (const int64_t row : work.states[task.worker].ending) {
    sequences.push_back(work.shards[task.shard].sequence[static_cast<std::size_t>(row)]);
  }
  nn::drop(last.data(), last_width(), config_.head_dropout, *work.dropout_key,
           static_cast<uint32_t>(recurrents_.size()), sequences);
}

template <class T>
void Model::gather_last(Workspace<T>& work, ShardTask task, const Chunk& chunk) const {
  auto& state = work.states[task.worker];
  const int64_t hidden = config_.hidden;
  const T* h = top_layer(state).recurrent.h.data();
  if (pools_) nn::pool_forward(state.pool, chunk, h, hidden);
  state.last.reserve(static_cast<int64_t>(state.ending.size()) * last_width());
  T* to = state.last.data();
  for (const int64_t row : state.ending) {
    std::copy_n(h + chunk.last[static_cast<std::size_t>(row)] * hidden, hidden, to);
    if (pools_) nn::read_pool(to + hidden, state.pool, row, hidden);
    to += last_width();
  }
  drop_last(state.last, work, task);
}

template <class T>
void Model::scatter_last(Workspace<T>& work, ShardTask task, const Chunk& chunk) const {
  auto& state = work.states[task.worker];
  const int64_t hidden = config_.hidden;
  drop_last(state.dlast, work, task);
  T* dh = top_layer(state).doutput.data();
  const std::size_t top = recurrents_.size() - 1;
  if (dropout_after(top) > 0 && work.dropout_key) {
    nn::drop(dh, hidden, dropout_after(top), *work.dropout_key, static_cast<uint32_t>(top), chunk.source);
  }
  const T* from = state.dlast.data();
  for (const int64_t row : state.ending) {
    kernels::add(dh + chunk.last[static_cast<std::size_t>(row)] * hidden, from, hidden);
    if (pools_) nn::pool_backward(dh, state.pool, chunk, row, from + hidden, hidden);
    from += last_width();
  }
}

template <class T>
void Model::run_heads(Workspace<T>& work, ShardTask task, const Chunk& chunk, const Parameters<T>& parameters,
                      const SequenceBatch& batch, bool with_gradient, const Consumer<T>* consumer) const {
  auto& state = work.states[task.worker];
  state.ending.clear();
  for (int64_t row = 0; row < chunk.rows(); ++row) {
    if (chunk.last[static_cast<std::size_t>(row)] >= 0) state.ending.push_back(row);
  }
  if (straight_ >= 0 && with_gradient) state.dsums.assign_zeros(chunk.events() * all_outputs_);
  if (!recurrents_.empty()) {
    gather_last(work, task, chunk);
    if (with_gradient) {
      state.dlast.assign_zeros(static_cast<int64_t>(state.ending.size()) * last_width());
      Buffer<T>& doutput = top_layer(state).doutput;
      doutput.reserve(chunk.events() * config_.hidden);
      if (!heads_[0].targets.at_each_event()) std::fill_n(doutput.data(), doutput.size(), T(0));
    }
  }
  forward_hidden(work, task, chunk, parameters, batch);
  if (with_gradient) next_times_.start_backward(state.next_times);
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    // Who takes outputs learns when the next event comes before which it is.
    const std::size_t head = consumer != nullptr ? heads_.size() - 1 - i : i;
    run_head(work, task, head, chunk, parameters, batch, with_gradient, consumer);
  }
  if (with_gradient) next_times_.backward(work.gradients[task.shard].dense, state.next_times, layout_);
  if (!recurrents_.empty() && with_gradient) scatter_last(work, task, chunk);
}

#define T2V_INSTANTIATE(T)                                                                        \
  template void Model::run_heads<T>(Workspace<T>&, ShardTask, const Chunk&, const Parameters<T>&, \
                                    const SequenceBatch&, bool, const Consumer<T>*) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
