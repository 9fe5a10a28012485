#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/time_model.h"
#include "arrays.h"
#include "base/fail.h"
#include "core.h"
#include "data/batches.h"
#include "data/splits.h"
#include "model/config_json.h"
#include "model/learned_time.h"
#include "model/predictor.h"
#include "nn/time_encoder.h"
#include "signals.h"
#include "stream/ahead.h"
#include "train/evaluation.h"
#include "train/forecast_evaluation.h"
#include "trained.h"

namespace t2v::python {

std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

// --- what it is ---

std::unique_ptr<Trained> read(const std::string& path) {
  const py::gil_scoped_release release;
  return std::make_unique<Trained>(read_model(path));
}

void write(const Trained& trained, const std::string& path) {
  const py::gil_scoped_release release;
  write_model(FileSystem::real(), path, trained.model());
}

nlohmann::json times_json(const ModelTimes& times) {
  constexpr const char* kOrigins[] = {"sequence", "dataset", "instant"};
  return {{"instants", times.scale.instants},
          {"decimals", times.scale.decimals},
          {"unit", times.view.unit},
          {"ticks_per_unit", times.view.ticks_per_unit},
          {"origin", kOrigins[static_cast<std::size_t>(times.view.origin)]},
          {"origin_tick", times.view.origin_tick}};
}

/// Everything but the numbers and names.
std::string description(const Trained& trained) {
  const TrainedModel& model = trained.model();
  data::Encoding encoding = model.encoding;
  for (auto* vocabulary : {&encoding.event, &encoding.label}) {
    if (*vocabulary) (*vocabulary)->names.clear();
  }
  return text_of({{"task", name_of(model.task)},
                  {"forecasts", model.forecaster.has_value()},
                  {"config", to_json(model.config)},
                  {"times", times_json(model.times)},
                  {"encoding", data::to_json(encoding)},
                  {"options", *model.options},
                  {"training", *model.training}});
}

std::vector<std::string> names_of(const std::optional<data::Vocabulary>& vocabulary) {
  return vocabulary ? vocabulary->names : std::vector<std::string>{};
}

// --- its numbers ---

const nn::Tensor& tensor_named(const Trained& trained, const std::string& name) {
  const nn::Layout& layout = trained.network().layout();
  const int id = layout.find(name);
  if (id >= 0) return layout[id];
  std::string all;
  for (const nn::Tensor& tensor : layout.tensors()) all += (all.empty() ? "" : ", ") + tensor.name;
  fail("the model has no tensor '{}'; it has {}", name, all);
}

/// A copy: floats, and doubles for what is about time.
py::array tensor(const Trained& trained, const std::string& name) {
  const nn::Tensor& tensor = tensor_named(trained, name);
  const nn::Parameters<float>& parameters = trained.model().parameters;
  const std::vector<py::ssize_t> shape = {tensor.rows, tensor.cols};
  if (tensor.wide()) return Array<double>(shape, parameters.wide_data(tensor));
  return Array<float>(shape, parameters.data(tensor));
}

void set_tensor(Trained& trained, const std::string& name,
                const py::array_t<double, py::array::c_style | py::array::forcecast>& numbers) {
  const nn::Tensor& tensor = tensor_named(trained, name);
  if (numbers.size() != tensor.size()) {
    fail("the tensor '{}' is {} x {}; it cannot take {} numbers", name, tensor.rows, tensor.cols,
         numbers.size());
  }
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (!std::isfinite(numbers.data()[i])) fail("element {} for '{}' is not finite", i, name);
  }
  for (int64_t i = 0; i < tensor.size(); ++i) trained.model().parameters.set(tensor, i, numbers.data()[i]);
}

std::vector<std::string> tensor_names(const Trained& trained) {
  std::vector<std::string> names;
  for (const nn::Tensor& tensor : trained.network().layout().tensors()) names.push_back(tensor.name);
  return names;
}

// --- what it says ---

constexpr int64_t kNoDate = INT64_MIN;  // NumPy's NaT

/// Predictions as columns.
struct Predictions {
  std::vector<int64_t> sequence = {};
  std::vector<int64_t> event = {};
  std::vector<int32_t> code = {};       // [P, top], -1 where there are fewer
  std::vector<float> probability = {};  // [P, top]
  std::vector<double> value = {};       // [P] if numbers are predicted
  std::vector<double> when = {};        // [P, 4]: 10 %, median, 90 %, mean
  std::vector<int64_t> dates = {};      // [P, 4]: the same as dates in ticks; kNoDate for none

