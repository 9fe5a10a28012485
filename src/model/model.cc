#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "nn/dropout.h"

namespace t2v {

using kernels::matmul;
using kernels::Matrix;
using kernels::transposed;
using nn::Parameters;
using nn::Role;
using nn::Tensor;

namespace {

/// Numbers of a block of a head's outputs: bounds the memory for large vocabularies.
constexpr int64_t kHeadBlock = 1 << 20;
constexpr int64_t kFewestHeadRows = 32;

template <class T>
T sign_of(T x) {
  const auto part = real_part(x);
  return part > 0 ? T(1) : part < 0 ? T(-1) : T(0);
}

void check_config(const ModelConfig& config) {
  if (config.event_types < 0)
    fail("the number of event types must not be negative; it is {}", config.event_types);
  if (config.features < 0) fail("the number of features must not be negative; it is {}", config.features);
  if (config.event_types == 0 && config.features == 0 && config.times.empty()) {
    fail("a model needs event types, features or times as input");
  }
  if (config.heads.empty()) fail("a model needs at least one head");
  if (config.layers < 1) fail("a model needs at least 1 layer; it has {}", config.layers);
  if (!(config.dropout >= 0 && config.dropout < 1))
    fail("dropout must be in [0, 1); it is {}", config.dropout);
  if (config.chunk < 0) fail("the steps of a chunk must not be negative; they are {}", config.chunk);
  if (config.t1_constraint != "nonpositive" && config.t1_constraint != "floor" &&
      config.t1_constraint != "none") {
    fail("unknown constraint on T1 '{}'; use nonpositive, floor or none", config.t1_constraint);
  }
}

}  // namespace

Model::Model(const ModelConfig& config)
    : config_((check_config(config), config)), times_(layout_, config.times) {
  for (const nn::HeadConfig& head : config.heads) {
    const nn::Head& kind = nn::head_from(head);
    const int64_t outputs = kind.outputs(head);
    heads_.push_back({head, &kind, Targets(head), outputs, all_outputs_, -1, -1});
    all_outputs_ += outputs;
  }
  if (config.cell == "none") {
    nn::InputShape shape;
    shape.event_types = config.event_types;
    shape.features = config.features;
    shape.columns = all_outputs_;
    shape.events = shape.time = {0, all_outputs_};
    inputs_.emplace_back(layout_, "head", shape, times_);
  } else {
    const nn::Cell& cell = nn::cell_from(config.cell, config.inner);
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(config.layers); ++layer) {
      recurrents_.emplace_back(layout_, layer_prefix(layer), cell, config.hidden, config.biases);
      inputs_.emplace_back(layout_, layer_prefix(layer), shape_of(layer, recurrents_.back()), times_);
    }
  }
  for (const nn::Input& input : inputs_) {
    for (std::size_t i = 0; i < input.time_weights().size(); ++i)
      time_weights_.push_back({i, input.time_weights()[i]});
  }
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const std::string name = i == 0 ? "head" : fmt::format("head{}", i);
    if (!recurrents_.empty()) {
      heads_[i].weights = layout_.add(name + ".weight", Role::kWeight, config.hidden, heads_[i].outputs);
    }
    heads_[i].bias = layout_.add(name + ".bias", Role::kBias, 1, heads_[i].outputs);
  }
}

std::string Model::layer_prefix(std::size_t layer) {
  return layer == 0 ? "cell" : fmt::format("cell{}", layer);
}

nn::InputShape Model::shape_of(std::size_t layer, const nn::Recurrent& recurrent) const {
  const nn::Cell& cell = recurrent.cell();
  nn::InputShape shape;
  if (layer == 0) {
    shape.event_types = config_.event_types;
    shape.features = config_.features;
  } else {
    shape.below = config_.hidden;
  }
  shape.times = layer == 0 || cell.has_time_gates();
  shape.columns = recurrent.columns();
  shape.events = recurrent.columns_of(cell.input);
  shape.time = recurrent.columns_of(cell.time);
  if (cell.first_time_gate >= 0 && config_.t1_constraint == "floor") {
    shape.floored = recurrent.columns_of({cell.first_time_gate, cell.first_time_gate + 1});
    shape.floor = config_.t1_floor;
  }
  return shape;
}

