#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/fail.h"
#include "base/text_check.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "nn/dropout.h"

namespace t2v {

using nn::Parameters;
using nn::Role;
using nn::Tensor;

namespace {

/// Operations of a sequence: so few that oneDNN takes longer to get ready.
constexpr double kLittleWork = 2e7;

void check_config(const ModelConfig& config) {
  if (config.event_types < 0)
    fail("the number of event types must not be negative; it is {}", config.event_types);
  if (config.event_rows < 0 || (config.event_rows > 0 && config.event_types == 0)) {
    fail("events of {} types cannot be sums of {} rows", config.event_types, config.event_rows);
  }
  if (config.features < 0) fail("the number of features must not be negative; it is {}", config.features);
  if (config.event_types == 0 && config.features == 0 && config.times.empty()) {
    fail("a model needs event types, features or times as input");
  }
  if (config.heads.empty()) fail("a model needs at least one head");
  if (config.layers < 1) fail("a model needs at least 1 layer; it has {}", config.layers);
  if (!(config.dropout >= 0 && config.dropout < 1))
    fail("dropout must be in [0, 1); it is {}", config.dropout);
  if (!(config.head_dropout >= 0 && config.head_dropout < 1))
    fail("the dropout of heads must be in [0, 1); it is {}", config.head_dropout);
  if (config.chunk < 0) fail("the steps of a chunk must not be negative; they are {}", config.chunk);
  if (config.t1_constraint != "nonpositive" && config.t1_constraint != "floor" &&
      config.t1_constraint != "none") {
    fail("unknown constraint on T1 '{}'; use nonpositive, floor or none", shown(config.t1_constraint));
  }
}

}  // namespace

Model::Model(const ModelConfig& config)
    : config_((check_config(config), config)),
      times_(layout_, config.times),
      next_times_(layout_, config.next_times, "next") {
  for (const nn::HeadConfig& head : config.heads) {
    const nn::Head& kind = nn::head_from(head);
    const int64_t outputs = kind.outputs(head);
    const bool all = head.pool == "all";
    if (all && config.cell == "none") fail("a head that sees all states needs a cell; its pool is last");
    pools_ = pools_ || all;
    const int64_t inputs = config.hidden * (all ? nn::kPoolParts : 1);
    heads_.push_back({head, &kind, Targets(head), outputs, all_outputs_, inputs, -1, -1, -1});
    if (head.units > 0 && all) fail("a head with a hidden layer is one at each event; its pool is last");
    all_outputs_ += outputs;
  }
  const auto layers = static_cast<std::size_t>(config.cell == "none" ? 0 : config.layers);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const nn::Cell& cell = nn::cell_from(config.cell, config.inner);
    recurrents_.emplace_back(layout_, layer_prefix(layer), cell, config.hidden, config.biases);
    inputs_.emplace_back(layout_, layer_prefix(layer), shape_of(layer, recurrents_.back()), times_);
  }
  if (layers == 0 || (config.skip && (config.features > 0 || !config.times.empty()))) {
    straight_ = static_cast<int>(layers);
    inputs_.emplace_back(layout_, layers == 0 ? "head" : "skip", straight_shape(), times_);
  }
  for (const nn::Input& input : inputs_) {
    for (std::size_t i = 0; i < input.time_weights().size(); ++i)
      time_weights_.push_back({i, input.time_weights()[i]});
  }
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const std::string name = i == 0 ? "head" : fmt::format("head{}", i);
    if (!recurrents_.empty()) {
      heads_[i].weights = layout_.add(name + ".weight", Role::kWeight, heads_[i].inputs, heads_[i].outputs);
    }
    heads_[i].bias = layout_.add(name + ".bias", Role::kBias, 1, heads_[i].outputs);
    if (heads_[i].config.rules) {
      heads_[i].rules = layout_.add(name + ".rules", Role::kBias, 1, Rules::kWeights);
    }
    if (heads_[i].config.units > 0) add_hidden_layer(heads_[i], name + ".hidden");
  }
  check_next_times();
  find_penalised();
}

void Model::find_penalised() {
  penalised_ = time_weights_;
  for (const Head& head : heads_) {
    for (std::size_t i = 0; head.config.timed && i < config_.next_times.size(); ++i) {
      penalised_.push_back({config_.times.size() + i, head.hidden->time_weights()[i]});
    }
  }
}

