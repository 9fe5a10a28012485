#include "train/ablation.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "base/fail.h"
#include "base/named.h"
#include "base/text_check.h"
#include "data/doctor_text.h"
#include "data/shuffled_times.h"
#include "nn/time_encoder.h"
#include "train/evaluation.h"
#include "train/training.h"
#include "train/validation_split.h"

namespace t2v {
namespace {

using data::Piece;
using data::ValueTarget;

constexpr std::string_view kNone = "none";
constexpr std::string_view kShuffled = "shuffled";
constexpr std::string_view kTime2Vec = "t2v";
constexpr int64_t kTestBatch = 256;

std::string kind_of(const std::string& time) { return time.substr(0, time.find(':')); }

void check_variant(const std::string& name) {
  if (name == kNone || name == kShuffled) return;
  const auto kinds = nn::time_encoders();
  if (std::ranges::find(kinds, kind_of(name), &nn::TimeEncoderKind::name) != kinds.end()) return;
  std::string all;
  for (const auto& kind : kinds) all += fmt::format("{}, ", kind.name);
  fail("unknown variant '{}'; use some of none, {}t2v:k, shuffled, with commas", shown(name), all);
}

std::vector<AblationVariant> variants_from(const std::vector<std::string>& names) {
  if (names.empty()) fail("no variant was named; use some of none, raw, t2v, shuffled, with commas");
  std::string time2vec(kTime2Vec);
  std::vector<AblationVariant> variants;
  for (const std::string& name : names) {
    check_variant(name);
    const bool twice = std::ranges::any_of(
        variants, [&](const AblationVariant& variant) { return kind_of(variant.name) == kind_of(name); });
    if (twice) fail("the variant '{}' is named twice", shown(kind_of(name)));
    if (kind_of(name) == kTime2Vec) time2vec = name;
    variants.push_back({.name = name, .time = name, .shuffled = name == kShuffled});
  }
  for (AblationVariant& variant : variants) {
    if (variant.shuffled) variant.time = time2vec;
  }
  return variants;
}

/// Leaves out pieces in which nothing is to be predicted.
void drop_without_targets(std::vector<Piece>& pieces, Task task) {
  if (task == Task::kClassify || task == Task::kRegress) return;
  std::erase_if(
      pieces, [](const Piece& piece) { return piece.end <= std::max(piece.begin + 1, piece.first_target); });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Over the seeds that both have.
PairedTest compare_first(std::span<const double> a, std::span<const double> b) {
  const std::size_t both = std::min(a.size(), b.size());
  return paired_test(a.first(both), b.first(both));
}

/// The runs of an ablation, one by one.
class Study {
 public:
  Study(const data::EventStore& store, const AblationConfig& config, ThreadPool& pool,
        const AblationHooks& hooks);
  Ablation run();

 private:
  void choose_task();
  void choose_test(const data::EventStore& store);
  void lay_out();
  /// Fills in hidden size and parameters; returns what was chosen.
  std::vector<std::string> set_size(AblationVariant& variant);
  TrainConfig options(const AblationVariant& variant, uint64_t seed) const;
  /// The data as a variant sees them, with the split of a seed, which is the same for all variants.
  data::EventStore data_for(const AblationVariant& variant, uint64_t seed);
  /// False if it was stopped.
  bool run(AblationVariant& variant, uint64_t seed);
  Score test_score(const Training& training) const;
  bool stopped() const { return hooks_.stop && hooks_.stop(); }
  void say(const std::string& choice) const {
    if (hooks_.choice) hooks_.choice(choice);
  }

  ThreadPool& pool_;
  const AblationHooks& hooks_;
  Ablation ablation_;
  data::EventStore store_;                        // with a test part
  HeldOut held_out_ = HeldOut::kRandomSequences;  // test and validation
  int64_t budget_ = 0;                            // parameters
};

Study::Study(const data::EventStore& store, const AblationConfig& config, ThreadPool& pool,
             const AblationHooks& hooks)
    : pool_(pool), hooks_(hooks) {
  if (config.seeds < 1) fail("an ablation needs at least 1 seed; it has {}", config.seeds);
  if (config.train.when) fail("an ablation compares what is predicted, not when; leave `when` out");
  ablation_.config = config;
  ablation_.variants = variants_from(config.variants);
  store_.events = store.events;
  store_.encoding = store.encoding;
  choose_task();
  choose_test(store);
  lay_out();
}

void Study::choose_task() {
  const std::string& asked = ablation_.config.train.task;
  ablation_.task = asked == "auto" ? suggested_task(store_.events) : task_from(asked);
  const MainMeasure measure = main_measure(ablation_.task);
  ablation_.measure = measure.name;
  ablation_.higher_is_better = measure.higher_is_better;
}

void Study::choose_test(const data::EventStore& store) {
  data::Split split = first_split(store);
  std::string how = "as the data say";
  drop_without_targets(split.train, ablation_.task);
  if (!split.train.empty()) {
    const ValueTarget values = value_target(ablation_.task, store_.events);
    held_out_ = held_out(split.train, store_.events, ablation_.task, values);
  }
  if (split.test.empty() && !split.train.empty()) {
    data::Split rest;
    rest.train = std::move(split.train);
    split_off_validation(rest, store_.events, kTestShare, held_out_, kTestSeed);
    split.train = std::move(rest.train);
    split.test = std::move(rest.valid);
    how = held_out_ == HeldOut::kLatestPart
              ? fmt::format("the last {:.0f} % of the events", 100 * kTestShare)
              : fmt::format("{:.0f} % of the sequences{}", 100 * kTestShare,
                            held_out_ == HeldOut::kLatestSequences ? ", the latest to start" : "");
  }
  drop_without_targets(split.test, ablation_.task);
  if (split.test.empty()) {
    fail("there is nothing to test on: the data are too few to split off {:.0f} %; choose a `split`",
         100 * kTestShare);
  }
  ablation_.test_sequences = static_cast<int64_t>(split.test.size());
  say(fmt::format("test: {}, {}", data::counted(ablation_.test_sequences, "sequence"), how));
  store_.split = std::move(split);
}

/// Finds the sizes of all models, and what cannot be.
void Study::lay_out() {
  AblationVariant time2vec{.name = std::string(kTime2Vec), .time = std::string(kTime2Vec)};
  for (const AblationVariant& variant : ablation_.variants) {
    if (kind_of(variant.time) == kTime2Vec) time2vec.time = variant.time;
  }
  for (const std::string& choice : set_size(time2vec)) say(choice);
  budget_ = time2vec.parameters;
  for (AblationVariant& variant : ablation_.variants) {
    if (kind_of(variant.time) == kTime2Vec) {
      variant.hidden = time2vec.hidden;
      variant.parameters = time2vec.parameters;
    } else {
      set_size(variant);
    }
  }
}

std::vector<std::string> Study::set_size(AblationVariant& variant) {
  try {
    const data::EventStore seen = data_for(variant, 1);
    const Training training(seen, options(variant, 1), pool_);
    const ModelConfig& model = training.model().config();
    variant.hidden = model.cell == "none" ? 0 : model.hidden;
    variant.parameters = training.model().layout().parameter_count();
    return training.choices();
  } catch (const Error& error) {
    if (variant.time != kNone) throw;
    fail("without times: {}; leave that out, such as by `variants` raw,t2v", error.what());
  }
}

TrainConfig Study::options(const AblationVariant& variant, uint64_t seed) const {
  TrainConfig config = ablation_.config.train;
  config.time = variant.time;
  config.seed = seed;
  if (variant.time == kNone) config.query_time = false;
  if (kind_of(variant.time) != kTime2Vec) config.match_params = budget_;
  return config;
}

data::EventStore Study::data_for(const AblationVariant& variant, uint64_t seed) {
  data::EventStore seen = store_;
  const double share = ablation_.config.train.valid_share;
  if (seen.split->valid.empty() && share > 0) {
    split_off_validation(*seen.split, store_.events, share, held_out_, seed);
  }
  if (!variant.shuffled) return seen;
  seen.events = data::shuffle_times(store_.events, seed);
  const auto events = static_cast<double>(store_.events.size());
  ablation_.moved = static_cast<double>(data::moved_times(store_.events, seen.events)) / events;
  return seen;
}

Score Study::test_score(const Training& training) const {
  const TrainedModel& description = training.description();
  const data::Batches batches(training.events(), store_.split->test, description.encoding,
                              measuring_batches(description, kTestBatch));
  Workspace<float> work;
  return *validation_score(description, training.model(), training.fit().best(), batches, work, pool_);
}

bool Study::run(AblationVariant& variant, uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  const data::EventStore seen = data_for(variant, seed);
  Training training(seen, options(variant, seed), pool_);
  Fit::Hooks hooks;
  hooks.stop = hooks_.stop;
  if (training.run(hooks) == FitEnd::kStopped) return false;
  const Score score = test_score(training);
  variant.runs.push_back({.seed = seed,
                          .measure = score.measure,
                          .loss = score.loss,
                          .predictions = score.predictions,
                          .epochs = static_cast<int64_t>(training.fit().history().size()),
                          .seconds = seconds_since(start)});
  return true;
}

Ablation Study::run() {
  const auto width = static_cast<int64_t>(ablation_.variants.size());
  int64_t done = 0;
  for (uint64_t seed = 1; seed <= static_cast<uint64_t>(ablation_.config.seeds); ++seed) {
    for (AblationVariant& variant : ablation_.variants) {
      if (stopped() || !run(variant, seed)) {
        ablation_.complete = false;
        return ablation_;
      }
      ++done;
      if (hooks_.run) hooks_.run(variant, done, width * ablation_.config.seeds);
    }
  }
  store_.events.check_intact();
  return ablation_;
}

}  // namespace

std::vector<double> AblationVariant::measures() const {
  std::vector<double> values;
  for (const AblationRun& run : runs) values.push_back(run.measure);
  return values;
}

std::vector<double> AblationVariant::losses() const {
  std::vector<double> values;
  for (const AblationRun& run : runs) values.push_back(run.loss);
  return values;
}

const AblationVariant* Ablation::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      variants, [&](const AblationVariant& variant) { return kind_of(variant.name) == name; });
  return found == variants.end() ? nullptr : &*found;
}

Ablation ablate(const data::EventStore& store, const AblationConfig& config, ThreadPool& pool,
                const AblationHooks& hooks) {
  return Study(store, config, pool, hooks).run();
}

PairedTest compare(const AblationVariant& variant, const AblationVariant& other) {
  return compare_first(variant.measures(), other.measures());
}

PairedTest compare_losses(const AblationVariant& variant, const AblationVariant& other) {
  return compare_first(variant.losses(), other.losses());
}

}  // namespace t2v