nn::Columns Model::constrained_columns(std::size_t layer) const {
  const nn::Cell& cell = recurrents_[layer].cell();
  if (cell.first_time_gate < 0) return {};
  const int64_t first = (cell.first_time_gate - cell.time.begin) * config_.hidden;
  return {first, first + config_.hidden};
}

int64_t Model::fan_in(const Tensor& tensor) const {
  const bool straight = recurrents_.empty() && tensor.name.starts_with("head");
  return straight ? inputs_[0].width(times_) : config_.hidden;
}

void Model::check(const SequenceBatch& batch) const {
  if (batch.sequences() == 0) fail("a batch needs at least one sequence");
  if (batch.offsets.front() != 0) fail("the offsets of a batch start at 0, not at {}", batch.offsets.front());
  if (batch.event_count() > std::numeric_limits<int32_t>::max()) {
    fail("a batch has at most {} events, not {}", std::numeric_limits<int32_t>::max(), batch.event_count());
  }
  for (const nn::TimeEncoder& encoder : times_.encoders()) nn::check_times(batch, encoder.config().input);
  const bool clocked = !recurrents_.empty() && recurrents_[0].clock();
  if (clocked) nn::check_times(batch, TimeInput::kStart);
}

template <class T>
void Model::start(Workspace<T>& work, const Parameters<T>& parameters, const SequenceBatch& batch) const {
  pack(work.shards, batch.offsets, config_.chunk);
  work.states.resize(std::max(work.states.size(), work.shards.size()));
  work.gradients.resize(std::max(work.gradients.size(), work.shards.size()));
  work.prepared.resize(inputs_.size());
  for (std::size_t layer = 0; layer < inputs_.size(); ++layer) {
    inputs_[layer].prepare(work.prepared[layer].input, layout_, parameters);
  }
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].prepare(work.prepared[layer].recurrent, layout_, parameters);
  }
  work.head_base.reserve(all_outputs_);
  for (const Head& head : heads_) {
    std::copy_n(parameters.data(layout_[head.bias]), head.outputs, work.head_base.data() + head.first_output);
  }
}

template <class T>
void Model::start_shard(Workspace<T>& work, std::size_t i, bool with_gradient) const {
  auto& state = work.states[i];
  state.layers.resize(inputs_.size());
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].start(state.layers[layer].recurrent, work.shards[i].rows());
  }
  for (std::size_t layer = 0; layer < inputs_.size(); ++layer)
    inputs_[layer].start(state.layers[layer].input);
  nn::ShardGradient<T>& out = work.gradients[i];
  out.loss = Wide<T>(0);
  out.rows.rows.clear();
  out.rows.values.clear();
  if (!with_gradient) return;
  out.dense.dense.assign_zeros(layout_.dense_size());
  out.dense.wide.assign_zeros(layout_.wide_size());
}

template <class T>
const T* Model::output_of(const typename Workspace<T>::OfShard& state, std::size_t layer) const {
  const auto& of_layer = state.layers[layer];
  return of_layer.output.size() > 0 ? of_layer.output.data() : of_layer.recurrent.h.data();
}

