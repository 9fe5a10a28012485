"""LightGBM for series: the calendar of the time asked; in rolling rows also what is known at the origin."""

import itertools

import numpy as np

import series as data

SAMPLES = 150_000  # of (origin, time asked) to learn from
GRID = {"objective": ("l1", "l2"), "num_leaves": (15, 63), "trend": (False, True)}


def calendar(series):
    return np.array([(t.hour * 60 + t.minute, t.weekday(), t.timetuple().tm_yday, t.month, t.weekday() * 1440 +
                      t.hour * 60 + t.minute) for t in series.times], float)


def gridded(series):
    values = np.full(series.keys[-1] + 1, np.nan)
    values[series.keys] = series.values
    return values


def known(series, values, asked, origin):
    """Columns known at `origin`, the last key that is seen, of the keys asked: lead, lags by whole horizons that are
    past, the last values, level and spread of the last horizon."""
    horizon = series.row.horizon
    lag = lambda keys: np.where(keys >= 0, values[np.maximum(keys, 0)], np.nan)
    recent = np.stack([lag(origin - back) for back in range(horizon)])
    columns = [asked - origin, *(lag(asked - n * horizon) for n in (1, 2, 3, 7, 14)), recent[0], recent[1]]
    with np.errstate(all="ignore"):
        return np.stack([*columns, np.nanmean(recent, 0), np.nanstd(recent, 0)], 1)


def samples(series, begin):
    """(positions of the values asked, keys of their origins) to learn from."""
    horizon = series.row.horizon
    keys = np.array(series.keys[:begin])
    stride = max(1, begin * horizon // SAMPLES)
    where = np.full(keys[-1] + 1, -1)
    where[keys] = np.arange(begin)
    origins = np.arange(horizon, keys[-1] - horizon, stride)
    asked = (origins[:, None] + np.arange(1, horizon + 1)).ravel()
    positions, origins = where[asked], np.repeat(origins, horizon)
    return positions[positions >= 0], origins[positions >= 0]


def tables(series, begin, end):
    """Features and values to learn from, features of what is asked."""
    columns, values = calendar(series), np.array(series.values)
    if not series.row.rolling:
        return columns[:begin], values[:begin], np.arange(begin), columns[begin:end]
    keys, line = np.array(series.keys), gridded(series)
    positions, origins = samples(series, begin)
    learn = np.hstack([columns[positions], known(series, line, keys[positions], origins)])
    parts = [(i, keys[first - 1]) for first, last in data.origins(series, begin, end) for i in range(first, last)]
    asked = np.array(parts)
    ask = np.hstack([columns[asked[:, 0]], known(series, line, keys[asked[:, 0]], asked[:, 1])])
    return learn, values[positions], positions, ask


def boost(made, series, begin, end, seed, objective, num_leaves, trend, **more):
    import lightgbm
    learn, truth, positions, ask = made
    keys = np.array(series.keys, float)
    slope = np.polyfit(keys[:begin], series.values[:begin], 1) if trend else np.zeros(2)
    model = lightgbm.LGBMRegressor(objective=objective, num_leaves=num_leaves, n_estimators=200, learning_rate=0.05,
                                   subsample=0.8, subsample_freq=1, random_state=seed, n_jobs=1, verbose=-1, **more)
    model.fit(learn, truth - np.polyval(slope, keys[positions]))
    return model.predict(ask) + np.polyval(slope, keys[begin:end])


def forecasts(series, begin, end, seed):
    cut = data.validation_cut(series)
    made, best = tables(series, cut, begin), None
    for choice in itertools.product(*GRID.values()):
        settings = dict(zip(GRID, choice))
        error = np.abs(boost(made, series, cut, begin, seed, **settings) - series.values[cut:begin]).mean()
        if best is None or error < best[0]:
            best = error, settings
    made, settings = tables(series, begin, end), best[1]
    middle = boost(made, series, begin, end, seed, **settings)
    band = [boost(made, series, begin, end, seed, **{**settings, "objective": "quantile"}, alpha=a) for a in (0.1, 0.9)]
    return settings, [[middle, *band]]
