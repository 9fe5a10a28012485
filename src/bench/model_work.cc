#include "bench/model_work.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/named.h"
#include "bench/clock.h"
#include "data/batches.h"
#include "model/initialise.h"
#include "nn/cell.h"
#include "train/trainer.h"

namespace t2v::bench {
namespace {

/// Of all encoders.
int64_t width_of_times(const ModelConfig& model) {
  int64_t width = 0;
  for (const nn::TimeEncoderConfig& time : model.times) {
    width += find_named(nn::time_encoders(), time.kind, "encoder").width(time);
  }
  return width;
}

/// What training and prediction share: the data in batches, the model and its weights.
class OnBatches : public Workload {
 public:
  OnBatches(ModelWork work, ThreadPool& pool)
      : work_(prepared(std::move(work))),
        pool_(pool),
        encoding_(data::learn_encoding(work_.store.events, work_.store.split->train, {.value = false})),
        model_(completed(work_.model, encoding_)),
        train_(batches_of(work_.store.split->train)),
        test_(batches_of(work_.store.split->test)) {
    count_ = work_.batches > 0 ? work_.batches : train_.count();
  }

 protected:
  static ModelWork prepared(ModelWork work) {
    if (!work.store.split || work.store.split->train.empty() || work.store.split->test.empty()) {
      fail("the data set has no training or no test part; import it with a split");
    }
    if (!work.unit.empty()) data::set_unit(work.store.events, work.unit);
    return work;
  }
  static ModelConfig completed(ModelConfig model, const data::Encoding& encoding) {
    model.event_types = encoding.event_types();
    nn::HeadConfig& head = model.heads[0];
    if (head.kind == "softmax") head.classes = head.each_step ? encoding.event_types() : encoding.classes();
    return model;
  }
  data::Batches batches_of(const std::vector<data::Piece>& pieces) const {
    const data::ValueTarget values =
        work_.task == Task::kForecast ? data::ValueTarget::kOfNextEvent : data::ValueTarget::kNone;
    data::BatchConfig config = batch_config(model_.config(), work_.task, values, true);
    config.batch = work_.batch;
    return {work_.store.events, pieces, encoding_, config};
  }
  /// The batch after the last one; a pass is in an order of its own.
  const data::Batch& next_batch() {
    if (next_ == 0) train_.shuffle(pass_++);
    const data::Batch& batch = train_.make(next_);
    next_ = (next_ + 1) % train_.count();
    return batch;
  }

  ModelWork work_;
  ThreadPool& pool_;
  data::Encoding encoding_;
  Model model_;
  data::Batches train_;
  data::Batches test_;
  int64_t count_;  // batches of a repetition

 private:
  int64_t next_ = 0;
  int64_t pass_ = 0;
};

class TrainingWork final : public OnBatches {
 public:
  TrainingWork(ModelWork work, ThreadPool& pool)
      : OnBatches(std::move(work), pool),
        trainer_(model_, nn::convert<float>(initialise(model_, 1)), {}, pool) {}

  Repetition run() override {
    Repetition done;
    done.seconds = seconds_of([&] {
      for (int64_t i = 0; i < count_; ++i) {
        const data::Batch& batch = next_batch();
        trainer_.step(batch.view());
        done.amount += static_cast<double>(batch.view().event_count());
      }
    });
    done.operations = 3 * done.amount * operations_of_event(model_.config());
    return done;
  }

  std::optional<Score> score() override {
    if (model_.config().heads[0].kind != "softmax") return std::nullopt;
    int64_t right = 0;
    int64_t all = 0;
    for (int64_t i = 0; i < test_.count(); ++i) count_right(test_.make(i).view(), right, all);
    return Score{"accuracy", static_cast<double>(right) / static_cast<double>(all), trainer_.steps(),
                 static_cast<double>(trainer_.steps()) / static_cast<double>(train_.count())};
  }

 private:
  void count_right(const SequenceBatch& batch, int64_t& right, int64_t& all) {
    const bool each = model_.config().heads[0].each_step;
    const std::span<const int32_t> targets = each ? batch.next_events : batch.labels;
    const auto width = static_cast<std::size_t>(model_.outputs(0));
    outputs_.resize(targets.size() * width);
    model_.outputs_of<float>(outputs_, 0, trainer_.parameters(), batch, trainer_.workspace(), pool_);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] < 0) continue;
      const auto begin = outputs_.begin() + static_cast<std::ptrdiff_t>(i * width);
      const auto most = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(width)) - begin;
      right += most == targets[i] ? 1 : 0;
      ++all;
    }
  }

  Trainer<float> trainer_;
  std::vector<float> outputs_;
};

class PredictionWork final : public OnBatches {
 public:
  PredictionWork(ModelWork work, ThreadPool& pool)
      : OnBatches(std::move(work), pool), parameters_(nn::convert<float>(initialise(model_, 1))) {}

  Repetition run() override {
    Repetition done;
    done.seconds = seconds_of([&] {
      for (int64_t i = 0; i < count_; ++i) {
        const SequenceBatch batch = next_batch().view();
        const int64_t rows = model_.config().heads[0].each_step ? batch.event_count() : batch.sequences();
        outputs_.resize(static_cast<std::size_t>(rows * model_.outputs(0)));
        model_.outputs_of<float>(outputs_, 0, parameters_, batch, workspace_, pool_);
        done.amount += static_cast<double>(batch.event_count());
      }
    });
    done.operations = done.amount * operations_of_event(model_.config());
    return done;
  }

 private:
  nn::Parameters<float> parameters_;
  Workspace<float> workspace_;
  std::vector<float> outputs_;
};

}  // namespace

void cut_to_equal(data::EventStore& store, int64_t length) {
  for (std::vector<data::Piece>* part : {&store.split->train, &store.split->valid, &store.split->test}) {
    std::erase_if(*part, [=](const data::Piece& piece) { return piece.end - piece.begin < length; });
    for (data::Piece& piece : *part) piece.end = piece.begin + length;
  }
}

double operations_of_event(const ModelConfig& model) {
  const nn::Cell& cell = nn::cell_from(model.cell, model.inner);
  const nn::HeadConfig& head = model.heads[0];
  const int64_t outputs = !head.each_step ? 0 : head.kind == "softmax" ? head.classes : 1;
  return 2 * static_cast<double>(model.hidden) *
         static_cast<double>(cell.hidden.count() * model.hidden + cell.time.count() * width_of_times(model) +
                             outputs);
}

std::unique_ptr<Workload> training_work(ModelWork work, ThreadPool& pool) {
  return std::make_unique<TrainingWork>(std::move(work), pool);
}
std::unique_ptr<Workload> prediction_work(ModelWork work, ThreadPool& pool) {
  return std::make_unique<PredictionWork>(std::move(work), pool);
}

}  // namespace t2v::bench