void Model::add_hidden_layer(Head& head, const std::string& name) {
  const int64_t units = head.config.units;
  const int64_t below = recurrents_.empty() ? 0 : config_.hidden;
  head.hidden.emplace(layout_, name, units, below, head.config.timed ? &next_times_ : nullptr);
  head.hidden_weights = layout_.add(name + ".weight", Role::kWeight, units, head.outputs);
}

void Model::check_next_times() const {
  const bool timed = std::ranges::any_of(config_.heads, &nn::HeadConfig::timed);
  if (!timed && !config_.next_times.empty())
    fail("the model has times of the next event, but no head sees them");
  for (const nn::TimeEncoderConfig& time : config_.next_times) {
    if (time.input == TimeInput::kQuery || time.input == TimeInput::kUntil) continue;
    fail("the time '{}' is not one of the next event; use query or until", nn::name_of(time.input));
  }
  for (const nn::TimeEncoderConfig& time : config_.times) {
    if (!timed || (time.input != TimeInput::kQuery && time.input != TimeInput::kUntil)) continue;
    fail("the cell cannot see the time of the next event where a head of its own does");
  }
}

std::vector<const nn::TimeEncoder*> Model::encoders() const {
  std::vector<const nn::TimeEncoder*> all;
  for (const nn::TimeInputs* inputs : {&times_, &next_times_}) {
    for (const nn::TimeEncoder& encoder : inputs->encoders()) all.push_back(&encoder);
  }
  return all;
}

std::string Model::layer_prefix(std::size_t layer) {
  return layer == 0 ? "cell" : fmt::format("cell{}", layer);
}

nn::InputShape Model::shape_of(std::size_t layer, const nn::Recurrent& recurrent) const {
  const nn::Cell& cell = recurrent.cell();
  nn::InputShape shape;
  if (layer == 0) {
    shape.event_types = config_.event_types;
    shape.event_rows = config_.event_rows;
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

/// The input that goes straight to the heads: everything without a cell, beside one all but the event types.
nn::InputShape Model::straight_shape() const {
  nn::InputShape shape;
  shape.event_types = config_.cell == "none" ? config_.event_types : 0;
  shape.event_rows = config_.cell == "none" ? config_.event_rows : 0;
  shape.features = config_.features;
  shape.columns = all_outputs_;
  shape.events = shape.time = {0, all_outputs_};
  return shape;
}

nn::Columns Model::constrained_columns(std::size_t layer) const {
  const nn::Cell& cell = recurrents_[layer].cell();
  if (cell.first_time_gate < 0) return {};
  const int64_t first = (cell.first_time_gate - cell.time.begin) * config_.hidden;
  return {first, first + config_.hidden};
}

int64_t Model::fan_in(const Tensor& tensor) const {
  if (tensor.name.find(".hidden.") != std::string::npos) return std::max(tensor.rows, config_.hidden);
  const std::string_view prefix = recurrents_.empty() ? "head" : "skip.";
  const bool straight = straight_ >= 0 && tensor.name.starts_with(prefix);
  if (straight) return inputs_.back().width(times_);
  const bool of_head = tensor.name.starts_with("head") && tensor.role == Role::kWeight;
  return of_head ? tensor.rows : config_.hidden;
}

void Model::check(const SequenceBatch& batch, bool open) const {
  if (batch.sequences() == 0) fail("a batch needs at least one sequence");
  if (batch.offsets.front() != 0) fail("the offsets of a batch start at 0, not at {}", batch.offsets.front());
  if (batch.event_count() > std::numeric_limits<int32_t>::max()) {
    fail("a batch has at most {} events, not {}", std::numeric_limits<int32_t>::max(), batch.event_count());
  }
  for (const nn::TimeEncoder& encoder : times_.encoders()) nn::check_times(batch, encoder.config().input);
  for (const nn::TimeEncoder& encoder : next_times_.encoders()) {
    if (!open) nn::check_times(batch, encoder.config().input);
  }
  const bool needs_rules = std::ranges::any_of(heads_, [](const Head& head) { return head.rules >= 0; });
  if (needs_rules && !rules_) fail("the model has weights of rules, but was given none");
  if (needs_rules && static_cast<int64_t>(batch.events.size()) != batch.event_count()) {
    fail("the model has rules, but the batch has {} event types for {} events", batch.events.size(),
         batch.event_count());
  }
  const bool clocked = !recurrents_.empty() && recurrents_[0].clock();
  if (clocked) nn::check_times(batch, TimeInput::kStart);
}

template <class T>
void Model::start(Workspace<T>& work, const Parameters<T>& parameters, const SequenceBatch& batch,
                  const ThreadPool& pool) const {
  pack(work.shards, batch.offsets, config_.chunk, work.share);
  work.states.resize(std::max(work.states.size(), static_cast<std::size_t>(pool.threads())));
  work.gradients.resize(std::max(work.gradients.size(), work.shards.size()));
  work.prepared.resize(inputs_.size());
  for (std::size_t layer = 0; layer < inputs_.size(); ++layer) {
    inputs_[layer].prepare(work.prepared[layer].input, layout_, parameters);
  }
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].prepare(work.prepared[layer].recurrent, layout_, parameters);
  }
  work.head_base.reserve(all_outputs_);
  head_base(work.head_base.data(), parameters);
}

