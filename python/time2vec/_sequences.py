"""What the estimators of sequences have in common: from data to events, to a model, to predictions."""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._estimator import Estimator, plain_number
from ._tables import column_array, is_path, is_table, number_array, own_options, sequences_table, series_table, table_of
from .model import Model

if TYPE_CHECKING:
    from typing_extensions import Self

#: The part of the docstrings about data and options that is the same for all.
DATA_HELP = """
    Data
    ----
    X is one of

    - a table with one event a row: a frame of pandas, a dict of columns, anything with ``__arrow_c_stream__``
      (Arrow, Polars, DuckDB), or the path of a file that the command `t2v` reads (CSV, JSON lines). Columns are
      found by the names people use (user_id, time, event, value, ...), or named by `columns`, such as
      ``{{"id": "guest", "features": ["price"]}}``;
    - a list of sequences, each (times, events), or a dict of columns (time, event, value; all others are
      features), or what happens at the times 0, 1, 2, ...: {plain} [steps], or numbers [steps, channels];
    - an array of numbers, [sequences, steps] or [sequences, steps, channels], at the times 0, 1, 2, ...

    What is said of sequences (y, predictions) is in the order in which they first come. Times are datetime64,
    timestamps, texts such as 2024-05-01T08:00:00Z, or numbers, exact to the nanosecond; see `time_unit` in `columns`
    for numbers, `timezone` for texts without an offset.
"""

PARAMETER_HELP = """
    Parameters
    ----------
    {own}time : how time is seen: t2v, t2v:k with k periodic terms, raw, log, calendar or none.
    time_input : which times, with commas: start, gap, query, until; 'auto' by what is predicted.
    cell : lstm, peephole, tlstm1, tlstm2, tlstm3, gru, phased, none; 'auto' by what is predicted.
    hidden : units of a layer; 0: by the number of events.
    layers : of the cell.
    epochs : at most; it ends by itself when the validation data are predicted no better.
    rate : learning rate.
    valid_share : of the data, split off for validation.
    seed : of all that is drawn at random.
    options : further options of `t2v train` by name, such as ``{{"unit": "h", "omega_init": "span"}}``.
    columns : names of columns of tables by role: id, time, event, value, label, features, sequence_features,
        categories; and time_unit (s, ms, us, ns since 1970, or number), timezone (of texts without an offset).
    threads : 0 for all cores. Results do not depend on it.
    callback : called after each epoch with a dict (epoch, loss, valid_loss, measure, rate, seconds, best);
        if it returns True, the training ends with the best so far.
"""

#: Options about the data that are no options of a training.
_DATA_OPTIONS = {"unit": "auto", "origin": "auto", "vocabulary": 0, "unknown": "if-needed"}


