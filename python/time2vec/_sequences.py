"""What the estimators of sequences have in common: from data to events, to a model, to predictions."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._estimator import Estimator, option_text
from ._columns import column_array, nanoseconds
from ._tables import (find_duckdb, is_path, is_table, number_array, own_options, resolved, sequences_table, series_table,
                      table_of)
from .model import Model

if TYPE_CHECKING:
    from typing_extensions import Self

#: The names of all options of reading and of training, as the command has them.
OPTION_NAMES = frozenset(option["name"] for option in json.loads(_core.option_table())) - {"threads"}

#: The part of the docstrings about data and options that is the same for all.
DATA_HELP = """
    Data
    ----
    X is one of

    - a table with one event a row: a frame of pandas or Polars (also a lazy one), a dict of columns, anything with
      ``__arrow_c_stream__`` (Arrow, DuckDB), or the path of a file that the command `t2v` reads (CSV, JSON lines).
      Columns are found by the names people use (user_id, time, event, value, ...), or named by `columns`, such as
      ``{{"id": "guest", "features": ["price"]}}``;
    - a list of sequences, each (times, events), or a frame or a dict of columns (time, event, value; all others are
      features), or a Series whose index has the times, or what happens at the times 0, 1, 2, ...: {plain} [steps],
      or numbers [steps, channels];
    - an array of numbers, [sequences, steps] or [sequences, steps, channels], at the times 0, 1, 2, ...

    What is said of sequences (y, predictions) is in the order in which they first come. Times are datetime64,
    timestamps, texts such as 2024-05-01T08:00:00Z, or numbers, exact to the nanosecond; see `time_unit` in `columns`
    for numbers, `timezone` for texts without an offset.
"""

PARAMETER_HELP = """
    Parameters
    ----------
    {own}time : how time is seen: t2v, t2v:k with k periodic terms, raw, log, calendar or none.
    time_input : which times, with commas: start, gap, query, until, since; 'auto' by what is predicted.
    cell : lstm, peephole, tlstm1, tlstm2, tlstm3, gru, phased, none; 'auto' by what is predicted.
    hidden : units of a layer; 0: by the number of events.
    layers : of the cell.
    epochs : at most; it ends by itself when the validation data are predicted no better.
    rate : learning rate.
    valid_share : of the data, split off for validation.
    seed : of all that is drawn at random.
    options : further options of `t2v train` by name, such as ``{{"unit": "h", "omega_init": "span"}}``.
    columns : names of columns of tables by role: id, time, event, value, label, features, sequence_features,
        categories; and other options of reading: time_unit (s, ms, us, ns since 1970, or number), timezone (of
        texts without an offset).
    threads : 0 for all cores. Results do not depend on it.
    callback : called after each epoch with a dict (epoch, loss, valid_loss, measure, rate, seconds, best);
        if it returns True, the training ends with the best so far.
"""

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
        """The events of X. In `fit` columns are found; later they are those that the model knows."""
        if isinstance(x, _core.EventSet):
            return x
        x, own = resolved(x, self._plain)
        if not is_path(x) and not is_table(x):
            x, own = self._own_table(x, fitting)
        options = {**own, **self._read_options(), **dict.fromkeys(hidden_roles, "-")}
        return self._event_set(x, options, fitting=fitting, label=label, target=target)

    def _event_set(self, x: Any, options: dict[str, Any], *, fitting: bool, label: Any = None,
                   target: Any = None) -> _core.EventSet:
        """The events of a file or a table, read by these options and, but in `fit`, by what the model knows."""
        model = None if fitting or not hasattr(self, "model_") else self.model_._core
        targets = "label" not in options or options["label"] != "-"
        if is_path(x):
            find_duckdb()
            return _core.EventSet.read(os.fspath(x), options, label, model, targets)
        return _core.EventSet(table_of(x), options, label, target, model, targets)

    def _read_options(self) -> dict[str, Any]:
        """The parameter `columns`."""
        return {name: value for name, value in (self.columns or {}).items() if value is not None}

    def _own_table(self, x: Any, fitting: bool) -> tuple[_core.Table, dict[str, Any]]:
        numbers = number_array(x)
        series = numbers is not None and (numbers.ndim == 3 or (numbers.ndim == 2 and self._plain == "value"))
        if numbers is not None and numbers.ndim < 2:
            raise _core.Error("X has one dimension, so it is no list of sequences. Reshape your data: one sequence is "
                              "X.reshape(1, -1), or [(times, events)] with its times")
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

    # --- from events to a model ---

    def _train(self, events: _core.EventSet) -> None:
        """Trains with the parameters that are options and differ from their defaults, then `options`."""
        given = {name: value for name, value in self.get_params().items()
                 if name in OPTION_NAMES and value != self._defaults()[name]}
        options = {"task": self._task, **given, **self._option_values(), **(self.options or {})}
        core, choices, remarks = _core.train(events, option_text(options), self.threads or 0,
                                             self.callback, None)
        self.model_ = Model(core)
        self.notes_ = [*choices, *remarks]

    def _option_values(self) -> dict[str, Any]:
        """Parameters whose values options have in another form."""
        return {}

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
        core = self.model_._core
        if not self.model_.times["instants"]:
            return [core.tick_of(str(x)) for x in array.tolist()], False
        if array.dtype.kind not in "mM":
            raise _core.Error("the model was trained on dates; give `at` as datetime64, timedelta64 or text")
        return [int(tick) for tick in nanoseconds(array)], array.dtype.kind == "m"

    def _text_ticks(self, texts: list[str]) -> tuple[list[int], bool]:
        after_last = {text.startswith("+") for text in texts}
        if len(after_last) > 1:
            raise _core.Error("`at` has times and durations; give one kind")
        core = self.model_._core
        return [core.span_of(text) if True in after_last else core.tick_of(text) for text in texts], True in after_last

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
        self.model_.write(path)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Reads a model file that `save` or the command `t2v train` wrote. Parameters are those that its training
        settled on; classes and types of events that are whole numbers are whole numbers again."""
        model = Model.read(os.fspath(path))
        if model.task not in cls._tasks():
            raise _core.Error(f"{path}: the model's task is '{model.task}', so it is no {cls.__name__}; use "
                              "time2vec.load")
        settled = {name.replace("-", "_"): value for name, value in model.options.items()}
        estimator = cls(**{name: settled[name] for name in cls._parameter_names() if name in settled})
        estimator.model_ = model
        estimator.notes_ = []
        estimator._restore()
        return estimator

    @classmethod
    def _tasks(cls) -> tuple[str, ...]:
        return (cls._task,)

    def _restore(self) -> None:
        """Sets what else `fit` would have set."""


def named_classes(names: list[str]) -> np.ndarray:
    """Names of classes; whole numbers where all are such."""
    whole = all(re.fullmatch(r"0|-?[1-9][0-9]{0,17}", name) for name in names)
    return np.array([int(name) for name in names] if whole and names else names)
