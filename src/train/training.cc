#include "train/training.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/fail.h"
#include "base/json_text.h"
#include "base/random.h"
#include "base/text_check.h"
#include "data/doctor_text.h"
#include "model/initialise.h"
#include "model/time_options.h"
#include "train/evaluation.h"
#include "train/event_form.h"
#include "train/model_options.h"
#include "train/same_model.h"
#include "train/start_heads.h"
#include "train/target_finder.h"
#include "train/time_layout.h"
#include "train/validation_split.h"

namespace t2v {
namespace {

using data::Piece;
using data::ValueTarget;

/// Without it, sines longer than the data take the place of a trend and bend it beyond them.
constexpr double kPenaltyOverTime = 0.003;
/// Small data are overfitted within few steps: they are looked at after each few.
constexpr int64_t kEpochSteps = 10;
constexpr int64_t kEpochStepsOverTime = 100;
/// Rows of event types start as uniform in ±this: a one-hot input has a fan-in of 1, not H.
constexpr double kEventBound = 0.5;
/// More events of a sequence that is judged as a whole call for no more hidden units.
constexpr int64_t kEventsOfSequence = 16;
/// What a head sees of all states is three times as much.
constexpr double kPooledDropout = 0.3;
/// A distribution of gaps overfits by periodic terms, however many gaps there are.
constexpr double kPenaltyOfWhen = 0.003;
/// Heads that say what and when have a hidden layer more to overfit with.
constexpr double kTimedDropout = 0.2;
constexpr int64_t kSampledPieces = 2000;
constexpr int64_t kSampledEvents = 1'000'000;
constexpr uint64_t kSampleStream = 7;

/// Some of the pieces, drawn by the seed.
std::vector<Piece> sampled(const std::vector<Piece>& pieces, uint64_t seed) {
  std::vector<int64_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  Random(seed, kSampleStream).shuffle(order);
  std::vector<Piece> some;
  int64_t events = 0;
  for (const int64_t i : order) {
    const Piece& piece = pieces[static_cast<std::size_t>(i)];
    events += piece.end - piece.begin;
    if (!some.empty() && (static_cast<int64_t>(some.size()) >= kSampledPieces || events > kSampledEvents)) {
      break;
    }
    some.push_back(piece);
  }
  return some;
}

/// Weights with which all classes of the training sequences count the same.
std::vector<double> balanced_weights(const data::Events& events, const std::vector<Piece>& train,
                                     const data::Vocabulary& classes) {
  const std::vector<int32_t> codes = data::codes_of(classes, events.label->names);
  std::vector<double> counts(static_cast<std::size_t>(classes.size()));
  for (const Piece& piece : train) {
    const int32_t code = events.label->codes[static_cast<std::size_t>(piece.sequence)];
    ++counts[static_cast<std::size_t>(codes[static_cast<std::size_t>(code)])];
  }
  const auto all = static_cast<double>(train.size());
  for (double& count : counts) count = count > 0 ? all / (static_cast<double>(counts.size()) * count) : 1;
  return counts;
}

/// Throws t2v::Error if a training sequence is of a class that the encoding does not have; those of none are
/// left out later.
void check_classes(const data::Events& events, std::vector<Piece> train, const data::Encoding& encoding) {
  std::erase_if(train, [&](const Piece& piece) {
    return events.label->names[events.label->codes[static_cast<std::size_t>(piece.sequence)]].empty();
  });
  data::check_labels(encoding, events, train);
}

OptimizerConfig optimizer_config(const TrainConfig& config, int64_t batches) {
  OptimizerConfig optimizer;
  optimizer.kind = config.optimizer;
  optimizer.learning_rate = config.rate;
  optimizer.time_factor = config.time_rate;
  optimizer.weight_decay = config.weight_decay;
  optimizer.clip = config.clip;
  optimizer.schedule.kind = config.schedule;
  optimizer.schedule.warmup = config.warmup;
  optimizer.schedule.total = config.epochs * steps_of_epoch(config.epoch_steps, batches);
  return optimizer;
}

/// Of all but the validation data.
uint64_t seed_of(const TrainConfig& config) {
  constexpr uint64_t kStride = 0x9e3779b97f4a7c15;  // far from the seeds that people use
  return config.seed + static_cast<uint64_t>(config.draw) * kStride;
}

FitConfig fit_config(const TrainConfig& config, int64_t batches) {
  FitConfig fit;
  fit.epochs = config.epochs;
  fit.epoch_steps = config.epoch_steps;
  fit.patience = config.patience;
  fit.patience_steps = config.patience_steps;
  fit.cuts = config.rate_cuts;
  fit.cut = config.rate_cut;
  fit.average = config.average;
  fit.average_after = config.average_after;
  fit.max_seconds = config.max_time;
  fit.seed = seed_of(config);
  fit.optimizer = optimizer_config(config, batches);
  return fit;
}

}  // namespace

Training::Training(const data::EventStore& store, TrainConfig config, ThreadPool& pool,
                   const TrainedModel* init, comm::Communicator& ranks)
    : config_(std::move(config)), pool_(pool), ranks_(ranks), events_(store.events) {
  options_of(config_).check();
  if (init != nullptr) fit_to_model(events_, *init);
  choose_task(init);
  settle_options(init);
  choose_split(store);
  choose_encoding(store);
  if (init != nullptr) {
    trained_.encoding = init->encoding;
    if (trained_.task == Task::kClassify) check_classes(events_, split_.train, trained_.encoding);
  }
  if (init == nullptr) {
    choose_event_form(trained_.encoding, config_, trained_, events_, split_.train, choices_);
  } else {
    keep_event_form(config_, init->encoding);
  }
  leave_out_without_targets(init);
  settle_sizes(init);
  lay_out(init);
  if (init != nullptr) {
    take_measures(trained_.config, init->config);
    check_same_model(trained_, config_, *init);
    trained_.times = init->times;
  }
  record_options();
  model_ = std::make_unique<Model>(trained_.config);
  count_rules(init);
  nn::Parameters<float> start = start_weights(init);
  data::BatchConfig batches = trained_.batches(true);
  batches.batch = config_.batch;
  batches.seed = seed_of(config_);
  train_ = std::make_unique<data::Batches>(events_, split_.train, trained_.encoding, batches);
  valid_ = std::make_unique<data::Batches>(events_, split_.valid, trained_.encoding, batches);
  Fit::Validate validate;
  if (!split_.valid.empty()) {
    validate = [this](const auto& weights, const Fit::Stop& stop) { return validation_of(weights, stop); };
  }
  FitConfig fit = fit_config(config_, train_->count());
  fit.judge_start = init != nullptr;
  fit_ = std::make_unique<Fit>(*model_, std::move(start), fit, *train_, std::move(validate), pool_, ranks_);
}

Training::Training(const TrainingData& data, const TrainConfig& config, ThreadPool& pool,
                   const TrainedModel* init, comm::Communicator& ranks)
    : Training(data.store, config, pool, init, ranks) {
  trained_.options->merge_patch(nlohmann::json::parse(data.split_record));
}

void Training::choose_task(const TrainedModel* init) {
  if (config_.task != "auto") {
    trained_.task = task_from(config_.task);
  } else {
    trained_.task = init != nullptr ? init->task : suggested_task(events_);
  }
  if (init != nullptr && init->task != trained_.task) {
    fail_contradiction("`task`", name_of(trained_.task), name_of(init->task));
  }
  const bool next = trained_.task == Task::kNext || trained_.task == Task::kRecommend;
  if (next && !events_.event) {
    fail("the task {} needs types of events; name their column by `event`", name_of(trained_.task));
  }
  if (trained_.task == Task::kClassify && !events_.label) {
    fail("the task classify needs a label of each sequence; name its column by `label`");
  }
  if (!next && (config_.when || config_.query_time)) {
    fail("{} is for the tasks next and recommend, not {}", config_.when ? "`when`" : "`query_time`",
         name_of(trained_.task));
  }
  if (config_.when && config_.query_time) {
    fail("`when` predicts the time that `query_time` gives away; use one of them");
  }
  trained_.values = value_target(trained_.task, events_);
  if (trained_.task == Task::kRegress && trained_.values == ValueTarget::kOfSequence) {
    choices_.emplace_back("task: regress (the number of each sequence)");
  } else {
    choices_.push_back(fmt::format("task: {}{}", name_of(trained_.task), config_.when ? ", and when" : ""));
  }
}

bool Training::is_over_time() const {
  return trained_.values == ValueTarget::kOfNextEvent || trained_.values == ValueTarget::kOfEvent;
}

double Training::best_loss() const { return rule_ || constant_gaps_ ? rule_loss_ : fit_->best_loss(); }

/// What `auto` stands for.
void Training::settle_options(const TrainedModel* init) {
  const bool over_time = is_over_time();
  config_.task = name_of(trained_.task);
  const bool once = trained_.task == Task::kClassify || trained_.values == ValueTarget::kOfSequence;
  const bool long_table = once && events_.event && events_.value;
  if (config_.cell == "auto") config_.cell = over_time ? "none" : long_table ? "gru" : "lstm";
  if (config_.omega_init == "auto") config_.omega_init = over_time ? "periodogram" : "cycles";
  if (config_.head_pool == "auto" && init != nullptr) config_.head_pool = init->config.heads[0].pool;
  if (config_.head_pool == "auto") config_.head_pool = once && config_.cell != "none" ? "all" : "last";
  if (config_.head_dropout < 0) {
    config_.head_dropout = config_.head_pool == "all" ? kPooledDropout : config_.when ? kTimedDropout : 0;
  }
  if (config_.head_pool == "all" && !once) {
    fail("`head_pool` all is for the tasks classify and regress with a number of the sequence, not {}",
         name_of(trained_.task));
  }
  if (config_.epoch_steps == 0) config_.epoch_steps = over_time ? kEpochStepsOverTime : kEpochSteps;
  const bool learned = config_.time.starts_with("t2v") || config_.time == "auto";
  if (config_.l1 < 0 && (over_time || !learned)) config_.l1 = learned ? kPenaltyOverTime : 0;
}

void Training::choose_split(const data::EventStore& store) {
  split_ = first_split(store);
  const int64_t dropped = drop_short(split_.train, trained_.task) + drop_short(split_.valid, trained_.task);
  if (dropped > 0) {
    choices_.push_back(
        fmt::format("left out: {} of one event, which has no next one", data::counted(dropped, "sequence")));
  }
  if (split_.train.empty()) {
    fail("no sequence has anything to learn from: the task {} needs sequences of two events or more",
         name_of(trained_.task));
  }
  validation_is_given_ = !split_.valid.empty();
  if (validation_is_given_ || config_.valid_share == 0) return;
  data::Split parts = split_;
  held_out_ = held_out(parts.train, events_, trained_.task, trained_.values);
  if (config_.valid_by == "random" && !goes_on(trained_.task, trained_.values)) {
    held_out_ = HeldOut::kRandomSequences;
  }
  split_off_validation(parts, events_, config_.valid_share, held_out_, config_.seed);
  drop_short(parts.train, trained_.task);
  drop_short(parts.valid, trained_.task);
  if (!parts.train.empty() && !parts.valid.empty()) split_ = std::move(parts);
}

void Training::choose_encoding(const data::EventStore& store) {
  if (store.encoding) {
    trained_.encoding = *store.encoding;
  } else {
    data::EncodingConfig config;
    if (trained_.task == Task::kRecommend) config.vocabulary = data::default_vocabulary(events_);
    trained_.encoding = data::learn_encoding(events_, split_.train, config);
  }
  if (trained_.values == ValueTarget::kOfEvent) trained_.encoding.value.reset();
}

/// So that no batch is without anything to predict.
void Training::leave_out_without_targets(const TrainedModel* init) {
  const TargetFinder has_target(events_, trained_);
  int64_t dropped = 0;
  for (auto* pieces : {&split_.train, &split_.valid}) {
    dropped += static_cast<int64_t>(std::erase_if(*pieces, std::not_fn(has_target)));
  }
  if (dropped > 0) {
    choices_.push_back(fmt::format("left out: {}, in which nothing that is known is to be predicted",
                                   data::counted(dropped, "sequence")));
  }
  if (split_.train.empty()) {
    if (init != nullptr && events_.event) check_types_known(events_, trained_.encoding);
    fail(
        "no sequence has anything to learn from: what is to be predicted is empty or unknown in all of them");
  }
  choices_.push_back(describe_split(split_, validation_is_given_ ? HeldOut::kGiven : held_out_));
}

/// What follows from how much there is to learn from.
void Training::settle_sizes(const TrainedModel* init) {
  int64_t events = 0;
  for (const Piece& piece : split_.train) events += piece.end - piece.first_target;
  const auto sequences = static_cast<int64_t>(split_.train.size());
  const bool each_event = trained_.task != Task::kClassify && trained_.values != ValueTarget::kOfSequence;
  if (config_.hidden == 0 && init != nullptr) {
    config_.hidden = init->config.hidden;
  } else if (config_.hidden == 0) {
    config_.hidden = auto_hidden(each_event ? events : std::min(events, kEventsOfSequence * sequences));
    if (config_.cell != "none" && config_.match_params == 0) {
      choices_.push_back(fmt::format("hidden size {}, for {} to learn from (`hidden`)", config_.hidden,
                                     data::counted(events, "event")));
    }
  }
  if (config_.l1 < 0 && config_.when) config_.l1 = kPenaltyOfWhen;
  if (config_.l1 < 0) config_.l1 = auto_penalty(each_event ? events : sequences);
}

void Training::lay_out(const TrainedModel* init) {
  ModelConfig& model = trained_.config;
  model.event_types = trained_.encoding.event_types();
  model.event_rows = trained_.encoding.event_rows();
  model.features = trained_.encoding.features();
  take_model_options(model, config_);
  if (trained_.task == Task::kRecommend) model.skip = false;  // too large for many types
  trained_.times.scale = events_.scale;
  lay_out_times(init);
  lay_out_heads(init);
  lay_out_rules(init);
  if (init == nullptr && config_.time_input == "auto") leave_out_constant_times();
  if (config_.time_scale == "data" && !model.times.empty()) measure_times(model, sample().view());
  if (config_.time != "auto" || model.times.empty()) config_.time = time_option(model);
  if (config_.time != "auto") config_.time_input = time_input_option(model);
  if (config_.match_params > 0 && config_.cell != "none") {
    model.hidden = match_hidden(model, config_.match_params);
    config_.hidden = model.hidden;
    choices_.push_back(
        fmt::format("hidden size {}, for about {} parameters", model.hidden, config_.match_params));
  }
}

/// As they were settled, so that they ask for the same run again.
void Training::record_options() {
  trained_.options = to_json(config_);
  trained_.options->update(time_options(trained_.times));
  if (validation_is_given_) trained_.options->erase("valid-share");
}

void Training::lay_out_times(const TrainedModel* init) {
  if (init != nullptr && config_.time == "auto" && config_.time_input == "auto") {
    trained_.config.times = init->config.times;
    choices_.emplace_back("time: as the model to go on from sees it");
  } else {
    trained_.config.times = time_layout(config_, trained_.task, trained_.values, events_, choices_);
  }
  trained_.times.view = events_.view;
  const double grid = static_cast<double>(events_.grid) / events_.view.ticks_per_unit;
  trained_.times.grid = grid;
  if (config_.when && events_.grid == 0) {
    fail("`when` needs times that differ, but within each sequence they are all the same");
  }
}

/// Times that are all the same say nothing, and frequencies cannot start from them.
void Training::leave_out_constant_times() {
  const data::Batch some = sample();
  const auto never_differs = [&](const nn::TimeEncoderConfig& time) {
    if (time.kind != "t2v" && config_.time != "auto" && config_.time != "plain") return false;
    const nn::TimeScale scale = nn::time_scale(some.view(), time.input);
    if (scale.span > 0 && scale.median_gap > 0) return false;
    choices_.push_back(fmt::format("time: without {}, which never differs", nn::name_of(time.input)));
    return true;
  };
  std::erase_if(trained_.config.times, never_differs);
  std::erase_if(trained_.config.next_times, never_differs);
}

void Training::lay_out_heads(const TrainedModel* init) {
  nn::HeadConfig head;
  head.each_step = trained_.task != Task::kClassify && trained_.values != ValueTarget::kOfSequence;
  head.pool = config_.head_pool;
  if (trained_.values != ValueTarget::kNone) {
    head.kind = "mse";
  } else if (trained_.task == Task::kClassify) {
    head.classes = trained_.encoding.classes();
    if (config_.class_weights == "balanced") {
      head.class_weights = balanced_weights(events_, split_.train, *trained_.encoding.label);
    }
  } else {
    head.classes = trained_.encoding.event_types();
  }
  if (config_.class_weights != "none" && config_.class_weights != "balanced") {
    fail("unknown class weights '{}'; use none or balanced", shown(config_.class_weights));
  }
  if (config_.class_weights == "balanced" && trained_.task != Task::kClassify) {
    fail("`class_weights` is for the task classify, not {}", name_of(trained_.task));
  }
  trained_.config.heads = {head};
  if (config_.when) lay_out_when(init);
}

/// What and when: the mixture of gaps, and the types as they depend on the time that it leads to.
void Training::lay_out_when(const TrainedModel* init) {
  ModelConfig& model = trained_.config;
  nn::HeadConfig when;
  when.kind = "when";
  when.each_step = true;
  when.components = config_.components;
  model.heads.push_back(when);
  const int known = init == nullptr ? -1 : find_head(init->config, "when");
  if (known >= 0) {
    model.heads[0].timed = init->config.heads[0].timed;
    model.heads[0].units = init->config.heads[0].units;
    model.heads[1] = init->config.heads[static_cast<std::size_t>(known)];
    if (config_.given.contains("components")) model.heads[1].components = config_.components;
    config_.components = model.heads[1].components;
    config_.head_units = model.heads[1].units;
    model.next_times = init->config.next_times;
    trained_.times.least_gap = init->times.least_gap;
    return;
  }
  model.heads[0].units = model.heads[1].units = config_.head_units;
  model.heads[0].timed = config_.head_units > 0;
  if (model.heads[0].timed) model.next_times = next_time_layout(config_, events_);
  measure_gaps(model.heads[1], sample().view(), trained_.times.grid);
  if (!model.heads[1].atom) trained_.times.least_gap = trained_.times.grid / 2;
}

/// A model to go on from keeps what it has, unless the option is given.
void Training::lay_out_rules(const TrainedModel* init) {
  const bool types = trained_.task == Task::kNext || trained_.task == Task::kRecommend;
  if (config_.given.contains("no_rules") && !types) {
    fail("`no_rules` is for the tasks next and recommend, not {}", name_of(trained_.task));
  }
  if (!types) return;
  if (trained_.encoding.together || trained_.encoding.typed_values) config_.no_rules = true;
  if (init != nullptr && !config_.given.contains("no_rules")) config_.no_rules = !init->config.heads[0].rules;
  trained_.config.heads[0].rules = !config_.no_rules;
}

/// A model to go on from keeps its counts, which its weights are for; these data are not in them.
void Training::count_rules(const TrainedModel* init) {
  trained_.baselines = Baselines::fit(events_, split_.train, trained_.encoding, trained_.task,
                                      trained_.values, trained_.times.least_gap, is_timed(trained_.config));
  if (!trained_.config.heads[0].rules) return;
  if (init != nullptr) trained_.baselines = init->baselines;
  const LeftOut past = held_out_ == HeldOut::kLatestPart ? LeftOut::kLater : LeftOut::kSequence;
  model_->set_rules(std::make_shared<const Rules>(trained_.baselines, trained_.encoding.event->unknown_code(),
                                                  init != nullptr ? LeftOut::kNothing : past));
}

data::Batch Training::sample() const {
  const std::vector<Piece> some = sampled(split_.train, config_.seed);
  data::BatchConfig batches = trained_.batches(true);
  batches.batch = static_cast<int64_t>(some.size());
  data::Batch batch;
  data::Batches(events_, some, trained_.encoding, batches).make(0, batch);
  return batch;
}

nn::Parameters<float> Training::start_weights(const TrainedModel* init) {
  const data::Batch some = sample();
  const SequenceBatch batch = some.view();
  const std::vector<nn::TimeScale> scales = time_scales(trained_.config, trained_.times, batch);
  for (const nn::TimeScale& scale : scales) span_ = std::max(span_, scale.span);
  if (init != nullptr) return nn::convert<float>(init->parameters);
  InitialiserConfig initial;
  if (config_.start == "data") initial.event_bound = kEventBound;
  nn::Parameters<double> start = initialise(*model_, seed_of(config_), initial, scales);
  if (config_.start == "data") start_heads(start, *model_, trained_.task, trained_.values, batch);
  if (model_->rules() != nullptr) {
    start_rule_.weights = fit_rules(*model_->rules(), batch);
    set_rules_alone(start, *model_, 0, start_rule_.weights);
  }
  return nn::convert<float>(start);
}

std::optional<Validation> Training::validation_of(const nn::Parameters<float>& weights,
                                                  const Fit::Stop& stop) {
  const std::optional<Score> score =
      validation_score(trained_, *model_, weights, *valid_, valid_work_, pool_, stop, ranks_);
  if (!score) return std::nullopt;
  return Validation{score->loss, score->measure};
}

nlohmann::json to_json(const TrainConfig& config) {
  TrainConfig copy = config;
  return options_of(copy).json();
}

void read_json(TrainConfig& config, const nlohmann::json& json) { options_of(config).read(json); }

}  // namespace t2v
