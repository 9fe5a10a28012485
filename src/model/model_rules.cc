#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "model/model.h"

// The rules of a model's heads: what they need of the events so far, and the gradient of their weights.
namespace t2v {

using nn::Parameters;

void Model::set_rules(std::shared_ptr<const Rules> rules) {
  for (const Head& head : heads_) {
    const bool fit = rules->types() == head.outputs && config_.event_types == head.outputs;
    if (head.rules < 0 || (fit && config_.event_rows == 0)) continue;
    fail("the rules are of {} types, but the head has {} and the events {}", rules->types(), head.outputs,
         config_.event_types);
  }
  rules_ = std::move(rules);
}

template <class T>
void Model::head_base(T* base, const Parameters<T>& parameters) const {
  for (const Head& head : heads_) {
    std::copy_n(parameters.data(layout_[head.bias]), head.outputs, base + head.first_output);
    if (head.rules < 0) continue;
    const T weight = parameters.data(layout_[head.rules])[Rules::kPopularity];
    const std::span<const float> popularity = rules_->log_popularity();
    for (std::size_t v = 0; v < popularity.size(); ++v) {
      base[head.first_output + static_cast<int64_t>(v)] += weight * T(popularity[v]);
    }
  }
}

template <class T>
void Model::start_rules(Workspace<T>& work, ShardTask task, const SequenceBatch& batch) const {
  RuleState& state = work.states[task.worker].rules;
  const Shard& shard = work.shards[task.shard];
  state.past.resize(std::max(state.past.size(), shard.sequence.size()));
  for (RecentTypes& past : state.past) past.clear();
  state.own.clear();
  const bool learns = work.dropout_key.has_value() && rules_->left_out() != LeftOut::kNothing;
  for (std::size_t row = 0; learns && row < shard.sequence.size(); ++row) {
    const auto b = static_cast<std::size_t>(shard.sequence[row]);
    const auto begin = static_cast<std::size_t>(batch.offsets[b]);
    const auto count = static_cast<std::size_t>(batch.offsets[b + 1]) - begin;
    state.own.emplace_back(batch.events.subspan(begin, count), batch.next_events.subspan(begin, count));
  }
}

template <class T>
void Model::rule_terms(RuleState& state, const HeadRows<T>& rows, int64_t begin, int64_t count,
                       const SequenceBatch& batch) const {
  state.terms.clear();
  state.ends.assign(1, 0);
  const auto after = std::ranges::upper_bound(rows.chunk.start, begin);
  auto step = after - rows.chunk.start.begin() - 1;  // of the event, where there is a place at each
  for (int64_t r = begin; r < begin + count; ++r) {
    const auto place = static_cast<std::size_t>(rows.place_of(r));
    RecentTypes* past = state.past.data();
    OwnTransitions* own = nullptr;
    if (rows.each) {
      while (r >= rows.chunk.start[static_cast<std::size_t>(step) + 1]) ++step;
      const auto row = static_cast<std::size_t>(r - rows.chunk.start[static_cast<std::size_t>(step)]);
      past += row;
      past->add(batch.events[place]);
      own = state.own.empty() ? nullptr : &state.own[row];
    } else {
      past->clear();
      for (int64_t e = batch.offsets[place]; e < batch.offsets[place + 1]; ++e) {
        past->add(batch.events[static_cast<std::size_t>(e)]);
      }
    }
    rules_->append_terms(state.terms, *past, own);
    state.ends.push_back(static_cast<int64_t>(state.terms.size()));
    if (own != nullptr && rules_->left_out() == LeftOut::kLater) {
      own->pass(batch.events[place], batch.next_events[place]);
    }
  }
}

template <class T>
void Model::finish_rules(Parameters<T>& gradient) const {
  for (const Head& head : heads_) {
    if (head.rules < 0) continue;
    const T* dbias = gradient.data(layout_[head.bias]);
    T& sum = gradient.data(layout_[head.rules])[Rules::kPopularity];
    const std::span<const float> popularity = rules_->log_popularity();
    for (std::size_t v = 0; v < popularity.size(); ++v) sum += dbias[v] * T(popularity[v]);
  }
}

#define T2V_INSTANTIATE(T)                                                                                   \
  template void Model::head_base<T>(T*, const Parameters<T>&) const;                                         \
  template void Model::start_rules<T>(Workspace<T>&, ShardTask, const SequenceBatch&) const;                 \
  template void Model::rule_terms<T>(RuleState&, const HeadRows<T>&, int64_t, int64_t, const SequenceBatch&) \
      const;                                                                                                 \
  template void Model::finish_rules<T>(Parameters<T>&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
