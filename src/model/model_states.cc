#include "base/fail.h"
#include "model/model.h"

// The hidden states of a model, for other learners.
namespace t2v {

template <class T>
void Model::visit_states(const StateConsumer<T>& consumer, const nn::Parameters<T>& parameters,
                         const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const {
  if (recurrents_.empty()) fail("a model without a cell has no hidden state");
  check(batch, true);
  start(work, parameters, batch, pool);
  pool.run_with_worker(static_cast<int64_t>(work.shards.size()), [&](int64_t number, int worker) {
    const ShardTask task{static_cast<std::size_t>(number), static_cast<std::size_t>(worker), pool};
    const Shard& shard = work.shards[task.shard];
    start_shard(work, task, false);
    for (const Chunk& chunk : shard.chunks) {
      forward_chunk(work, task, chunk, parameters, batch);
      const T* h = top_layer(work.states[task.worker]).recurrent.h.data();
      for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
        if (chunk.last[row] >= 0) consumer(shard.sequence[row], h + chunk.last[row] * config_.hidden);
      }
      carry_chunk(work, task, chunk);
    }
  });
}

#define T2V_INSTANTIATE(T)                                                                \
  template void Model::visit_states<T>(const StateConsumer<T>&, const nn::Parameters<T>&, \
                                       const SequenceBatch&, Workspace<T>&, ThreadPool&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v
