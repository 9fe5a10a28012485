#include "t2v/c.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/event_log.h"
#include "base/fail.h"
#include "base/version.h"
#include "t2v/model.h"
#include "t2v/stream.h"
#include "t2v/time2vec.h"
#include "t2v/train.h"

struct t2v_model {
  t2v::TimeModel model;
  std::string task;
  std::string unit;
};

namespace {

using t2v::fail;

/// A prediction with memory of its own, as C sees it.
class OwnPrediction {
 public:
  OwnPrediction() = default;
  OwnPrediction(const OwnPrediction&) = delete;  // the view is of its own memory
  OwnPrediction& operator=(const OwnPrediction&) = delete;

  const t2v_prediction* set(const t2v::Predicted& said) {
    said_ = said;
    names_.clear();
    for (const auto& choice : said_.choices) names_.emplace_back(choice.name);
    choices_.clear();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      choices_.push_back({names_[i].c_str(), said_.choices[i].probability});
    }
    when_ = said_.when.value_or(t2v::Predicted::When{NAN, NAN, NAN, NAN});
    view_ = {said_.id.c_str(),
             said_.time.c_str(),
             said_.at.c_str(),
             choices_.data(),
             choices_.size(),
             said_.value ? 1 : 0,
             said_.value.value_or(NAN),
             said_.when ? 1 : 0,
             when_.p10,
             when_.median,
             when_.p90,
             when_.mean,
             when_.p10_at.c_str(),
             when_.median_at.c_str(),
             when_.p90_at.c_str(),
             when_.mean_at.c_str()};
    return &view_;
  }
  const t2v_prediction* view() const { return &view_; }

 private:
  t2v::Predicted said_;
  std::vector<std::string> names_;
  std::vector<t2v_choice> choices_;
  t2v::Predicted::When when_ = {};
  t2v_prediction view_{};
};

}  // namespace

struct t2v_predictions {
  std::vector<std::unique_ptr<OwnPrediction>> all;
};

struct t2v_stream {
  t2v::EventStream stream;
  OwnPrediction prediction;
  t2v_reply reply{};
  std::vector<t2v::EventFeature> features;
};

namespace {

/// The message of the last failure on this thread. When there is no memory for one, a fixed text.
struct LastError {
  std::string text;
  const char* shown = "";

  void set(const char* what) noexcept {
    try {
      text = what;
      shown = text.c_str();
    } catch (...) {
      shown = "out of memory";
    }
  }
};

LastError& last_error() {
  thread_local LastError error;
  return error;
}

/// Does the work of a function; whatever it throws becomes a status and a message.
template <class Function>
t2v_status guarded(const Function& work) noexcept {
  try {
    work();
    return T2V_OK;
  } catch (const t2v::Error& error) {
    last_error().set(error.what());
    return T2V_REFUSED;
  } catch (const std::bad_alloc&) {
    last_error().set("out of memory");
    return T2V_NO_MEMORY;
  } catch (const std::system_error& error) {  // of files and threads
    last_error().set(error.what());
    return T2V_REFUSED;
  } catch (const std::exception& error) {
    last_error().set(error.what());
    return T2V_FAULT;
  } catch (...) {
    last_error().set("an unknown error");
    return T2V_FAULT;
  }
}

/// The thing behind a pointer that must not be NULL.
template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw std::invalid_argument(std::string(name) + " is NULL");
  return *pointer;
}

std::size_t size_of(int64_t count, const char* name) {
  if (count < 0) throw std::invalid_argument(std::string(name) + " is negative");
  return static_cast<std::size_t>(count);
}

std::string_view text_or_empty(const char* text) { return text == nullptr ? "" : text; }

t2v::Time2Vec layer_of(t2v_activation activation, int linear, int64_t width) {
  if (activation < T2V_SIN || activation > T2V_RELU)
    fail("there is no activation {}", static_cast<int>(activation));
  return t2v::Time2Vec(
      {width - (linear != 0 ? 1 : 0), static_cast<t2v::Activation>(activation), linear != 0});
}

/// A struct of the caller's, who may have been built with fewer fields, or with more: those that both know
/// of, the rest from the defaults.
template <class Struct>
Struct known_fields(const Struct& given, Struct defaults, const char* start) {
  if (given.size == 0) throw std::invalid_argument(std::string("a struct has no size; start from ") + start);
  std::memcpy(&defaults, &given, std::min(given.size, sizeof(Struct)));
  return defaults;
}

