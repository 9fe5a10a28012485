#include "stream/stepper.h"

#include <algorithm>

#include "base/fail.h"
#include "kernels/matmul.h"
#include "kernels/rows.h"

namespace t2v {
namespace {

constexpr std::array<int64_t, 2> kOneEvent = {0, 1};

}  // namespace

Stepper::Stepper(const Model& model, const nn::Parameters<float>& parameters)
    : model_(model), parameters_(parameters), layers_(model.inputs().size()) {
  chunk_.active = {1};
  chunk_.start = {0, 1};
  chunk_.source = {0};
  chunk_.last = {0};
  chunk_.windows = {{0, 1}};
  prepare();
  warm_up();
}

void Stepper::prepare() {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    model_.inputs()[i].prepare(layers_[i].input_weights, model_.layout(), parameters_);
    if (i >= model_.layers().size()) continue;
    model_.layers()[i].prepare(layers_[i].recurrent_weights, model_.layout(), parameters_);
    model_.layers()[i].start(layers_[i].recurrent, 1);
    layers_[i].recurrent.from_zero = false;
  }
  seen_.reserve(model_.config().hidden * nn::kPoolParts);
  const std::size_t heads = model_.config().heads.size();
  const int64_t all = model_.head_place(heads - 1).first_output + model_.outputs(heads - 1);
  for (Buffer<float>* buffer : {&base_, &sums_, &outputs_}) buffer->reserve(all);
  model_.head_base(base_.data(), parameters_);
}

/// A step of nothing, after which all buffers have their memory.
void Stepper::warm_up() {
  std::vector<float> state(static_cast<std::size_t>(state_size()));
  const std::vector<float> features(static_cast<std::size_t>(model_.config().features));
  advance(state, {0, features, {}});
}

int64_t Stepper::state_size() const {
  const int64_t hidden = model_.config().hidden;
  return static_cast<int64_t>(model_.layers().size()) * 2 * hidden + (model_.pools() ? 2 * hidden + 1 : 0);
}

SequenceBatch Stepper::batch_of(const StepInput& input) {
  SequenceBatch batch;
  batch.offsets = kOneEvent;
  for (std::size_t i = 0; i < kTimeInputs; ++i) batch.times[i] = {&input.times[i], 1};
  if (model_.config().event_rows > 0) {
    part_offsets_ = {0, static_cast<int64_t>(input.parts.size())};
    batch.part_offsets = part_offsets_;
    batch.parts = input.parts;
  } else if (model_.config().event_types > 0) {
    batch.events = {&input.event, 1};
  }
  batch.features = input.features;
  return batch;
}

void Stepper::run_input(float* sums, std::size_t layer, const SequenceBatch& batch, const float* base,
                        const float* below) {
  const nn::Input& input = model_.inputs()[layer];
  OfLayer& of = layers_[layer];
  input.load(of.input, batch, chunk_.source);
  input.start_forward(of.input, base, times_, of.input_weights, model_.layout(), parameters_);
  input.forward(sums, of.input, {0, 1}, base, below, times_, of.input_weights, model_.layout(), parameters_);
}

void Stepper::run_layer(std::size_t layer, const SequenceBatch& batch, const float* state) {
  const nn::Recurrent& recurrent = model_.layers()[layer];
  const int64_t hidden = recurrent.hidden();
  OfLayer& of = layers_[layer];
  std::copy_n(state, hidden, of.recurrent.c_start.data());
  std::copy_n(state + hidden, hidden, of.recurrent.h_start.data());
  recurrent.reserve(of.recurrent, chunk_, batch);
  const float* below = layer == 0 ? nullptr : layers_[layer - 1].recurrent.h.data();
  run_input(of.recurrent.gates.data(), layer, batch, of.recurrent_weights.base.data(), below);
  recurrent.forward(of.recurrent, chunk_, chunk_.all(), model_.layout(), parameters_);
}