template <class T>
void Model::start_shard(Workspace<T>& work, ShardTask task, bool with_gradient) const {
  auto& state = work.states[task.worker];
  state.layers.resize(inputs_.size());
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].start(state.layers[layer].recurrent, work.shards[task.shard].rows());
  }
  for (std::size_t layer = 0; layer < inputs_.size(); ++layer)
    inputs_[layer].start(state.layers[layer].input);
  if (pools_) nn::start_pool(state.pool, work.shards[task.shard].rows(), config_.hidden);
  nn::ShardGradient<T>& out = work.gradients[task.shard];
  out.loss = Wide<T>(0);
  out.rows.rows.clear();
  out.rows.values.clear();
  if (!with_gradient) return;
  out.dense.dense.assign_zeros(layout_.dense_size());
  out.dense.wide.assign_zeros(layout_.wide_size());
}

template <class T>
void Model::forward_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                          const Parameters<T>& parameters, const SequenceBatch& batch) const {
  auto& state = work.states[task.worker];
  times_.forward(state.times, batch, chunk.source, layout_, parameters);
  if (straight_ >= 0) {
    state.sums.reserve(chunk.events() * all_outputs_);
    auto& input = state.layers.back().input;
    const auto& prepared = work.prepared.back().input;
    const T* base = work.head_base.data();
    inputs_.back().load(input, batch, chunk.source);
    inputs_.back().start_forward(input, base, state.times, prepared, layout_, parameters);
    inputs_.back().forward(state.sums.data(), input, {0, chunk.events()}, base,
                           static_cast<const T*>(nullptr), state.times, prepared, layout_, parameters);
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
      task.check_stop();
      inputs_[layer].forward(of_layer.recurrent.gates.data(), of_layer.input, chunk.events_of(window), base,
                             below, state.times, prepared.input, layout_, parameters);
      recurrents_[layer].forward(of_layer.recurrent, chunk, window, layout_, parameters);
    }
    const double rate = dropout_after(layer);
    const bool drops = rate > 0 && work.dropout_key;
    of_layer.output.reserve(drops ? chunk.events() * config_.hidden : 0);
    if (!drops) continue;
    std::copy_n(of_layer.recurrent.h.data(), of_layer.output.size(), of_layer.output.data());
    nn::drop(of_layer.output.data(), config_.hidden, rate, *work.dropout_key, static_cast<uint32_t>(layer),
             chunk.source);
  }
}

double Model::dropout_after(std::size_t layer) const {
  if (layer + 1 < recurrents_.size()) return config_.dropout;
  const bool each =
      std::ranges::any_of(heads_, [](const Head& head) { return head.targets.at_each_event(); });
  return each ? config_.head_dropout : 0;
}

template <class T>
void Model::carry_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk) const {
  for (std::size_t layer = 0; layer < recurrents_.size(); ++layer) {
    recurrents_[layer].carry(work.states[task.worker].layers[layer].recurrent, chunk);
  }
}

