"""One peer on one row of forecast.py, run by build/quality-venv: prints a line of JSON.

  build/quality-venv/bin/python bench/quality/forecast_peers.py METHOD ROW SEED FOLDER

Settings are chosen on the validation part, then fitted again to all that may be seen; a rolling row fits once and
moves its origins. The band is from the 10 % to the 90 % quantile, where the peer has one."""

import itertools
import json
import logging
import sys
import warnings

import numpy as np

import boosted
import series as data

BAND = 80
WINDOW = 12  # longest seasons that a model is moved over in a rolling row; it is fitted to all


def grid_values(series, end):
    """Values [0, end) on the grid, gaps filled along straight lines."""
    keys = np.array(series.keys[:end])
    return np.interp(np.arange(keys[-1] + 1), keys, series.values[:end])


def asked_keys(series, first, last):
    return np.array(series.keys[first:last]) - series.keys[first - 1] - 1


def model_forecasts(model, series, begin, end):
    """A model of statsforecast: fitted once, then moved from origin to origin."""
    model = model.fit(grid_values(series, begin))
    window = WINDOW * max(series.row.seasons.values())
    for first, last in data.origins(series, begin, end):
        steps = asked_keys(series, first, last)
        ask = {"h": int(steps[-1]) + 1, "level": [BAND]}
        if first == begin:
            answer = model.predict(**ask)
        else:
            answer = model.forward(y=grid_values(series, first)[-window:], **ask)
        yield [np.asarray(answer[key])[steps] for key in ("mean", f"lo-{BAND}", f"hi-{BAND}")]


def ets(series, begin, end, seed):
    from statsforecast.models import AutoETS
    season = min(series.row.seasons.values())
    if season > 24:
        raise SystemExit(f"no season of {season} values")
    return {"season": season}, list(model_forecasts(AutoETS(season_length=season), series, begin, end))


def mstl(series, begin, end, seed):
    from statsforecast.models import MSTL
    seasons = list(series.row.seasons.values())
    return {"seasons": seasons}, list(model_forecasts(MSTL(season_length=seasons), series, begin, end))


def fit_prophet(series, begin, end, growth, flexible):
    import pandas
    from prophet import Prophet
    seen = pandas.DataFrame({"ds": series.times[:begin], "y": series.values[:begin]})
    model = Prophet(growth=growth, changepoint_prior_scale=flexible, interval_width=BAND / 100).fit(seen, seed=1)
    answer = model.predict(pandas.DataFrame({"ds": series.times[begin:end]}))
    return [answer[column].to_numpy() for column in ("yhat", "yhat_lower", "yhat_upper")]


def prophet(series, begin, end, seed):
    if series.row.rolling:
        raise SystemExit("not measured in rolling rows, where it would be fitted again at each origin")
    np.random.seed(seed)
    cut, best = data.validation_cut(series), None
    for growth, flexible in itertools.product(("linear", "flat"), (0.05, 0.005)):
        error = np.abs(fit_prophet(series, cut, begin, growth, flexible)[0] - series.values[cut:begin]).mean()
        best = min(best or (np.inf,), (error, growth, flexible))
    return {"growth": best[1], "changepoint_prior_scale": best[2]}, [fit_prophet(series, begin, end, *best[1:])]


METHODS = {"AutoETS": (ets, "statsforecast"), "MSTL": (mstl, "statsforecast"), "Prophet": (prophet, "prophet"),
           "LightGBM": (boosted.forecasts, "lightgbm")}


def score(series, parts):
    middle, low, high = (np.concatenate(column) for column in zip(*parts))
    truth = np.array(series.values[series.cut:])
    return {"mae": float(np.abs(middle - truth).mean()),
            "coverage": float(((low <= truth) & (truth <= high)).mean())}


def main(method, name, seed, folder):
    from importlib.metadata import version
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    (row,) = [row for row in data.rows() if row.name == name]
    run, package = METHODS[method]
    series = data.load(row, folder)
    settings, parts = run(series, series.cut, len(series.values), int(seed))
    print(json.dumps({**score(series, parts), "settings": settings, "version": f"{package} {version(package)}"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