t2v::PredictOptions options_from(const t2v_predict_options* by_caller) {
  t2v::PredictOptions options;
  if (by_caller == nullptr) return options;
  const t2v_predict_options given =
      known_fields(*by_caller, t2v_predict_options T2V_PREDICT_OPTIONS, "T2V_PREDICT_OPTIONS");
  options.top = given.top;
  for (std::size_t i = 0; i < given.at_count; ++i) {
    options.at.emplace_back(std::string_view(&needed(needed(given.at + i, "at"), "a time of at")));
  }
  for (std::size_t i = 0; i < given.after_count; ++i)
    options.after.push_back(needed(given.after + i, "after"));
  options.every_event = given.every_event != 0;
  options.threads = given.threads;
  return options;
}

std::vector<std::string> paths_from(const char* const* files, std::size_t count) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < count; ++i) {
    paths.emplace_back(&needed(needed(files + i, "files"), "the name of a file"));
  }
  return paths;
}

t2v_model* owned(t2v::TimeModel model) {
  const std::string task(model.task());
  const std::string unit(model.unit());
  return new t2v_model{std::move(model), task, unit};
}

void set_reply(t2v_stream& stream, const t2v::StreamReply& reply, const t2v_reply** out) {
  stream.reply = {reply.taken ? 1 : 0, reply.late ? 1 : 0, reply.unknown ? 1 : 0,
                  reply.prediction ? stream.prediction.set(*reply.prediction) : nullptr};
  *out = &stream.reply;
}

/// The event as the stream takes it; its features lie in memory of the stream.
t2v::Event event_from(const t2v_event& given, std::vector<t2v::EventFeature>& features) {
  features.clear();
  for (std::size_t i = 0; i < given.feature_count; ++i) {
    const t2v_feature& feature = needed(given.features + i, "features");
    t2v::EventFeature one{&needed(feature.name, "the name of a feature")};
    if (feature.text != nullptr) {
      one.text = feature.text;
    } else {
      one.number = feature.number;
    }
    features.push_back(one);
  }
  t2v::Event event{&needed(given.id, "the id of the event"), &needed(given.time, "the time of the event")};
  event.type = text_or_empty(given.type);
  event.features = features;
  event.value = given.value;
  return event;
}

}  // namespace

