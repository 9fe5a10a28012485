"""LightGBM for series: the calendar of the time asked; in rolling rows also what is known at the origin."""

import itertools

import numpy as np

import series as data

SAMPLES = 150_000  # of (origin, time asked) to learn from
GRID = {"objective": ("l1", "l2"), "calendar": ("week", "year"), "relative": (False, True)}


def calendar(series, longest):
    """Minute of the day, weekday; up to the year also month and day of the year."""
    week = [(t.hour * 60 + t.minute, t.weekday()) for t in series.times]
    year = [(t.month, t.timetuple().tm_yday) for t in series.times]
    return np.hstack([week, year] if longest == "year" else [week]).astype(float)


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
    columns = [lag(asked - n * horizon) for n in (1, 2, 3, 7, 14)]
    columns += [asked - origin, *recent[[0, 1, 2, horizon // 4, horizon // 2]]]
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


def plain_tables(series, columns, begin, end):
    keys = np.array(series.keys, float)
    line = np.polyval(np.polyfit(keys[:begin], series.values[:begin], 1), keys)
    return columns[:begin], np.array(series.values[:begin]), line[:begin], columns[begin:end], line[begin:end]


def rolling_tables(series, columns, begin, end):
    keys, values = np.array(series.keys), gridded(series)

    def table(positions, origins):
        lags = known(series, values, keys[positions], origins)
        return np.hstack([lags, columns[positions]]), np.where(np.isnan(lags[:, 0]), lags[:, -2], lags[:, 0])

    positions, origins = samples(series, begin)
    parts = [(i, keys[first - 1]) for first, last in data.origins(series, begin, end) for i in range(first, last)]
    learn, base = table(positions, origins)
    ask, ask_base = table(*np.array(parts).T)
    usable = np.isfinite(base)
    return learn[usable], np.array(series.values)[positions][usable], base[usable], ask, np.nan_to_num(ask_base)


def tables(series, begin, end):
    """Of each calendar: features, values and bases to learn from; features and bases of what is asked. The base is what
    `relative` values are relative to: a straight line, in rolling rows the value a horizon ago."""
    make = rolling_tables if series.row.rolling else plain_tables
    return {name: make(series, calendar(series, name), begin, end) for name in GRID["calendar"]}


def boost(made, seed, objective, calendar, relative, **more):
    import lightgbm
    learn, truth, base, ask, ask_base = made[calendar]
    model = lightgbm.LGBMRegressor(objective=objective, num_leaves=31, n_estimators=200, learning_rate=0.05,
                                   subsample=0.8, subsample_freq=1, random_state=seed, n_jobs=1, verbose=-1, **more)
    model.fit(learn, truth - relative * base)
    return model.predict(ask) + relative * ask_base


def forecasts(series, begin, end, seed):
    cut, best = data.validation_cut(series), None
    made = tables(series, cut, begin)
    for choice in itertools.product(*GRID.values()):
        settings = dict(zip(GRID, choice))
        error = np.abs(boost(made, seed, **settings) - series.values[cut:begin]).mean()
        if best is None or error < best[0]:
            best = error, settings
    made, settings = tables(series, begin, end), best[1]
    bands = [{"objective": "quantile", "alpha": alpha} for alpha in (0.1, 0.9)]
    return settings, [[boost(made, seed, **{**settings, **more}) for more in ({}, *bands)]]
