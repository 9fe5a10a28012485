#include <algorithm>
#include <utility>

#include "model/model.h"

// The loss of a batch and its gradient.
namespace t2v {

using nn::Parameters;
using nn::Tensor;

namespace {

template <class T>
T sign_of(T x) {
  const auto part = real_part(x);
  return part > 0 ? T(1) : part < 0 ? T(-1) : T(0);
}

}  // namespace

template <class T>
Wide<T> Model::penalty(Parameters<T>* gradient, const Parameters<T>& parameters) const {
  Wide<T> sum(0);
  const std::vector<const nn::TimeEncoder*> all = encoders();
  for (const TimeWeight& weight : penalised_) {
    const nn::TimeEncoder& encoder = *all[weight.encoder];
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
void Model::count_targets(Workspace<T>& work, const SequenceBatch& batch) const {
  std::size_t kinds = 0;
  for (const Head& head : heads_) kinds += head.targets.kinds();
  work.target_counts.assign(kinds, 0);
  const IndexRange range = work.share.of(static_cast<int64_t>(work.shards.size()));
  std::span<int64_t> counts = work.target_counts;
  for (const Head& head : heads_) {
    for (int64_t shard = range.begin; shard < range.end; ++shard) {
      head.targets.count(counts.first(head.targets.kinds()), batch,
                         work.shards[static_cast<std::size_t>(shard)].sequence);
    }
    counts = counts.subspan(head.targets.kinds());
  }
}

template <class T>
void Model::set_scales(Workspace<T>& work) const {
  work.head_scales.clear();
  std::span<const int64_t> counts = work.target_counts;
  for (const Head& head : heads_) {
    const std::size_t kinds = head.targets.kinds();
    work.head_scales.push_back(head.config.weight / head.targets.weight_of(counts.first(kinds)));
    counts = counts.subspan(kinds);
  }
}

template <class T>
Wide<T> Model::loss(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                    ThreadPool& pool) const {
  start_gradient(parameters, batch, work, pool);
  set_scales(work);
  run<T>(work, parameters, batch, false, nullptr, pool);
  Wide<T> sum(0);
  for (std::size_t i = 0; i < work.shards.size(); ++i) sum += work.gradients[i].loss;
  return sum + penalty<T>(nullptr, parameters);
}

template <class T>
void Model::start_gradient(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                           ThreadPool& pool) const {
  check(batch);
  start(work, parameters, batch, pool);
  count_targets(work, batch);
}

template <class T>
void Model::shard_gradients(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                            ThreadPool& pool) const {
  set_scales(work);
  run<T>(work, parameters, batch, true, nullptr, pool);
  if (work.gradient.table.size() != layout_.table_size()) {
    work.gradient.table.assign_zeros(layout_.table_size());
  }
}

template <class T>
Wide<T> Model::finish_gradient(const Parameters<T>& parameters, Wide<T> loss, Workspace<T>& work) const {
  for (const nn::Input& input : inputs_) input.mask_floored(work.gradient, layout_, parameters);
  if (rules_) finish_rules(work.gradient);
  return loss + penalty(&work.gradient, parameters);
}

template <class T>
Wide<T> Model::gradient(const Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                        ThreadPool& pool) const {
  start_gradient(parameters, batch, work, pool);
  shard_gradients(parameters, batch, work, pool);
  nn::sum_gradients(std::span(work.gradients).first(work.shards.size()), work.gradient.table,
                    work.touched_rows, table_columns(), pool);
  nn::ShardGradient<T>& sum = work.gradients[0];
  std::swap(work.gradient.dense, sum.dense.dense);
  std::swap(work.gradient.wide, sum.dense.wide);
  return finish_gradient(parameters, sum.loss, work);
}

int64_t Model::table_columns() const {
  const int table = inputs_[0].event_table();
  return table < 0 ? 0 : layout_[table].cols;
}

#define T2V_INSTANTIATE(T)                                                                                \
  template Wide<T> Model::loss<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&, ThreadPool&) \
      const;                                                                                              \
  template Wide<T> Model::gradient<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&,          \
                                      ThreadPool&) const;                                                 \
  template void Model::start_gradient<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&,       \
                                         ThreadPool&) const;                                              \
  template void Model::shard_gradients<T>(const Parameters<T>&, const SequenceBatch&, Workspace<T>&,      \
                                          ThreadPool&) const;                                             \
  template Wide<T> Model::finish_gradient<T>(const Parameters<T>&, Wide<T>, Workspace<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
