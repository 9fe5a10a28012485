"""What happens next: the type of the next event, or the next item."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _core
from ._outputs import as_output, check_output, repeated
from ._sequences import DATA_HELP, PARAMETER_HELP, SequenceEstimator, named_classes

if TYPE_CHECKING:
    from typing_extensions import Self

_OWN = """query_time : whether the time of the event to be predicted is known: `predict` then needs `at`.
    when : whether to predict also when the next event comes (`predict_when`).
    vocab : how many types to tell apart, the most frequent ones; 0: {all}.
    unknown : a place in the model for types that it has not met: 'if-needed', 'always' or 'never'. Without one,
        new types are an error.
    """


def _typed(names: list[str], dtype: str) -> np.ndarray:
    """Names of types as they were given: numbers where those were numbers, of that dtype."""
    if not dtype:
        return np.array(names)
    return np.array([float(name) if np.dtype(dtype).kind == "f" else int(name) for name in names]).astype(dtype)


class _NextType(SequenceEstimator):
    """Types of next events, out of few or many."""

    _plain = "event"

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns from sequences; y is not looked at."""
        events = self._events(X, fitting=True, hidden_roles=("label", "target"))
        self._train(events)
        self.classes_ = _typed(self.model_.event_types, events.event_type)
        return self

    def _events(self, x: Any, **how: Any) -> _core.EventSet:
        events = super()._events(x, **how)
        if events.lacks_events:
            raise _core.Error("an event has no type (it is None, NaN or an empty text); leave such events out, or name "
                              "what they are")
        return events

    def predict_proba(self, X: Any, *, at: Any = None) -> np.ndarray:
        """The probability of each type, [sequences, types], as the next event of each sequence.

        `at`: when it comes, for a model that knows the query time, and if wanted for one with `when`: a time, or a
        timedelta after the last event of each sequence. With several, [sequences, times, types].
        """
        self._check_fitted()
        predictions = self._predict(self._events_to_predict(X), top=len(self.classes_), at=at)
        result = self._probabilities(predictions, len(self.classes_))
        return result if np.ndim(at) == 0 else result.reshape(-1, len(at), len(self.classes_))

    def predict_when(self, X: Any) -> dict[str, np.ndarray]:
        """The time until the next event of each sequence, in the model's unit: quantiles p10, median, p90, and the
        mean, which may be infinite. Of dates also `p10_at`, `median_at`, `p90_at` and `mean_at`, as datetime64. For a
        model with `when`."""
        self._check_fitted()
        predictions = self._predict(self._events_to_predict(X))
        if "when" not in predictions:
            raise _core.Error("the model does not say when; fit it with when=True")
        named = dict(zip(("p10", "median", "p90", "mean"), predictions["when"].T))
        for name, dates in zip(tuple(named), predictions["dates"].T if "dates" in predictions else ()):
            named[name + "_at"] = dates.view("datetime64[ns]")
        return named

    def predict_ahead(self, X: Any, *, events: int = 0, horizon: Any = None, samples: int = 100,
                      seed: int = 1) -> list[dict[str, Any]]:
        """What may come after each sequence, for a model with `when`: continuations are drawn, so many `samples`, up to
        so many `events` or up to a `horizon` after the last event ('+7 d', a timedelta, or a number for plain times).

        For each sequence a dict, as `t2v predict --events` writes it: `expected` events, of `types` how many are
        expected, how probable one is and when the first comes, and which come `next`.
        """
        self._check_fitted()
        ticks = 0 if horizon is None else self._horizon_ticks(horizon)
        lines = self.model_._core.continue_events(self._events_to_predict(X), events, ticks, samples, seed,
                                                  self.threads or 0)
        return [json.loads(line) for line in lines]

    def _horizon_ticks(self, horizon: Any) -> int:
        if isinstance(horizon, str):
            return int(self.model_._core.span_of(horizon if horizon.startswith("+") else "+" + horizon))
        if not self.model_.times["instants"]:
            return int(self.model_._core.span_of(f"+{horizon}"))
        ticks, after_last = self._ticks(horizon)
        if not after_last:
            raise _core.Error("the horizon is a time, not a duration after the last event; give a timedelta")
        return ticks[0]

    def _table(self, events: _core.EventSet, predictions: dict[str, np.ndarray], top: int, at: Any, output: str,
               given: Any) -> Any:
        """The `top` types of each sequence as rows."""
        if np.ndim(at) > 0:
            raise _core.Error(f"output={output!r} is for one time `at`, or none; ask for one after another")
        columns: dict[str, Any] = {"id": repeated(np.asarray(events.ids)[predictions["sequence"]], top)}
        if top > 1:
            columns["rank"] = np.tile(np.arange(1, top + 1), len(predictions["sequence"]))
        columns["event"] = self.classes_[predictions["code"].ravel()]
        columns["probability"] = np.ascontiguousarray(predictions["probability"]).ravel()
        return as_output(columns, output, given)

    def _check_rectangle(self, numbers: np.ndarray, fitting: bool) -> None:
        super()._check_rectangle(numbers, fitting)
        if not np.isfinite(numbers).all():
            raise _core.Error("an event is NaN or infinity (inf); leave such events out, or name what they are")
        if fitting and numbers.shape[1] == 1:
            raise _core.Error("each sequence has one event (n_features = 1), so nothing comes next; give longer ones")

    def _restore(self) -> None:
        self.classes_ = named_classes(self.model_.event_types)

    def _share(self, X: Any, length: int) -> float:
        """How often the next event is among the first so many, over all events of X."""
        return float(self.evaluate(X, at=(length,))["types"]["model"][f"recall@{length}"])


