"""Events as they come."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _core
from ._sequences import SequenceEstimator
from .model import Model

__all__ = ["Stream"]


class Stream:
    """Predicts from events as they come, of many sequences in any mixture, as a batch of them would be predicted.

    `model`: a `Model`, a fitted estimator or the path of a model file. At most `max_sequences` are kept: of more, the
    one idle for longest makes room. `top`: how many classes or types a prediction names. `late`: what to do with an
    event that is earlier than the last one of its sequence, 'drop' or 'keep'. For one thread at a time.

    >>> import time2vec
    >>> weeks = [(["work"] * 5 + ["rest"] * 2) * 4] * 20
    >>> stream = time2vec.Stream(time2vec.NextEvent(hidden=16, epochs=20).fit(weeks), top=1)
    >>> for day in range(5):
    ...     said = stream.push("me", day, "work")
    >>> said["next"][0]["event"]
    'rest'
    """

    def __init__(self, model: Any, *, max_sequences: int = 100_000, top: int = 5, late: str = "drop"):
        if isinstance(model, SequenceEstimator):
            model._check_fitted()
            model = model.model_
        if not isinstance(model, Model):
            model = Model.read(model)
        if late not in ("drop", "keep"):
            raise _core.Error(f"late is 'drop' or 'keep', not '{late}'")
        self.model = model
        self._core = _core.Stream(model._core, max_sequences, top, late == "keep")

    def push(self, id: Any, time: Any, event: Any = "", *, at: Any = None, **features: Any) -> dict[str, Any] | None:
        """Takes an event; returns what the model says then, if it says something: next, class, value, when.

        `at`: the time of the next event, for a model that knows the query time. Features by their names.
        """
        cells = {name: float(x) if isinstance(x, (int, float, np.number)) else str(x) for name, x in features.items()
                 if x is not None}
        asked = None if at is None else self._time(at)
        said = self._core.push(str(id), self._time(time), _type_name(event), cells, asked)
        return None if said is None else json.loads(said)

    def ask(self, id: Any, at: Any) -> dict[str, Any] | None:
        """What comes at a time in a known sequence, for a model that knows the query time."""
        said = self._core.ask(str(id), self._time(at))
        return None if said is None else json.loads(said)

    def _time(self, time: Any) -> int | str:
        times = self.model.times
        if isinstance(time, str):
            return time
        if times["instants"]:
            if isinstance(time, (int, float, np.number)):
                return str(time)
            from ._columns import column_array, nanoseconds

            one = column_array([time])
            if one.dtype.kind != "M":
                raise _core.Error(f"the time {time!r} is no date")
            return int(nanoseconds(one)[0])
        return str(time)

    @property
    def sequences(self) -> int:
        """How many are kept."""
        return self._core.sequences

    @property
    def features(self) -> list[str]:
        """The names of the features that an event has beside its type."""
        return self._core.columns

    def counts(self) -> dict[str, int]:
        """What came: events, predictions, late ones, unknown types, sequences that made room."""
        return self._core.counts()

    def save(self, path: Any) -> None:
        """Writes the states of all sequences, to go on from."""
        self._core.save(os.fspath(path))

    def restore(self, path: Any) -> None:
        """Goes on from what `save` wrote with the same model; before the first event."""
        self._core.restore(os.fspath(path))


def _type_name(event: Any) -> str:
    """A type of events as tables of numbers name it: 3 and 3.0 are '3'."""
    if isinstance(event, (bool, np.bool_, int, np.integer)):
        return str(int(event))
    if isinstance(event, (float, np.floating)) and float(event).is_integer():
        return str(int(event))
    return str(event)
