#include "train/adam.h"

#include <algorithm>
#include <cmath>

#include "kernels/adam.h"

namespace t2v {
namespace {

constexpr int64_t kBlock = 16384;

template <class T>
void update(Buffer<T>& w, Buffer<T>& m, Buffer<T>& v, const Buffer<T>& g, const kernels::AdamStep& step,
            ThreadPool& pool) {
  pool.run((w.size() + kBlock - 1) / kBlock, [&](int64_t block) {
    const int64_t at = block * kBlock;
    kernels::adam(w.data() + at, m.data() + at, v.data() + at, g.data() + at, std::min(kBlock, w.size() - at),
                  step);
  });
}

}  // namespace

template <class T>
Adam<T>::Adam(const nn::Layout& layout, const AdamConfig& config) : config_(config) {
  first_.assign_zeros(layout);
  second_.assign_zeros(layout);
}

template <class T>
void Adam<T>::step(nn::Parameters<T>& parameters, const nn::Parameters<T>& gradient, ThreadPool& pool) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  kernels::AdamStep step{config_.beta1, config_.beta2, config_.epsilon,
                         config_.learning_rate / (1 - std::pow(config_.beta1, t)),
                         1 / std::sqrt(1 - std::pow(config_.beta2, t))};
  update(parameters.dense, first_.dense, second_.dense, gradient.dense, step, pool);
  update(parameters.table, first_.table, second_.table, gradient.table, step, pool);
  step.step *= config_.time_factor;
  update(parameters.wide, first_.wide, second_.wide, gradient.wide, step, pool);
}

template class Adam<float>;
template class Adam<double>;

}  // namespace t2v