template <class T>
void Model::backward_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                           const Parameters<T>& parameters) const {
  auto& state = work.states[task.worker];
  nn::ShardGradient<T>& out = work.gradients[task.shard];
  times_.start_backward(state.times);
  for (std::size_t layer = inputs_.size(); layer-- > 0;) {
    auto& of_layer = state.layers[layer];
    const auto& prepared = work.prepared[layer];
    const bool straight = static_cast<int>(layer) == straight_;
    const bool stacked = layer > 0 && !straight;
    const T* below = stacked ? output_of<T>(state, layer - 1) : nullptr;
    T* dbelow = nullptr;
    if (stacked) {
      auto& next = state.layers[layer - 1];
      next.doutput.reserve(chunk.events() * config_.hidden);
      dbelow = next.doutput.data();
    }
    const T* dsums = straight ? state.dsums.data() : of_layer.recurrent.gates.data();
    const auto input_backward = [&](Events events) {
      inputs_[layer].backward(out.dense, out.rows, dbelow, of_layer.input, events, dsums, below, times_,
                              state.times, prepared.input, layout_, parameters);
    };
    inputs_[layer].start_backward(out.rows, of_layer.input, state.times);
    if (straight) {
      input_backward({0, chunk.events()});
    } else {
      for (auto window = chunk.windows.rbegin(); window != chunk.windows.rend(); ++window) {
        task.check_stop();
        recurrents_[layer].backward(out.dense, of_layer.recurrent, chunk, *window, of_layer.doutput.data(),
                                    prepared.recurrent, layout_, parameters);
        input_backward(chunk.events_of(*window));
      }
    }
    inputs_[layer].finish_backward(out.dense, of_layer.input, times_, state.times, prepared.input, layout_,
                                   parameters);
    if (stacked && config_.dropout > 0 && work.dropout_key) {
      nn::drop(dbelow, config_.hidden, config_.dropout, *work.dropout_key, static_cast<uint32_t>(layer - 1),
               chunk.source);
    }
  }
  times_.backward(out.dense, state.times, layout_);
}

template <class T>
void Model::run(Workspace<T>& work, const Parameters<T>& parameters, const SequenceBatch& batch,
                bool with_gradient, const Consumer<T>* consumer, ThreadPool& pool) const {
  const auto operations = 2.0 * static_cast<double>(batch.event_count() * layout_.dense_size());
  const bool little = !with_gradient && batch.sequences() == 1 && operations < kLittleWork;
  const IndexRange range = work.share.of(static_cast<int64_t>(work.shards.size()));
  pool.run_with_worker(range.end - range.begin, [&](int64_t i, int worker) {
    const kernels::RowByRow products(little);
    const ShardTask task{static_cast<std::size_t>(range.begin + i), static_cast<std::size_t>(worker), pool};
    start_shard(work, task, with_gradient);
    if (rules_) start_rules(work, task, batch);
    for (const Chunk& chunk : work.shards[task.shard].chunks) {
      forward_chunk(work, task, chunk, parameters, batch);
      run_heads(work, task, chunk, parameters, batch, with_gradient, consumer);
      if (with_gradient) backward_chunk(work, task, chunk, parameters);
      carry_chunk(work, task, chunk);
    }
  });
}

template <class T>
void Model::outputs_of(std::span<T> outputs, std::size_t head, const Parameters<T>& parameters,
                       const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const {
  check(batch, work.open);
  const int64_t places = heads_[head].targets.places(batch);
  const int64_t width = heads_[head].outputs;
  if (static_cast<int64_t>(outputs.size()) != places * width) {
    fail("there is room for {} outputs, but {} predictions have {} each", outputs.size(), places, width);
  }
  visit_outputs<T>(
      [&](std::size_t index, int64_t place, const T* logits) {
        if (index == head) std::copy_n(logits, width, outputs.data() + place * width);
      },
      parameters, batch, work, pool);
}

template <class T>
void Model::visit_outputs(const Consumer<T>& consumer, const Parameters<T>& parameters,
                          const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const {
  check(batch, work.open);
  start(work, parameters, batch, pool);
  run<T>(work, parameters, batch, false, &consumer, pool);
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
  template void Model::outputs_of<T>(std::span<T>, std::size_t, const Parameters<T>&, const SequenceBatch&, \
                                     Workspace<T>&, ThreadPool&) const;                                     \
  template void Model::visit_outputs<T>(const Consumer<T>&, const Parameters<T>&, const SequenceBatch&,     \
                                        Workspace<T>&, ThreadPool&) const;                                  \
  template void Model::project<T>(Parameters<T>&) const;                                                    \
  /* for model_states.cc and model_gradient.cc */                                                           \
  template void Model::start<T>(Workspace<T>&, const Parameters<T>&, const SequenceBatch&,                  \
                                const ThreadPool&) const;                                                   \
  template void Model::run<T>(Workspace<T>&, const Parameters<T>&, const SequenceBatch&, bool,              \
                              const Consumer<T>*, ThreadPool&) const;                                       \
  template void Model::start_shard<T>(Workspace<T>&, ShardTask, bool) const;                                \
  template void Model::forward_chunk<T>(Workspace<T>&, ShardTask, const Chunk&, const Parameters<T>&,       \
                                        const SequenceBatch&) const;                                        \
  template void Model::carry_chunk<T>(Workspace<T>&, ShardTask, const Chunk&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