class NextEvent(_NextType):
    __doc__ = """Predicts the type of the next event after each event of a sequence.
""" + DATA_HELP.format(plain="types of events") + PARAMETER_HELP.format(
        own=_OWN.format(all="all")) + """
    Attributes
    ----------
    classes_ : the types of events, in the order of the columns of `predict_proba`.
    model_ : the trained `Model`. notes_ : what was decided, and what is worth knowing.

    >>> import time2vec
    >>> weeks = [["work"] * 5 + ["rest"] * 2] * 8
    >>> sequences = [sum(weeks[: 4 + i % 4], []) for i in range(20)]
    >>> model = time2vec.NextEvent(hidden=16, epochs=30).fit(sequences)
    >>> model.predict([["work"] * 5, ["work"] * 5 + ["rest"] * 2])
    array(['rest', 'work'], dtype='<U4')
    """

    _task = "next"

    def __init__(self, *, query_time: bool = False, when: bool = False, vocab: int = 0,
                 unknown: str = "if-needed", time: str = "auto", time_input: str = "auto", cell: str = "auto",
                 hidden: int = 0, layers: int = 1, epochs: int = 300, rate: float = 3e-3, valid_share: float = 0.1,
                 seed: int = 1, options: dict[str, Any] | None = None, columns: dict[str, Any] | None = None,
                 threads: int = 0, callback: Callable[[dict[str, Any]], Any] | None = None):
        self._keep(locals())

    def predict(self, X: Any, *, at: Any = None, output: str = "numpy") -> Any:
        """The most probable type of the next event of each sequence; `at` as in `predict_proba`.

        `output`: "arrow" for an Arrow table of id, event and probability, "frame" for a frame of the kind of X.
        """
        self._check_fitted()
        check_output(output)
        events = self._events_to_predict(X)
        predictions = self._predict(events, at=at)
        if output != "numpy":
            return self._table(events, predictions, 1, at, output, X)
        codes = predictions["code"][:, 0]
        return self.classes_[codes if np.ndim(at) == 0 else codes.reshape(-1, len(at))]

    def score(self, X: Any, y: Any = None) -> float:
        """The share of all next events of X that are predicted, each from what came before it."""
        return self._share(X, 1)


class Recommender(_NextType):
    __doc__ = """Recommends items: the most probable next ones, out of many.
""" + DATA_HELP.format(plain="items") + PARAMETER_HELP.format(
        own="top : how many items `predict` and `score` look at.\n    " + _OWN.format(all="5,000")) + """
    Attributes
    ----------
    classes_ : the items, in the order of the columns of `predict_proba`.
    model_ : the trained `Model`. notes_ : what was decided, and what is worth knowing.

    >>> import time2vec
    >>> baskets = [[f"item{(i + step) % 9}" for step in range(12)] for i in range(40)]
    >>> model = time2vec.Recommender(top=2, hidden=16, epochs=30).fit(baskets)
    >>> model.predict([["item3", "item4", "item5"]]).shape
    (1, 2)
    """

    _task = "recommend"

    def __init__(self, *, top: int = 10, query_time: bool = False, when: bool = False, vocab: int = 0,
                 unknown: str = "if-needed", time: str = "auto", time_input: str = "auto", cell: str = "auto",
                 hidden: int = 0, layers: int = 1, epochs: int = 300, rate: float = 3e-3, valid_share: float = 0.1,
                 seed: int = 1, options: dict[str, Any] | None = None, columns: dict[str, Any] | None = None,
                 threads: int = 0, callback: Callable[[dict[str, Any]], Any] | None = None):
        self._keep(locals())

    def predict(self, X: Any, *, at: Any = None, output: str = "numpy") -> Any:
        """The `top` most probable next items of each sequence, best first: [sequences, top], or with several times
        `at` [sequences, times, top].

        `output`: "arrow" for an Arrow table of id, rank, event and probability, "frame" for a frame of the kind of X.
        """
        self._check_fitted()
        check_output(output)
        top = min(self.top, len(self.classes_))
        events = self._events_to_predict(X)
        predictions = self._predict(events, top=top, at=at)
        if output != "numpy":
            return self._table(events, predictions, top, at, output, X)
        codes = predictions["code"]
        return self.classes_[codes if np.ndim(at) == 0 else codes.reshape(-1, len(at), top)]

    def score(self, X: Any, y: Any = None) -> float:
        """Recall: how often the next item is among the `top` best, over all events of X."""
        return self._share(X, self.top)