template <class T>
void Model::forward_chunk(Workspace<T>& work, std::size_t i, const Chunk& chunk,
                          const Parameters<T>& parameters, const SequenceBatch& batch) const {
  auto& state = work.states[i];
  times_.forward(state.times, batch, chunk.source, layout_, parameters);
  if (recurrents_.empty()) {
    state.sums.reserve(chunk.events() * all_outputs_);
    auto& input = state.layers[0].input;
    const auto& prepared = work.prepared[0].input;
    const T* base = work.head_base.data();
    inputs_[0].load(input, batch, chunk.source);
    inputs_[0].start_forward(input, base, state.times, prepared, layout_, parameters);
    inputs_[0].forward(state.sums.data(), input, {0, chunk.events()}, base, static_cast<const T*>(nullptr),
                       state.times, prepared, layout_, parameters);
    return;
  }
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    auto& of_layer = state.layers[layer];
    const auto& prepared = work.prepared[layer];
    const T* below = layer == 0 ? nullptr : output_of<T>(state, layer - 1);
    recurrents_[layer].reserve(of_layer.recurrent, chunk, batch);
    inputs_[layer].load(of_layer.input, batch, chunk.source);
    const T* base = prepared.recurrent.base.data();
    inputs_[layer].start_forward(of_layer.input, base, state.times, prepared.input, layout_, parameters);
    for (const Steps window : chunk.windows) {
      inputs_[layer].forward(of_layer.recurrent.gates.data(), of_layer.input, chunk.events_of(window), base,
                             below, state.times, prepared.input, layout_, parameters);
      recurrents_[layer].forward(of_layer.recurrent, chunk, window, layout_, parameters);
    }
    const bool drops = config_.dropout > 0 && work.dropout_key && layer + 1 < recurrents_.size();
    of_layer.output.reserve(drops ? chunk.events() * config_.hidden : 0);
    if (!drops) continue;
    std::copy_n(of_layer.recurrent.h.data(), of_layer.output.size(), of_layer.output.data());
    nn::drop(of_layer.output.data(), config_.hidden, config_.dropout, *work.dropout_key,
             static_cast<uint32_t>(layer), chunk.source);
  }
}

template <class T>
void Model::carry_chunk(Workspace<T>& work, std::size_t i, const Chunk& chunk) const {
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].carry(work.states[i].layers[layer].recurrent, chunk);
  }
}

/// The outputs of rows [begin, begin + count) of a head.
template <class T>
void Model::head_logits(typename Workspace<T>::OfShard& state, const Workspace<T>& work, const Head& head,
                        const HeadRows<T>& rows, int64_t begin, int64_t count,
                        const Parameters<T>& parameters) const {
  state.logits.reserve(count * head.outputs);
  for (int64_t r = 0; r < count; ++r) {
    const T* from = rows.h != nullptr
                        ? work.head_base.data() + head.first_output
                        : state.sums.data() + rows.event_of(begin + r) * all_outputs_ + head.first_output;
    std::copy_n(from, head.outputs, state.logits.data() + r * head.outputs);
  }
  if (rows.h == nullptr) return;
  matmul(state.logits.data(), head.outputs, Matrix<T>{rows.h + begin * config_.hidden, config_.hidden},
         Matrix<T>{parameters.data(layout_[head.weights]), head.outputs}, count, head.outputs, config_.hidden,
         1);
}

