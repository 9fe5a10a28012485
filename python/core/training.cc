#include "train/training.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "core.h"
#include "data/decimal.h"
#include "data/encoding.h"
#include "signals.h"
#include "train/validation_split.h"
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

bool over_time(const data::Events& events, const TrainConfig& config) {
  const Task task = config.task == "auto" ? suggested_task(events) : task_from(config.task);
  const data::ValueTarget values = value_target(task, events);
  return values == data::ValueTarget::kOfNextEvent || values == data::ValueTarget::kOfEvent;
}

/// Values over time are told by the calendar, not by when each sequence starts. Plain numbers count from a
/// whole one, which data of any decimals can be counted from.
void use_common_origin(data::Events& events) {
  data::set_origin(events, data::OriginKind::kDataSet);
  if (events.scale.instants) return;
  const auto one = static_cast<int64_t>(data::kPowersOfTen[static_cast<std::size_t>(events.scale.decimals)]);
  const int64_t first = events.view.origin_tick;
  const int64_t below = ((first % one) + one) % one;
  data::set_origin(events, data::OriginKind::kInstant, first - below);
}

void set_view(data::Events& events, const TrainConfig& config, const std::string& unit,
              const std::string& origin) {
  if (unit != "auto") data::set_unit(events, unit);
  if (origin == "dataset" || (origin == "auto" && over_time(events, config))) {
    use_common_origin(events);
  } else if (origin != "auto" && origin != "sequence") {
    fail("unknown origin '{:.40}'; use auto, sequence or dataset", origin);
  }
}

struct DataOptions {
  std::string unit;
  std::string origin;
  int64_t vocabulary;
  std::string unknown;
};

data::EventStore store_of(const EventSet& set, const TrainConfig& config, const DataOptions& options) {
  data::EventStore store;
  store.events = set.events;
  set_view(store.events, config, options.unit, options.origin);
  if (options.vocabulary > 0 || options.unknown != data::EncodingConfig{}.unknown) {
    data::EncodingConfig encoding;
    encoding.vocabulary = options.vocabulary;
    encoding.unknown = options.unknown;
    store.encoding = data::learn_encoding(store.events, first_split(store).train, encoding);
  }
  return store;
}

/// Trains and returns the model, what was decided, and what is worth knowing.
py::tuple train(const EventSet& set, const std::string& options, const std::string& unit,
                const std::string& origin, int64_t vocabulary, const std::string& unknown, int threads,
                std::optional<py::function> callback, const Trained* init) {
  PythonHooks python(std::move(callback));
  std::unique_ptr<Trained> trained;
  std::vector<std::string> choices;
  std::vector<std::string> remarks;
  {
    const py::gil_scoped_release release;
    TrainConfig config;
    read_json(config, nlohmann::json::parse(options));
    const data::EventStore store = store_of(set, config, {unit, origin, vocabulary, unknown});
    ThreadPool pool(threads);
    Training training(store, config, pool, init != nullptr ? &init->model() : nullptr);
    choices = training.choices();
    Fit::Hooks hooks;
    hooks.epoch = [&](const EpochReport& report) { python.epoch(report); };
    hooks.stop = [&] { return python.stop(); };
    const FitEnd end = training.run(hooks);
    trained = std::make_unique<Trained>(training.result());
    remarks = training.remarks(end, trained->model());
  }
  python.rethrow();
  for (auto* notes : {&choices, &remarks}) {
    for (std::string& note : *notes) note = with_parameter_names(note);
  }
  return py::make_tuple(py::cast(std::move(trained)), choices, remarks);
}

}  // namespace

void bind_training(py::module_& module) {
  using py::arg;
  module.def("train", &train, arg("events"), arg("options"), arg("unit"), arg("origin"), arg("vocabulary"),
             arg("unknown"), arg("threads"), arg("callback"), arg("init"),
             "Trains a model by options as JSON; returns (model, choices, remarks).");
  module.def(
      "train_defaults", [] { return text_of(to_json(TrainConfig())); },
      "All options of a training and their defaults, as JSON.");
}

}  // namespace t2v::python