class SequenceEstimator(Estimator):
    """Fits a model of one task to events."""

    #: What numbers without a name are, in a list of sequences.
    _plain = "value"
    #: The task of `t2v train`.
    _task = ""

    # --- what each of them does in its own way ---

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns from sequences; returns itself."""
        raise NotImplementedError

    def predict(self, X: Any) -> np.ndarray:
        """What is most probable for each sequence, or for each row."""
        raise NotImplementedError

    def score(self, X: Any, y: Any = None) -> float:
        """How good predictions are: accuracy, recall or R²; 1 is best."""
        raise NotImplementedError

    # --- from data to events ---

    def _events(self, x: Any, *, fitting: bool, label: Any = None, target: Any = None,
                hidden_roles: tuple[str, ...] = ()) -> _core.EventSet:
        """The events of X. In `fit` columns are found; later they are those that were found then."""
        if isinstance(x, _core.EventSet):
            return x
        if is_path(x) or is_table(x):
            options = self._table_options(fitting)
        else:
            table, options = self._own_table(x, fitting)
        options = {**options, **self._time_options(fitting), **dict.fromkeys(hidden_roles, "-")}
        if is_path(x):
            return _core.EventSet.read(os.fspath(x), options, label)
        return _core.EventSet(table_of(x) if is_table(x) else table, options, label, target)

    def _own_table(self, x: Any, fitting: bool) -> tuple[_core.Table, dict[str, Any]]:
        numbers = number_array(x)
        series = numbers is not None and (numbers.ndim == 3 or (numbers.ndim == 2 and self._plain == "value"))
        if numbers is not None and numbers.ndim < 2:
            raise _core.Error("X has one dimension, so it is no list of sequences. Reshape your data: one sequence is "
                              "X.reshape(1, -1)")
        if numbers is not None:
            self._check_rectangle(numbers, fitting)
        if not series:
            table, names = sequences_table(x, self._plain)
            return table, own_options(names)
        self._check_n_features(numbers.shape[-1])
        table, names = series_table(numbers)
        return table, own_options(names)

    def _check_rectangle(self, numbers: np.ndarray, fitting: bool) -> None:
        """That there is something in a rectangle of numbers; `fit` keeps how wide it was."""
        if numbers.shape[0] == 0:
            raise _core.Error(f"Found array with 0 sample(s) (shape={numbers.shape}) while a minimum of 1 is required.")
        if numbers.shape[1] == 0 or numbers.shape[-1] == 0:
            raise _core.Error(f"0 feature(s) (shape={numbers.shape}) while a minimum of 1 is required.")
        if fitting:
            self.n_features_in_ = numbers.shape[-1]

    def _time_options(self, fitting: bool) -> dict[str, Any]:
        """How times are read: as `columns` says, else as those of the training were."""
        data = {} if fitting else self.model_.training.get("data") or {}
        known = {**data, **(self.columns or {})}
        options = {name: known[name] for name in ("time_unit", "timezone") if known.get(name)}
        if not fitting and not self.model_.times["instants"]:
            options["least_decimals"] = self.model_.times["decimals"]
        return options

    def _table_options(self, fitting: bool) -> dict[str, Any]:
        options = dict(self.columns or {})
        if not fitting:
            options = {**getattr(self, "_found_columns", self._columns_of_training()), **options}
        for name in ("features", "sequence_features", "categories"):
            if isinstance(options.get(name), str):
                options[name] = [options[name]]
        return options

    def _columns_of_training(self) -> dict[str, Any]:
        """What a model file says about the columns of its table."""
        data = self.model_.training.get("data") or {}
        columns = {role: name for role, name in (data.get("columns") or {}).items()}
        encoding = self.model_._about["encoding"]
        for role in ("", "sequence_"):
            numbers = [feature["name"] for feature in encoding.get(role + "numbers", [])]
            names = [feature["name"] for feature in encoding.get(role + "categories", [])]
            if numbers or names:
                columns[role + "features"] = numbers + names
                columns["categories"] = columns.get("categories", []) + names
        return columns

    # --- from events to a model ---

    def _train(self, events: _core.EventSet, **task_options: Any) -> None:
        options = {"task": self._task, "time": self.time, "time_input": self.time_input, "cell": self.cell,
                   "hidden": self.hidden, "layers": self.layers, "epochs": self.epochs, "rate": self.rate,
                   "valid_share": self.valid_share, "seed": self.seed, **task_options, **(self.options or {})}
        data_options = {name: options.pop(name, default) for name, default in _DATA_OPTIONS.items()}
        options = {name.replace("_", "-"): value for name, value in options.items()}
        core, choices, remarks = _core.train(events, json.dumps(options, default=plain_number), **data_options,
                                             threads=self.threads or 0, callback=self.callback, init=None)
        self.model_ = Model(core)
        self.notes_ = [*choices, *remarks]
        self._found_columns = {**self._columns_of_training(), **events.columns, **(self.columns or {})}

    @property
    def history_(self) -> list[dict[str, Any]]:
        """What came of each epoch."""
        self._check_fitted()
        return self.model_.training["epochs"]

    # --- from a model to predictions ---

    def _predict(self, events: _core.EventSet, *, top: int = 1, at: Any = None,
                 every_event: bool = False) -> dict[str, np.ndarray]:
        if at is None and not every_event and self._needs_time():
            raise _core.Error("the model needs the time of the event it predicts; give it with at: a time, a timedelta "
                              "after the last event of each sequence, or a text such as at='+1 d'")
        ticks, after_last = ([], False) if at is None else self._ticks(at)
        return self.model_._core.predict(events, top, ticks, after_last, every_event, self.threads or 0)

    def _needs_time(self) -> bool:
        """Whether what comes next is predicted for a time that must be known."""
        inputs = {time["input"] for time in self.model_.config["times"]}
        return self.model_.task in ("next", "recommend", "forecast") and bool(inputs & {"query", "until"})

    def _ticks(self, at: Any) -> tuple[list[int], bool]:
        """Times, or durations after the last event (timedelta, '+1 d'), in ticks of the model's data."""
        array = column_array(at if np.ndim(at) else [at])
        if array.dtype.kind in "UO" and all(isinstance(cell, str) for cell in array):
            return self._text_ticks(array.tolist())
        times = self.model_.times
        if not times["instants"]:
            return [_decimal_ticks(x, times["decimals"]) for x in array.tolist()], False
        if array.dtype.kind not in "mM":
            raise _core.Error("the model was trained on dates; give `at` as datetime64, timedelta64 or text")
        array = array.astype(f"{array.dtype.kind}8[ns]")
        return [int(tick) for tick in array.view(np.int64)], array.dtype.kind == "m"

    def _text_ticks(self, texts: list[str]) -> tuple[list[int], bool]:
        after_last = {text.startswith("+") for text in texts}
        if len(after_last) > 1:
            raise _core.Error("`at` has times and durations; give one kind")
        if True not in after_last:
            return [self.model_._core.tick_of(text) for text in texts], False
        times = self.model_.times
        if times["instants"]:
            return [_duration(text) for text in texts], True
        return [self.model_._core.tick_of(text[1:]) for text in texts], True

    def _probabilities(self, predictions: dict[str, np.ndarray], count: int) -> np.ndarray:
        result = np.zeros((len(predictions["sequence"]), count))
        codes = predictions["code"]
        rows = np.arange(len(codes))[:, None].repeat(codes.shape[1], axis=1)
        known = codes >= 0
        result[rows[known], codes[known]] = predictions["probability"][known]
        return result / result.sum(axis=1, keepdims=True)

    def states(self, X: Any) -> np.ndarray:
        """The hidden state after the last event of each sequence, [sequences, hidden]."""
        self._check_fitted()
        return self.model_._core.states(self._events_to_predict(X), self.threads or 0)

    def evaluate(self, X: Any, y: Any = None, *, at: tuple[int, ...] = ()) -> dict[str, Any]:
        """All measures on X beside those of simple rules, as `t2v evaluate --json` has them."""
        self._check_fitted()
        return json.loads(self.model_._core.evaluate(self._events_to_score(X, y), list(at), self.threads or 0))

    def ids(self, X: Any) -> list[str]:
        """The ids of the sequences of X, in the order of predictions."""
        self._check_fitted()
        return self._events_to_predict(X).ids

    def _events_to_predict(self, x: Any) -> _core.EventSet:
        return self._events(x, fitting=False, hidden_roles=("label", "target"))

    def _events_to_score(self, x: Any, y: Any) -> _core.EventSet:
        return self._events_to_predict(x)

    # --- files ---

    def save(self, path: Any) -> None:
        """Writes a model file, which `time2vec.load` and the command `t2v` read."""
        self._check_fitted()
        self.model_._set_record("python", self._record())
        self.model_.write(path)

    def _record(self) -> dict[str, Any]:
        params = {name: value for name, value in self.get_params().items() if name != "callback"}
        return {"estimator": type(self).__name__, "params": json.loads(json.dumps(params, default=plain_number)),
                "n_features_in": getattr(self, "n_features_in_", None)}

    @classmethod
    def load(cls, path: Any) -> Self:
        """Reads a model file that `save` or the command `t2v train` wrote."""
        model = Model.read(os.fspath(path))
        if model.task not in cls._tasks():
            raise _core.Error(f"{path}: the model's task is '{model.task}', so it is no {cls.__name__}; use "
                              "time2vec.load")
        record = model.training.get("python") or {}
        params = record.get("params") or {}
        estimator = cls(**{name: params[name] for name in cls._parameter_names() if name in params})
        estimator.model_ = model
        estimator.notes_ = []
        if record.get("n_features_in") is not None:
            estimator.n_features_in_ = record["n_features_in"]
        estimator._restore(record)
        return estimator

    @classmethod
    def _tasks(cls) -> tuple[str, ...]:
        return (cls._task,)

    def _restore(self, record: dict[str, Any]) -> None:
        """Sets what else `fit` would have set."""


def _duration(text: str) -> int:
    """'+1 d' in nanoseconds."""
    match = re.fullmatch(r"\+ *([0-9]+(?:\.[0-9]*)?|\.[0-9]+) *(s|min|h|d|w)", text)
    if match is None:
        raise _core.Error(f"at={text!r} is not a duration; write a number and s, min, h, d or w, such as '+1 d'")
    seconds = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}[match[2]]
    return round(Fraction(match[1]) * seconds * 10**9)


def _decimal_ticks(number: Any, decimals: int) -> int:
    """A plain number in ticks of 10^-decimals, rounded to the nearest."""
    return round(Fraction(str(number)) * 10**decimals)