/// Their losses and, with a gradient, the gradients of the outputs.
template <class T>
Wide<T> Model::head_losses(typename Workspace<T>::OfShard& state, const Head& head, const HeadRows<T>& rows,
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
void Model::head_backward(nn::ShardGradient<T>& out, typename Workspace<T>::OfShard& state, const Head& head,
                          const HeadRows<T>& rows, int64_t begin, int64_t count,
                          const Parameters<T>& parameters) const {
  const int64_t hidden = config_.hidden;
  const Matrix<T> dlogits{state.dlogits.data(), head.outputs};
  kernels::add_column_sums(out.dense.data(layout_[head.bias]), dlogits.data, head.outputs, count,
                           head.outputs);
  if (rows.h == nullptr) {
    for (int64_t r = 0; r < count; ++r) {
      std::copy_n(dlogits.data + r * head.outputs, head.outputs,
                  state.dsums.data() + rows.event_of(begin + r) * all_outputs_ + head.first_output);
    }
    return;
  }
  matmul(out.dense.data(layout_[head.weights]), head.outputs,
         transposed(Matrix<T>{rows.h + begin * hidden, hidden}), dlogits, hidden, head.outputs, count, 1);
  matmul(rows.dh + begin * hidden, hidden, dlogits,
         transposed(Matrix<T>{parameters.data(layout_[head.weights]), head.outputs}), count, hidden,
         head.outputs, rows.writes ? 0 : 1);
}

/// One head over a chunk, block by block: a large vocabulary has large outputs.
template <class T>
void Model::run_head(Workspace<T>& work, std::size_t i, std::size_t index, const Chunk& chunk,
                     const Parameters<T>& parameters, const SequenceBatch& batch, bool with_gradient,
                     const Consumer<T>* consumer) const {
  const Head& head = heads_[index];
  auto& state = work.states[i];
  HeadRows<T> rows{chunk, work.shards[i], state.ending, head.targets.at_each_event()};
  if (!recurrents_.empty()) {
    rows.h = rows.each ? state.layers.back().recurrent.h.data() : state.last.data();
    rows.dh = rows.each ? state.layers.back().doutput.data() : state.dlast.data();
    rows.writes =
        rows.each && index == 0;  // the first head at each event writes the gradient of h, others add
  }
  const int64_t block = std::max(kFewestHeadRows, kHeadBlock / head.outputs);
  for (int64_t begin = 0; begin < rows.count(); begin += block) {
    const int64_t count = std::min(block, rows.count() - begin);
    head_logits<T>(state, work, head, rows, begin, count, parameters);
    for (int64_t r = 0; consumer != nullptr && r < count; ++r) {
      (*consumer)(index, rows.place_of(begin + r), state.logits.data() + r * head.outputs);
    }
    if (consumer != nullptr) continue;
    work.gradients[i].loss +=
        head_losses<T>(state, head, rows, begin, count, batch, work.head_scales[index], with_gradient);
    if (with_gradient) head_backward<T>(work.gradients[i], state, head, rows, begin, count, parameters);
  }
}

template <class T>
void Model::run_heads(Workspace<T>& work, std::size_t i, const Chunk& chunk, const Parameters<T>& parameters,
                      const SequenceBatch& batch, bool with_gradient, const Consumer<T>* consumer) const {
  auto& state = work.states[i];
  const int64_t hidden = config_.hidden;
  state.ending.clear();
  for (int64_t row = 0; row < chunk.rows(); ++row) {
    if (chunk.last[static_cast<std::size_t>(row)] >= 0) state.ending.push_back(row);
  }
  if (recurrents_.empty() && with_gradient) state.dsums.assign_zeros(chunk.events() * all_outputs_);
  if (!recurrents_.empty()) {
    const auto ending = static_cast<int64_t>(state.ending.size());
    state.last.reserve(ending * hidden);
    for (int64_t r = 0; r < ending; ++r) {
      const int64_t event = chunk.last[static_cast<std::size_t>(state.ending[static_cast<std::size_t>(r)])];
      std::copy_n(state.layers.back().recurrent.h.data() + event * hidden, hidden,
                  state.last.data() + r * hidden);
    }
    if (with_gradient) {
      state.dlast.assign_zeros(ending * hidden);
      Buffer<T>& doutput = state.layers.back().doutput;
      doutput.reserve(chunk.events() * hidden);
      if (!heads_[0].targets.at_each_event()) std::fill_n(doutput.data(), doutput.size(), T(0));
    }
  }
  for (std::size_t head = 0; head < heads_.size(); ++head) {
    run_head(work, i, head, chunk, parameters, batch, with_gradient, consumer);
  }
  if (recurrents_.empty() || !with_gradient) return;
  for (std::size_t r = 0; r < state.ending.size(); ++r) {
    const int64_t event = chunk.last[static_cast<std::size_t>(state.ending[r])];
    kernels::add(state.layers.back().doutput.data() + event * hidden,
                 state.dlast.data() + static_cast<int64_t>(r) * hidden, hidden);
  }
}

template <class T>
void Model::backward_chunk(Workspace<T>& work, std::size_t i, const Chunk& chunk,
                           const Parameters<T>& parameters) const {
  auto& state = work.states[i];
  nn::ShardGradient<T>& out = work.gradients[i];
  times_.start_backward(state.times);
  for (std::size_t layer = inputs_.size(); layer-- > 0;) {
    auto& of_layer = state.layers[layer];
    const auto& prepared = work.prepared[layer];
    const T* below = layer == 0 ? nullptr : output_of<T>(state, layer - 1);
    T* dbelow = nullptr;
    if (layer > 0) {
      auto& next = state.layers[layer - 1];
      next.doutput.reserve(chunk.events() * config_.hidden);
      dbelow = next.doutput.data();
    }
    const T* dsums = recurrents_.empty() ? state.dsums.data() : of_layer.recurrent.gates.data();
    const auto input_backward = [&](Events events) {
      inputs_[layer].backward(out.dense, out.rows, dbelow, of_layer.input, events, dsums, below, times_,
                              state.times, prepared.input, layout_, parameters);
    };
    inputs_[layer].start_backward(out.rows, of_layer.input, state.times);
    if (recurrents_.empty()) {
      input_backward({0, chunk.events()});
    } else {
      for (auto window = chunk.windows.rbegin(); window != chunk.windows.rend(); ++window) {
        recurrents_[layer].backward(out.dense, of_layer.recurrent, chunk, *window, of_layer.doutput.data(),
                                    prepared.recurrent, layout_, parameters);
        input_backward(chunk.events_of(*window));
      }
    }
    inputs_[layer].finish_backward(out.dense, of_layer.input, times_, state.times, prepared.input, layout_,
                                   parameters);
    if (layer > 0 && config_.dropout > 0 && work.dropout_key) {
      nn::drop(dbelow, config_.hidden, config_.dropout, *work.dropout_key, static_cast<uint32_t>(layer - 1),
               chunk.source);
    }
  }
  times_.backward(out.dense, state.times, layout_);
}

template <class T>
Wide<T> Model::penalty(Parameters<T>* gradient, const Parameters<T>& parameters) const {
  Wide<T> sum(0);
  for (const TimeWeight& weight : time_weights_) {
    const nn::TimeEncoder& encoder = times_.encoders()[weight.encoder];
    const double strength = encoder.config().l1;
    if (strength == 0) continue;
    const Tensor& tensor = layout_[weight.tensor];
    const T* w = parameters.data(tensor);
    for (int64_t at = encoder.first_periodic() * tensor.cols; at < tensor.size(); ++at) {
      sum += Wide<T>(strength) * Wide<T>(w[at] * sign_of(w[at]));
      if (gradient != nullptr) gradient->data(tensor)[at] += T(strength) * sign_of(w[at]);
    }
  }
  return sum;
}

template <class T>
void Model::set_scales(Workspace<T>& work, const SequenceBatch& batch) const {
  work.head_scales.clear();
  for (const Head& head : heads_) {
    work.head_scales.push_back(head.config.weight / head.targets.check(batch));
  }
}

template <class T>
void Model::run(Workspace<T>& work, const Parameters<T>& parameters, const SequenceBatch& batch,
                bool with_gradient, const Consumer<T>* consumer, ThreadPool& pool) const {
  start(work, parameters, batch);
  pool.run(static_cast<int64_t>(work.shards.size()), [&](int64_t shard) {
    const auto i = static_cast<std::size_t>(shard);
    start_shard(work, i, with_gradient);
    for (const Chunk& chunk : work.shards[i].chunks) {
      forward_chunk(work, i, chunk, parameters, batch);
      run_heads(work, i, chunk, parameters, batch, with_gradient, consumer);
      if (with_gradient) backward_chunk(work, i, chunk, parameters);
      carry_chunk(work, i, chunk);
    }
  });
}

template <class T>
Wide<T> Model::loss(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                    ThreadPool& pool) const {
  check(batch);
  set_scales(work, batch);
  run<T>(work, parameters, batch, false, nullptr, pool);
  Wide<T> sum(0);
  for (std::size_t i = 0; i < work.shards.size(); ++i) sum += work.gradients[i].loss;
  return sum + penalty<T>(nullptr, parameters);
}

template <class T>
Wide<T> Model::gradient(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                        ThreadPool& pool) const {
  check(batch);
  set_scales(work, batch);
  run<T>(work, parameters, batch, true, nullptr, pool);
  Parameters<T>& gradient = work.gradient;
  if (gradient.table.size() != layout_.table_size()) gradient.table.assign_zeros(layout_.table_size());
  const int table = inputs_[0].event_table();
  nn::sum_gradients(std::span(work.gradients).first(work.shards.size()), gradient.table, work.touched_rows,
                    table < 0 ? 0 : layout_[table].cols, pool);
  nn::ShardGradient<T>& sum = work.gradients[0];
  std::swap(gradient.dense, sum.dense.dense);
  std::swap(gradient.wide, sum.dense.wide);
  for (const nn::Input& input : inputs_) input.mask_floored(gradient, layout_, parameters);
  return sum.loss + penalty(&gradient, parameters);
}

template <class T>
void Model::outputs_of(std::span<T> outputs, std::size_t head, const Parameters<T>& parameters,
                       const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const {
  check(batch);
  const int64_t places = heads_[head].targets.places(batch);
  const int64_t width = heads_[head].outputs;
  if (static_cast<int64_t>(outputs.size()) != places * width) {
    fail("there is room for {} outputs, but {} predictions have {} each", outputs.size(), places, width);
  }
  const Consumer<T> keep = [&](std::size_t index, int64_t place, const T* logits) {
    if (index == head) std::copy_n(logits, width, outputs.data() + place * width);
  };
  run<T>(work, parameters, batch, false, &keep, pool);
}

void Model::predict(std::span<float> probabilities, std::size_t head, const Parameters<float>& parameters,
                    const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool) const {
  const nn::HeadConfig& config = heads_[head].config;
  if (heads_[head].kind->target != nn::TargetKind::kClass) {
    fail("the head '{}' predicts no class", config.kind);
  }
  const int64_t places = heads_[head].targets.places(batch);
  std::vector<float> logits(static_cast<std::size_t>(places * heads_[head].outputs));
  outputs_of<float>(logits, head, parameters, batch, work, pool);
  if (static_cast<int64_t>(probabilities.size()) != places * config.classes) {
    fail("there is room for {} probabilities, but {} predictions have {} each", probabilities.size(), places,
         config.classes);
  }
  for (int64_t i = 0; i < places; ++i) {
    nn::class_probabilities(probabilities.data() + i * config.classes,
                            logits.data() + i * heads_[head].outputs, config);
  }
}

template <class T>
void Model::project(Parameters<T>& parameters) const {
  if (config_.t1_constraint != "nonpositive") return;
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    const nn::Columns columns = constrained_columns(layer);
    for (const int id : inputs_[layer].time_weights()) {
      const Tensor& tensor = layout_[id];
      for (int64_t row = 0; row < tensor.rows; ++row) {
        T* w = parameters.data(tensor) + row * tensor.cols;
        for (int64_t c = columns.begin; c < columns.end; ++c) w[c] = real_part(w[c]) > 0 ? T(0) : w[c];
      }
    }
  }
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

#define T2V_INSTANTIATE(T)                                                                                  \
  template Wide<T> Model::loss<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&, ThreadPool&)   \
      const;                                                                                                \
  template Wide<T> Model::gradient<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&,            \
                                      ThreadPool&) const;                                                   \
  template void Model::outputs_of<T>(std::span<T>, std::size_t, const Parameters<T>&, const SequenceBatch&, \
                                     Workspace<T>&, ThreadPool&) const;                                     \
  template void Model::project<T>(Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