void Stepper::advance(std::span<float> state, const StepInput& input) {
  if (static_cast<int64_t>(state.size()) != state_size()) {
    fail("a state of this model has {} numbers, not {}", state_size(), state.size());
  }
  const SequenceBatch batch = batch_of(input);
  const int64_t of_layer = 2 * model_.config().hidden;
  model_.times().forward(times_, batch, chunk_.source, model_.layout(), parameters_);
  if (model_.straight() >= 0) {
    run_input(sums_.data(), static_cast<std::size_t>(model_.straight()), batch, base_.data(), nullptr);
  }
  for (std::size_t layer = 0; layer < model_.layers().size(); ++layer) {
    run_layer(layer, batch, state.data() + static_cast<int64_t>(layer) * of_layer);
  }
  // Only now that nothing can fail.
  float* to = state.data();
  for (std::size_t layer = 0; layer < model_.layers().size(); ++layer, to += of_layer) {
    const nn::Recurrent::State<float>& made = layers_[layer].recurrent;
    std::copy_n(made.c.data(), of_layer / 2, to);
    std::copy_n(made.h.data(), of_layer / 2, to + of_layer / 2);
  }
  if (!model_.layers().empty()) run_pool(to);
}

void Stepper::run_pool(float* state) {
  const int64_t hidden = model_.config().hidden;
  const float* h = layers_[model_.layers().size() - 1].recurrent.h.data();
  std::copy_n(h, hidden, seen_.data());
  if (!model_.pools()) return;
  float* sum = state;
  float* max = state + hidden;
  float& count = state[2 * hidden];
  const bool is_first = count == 0;
  count += 1;
  kernels::add(sum, h, hidden);
  const float share = 1 / count;
  for (int64_t j = 0; j < hidden; ++j) {
    if (is_first || h[j] > max[j]) max[j] = h[j];
    seen_[hidden + j] = sum[j] * share;
    seen_[2 * hidden + j] = max[j];
  }
}

void Stepper::resume(std::span<const float> state, const StepInput& input) {
  const SequenceBatch batch = batch_of(input);
  model_.times().forward(times_, batch, chunk_.source, model_.layout(), parameters_);
  if (model_.straight() >= 0) {
    run_input(sums_.data(), static_cast<std::size_t>(model_.straight()), batch, base_.data(), nullptr);
  }
  const int64_t hidden = model_.config().hidden;
  const auto layers = static_cast<int64_t>(model_.layers().size());
  if (layers > 0) std::copy_n(state.data() + (2 * layers - 1) * hidden, hidden, seen_.data());
}

std::span<const float> Stepper::outputs(std::size_t head, const RecentTypes& past) {
  using kernels::Matrix;
  const Model::HeadPlace place = model_.head_place(head);
  const int64_t n = model_.outputs(head);
  float* out = outputs_.data() + place.first_output;
  const Buffer<float>& from = model_.straight() >= 0 ? sums_ : base_;
  std::copy_n(from.data() + place.first_output, n, out);
  if (place.weights >= 0) {
    const int64_t inputs = model_.head_inputs(head);
    kernels::matmul(out, n, Matrix<float>{seen_.data(), inputs},
                    Matrix<float>{parameters_.data(model_.layout()[place.weights]), n}, 1, n, inputs, 1);
  }
  if (place.rules >= 0) {
    terms_.clear();
    model_.rules()->append_terms(terms_, past, nullptr);
    add_terms<float>(out, terms_, parameters_.data(model_.layout()[place.rules]));
  }
  if (place.hidden == nullptr) return {out, static_cast<std::size_t>(n)};
  const int64_t units = place.hidden->units();
  place.hidden->forward<float>(hidden_, seen_.data(), {}, chunk_.source, nullptr, model_.layout(),
                               parameters_);
  if (!place.hidden->timed()) {
    kernels::matmul(out, n, Matrix<float>{hidden_.value.data(), units},
                    Matrix<float>{parameters_.data(model_.layout()[place.hidden_weights]), n}, 1, n, units,
                    1);
    return {out, static_cast<std::size_t>(n)};
  }
  open_.reserve(n + units);
  std::copy_n(out, n, open_.data());
  std::copy_n(hidden_.value.data(), units, open_.data() + n);
  return {open_.data(), static_cast<std::size_t>(n + units)};
}

}  // namespace t2v
