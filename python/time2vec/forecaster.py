"""Values over time."""

from __future__ import annotations

import datetime
import json
import os
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _core
from ._columns import add_column, column_array, duration_text, is_series
from ._estimator import one_dimension
from ._sequences import PARAMETER_HELP, SequenceEstimator
from ._outputs import as_output, check_output
from ._tables import TIME, VALUE, is_path, is_table, number_array, readable_again, resolved, table_of

if TYPE_CHECKING:
    from typing_extensions import Self

_OWN = """horizon : how far ahead values will be asked for: a duration such as '7d', a timedelta, or a number for plain
        times; 'auto': a day, a week or a year, the first that has several steps.
    quantiles : of the values to come, given beside them by `forecast`.
    task : 'forecast': the values to come of each series, fitted in closed form. 'regress': a value is a function of
        its time and features, learned by a network. 'auto': forecast, unless there are features or a parameter of the
        network is given.
    """

#: Parameters that only a network has.
_NETWORK = ("time", "time_input", "cell", "hidden", "layers", "epochs", "rate", "callback")


class Forecaster(SequenceEstimator):
    __doc__ = """Predicts values at times to come: cycles, trends, and what the last values say.

    Data
    ----
    X and y are one of

    - times and their values: columns of pandas, Polars, Arrow or NumPy, or lists, such as df.timestamp and df.value; or
      times and features, [n, 1 + features];
    - a Series of pandas whose index has the times, without y;
    - a table with a row for each value, without y: a frame of pandas or Polars (also a lazy one), an Arrow table, a dict
      of columns, anything else with ``__arrow_c_stream__``, or the path of a file. Its columns are found by their
      usual names (time, value, and for several series an id) or named by `columns`.

    Times are dates of any kind or numbers, exact to the nanosecond.
""" + PARAMETER_HELP.format(own=_OWN) + """
    Attributes
    ----------
    model_ : the trained `Model`. notes_ : what was decided, and what is worth knowing.

    >>> import numpy as np, time2vec
    >>> days = np.arange("2023-01-01", "2023-08-01", dtype="datetime64[D]")
    >>> values = 0.01 * np.arange(len(days)) + np.sin(2 * np.pi * np.arange(len(days)) / 7)
    >>> model = time2vec.Forecaster(horizon="28d").fit(days[:160], values[:160])
    >>> model.score(days[160:], values[160:]) > 0.9
    True
    >>> sorted(model.forecast(horizon="3d"))
    ['p10', 'p50', 'p90', 'time', 'value']
    """

    _kind = "regressor"

    def __init__(self, *, horizon: Any = "auto", quantiles: tuple[float, ...] = (0.1, 0.5, 0.9), task: str = "auto",
                 time: str = "auto", time_input: str = "auto", cell: str = "auto", hidden: int = 0, layers: int = 1,
                 epochs: int = 300, rate: float = 3e-3, valid_share: float = 0.1, seed: int = 1,
                 options: dict[str, Any] | None = None, columns: dict[str, Any] | None = None, threads: int = 0,
                 callback: Callable[[dict[str, Any]], Any] | None = None):
        self._keep(locals())

    @property
    def _task(self) -> str:  # type: ignore[override]
        if self.task not in ("auto", "regress", "forecast"):
            raise _core.Error(f"the task of a Forecaster is auto, regress or forecast, not '{self.task}'")
        if self.task != "auto":
            return self.task
        given = set(self.options or {}) | {name for name in _NETWORK if getattr(self, name) != self._defaults()[name]}
        has_features = getattr(self, "n_features_in_", 1) > 1 or bool((self.columns or {}).get("features"))
        return "regress" if given or has_features else "forecast"

    @classmethod
    def _tasks(cls) -> tuple[str, ...]:
        return ("regress", "forecast")

    def _option_values(self) -> dict[str, Any]:
        """The horizon as the options have it."""
        return {} if self.horizon == "auto" else {"horizon": duration_text(self.horizon)}

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns from times and their values: y, or else the column of values of a table."""
        self._known = self._valued(X, y, fitting=True)
        self._train(self._known)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_known"}

    def predict(self, X: Any, *, at: Any = None) -> np.ndarray:
        """The value at each row of X: a forecast as known before its time from the series that were learned from. With
        `at`, X holds the known values, and `at` says when the next one is: a time, or a timedelta after the last one of
        each series; [series], or with several [series, times].
        """
        self._check_fitted()
        if at is not None:
            if self.model_.task != "forecast":
                raise _core.Error("`at` is for the task 'forecast'; give the times as X")
            values = self._predict(self._valued(X, None, fitting=False), at=at)["value"]
            return values if np.ndim(at) == 0 else values.reshape(-1, len(at))
        if self.model_.task == "forecast" and not self.model_.forecasts:
            raise _core.Error("a forecast of the next value is of a time; give `at`, a time or a timedelta after the "
                              "last value")
        if _is_one_time(X):
            X = [X]
        events = self._valued(X, None, fitting=False, with_values=False)
        result = np.empty(events.size)
        if self.model_.task == "forecast":
            result[events.row_of] = _core.forecast_rows(self.model_._core, self._known_series(None), events)
        else:
            result[events.row_of] = self._predict(events, every_event=True)["value"]
        return result

    def forecast(self, X: Any = None, *, horizon: Any = None, every: Any = None, at: Any = None,
                 output: str = "numpy") -> Any:
        """The values to come of each series, as columns: id (of several series), time, value and the quantiles.

        X : the known values; if not given, those of `fit`. horizon, every : until when, and how far apart; if not
        given, as in training. at : times instead, or durations after the last value. output : "arrow" for an Arrow
        table of these columns, "frame" for a frame of the kind of X.
        """
        self._check_fitted()
        check_output(output)
        known = self._known_series(X)
        ticks, after_last = ([], False) if at is None else self._ticks(at)
        core = self.model_._core
        spans = [0 if span is None else core.span_of("+" + duration_text(span)) for span in (horizon, every)]
        said = _core.forecast(core, known, ticks, after_last, *spans, list(self.quantiles), self.threads or 0)
        columns = {"time": self._times_of(said["tick"]), "value": said["value"]}
        if known.sequences > 1:
            columns = {"id": np.asarray(known.ids)[said["sequence"]], **columns}
        for i, share in enumerate(self.quantiles):
            columns[f"p{100 * share:.6g}"] = said["quantiles"][:, i]
        return columns if output == "numpy" else as_output(columns, output, X)

    def backtest(self, X: Any = None, y: Any = None) -> dict[str, Any]:
        """Measures of rolling forecasts beside simple rules, as `t2v evaluate --backtest --json` has them: after the
        data that were learned from, if X goes beyond them, else on the last fifth by a model fitted anew to the rest.
        """
        self._check_fitted()
        known = self._known_series(None) if X is None else self._valued(X, y, fitting=True)
        return json.loads(_core.backtest(self.model_._core, known, True, self.threads or 0))

    def _known_series(self, x: Any) -> _core.EventSet:
        """The values that are known: those of X, or those of `fit`."""
        if x is not None:
            return self._valued(x, None, fitting=False)
        if not hasattr(self, "_known"):
            raise _core.Error("the series that were learned from are not kept in a file; give the known values as X")
        return self._known

    def _times_of(self, ticks: np.ndarray) -> np.ndarray:
        times = self.model_.times
        return ticks.view("datetime64[ns]") if times["instants"] else ticks / 10.0 ** times["decimals"]

    def score(self, X: Any, y: Any = None) -> float:
        """R²: one less the share of the values' variance that is not explained."""
        self._check_fitted()
        if self.model_.task == "forecast" and not self.model_.forecasts:
            return 1 - float(self.evaluate(X, y)["values"]["model"]["variance_left"])
        if y is None:
            X = readable_again(X)
            events = self._valued(X, None, fitting=True)
            y = np.empty(events.size)
            y[events.row_of] = events.values
        y = np.asarray(y, dtype=np.float64).ravel()
        error, spread = np.sum((y - self.predict(X)) ** 2), np.sum((y - y.mean()) ** 2)
        return float(1 - error / spread) if spread > 0 else float(error == 0)

    def _events_to_predict(self, x: Any) -> _core.EventSet:
        return self._valued(x, None, fitting=False)

    def _events_to_score(self, x: Any, y: Any) -> _core.EventSet:
        return self._valued(x, y, fitting=True)

    def _valued(self, x: Any, y: Any, fitting: bool, with_values: bool = True) -> _core.EventSet:
        """The events of X with values y; later without, where they are what is predicted."""
        hidden = ["label", "target", "event"]
        if not fitting and (self.model_.task == "regress" or not with_values):
            hidden.append("value")
        if isinstance(x, _core.EventSet):
            return x
        x, known = (x, {}) if y is not None and is_series(x) else resolved(x)
        options = {**known, **self._read_options(), **dict.fromkeys(hidden, "-")}
        if is_path(x):
            if y is not None:
                raise _core.Error("the values of a file are in one of its columns; leave y out, or read the file first")
            return self._event_set(x, options, fitting=fitting)
        if is_table(x):
            table = table_of(x)
            if y is not None:
                options["value"] = _new_name(table.names)
        else:
            table, roles = self._times_table(x, fitting)
            if fitting and y is None:
                raise _core.Error("requires y to be passed, but the target y is None; give the values of the "
                                  "times, or a Series whose index has the times")
            options = {**roles, **options, "value": VALUE if y is not None else "-"}
        if y is not None:
            add_column(table, options["value"], _checked_values(y, table.rows))
        return self._event_set(table, options, fitting=fitting)

    def _times_table(self, x: Any, fitting: bool) -> tuple[_core.Table, dict[str, Any]]:
        """Times, or times and numbers beside them."""
        numbers = number_array(x)
        array = column_array(x) if numbers is None else numbers
        if array.ndim not in (1, 2):
            raise _core.Error(f"X has {array.ndim} dimensions; it is times, or times and features")
        columns = array[:, None] if array.ndim == 1 else array
        if columns.shape[1] == 0:
            raise _core.Error(f"0 feature(s) (shape={columns.shape}) while a minimum of 1 is required.")
        if len(columns) == 0:
            raise _core.Error("Found array with 0 sample(s) while a minimum of 1 is required.")
        if fitting:
            self.n_features_in_ = columns.shape[1]
        self._check_n_features(columns.shape[1])
        table = _core.Table()
        add_column(table, TIME, np.ascontiguousarray(columns[:, 0]))
        names = [f"x{i}" for i in range(1, columns.shape[1])]
        for i, name in enumerate(names):
            if not np.isfinite(columns[:, i + 1]).all():
                raise _core.Error(f"the feature {name} has NaN or infinity (inf)")
            add_column(table, name, np.ascontiguousarray(columns[:, i + 1]))
        options: dict[str, Any] = {"id": "-", "time": TIME, "features": names}
        return table, options


def _is_one_time(x: Any) -> bool:
    """Whether it is a time, and not the path of a file either."""
    if isinstance(x, str) and not os.path.exists(x):
        try:
            return bool(_core.read_dates([x]).size)
        except _core.Error:
            return False
    return isinstance(x, (int, float, np.number, np.datetime64, datetime.date))


def _new_name(names: list[str]) -> str:
    name = VALUE
    while name in names:
        name += "_"
    return name


def _checked_values(y: Any, rows: int) -> np.ndarray:
    values = one_dimension(column_array(y))
    if values.ndim != 1 or len(values) != rows:
        raise _core.Error(f"y has the shape {np.shape(y)}; give one value for each of {rows} rows")
    try:
        if values.dtype.kind in "mMc":
            raise TypeError
        values = values.astype(np.float64)
    except (TypeError, ValueError):
        raise _core.Error(f"y is of the type {values.dtype}, such as {values[0]}, where numbers are needed") from None
    if not np.isfinite(values).all():
        raise _core.Error("Input y contains NaN or infinity (inf)")
    return values