  void add(const Place& place, const Prediction& prediction, std::size_t top, const TrainedModel& model) {
    sequence.push_back(place.piece);
    event.push_back(place.event);
    if (prediction.value) value.push_back(*prediction.value);
    if (const auto& gap = prediction.when) {
      for (const double x : {gap->p10, gap->median, gap->p90, gap->mean}) {
        when.push_back(x);
        if (model.times.scale.instants) dates.push_back(tick_after(prediction, model, x).value_or(kNoDate));
      }
    }
    if (prediction.top.empty()) return;
    for (std::size_t i = 0; i < top; ++i) {
      const bool there = i < prediction.top.size();
      code.push_back(there ? prediction.top[i].code : -1);
      probability.push_back(there ? prediction.top[i].probability : 0);
    }
  }
};

py::dict dict_of(Predictions&& all, int64_t top) {
  const auto count = static_cast<py::ssize_t>(all.sequence.size());
  py::dict dict;
  dict["sequence"] = array_of(std::move(all.sequence));
  dict["event"] = array_of(std::move(all.event));
  if (!all.code.empty()) {
    dict["code"] = array_of(std::move(all.code), {count, top});
    dict["probability"] = array_of(std::move(all.probability), {count, top});
  }
  if (!all.value.empty()) dict["value"] = array_of(std::move(all.value));
  if (!all.when.empty()) dict["when"] = array_of(std::move(all.when), {count, 4});
  if (!all.dates.empty()) dict["dates"] = array_of(std::move(all.dates), {count, 4});
  return dict;
}

/// `at`: ticks, or with after_last ticks after the last event of each sequence.
py::dict predict_events(const Trained& trained, const EventSet& set, int64_t top, std::vector<int64_t> at,
                        bool after_last, bool every_event, int threads) {
  PredictConfig config{.top = top, .every_event = every_event};
  for (const int64_t ticks : at) config.at.push_back({ticks, after_last});
  Predictions all;
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(set);
    const std::vector<data::Piece> pieces = data::whole_sequences(events);
    ThreadPool pool(threads);
    predict(trained.model(), events, pieces, config, pool,
            [&](const Place& place, const Prediction& prediction) {
              all.add(place, prediction, static_cast<std::size_t>(top), trained.model());
              signals.check();
            });
  });
  return dict_of(std::move(all), top);
}

/// What may come after each sequence, each as JSON; `horizon` in ticks, 0 for none.
std::vector<std::string> continue_events(const Trained& trained, const EventSet& set, int64_t events_ahead,
                                         int64_t horizon, int64_t samples, uint64_t seed, int threads) {
  std::vector<std::string> all;
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(set);
    const std::vector<data::Piece> pieces = data::whole_sequences(events);
    ThreadPool pool(threads);
    const double units = static_cast<double>(horizon) / events.view.ticks_per_unit;
    continue_sequences(trained.model(), events, pieces, {events_ahead, units, samples, seed}, pool,
                       [&](int64_t piece, const std::vector<Continuation>& continuations) {
                         const int64_t last = events.tick(pieces[static_cast<std::size_t>(piece)].end - 1);
                         all.push_back(text_of(to_json(ahead_of(continuations), trained.model(), last)));
                         signals.check();
                       });
  });
  return all;
}

std::string evaluate_events(const Trained& trained, const EventSet& set, std::vector<int64_t> at,
                            int threads) {
  EvaluationConfig config;
  config.at = std::move(at);
  std::string result;
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(set);
    ThreadPool pool(threads);
    if (trained.model().forecaster) {
      const std::vector<data::Piece> pieces = data::whole_sequences(events);
      result = text_of(to_json(evaluate_forecast(trained.model(), events, pieces, false, pool).evaluation));
      return;
    }
    result = text_of(to_json(evaluate(trained.model(), trained.network(), trained.model().baselines, events,
                                      data::whole_sequences(events), config, pool, comm::only_rank(),
                                      [&] { signals.check(); })));
  });
  return result;
}

/// The hidden state after the last event of each sequence, [S, H].
Array<float> states(const Trained& trained, const EventSet& set, int threads) {
  const auto hidden = static_cast<std::size_t>(trained.model().config.hidden);
  const auto count = static_cast<py::ssize_t>(set.events().sequences());
  std::vector<float> all(static_cast<std::size_t>(count) * hidden);
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(set);
    data::Batches batches(events, data::whole_sequences(events), trained.model().encoding,
                          trained.model().batches(false));
    ThreadPool pool(threads);
    Workspace<float> work;
    for (int64_t b = 0; b < batches.count(); ++b) {
      signals.check();
      const data::Batch& batch = batches.make(b);
      trained.network().visit_states<float>(
          [&](int64_t row, const float* h) {
            const auto sequence = static_cast<std::size_t>(batch.pieces[static_cast<std::size_t>(row)]);
            std::copy_n(h, hidden, all.data() + sequence * hidden);
          },
          trained.model().parameters, batch.view(), work, pool);
    }
  });
  return array_of(std::move(all), {count, static_cast<py::ssize_t>(hidden)});
}

