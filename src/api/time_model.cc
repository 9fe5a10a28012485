#include "api/time_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/event_log.h"
#include "base/fail.h"
#include "data/batches.h"
#include "data/human_time.h"
#include "data/splits.h"
#include "data/time_zone.h"
#include "model/model_data.h"
#include "model/predictor.h"
#include "nn/time_encoder.h"
#include "stream/ahead.h"
#include "stream/event_encoder.h"

namespace t2v {
namespace {

/// The events of a log as the model sees times.
data::Events fitted_events(const EventLog& log, const TrainedModel& model) {
  data::Events events = log.impl().data.store.events;
  fit_to_model(events, model);
  return events;
}

/// The ticks that were asked for, in the scale of the data.
std::vector<QueryTime> queries_of(const PredictOptions& options, const data::Events& events,
                                  const data::TimeZone& zone) {
  std::vector<QueryTime> queries;
  const data::TimeReader reader(events.scale, std::nullopt, zone);
  for (const EventTime& at : options.at) queries.push_back({api::tick_of(at, events.scale, reader)});
  for (const double after : options.after) {
    const double ticks = after * events.view.ticks_per_unit;
    if (!(after >= 0 && ticks < 0x1p63)) fail("a prediction cannot be {} after the last event", after);
    queries.push_back({std::llround(ticks), true});
  }
  return queries;
}

const nn::TimeEncoder& encoder_of(const Model& model, std::string_view input) {
  const auto& encoders = model.times().encoders();
  if (encoders.empty()) fail("the model has no time inputs");
  if (input.empty()) return encoders.front();
  const TimeInput wanted = nn::time_input_from(input);
  std::string has;
  for (const nn::TimeEncoder& encoder : encoders) {
    if (encoder.config().input == wanted) return encoder;
    has += (has.empty() ? "" : ", ") + std::string(nn::name_of(encoder.config().input));
  }
  fail("the model has no time input '{}'; it has {}", input, has);
}

data::TimeZone training_zone(const TrainedModel& model) { return zone_for_model({}, model); }

}  // namespace

namespace api {

TimeModel model_of(TrainedModel trained) {
  return TimeModel(std::make_shared<const TimeModel::Impl>(std::move(trained)));
}

data::TimeReader time_reader(const TrainedModel& model) {
  data::TimeReader reader(model.times.scale, std::nullopt, training_zone(model));
  if (model.times.scale.instants) {
    const data::KnownData known = training_data(model);
    reader.read_as(known.time_format, known.day_first, false);
  }
  return reader;
}

void name_choices(Predicted& out, const Prediction& prediction, const TrainedModel& model) {
  out.choices.clear();
  for (const Choice& choice : prediction.top) {
    out.choices.push_back({name_of_choice(model, choice.code), static_cast<double>(choice.probability)});
  }
  out.value = prediction.value;
  out.when.reset();
  if (const auto& when = prediction.when) {
    const auto date = [&](double gap) { return date_after(prediction, model, gap); };
    out.when = Predicted::When{when->p10,       when->median,       when->p90,       when->mean,
                               date(when->p10), date(when->median), date(when->p90), date(when->mean)};
  }
}

}  // namespace api

TimeModel::TimeModel(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

TimeModel TimeModel::load(const std::string& path) { return api::model_of(read_model(path)); }

void TimeModel::save(const std::string& path) const { write_model(FileSystem::real(), path, impl_->trained); }

std::string_view TimeModel::task() const { return name_of(impl_->trained.task); }
std::string_view TimeModel::unit() const { return impl_->trained.times.view.unit; }

std::vector<std::string_view> TimeModel::names() const {
  const data::Encoding& encoding = impl_->trained.encoding;
  const auto& vocabulary = impl_->trained.task == Task::kClassify ? encoding.label : encoding.event;
  if (!vocabulary) return {};
  return {vocabulary->names.begin(), vocabulary->names.end()};
}

std::vector<std::string> TimeModel::features() const {
  const EventEncoder encoder(impl_->trained);
  std::vector<std::string> names;
  for (const FeatureColumn& column : encoder.columns()) names.push_back(column.name);
  return names;
}

bool TimeModel::needs_time() const {
  const Task task = impl_->trained.task;
  const bool next = task == Task::kNext || task == Task::kRecommend || task == Task::kForecast;
  return next && knows_query_time(impl_->trained.config);
}

EventLog TimeModel::read(const std::vector<std::string>& files, const ReadOptions& options) const {
  ThreadPool pool(options.threads);
  return EventLog(std::make_shared<const EventLog::Impl>(
      load_for_model(api::sources_of(files), api::load_options(options), impl_->trained, false, pool)));
}

void TimeModel::predict(const EventLog& log, const PredictOptions& options,
                        const std::function<void(const Predicted&)>& consumer) const {
  const TrainedModel& trained = impl_->trained;
  const data::Events events = fitted_events(log, trained);
  const std::vector<data::Piece> pieces = data::whole_sequences(events);
  PredictConfig config;
  config.top = options.top;
  config.at = queries_of(options, events, training_zone(trained));
  config.every_event = options.every_event;
  ThreadPool pool(options.threads);
  Predicted said;
  t2v::predict(trained, events, pieces, config, pool, [&](const Place& place, const Prediction& prediction) {
    said.id = events.ids[pieces[static_cast<std::size_t>(place.piece)].sequence];
    said.time = data::tick_text(events.scale, events.tick(place.event));
    said.at = place.query ? data::tick_text(events.scale, *place.query) : "";
    api::name_choices(said, prediction, trained);
    consumer(said);
  });
  events.check_intact();
}

std::vector<Predicted> TimeModel::predict(const EventLog& log, const PredictOptions& options) const {
  std::vector<Predicted> all;
  predict(log, options, [&](const Predicted& said) { all.push_back(said); });
  return all;
}

std::vector<PredictedAhead> TimeModel::ahead(const EventLog& log, const AheadOptions& options) const {
  const TrainedModel& trained = impl_->trained;
  const data::Events events = fitted_events(log, trained);
  const std::vector<data::Piece> pieces = data::whole_sequences(events);
  ThreadPool pool(options.threads);
  std::vector<PredictedAhead> all;
  const auto add = [&](int64_t number, const std::vector<Continuation>& continuations) {
    const data::Piece& piece = pieces[static_cast<std::size_t>(number)];
    const Ahead ahead = ahead_of(continuations);
    PredictedAhead& said = all.emplace_back();
    said.id = events.ids[piece.sequence];
    said.time = data::tick_text(events.scale, events.tick(piece.end - 1));
    said.expected = ahead.expected;
    for (const Ahead::OfType& of : ahead.types) {
      said.types.push_back(
          {name_of_choice(trained, of.type), of.expected, of.share, of.p10, of.median, of.p90});
    }
    for (const Ahead::Next& next : ahead.next) {
      said.next.push_back({name_of_choice(trained, next.type), next.share, next.median});
    }
  };
  continue_sequences(trained, events, pieces,
                     {options.events, options.horizon, options.samples, options.seed}, pool, add);
  events.check_intact();
  return all;
}

double TimeModel::time_of(const EventTime& time) const {
  const ModelTimes& times = impl_->trained.times;
  if (times.view.origin == data::OriginKind::kSequence) {
    fail(
        "the times of this model count from the first event of each sequence, so a time alone says nothing; "
        "give the difference, in {}",
        times.view.unit);
  }
  const int64_t tick = api::tick_of(time, times.scale, api::time_reader(impl_->trained));
  return times.view.at(tick, times.view.origin_tick);
}

Vectors TimeModel::encode(std::span<const double> times, std::string_view input) const {
  const nn::TimeEncoder& encoder = encoder_of(impl_->model, input);
  Vectors vectors;
  vectors.width = encoder.width();
  vectors.values.resize(times.size() * static_cast<std::size_t>(vectors.width));
  encoder.forward<float>(vectors.values.data(), nullptr, impl_->model.layout(), impl_->trained.parameters,
                         times);
  return vectors;
}

TrainedTime2Vec TimeModel::time2vec(std::string_view input) const {
  const nn::TimeEncoder& encoder = encoder_of(impl_->model, input);
  const nn::TimeEncoderConfig& config = encoder.config();
  if (!encoder.learned()) {
    fail("the time input '{}' is encoded by '{}', not by Time2Vec", nn::name_of(config.input), config.kind);
  }
  const auto weights = [&](int tensor) {
    const double* data = impl_->trained.parameters.wide_data(impl_->model.layout()[tensor]);
    return std::vector<double>(data, data + encoder.width());
  };
  const Time2VecConfig shape{config.k, static_cast<Activation>(config.activation), config.linear};
  return {Time2Vec(shape), weights(encoder.omega()), weights(encoder.phi())};
}

Vectors TimeModel::states(const EventLog& log, int threads) const {
  const TrainedModel& trained = impl_->trained;
  if (trained.config.cell == "none") fail("a model without a cell has no hidden state");
  const data::Events events = fitted_events(log, trained);
  data::Batches batches(events, data::whole_sequences(events), trained.encoding, trained.batches(false));
  ThreadPool pool(threads);
  Workspace<float> work;
  Vectors states;
  states.width = trained.config.hidden;
  const auto width = static_cast<std::size_t>(states.width);
  states.values.resize(static_cast<std::size_t>(events.sequences()) * width);
  for (int64_t b = 0; b < batches.count(); ++b) {
    const data::Batch& batch = batches.make(b);
    impl_->model.visit_states<float>(
        [&](int64_t row, const float* h) {
          const auto sequence = static_cast<std::size_t>(batch.pieces[static_cast<std::size_t>(row)]);
          std::copy_n(h, width, states.values.data() + sequence * width);
        },
        trained.parameters, batch.view(), work, pool);
  }
  events.check_intact();
  return states;
}

}  // namespace t2v
