#include "train/training.h"
#include "train/forecast_training.h"
#include "train/race.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "core.h"
#include "signals.h"
#include "train/training_data.h"
#include "trained.h"

namespace t2v::python {
namespace {

/// Lets Python take part in a training that runs without its lock.
class PythonHooks {
 public:
  explicit PythonHooks(std::optional<py::function> callback) : callback_(std::move(callback)) {}

  /// Whether to stop: after Ctrl-C, an exception of the callback, or if it said so.
  bool stop() { return stopped_ || raised_ || signals_.raised(); }

  /// Tells the callback of an epoch; if it returns True, the training stops with the best so far.
  void epoch(const EpochReport& report) {
    if (!callback_ || raised_) return;
    const py::gil_scoped_acquire lock;
    try {
      py::dict dict;
      dict["epoch"] = report.epoch;
      dict["loss"] = report.loss;
      dict["valid_loss"] = report.valid_loss;
      dict["measure"] = report.measure;
      dict["rate"] = report.rate;
      dict["seconds"] = report.seconds;
      dict["best"] = report.best;
      const py::object answer = (*callback_)(dict);
      const int truth = PyObject_IsTrue(answer.ptr());
      if (truth < 0) throw py::error_already_set();
      stopped_ = truth == 1;
    } catch (py::error_already_set& error) {
      raised_ = std::make_unique<py::error_already_set>(error);
    }
  }

  /// With Python's lock: passes on what was raised.
  void rethrow() {
    signals_.rethrow();
    if (raised_) throw py::error_already_set(*raised_);
  }

 private:
  std::optional<py::function> callback_;
  Signals signals_;
  bool stopped_ = false;
  std::unique_ptr<py::error_already_set> raised_;
};

/// Trains by options as JSON and returns the model, what was decided, and what is worth knowing.
py::tuple train(const EventSet& set, const std::string& options, int threads,
                std::optional<py::function> callback, const Trained* init) {
  PythonHooks python(std::move(callback));
  std::unique_ptr<Trained> trained;
  std::vector<std::string> choices;
  std::vector<std::string> remarks;
  {
    const py::gil_scoped_release release;
    TrainRequest request;
    options_after_reading(request).read(parse_json_text(options));
    const TrainingData data = training_data(set.data, request);
    ThreadPool pool(threads);
    const TrainedModel* start = init != nullptr ? &init->model() : nullptr;
    if (is_closed_form(data, request.train, start)) {
      ForecastTraining forecast = train_forecast(data, request.train, pool);
      trained = std::make_unique<Trained>(std::move(forecast.model));
      choices = data.notes;
      choices.insert(choices.end(), forecast.choices.begin(), forecast.choices.end());
      remarks = std::move(forecast.remarks);
    } else {
      Race race(data, request.train, pool, start);
      race.run({{}, [&] { return python.stop(); }});
      Training training(data, race.winner(), pool, start);
      training.fit().add_seconds(race.seconds());
      choices = data.notes;
      choices.insert(choices.end(), training.choices().begin(), training.choices().end());
      Fit::Hooks hooks;
      hooks.epoch = [&](const EpochReport& report) { python.epoch(report); };
      hooks.stop = [&] { return python.stop(); };
      const FitEnd end = training.run(hooks);
      trained = std::make_unique<Trained>(training.result());
      remarks = training.remarks(end, trained->model());
    }
  }
  python.rethrow();
  return py::make_tuple(py::cast(std::move(trained)), choices, remarks);
}

/// All options of reading and of training, as the command's table has them.
std::string option_table() {
  TrainRequest request;
  nlohmann::json table = nlohmann::json::array();
  const OptionTable all = options_of(request);
  const nlohmann::json defaults = all.json();
  for (const OptionTable::Entry& entry : all.entries()) {
    const std::string name(entry.option.name);
    table.push_back({{"name", name},
                     {"kind", kind_of(entry)},
                     {"default", defaults.at(key_of(name))},
                     {"choices", entry.option.choices},
                     {"help", entry.option.help}});
  }
  return text_of(table);
}

}  // namespace

void bind_training(py::module_& module) {
  using py::arg;
  module.def("train", &train, arg("events"), arg("options"), arg("threads"), arg("callback"), arg("init"),
             "Trains a model by options as JSON; returns (model, choices, remarks).");
  module.def("option_table", &option_table,
             "All options of reading and training as JSON: name, kind, default, choices, help.");
}

}  // namespace t2v::python
