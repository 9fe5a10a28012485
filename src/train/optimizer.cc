#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text_check.h"
#include "kernels/optimizers.h"

namespace t2v {
namespace {

/// Numbers that a task takes at a time.
constexpr int64_t kBlock = 16384;

void check(const OptimizerConfig& config) {
  if (config.kind != "adam" && config.kind != "adagrad" && config.kind != "sgd") {
    fail("unknown optimizer '{}'; use adam, adagrad or sgd", shown(config.kind));
  }
  if (!(config.learning_rate >= 0))
    fail("the learning rate must not be negative; it is {}", config.learning_rate);
  if (!(config.weight_decay >= 0))
    fail("the weight decay must not be negative; it is {}", config.weight_decay);
  if (!(config.clip >= 0)) fail("the norm to clip to must not be negative; it is {}", config.clip);
  if (!std::isfinite(config.learning_rate) || !(config.time_factor >= 0))
    fail("the learning rates must be finite");
  const auto share = [](double x) { return x >= 0 && x < 1; };
  if (!share(config.beta1) || !share(config.beta2) || !share(config.momentum)) {
    fail("beta1, beta2 and momentum must be in [0, 1); they are {}, {} and {}", config.beta1, config.beta2,
         config.momentum);
  }
  if (config.kind != "sgd" && !(config.epsilon > 0))
    fail("epsilon must be positive; it is {}", config.epsilon);
  rate_factor(config.schedule, 0);
}

/// Calls body(offset, count) for blocks of n numbers.
template <class Body>
void over_blocks(int64_t n, ThreadPool& pool, const Body& body) {
  pool.run((n + kBlock - 1) / kBlock,
           [&](int64_t block) { body(block * kBlock, std::min(kBlock, n - block * kBlock)); });
}

/// Σ g² with the same bits for any number of threads: block by block, then the blocks in order.
template <class W>
double sum_of_squares(const Buffer<W>& g, ThreadPool& pool) {
  std::vector<double> sums(static_cast<std::size_t>((g.size() + kBlock - 1) / kBlock));
  over_blocks(g.size(), pool, [&](int64_t at, int64_t count) {
    sums[static_cast<std::size_t>(at / kBlock)] = kernels::sum_of_squares(g.data() + at, count);
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

template <class W>
void scale(Buffer<W>& g, double factor, ThreadPool& pool) {
  over_blocks(g.size(), pool,
              [&](int64_t at, int64_t count) { kernels::scale(g.data() + at, count, factor); });
}

}  // namespace

std::vector<StepScale> step_scales(const Model& model) {
  std::vector<StepScale> scales;
  for (const nn::TimeEncoder* encoder : model.encoders()) {
    const nn::TimeEncoderConfig& config = encoder->config();
    if (!encoder->learned() || (config.scale == 1 && config.centre == 0)) continue;
    scales.push_back({encoder->omega(), 1 / config.scale, encoder->phi(), config.centre});
  }
  const double of_clocks = model.config().clock_scale;
  for (const nn::Recurrent& layer : model.layers()) {
    if (!layer.clock() || of_clocks == 1) continue;
    scales.push_back({layer.clock()->period(), of_clocks});
    scales.push_back({layer.clock()->shift(), of_clocks});
  }
  return scales;
}

template <class T>
Optimizer<T>::Optimizer(const nn::Layout& layout, const OptimizerConfig& config,
                        std::vector<StepScale> scales)
    : config_(config), layout_(layout), scales_(std::move(scales)) {
  check(config);
  first_.assign_zeros(layout);
  if (config.kind == "adam") second_.assign_zeros(layout);
}

template <class T>
void Optimizer<T>::restore(int64_t steps, nn::Parameters<T> first, nn::Parameters<T> second) {
  steps_ = steps;
  first_ = std::move(first);
  second_ = std::move(second);
}

template <class T>
void Optimizer<T>::scale_gradients(nn::Parameters<T>& gradient) const {
  for (const StepScale& scale : scales_) {
    const nn::Tensor& tensor = layout_[scale.tensor];
    Wide<T>* g = gradient.wide_data(tensor);
    const Wide<T>* of_phase = scale.phase < 0 ? nullptr : gradient.wide_data(layout_[scale.phase]);
    for (int64_t i = 0; i < tensor.size(); ++i) {
      if (of_phase != nullptr) g[i] -= scale.centre * of_phase[i];
      g[i] *= scale.scale;
    }
  }
}

template <class T>
void Optimizer<T>::remember_frequencies(const nn::Parameters<T>& parameters) {
  if (scales_.empty()) return;
  before_.reserve(parameters.wide.size());
  std::copy_n(parameters.wide.data(), parameters.wide.size(), before_.data());
}

template <class T>
void Optimizer<T>::turn_phases(nn::Parameters<T>& parameters) const {
  for (const StepScale& scale : scales_) {
    if (scale.phase < 0) continue;
    const nn::Tensor& tensor = layout_[scale.tensor];
    const Wide<T>* omega = parameters.wide_data(tensor);
    Wide<T>* phi = parameters.wide_data(layout_[scale.phase]);
    const Wide<T>* before = before_.data() + (omega - parameters.wide.data());
    for (int64_t i = 0; i < tensor.size(); ++i) phi[i] -= scale.centre * (omega[i] - before[i]);
  }
}

template <class T>
double Optimizer<T>::scale_of(const nn::Tensor& tensor) const {
  for (const StepScale& scale : scales_) {
    if (&layout_[scale.tensor] == &tensor) return scale.scale;
  }
  return 1;
}

template <class T>
void Optimizer<T>::clip(nn::Parameters<T>& gradient, ThreadPool& pool) {
  if (config_.clip <= 0) return;
  norm_ = std::sqrt(sum_of_squares(gradient.dense, pool) + sum_of_squares(gradient.table, pool) +
                    sum_of_squares(gradient.wide, pool));
  if (norm_ <= config_.clip) return;
  const double factor = config_.clip / norm_;
  scale(gradient.dense, factor, pool);
  scale(gradient.table, factor, pool);
  scale(gradient.wide, factor, pool);
}

template <class T>
bool Optimizer<T>::skips_untouched_rows() const {
  if (config_.weight_decay > 0) return false;
  return config_.kind == "adagrad" || (config_.kind == "sgd" && config_.momentum == 0);
}

template <class T>
template <class W>
void Optimizer<T>::update(W* w, W* first, W* second, const W* g, int64_t n, double rate, double decay) const {
  if (config_.kind == "adagrad") {
    kernels::adagrad(w, first, g, n, {rate, config_.epsilon, config_.epsilon_inside, decay});
  } else if (config_.kind == "sgd") {
    kernels::sgd(w, first, g, n, {rate, config_.momentum, decay});
  } else {
    const auto t = static_cast<double>(steps_);
    kernels::adam(w, first, second, g, n,
                  {config_.beta1, config_.beta2, config_.epsilon, rate / (1 - std::pow(config_.beta1, t)),
                   1 / std::sqrt(1 - std::pow(config_.beta2, t)), 1 - rate * decay});
  }
}

template <class T>
void Optimizer<T>::step(nn::Parameters<T>& parameters, nn::Parameters<T>& gradient,
                        std::span<const int32_t> touched, ThreadPool& pool) {
  scale_gradients(gradient);
  remember_frequencies(parameters);
  clip(gradient, pool);
  const double rate = config_.learning_rate * rate_factor(config_.schedule, steps_);
  ++steps_;
  pieces_.clear();
  for (const nn::Tensor& tensor : layout_.tensors()) {
    if (tensor.role == nn::Role::kTable && skips_untouched_rows()) {
      for (const int32_t row : touched) pieces_.push_back({&tensor, row * tensor.cols, tensor.cols});
    } else {
      for (int64_t at = 0; at < tensor.size(); at += kBlock) {
        pieces_.push_back({&tensor, at, std::min(kBlock, tensor.size() - at)});
      }
    }
  }
  pool.run(static_cast<int64_t>(pieces_.size()),
           [&](int64_t i) { update(parameters, gradient, pieces_[static_cast<std::size_t>(i)], rate); });
  turn_phases(parameters);
}

template <class T>
void Optimizer<T>::update(nn::Parameters<T>& parameters, const nn::Parameters<T>& gradient,
                          const Piece& piece, double rate) {
  const nn::Tensor& tensor = *piece.tensor;
  const bool decays =
      config_.decay_all || tensor.role == nn::Role::kWeight || tensor.role == nn::Role::kTable;
  const double decay = decays ? config_.weight_decay : 0;
  const bool two = config_.kind == "adam";
  const int64_t at = piece.begin;
  if (tensor.wide()) {
    update(parameters.wide_data(tensor) + at, first_.wide_data(tensor) + at,
           two ? second_.wide_data(tensor) + at : nullptr, gradient.wide_data(tensor) + at, piece.count,
           rate * config_.time_factor * scale_of(tensor), decay);
  } else {
    update(parameters.data(tensor) + at, first_.data(tensor) + at, two ? second_.data(tensor) + at : nullptr,
           gradient.data(tensor) + at, piece.count, rate, decay);
  }
}

template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace t2v
