#include "bench/head_work.h"

#include <utility>

namespace t2v::bench {
namespace {

int64_t batches_of(const ModelWork& work) {
  if (work.batches > 0) return work.batches;
  return (static_cast<int64_t>(work.store.split->train.size()) + work.batch - 1) / work.batch;
}

ModelWork one_by_one(ModelWork work) {
  work.batches = 1;
  return work;
}

class HeadWork final : public Workload {
 public:
  HeadWork(ModelWork whole, ModelWork without, ThreadPool& pool)
      : batches_(batches_of(whole)),
        whole_(training_work(one_by_one(std::move(whole)), pool)),
        without_(training_work(one_by_one(std::move(without)), pool)) {}

  Repetition run() override {
    Repetition done;
    for (int64_t i = 0; i < batches_; ++i) {
      const Repetition whole = whole_->run();
      const Repetition without = without_->run();
      done.seconds += whole.seconds - without.seconds;
      done.amount += whole.amount;
      done.operations += whole.operations - without.operations;
    }
    return done;
  }

 private:
  int64_t batches_;
  std::unique_ptr<Workload> whole_;
  std::unique_ptr<Workload> without_;
};

}  // namespace

std::unique_ptr<Workload> head_work(ModelWork whole, ModelWork without, ThreadPool& pool) {
  return std::make_unique<HeadWork>(std::move(whole), std::move(without), pool);
}

}  // namespace t2v::bench
