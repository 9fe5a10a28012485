#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arrays.h"
#include "base/fail.h"
#include "core.h"
#include "data/splits.h"
#include "forecast/forecaster.h"
#include "model/forecast_panel.h"
#include "model/predictor.h"
#include "signals.h"
#include "train/forecast_evaluation.h"
#include "trained.h"

// Forecasts in closed form: of a horizon, at rows of a table, and how good they are.
namespace t2v::python {
namespace {

void check_forecasts(const Trained& trained) {
  if (!trained.model().forecaster)
    fail("the model is a network that predicts the next value alone; give `at`");
}

/// The values to come of each series, as columns.
py::dict forecast(const Trained& trained, const EventSet& known, PredictConfig config, int threads) {
  check_forecasts(trained);
  std::vector<int64_t> sequence;
  std::vector<int64_t> tick;
  std::vector<double> value;
  std::vector<double> quantiles;
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(known);
    ThreadPool pool(threads);
    predict(trained.model(), events, data::whole_sequences(events), config, pool,
            [&](const Place& place, const Prediction& prediction) {
              sequence.push_back(place.piece);
              tick.push_back(*place.query);
              value.push_back(*prediction.value);
              for (const Prediction::Quantile& one : prediction.quantiles) quantiles.push_back(one.value);
              signals.check();
            });
  });
  const auto count = static_cast<py::ssize_t>(value.size());
  py::dict dict;
  dict["sequence"] = array_of(std::move(sequence));
  dict["tick"] = array_of(std::move(tick));
  dict["value"] = array_of(std::move(value));
  dict["quantiles"] =
      array_of(std::move(quantiles), {count, static_cast<py::ssize_t>(config.quantiles.size())});
  return dict;
}

py::dict forecast_horizon(const Trained& trained, const EventSet& known, const std::vector<int64_t>& at,
                          bool after_last, int64_t horizon, int64_t every, std::vector<double> quantiles,
                          int threads) {
  PredictConfig config{.horizon = horizon, .every = every, .quantiles = std::move(quantiles)};
  for (const int64_t ticks : at) config.at.push_back({ticks, after_last});
  return forecast(trained, known, std::move(config), threads);
}

/// The values of a series at other times, each as known before it.
void add_values(std::vector<double>& values, const data::Events& asked, const data::Piece& piece,
                const forecast::Forecaster& forecaster, const forecast::Series& known) {
  const forecast::Track track(forecaster, known);
  for (int64_t e = piece.begin; e < piece.end; ++e) {
    const double time = series_time(asked, asked.tick(e));
    const auto before = std::ranges::lower_bound(known.times, time) - known.times.begin();
    values[static_cast<std::size_t>(e)] = track.at(before - 1, time);
  }
}

/// The value at each event, in their order, as known before it from the series of the same id.
Array<double> forecast_rows(const Trained& trained, const EventSet& known, const EventSet& asked) {
  check_forecasts(trained);
  std::vector<double> values(static_cast<std::size_t>(asked.events().size()));
  Signals signals;
  signals.without_lock([&] {
    const data::Events past = trained.fitted(known);
    const data::Events rows = trained.fitted(asked);
    const forecast::Panel panel = panel_of(past, data::whole_sequences(past));
    for (const data::Piece& piece : data::whole_sequences(rows)) {
      signals.check();
      const std::string id(rows.ids[piece.sequence]);
      const auto found = std::ranges::find(panel.series, id, &forecast::Series::id);
      if (found == panel.series.end()) fail("there are no values of the series '{}' to forecast from", id);
      add_values(values, rows, piece, *trained.model().forecaster, *found);
    }
  });
  return array_of(std::move(values));
}

std::string backtest(const Trained& trained, const EventSet& set, bool anew, int threads) {
  check_forecasts(trained);
  std::string result;
  Signals signals;
  signals.without_lock([&] {
    const data::Events events = trained.fitted(set);
    ThreadPool pool(threads);
    const ForecastEvaluation measured =
        evaluate_forecast(trained.model(), events, data::whole_sequences(events), anew, pool);
    nlohmann::json json = to_json(measured.evaluation);
    json["seen_in_training"] = measured.seen;
    result = text_of(json);
  });
  return result;
}

}  // namespace

void bind_forecast(py::module_& module) {
  using py::arg;
  module.def("forecast", &forecast_horizon, arg("model"), arg("known"), arg("at"), arg("after_last"),
             arg("horizon"), arg("every"), arg("quantiles"), arg("threads"), "Values to come as columns.");
  module.def("forecast_rows", &forecast_rows, arg("model"), arg("known"), arg("asked"),
             "The value at each event, as known before it.");
  module.def("backtest", &backtest, arg("model"), arg("events"), arg("anew"), arg("threads"),
             "Measures of rolling forecasts as JSON.");
}

}  // namespace t2v::python