/// What the network is given of all sequences: offsets, times by name, codes of events, features.
py::dict inputs(const Trained& trained, const EventSet& set) {
  const data::Events events = trained.fitted(set);
  data::BatchConfig config = trained.model().batches(false);
  config.batch = std::max<int64_t>(1, events.sequences());
  data::Batch batch;
  data::Batches(events, data::whole_sequences(events), trained.model().encoding, config).make(0, batch);
  py::dict dict;
  const auto count = static_cast<py::ssize_t>(batch.offsets.back());
  dict["offsets"] = array_of(std::vector<int64_t>(batch.offsets));
  for (int i = 0; i < kTimeInputs; ++i) {
    auto& times = batch.times[static_cast<std::size_t>(i)];
    if (!times.empty())
      dict[py::str(std::string(nn::name_of(static_cast<TimeInput>(i))))] =
          array_of(std::vector<double>(times));
  }
  if (!batch.events.empty()) dict["events"] = array_of(std::vector<int32_t>(batch.events));
  if (!batch.features.empty()) {
    dict["features"] = array_of(std::vector<float>(batch.features),
                                {count, static_cast<py::ssize_t>(batch.features.size()) / count});
  }
  return dict;
}

/// The tick of a time as it stands in tables, read as the training data were.
int64_t tick_of(const Trained& trained, const std::string& text) {
  return api::time_reader(trained.model()).tick_of(text);
}

/// The time vectors of one encoder for times in units of the model, [U, width].
Array<float> encode(const Trained& trained, std::size_t encoder, const Array<double>& tau) {
  const auto& encoders = trained.network().times().encoders();
  if (encoder >= encoders.size())
    fail("the model has {} time inputs, none of number {}", encoders.size(), encoder);
  const nn::TimeEncoder& one = encoders[encoder];
  std::vector<float> value(static_cast<std::size_t>(tau.size() * one.width()));
  const std::span<const double> times = span_of(tau);
  {
    const py::gil_scoped_release release;
    one.forward<float>(value.data(), nullptr, trained.network().layout(), trained.model().parameters, times);
  }
  return array_of(std::move(value), {tau.size(), one.width()});
}

/// The tick of a duration after the last event: '+1 d'.
int64_t duration_of(const Trained& trained, const std::string& text) {
  return api::time_reader(trained.model()).span_of(text, "`at`");
}

}  // namespace

void bind_model(py::module_& module) {
  using py::arg;
  py::class_<Trained>(module, "Model", "A trained model: what a model file holds.")
      .def_static("read", &read, arg("path"), "Reads and checks a model file.")
      .def("write", &write, arg("path"), "Writes a model file, atomically.")
      .def("description", &description, "Task, configuration, times, encoding, options and training as JSON.")
      .def_property_readonly("classes", [](const Trained& t) { return names_of(t.model().encoding.label); })
      .def_property_readonly("event_types",
                             [](const Trained& t) { return names_of(t.model().encoding.event); })
      .def("learned_time", [](const Trained& t) { return text_of(to_json(learned_time(t.model()))); })
      .def("tensor_names", &tensor_names)
      .def("tensor", &tensor, arg("name"), "A copy of a tensor [rows, columns].")
      .def("set_tensor", &set_tensor, arg("name"), arg("numbers"), "Puts numbers into a tensor.")
      .def("continue_events", &continue_events, arg("events"), arg("events_ahead"), arg("horizon"),
           arg("samples"), arg("seed"), arg("threads"))
      .def("predict", &predict_events, arg("events"), arg("top"), arg("at"), arg("after_last"),
           arg("every_event"), arg("threads"), "Predictions as columns.")
      .def("evaluate", &evaluate_events, arg("events"), arg("at"), arg("threads"), "Measures as JSON.")
      .def("states", &states, arg("events"), arg("threads"), "The state after each sequence [S, H].")
      .def("tick_of", &tick_of, arg("text"), "The tick of a time that is written as in tables.")
      .def("span_of", &duration_of, arg("text"), "The ticks of a duration such as '+1 d'.")
      .def("inputs", &inputs, arg("events"), "What the network is given of all sequences.")
      .def("encode", &encode, arg("encoder"), arg("tau").noconvert(), "Time vectors [U, width].");
}

}  // namespace t2v::python