extern "C" {

const char* t2v_last_error() { return last_error().shown; }

const char* t2v_version() { return t2v::kVersion; }

t2v_status t2v_forward(float* value, float* slope, t2v_activation activation, int linear, const double* omega,
                       const double* phi, int64_t width, const double* times, int64_t count) {
  return guarded([&] {
    const t2v::Time2Vec layer = layer_of(activation, linear, width);
    const std::size_t w = size_of(width, "width");
    const std::size_t u = size_of(count, "count");
    if (u == 0) return;
    const std::span<const double> omegas(&needed(omega, "omega"), w);
    const std::span<const double> phis(&needed(phi, "phi"), w);
    const std::span<const double> taus(&needed(times, "times"), u);
    const std::span<float> values(&needed(value, "value"), u * w);
    if (slope == nullptr) {
      layer.encode(values, omegas, phis, taus);
    } else {
      layer.forward(values, std::span<float>(slope, u * w), omegas, phis, taus);
    }
  });
}

t2v_status t2v_backward(double* domega, double* dphi, const float* dvalue, const float* slope, int64_t width,
                        const double* times, int64_t count) {
  return guarded([&] {
    const t2v::Time2Vec layer = layer_of(T2V_SIN, 0, width);  // F is in the slope
    const std::size_t w = size_of(width, "width");
    const std::size_t u = size_of(count, "count");
    if (u == 0) return;
    layer.backward(std::span<double>(&needed(domega, "domega"), w),
                   std::span<double>(&needed(dphi, "dphi"), w),
                   std::span<const float>(&needed(dvalue, "dvalue"), u * w),
                   std::span<const float>(&needed(slope, "slope"), u * w),
                   std::span<const double>(&needed(times, "times"), u));
  });
}

t2v_status t2v_model_load(const char* path, t2v_model** model) {
  if (model != nullptr) *model = nullptr;
  return guarded([&] {
    needed(model, "model");
    *model = owned(t2v::TimeModel::load(&needed(path, "path")));
  });
}

t2v_status t2v_model_save(const t2v_model* model, const char* path) {
  return guarded([&] { needed(model, "model").model.save(&needed(path, "path")); });
}

t2v_status t2v_train(const char* const* files, size_t file_count, const t2v_setting* settings,
                     size_t setting_count, int threads, t2v_model** model) {
  if (model != nullptr) *model = nullptr;
  return guarded([&] {
    needed(model, "model");
    const std::vector<std::string> paths = paths_from(files, file_count);
    t2v::ReadOptions reading;
    t2v::TrainOptions training;
    reading.threads = training.threads = threads;
    for (std::size_t i = 0; i < setting_count; ++i) {
      const t2v_setting& setting = needed(settings + i, "settings");
      const std::string name = &needed(setting.name, "the name of a setting");
      const std::string value = &needed(setting.value, "the value of a setting");
      if (name == "time_column") {
        reading.time = value;
      } else {
        (t2v::api::is_of_reading(name) ? reading.settings : training.settings)[name] = value;
      }
    }
    *model = owned(t2v::train(t2v::EventLog::read(paths, reading), training).model);
  });
}

void t2v_model_free(t2v_model* model) { delete model; }

const char* t2v_model_task(const t2v_model* model) { return model == nullptr ? "" : model->task.c_str(); }
const char* t2v_model_unit(const t2v_model* model) { return model == nullptr ? "" : model->unit.c_str(); }
int t2v_model_needs_time(const t2v_model* model) {
  return model != nullptr && model->model.needs_time() ? 1 : 0;
}

t2v_status t2v_model_width(const t2v_model* model, const char* input, int64_t* width) {
  return guarded(
      [&] { needed(width, "width") = needed(model, "model").model.encode({}, text_or_empty(input)).width; });
}

t2v_status t2v_model_encode(const t2v_model* model, const char* input, const double* times, int64_t count,
                            float* vectors) {
  return guarded([&] {
    const std::size_t u = size_of(count, "count");
    if (u == 0) return;
    const std::span<const double> taus(&needed(times, "times"), u);
    const t2v::Vectors made = needed(model, "model").model.encode(taus, text_or_empty(input));
    std::copy(made.values.begin(), made.values.end(), &needed(vectors, "vectors"));
  });
}

t2v_status t2v_model_predict(const t2v_model* model, const char* const* files, size_t file_count,
                             const t2v_predict_options* options, t2v_predictions** predictions) {
  if (predictions != nullptr) *predictions = nullptr;
  return guarded([&] {
    needed(predictions, "predictions");
    const t2v::TimeModel& used = needed(model, "model").model;
    const std::vector<std::string> paths = paths_from(files, file_count);
    const t2v::PredictOptions how = options_from(options);
    t2v::ReadOptions reading;
    reading.threads = how.threads;
    auto made = std::make_unique<t2v_predictions>();
    used.predict(used.read(paths, reading), how, [&](const t2v::Predicted& said) {
      made->all.push_back(std::make_unique<OwnPrediction>());
      made->all.back()->set(said);
    });
    *predictions = made.release();
  });
}

size_t t2v_predictions_count(const t2v_predictions* predictions) {
  return predictions == nullptr ? 0 : predictions->all.size();
}

const t2v_prediction* t2v_predictions_get(const t2v_predictions* predictions, size_t i) {
  return i < t2v_predictions_count(predictions) ? predictions->all[i]->view() : nullptr;
}

void t2v_predictions_free(t2v_predictions* predictions) { delete predictions; }

t2v_status t2v_stream_open(const t2v_model* model, int64_t max_sequences, int64_t top, t2v_stream** stream) {
  if (stream != nullptr) *stream = nullptr;
  return guarded([&] {
    needed(stream, "stream");
    t2v::StreamOptions options;
    if (max_sequences != 0) options.max_sequences = max_sequences;
    if (top != 0) options.top = top;
    *stream = new t2v_stream{.stream = t2v::EventStream(needed(model, "model").model, options),
                             .prediction = {},
                             .reply = {},
                             .features = {}};
  });
}

void t2v_stream_free(t2v_stream* stream) { delete stream; }

t2v_status t2v_stream_push(t2v_stream* stream, const t2v_event* event, const t2v_reply** reply) {
  if (reply != nullptr) *reply = nullptr;
  return guarded([&] {
    needed(reply, "reply");
    t2v_stream& used = needed(stream, "stream");
    const t2v_event given = known_fields(needed(event, "event"), t2v_event T2V_EVENT, "T2V_EVENT");
    const t2v::Event pushed = event_from(given, used.features);
    std::optional<t2v::EventTime> at;
    if (given.at != nullptr) at = t2v::EventTime(given.at);
    set_reply(used, used.stream.push(pushed, at), reply);
  });
}

t2v_status t2v_stream_predict(t2v_stream* stream, const char* id, const char* at, const t2v_reply** reply) {
  if (reply != nullptr) *reply = nullptr;
  return guarded([&] {
    needed(reply, "reply");
    t2v_stream& used = needed(stream, "stream");
    set_reply(used, used.stream.ask(&needed(id, "id"), &needed(at, "at")), reply);
  });
}

t2v_status t2v_stream_save(const t2v_stream* stream, const char* path) {
  return guarded([&] { needed(stream, "stream").stream.save(&needed(path, "path")); });
}

t2v_status t2v_stream_restore(t2v_stream* stream, const char* path) {
  return guarded([&] { needed(stream, "stream").stream.restore(&needed(path, "path")); });
}

}  // extern "C"
