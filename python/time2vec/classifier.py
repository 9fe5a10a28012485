"""Classes of sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from . import _core
from ._columns import is_missing, is_series
from ._estimator import one_dimension
from ._sequences import DATA_HELP, PARAMETER_HELP, SequenceEstimator, named_classes
from ._outputs import as_output, check_output
from ._tables import is_path, is_table, readable_again

if TYPE_CHECKING:
    from typing_extensions import Self


class SequenceClassifier(SequenceEstimator):
    __doc__ = """Predicts the class of a sequence from all of its events and their times.
""" + DATA_HELP.format(plain="values, or texts as types of events,") + PARAMETER_HELP.format(
        own="class_weights : 'balanced' lets rare classes count as much as frequent ones.\n    ") + """
    Attributes
    ----------
    classes_ : the classes, in the order of the columns of `predict_proba`.
    model_ : the trained `Model`. notes_ : what was decided, and what is worth knowing.

    >>> import numpy as np, time2vec
    >>> random = np.random.default_rng(0)
    >>> slow = [np.cumsum(random.exponential(2.0, 20)) for _ in range(40)]
    >>> fast = [np.cumsum(random.exponential(1.0, 20)) for _ in range(40)]
    >>> X = [{"time": times} for times in slow + fast]
    >>> y = ["slow"] * 40 + ["fast"] * 40
    >>> classifier = time2vec.SequenceClassifier(hidden=16, epochs=20).fit(X, y)
    >>> classifier.score(X, y) > 0.9
    True
    """

    _kind = "classifier"
    _task = "classify"

    def __init__(self, *, class_weights: str = "none", time: str = "auto", time_input: str = "auto",
                 cell: str = "auto", hidden: int = 0, layers: int = 1, epochs: int = 300, rate: float = 3e-3,
                 valid_share: float = 0.1, seed: int = 1, options: dict[str, Any] | None = None,
                 columns: dict[str, Any] | None = None, threads: int = 0,
                 callback: Callable[[dict[str, Any]], Any] | None = None):
        self._keep(locals())

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns from sequences and their classes: y, in the order in which the sequences first come, or by their ids (a
        dict, or a Series whose index has the ids); or else the column of labels of a table."""
        events, self.classes_ = self._labelled(X, y)
        self._train(events)
        return self

    def _labelled(self, x: Any, y: Any) -> tuple[_core.EventSet, np.ndarray]:
        x = readable_again(x)
        y = self._by_id(x, y)
        if y is None:
            events = self._events(x, fitting=True, hidden_roles=("target",))
            if events.label_names is None:
                raise _core.Error("requires y to be passed, but the target y is None; give y, or name the column of "
                                  "labels by columns={'label': ...}")
            return events, np.array([name for name in events.label_names if name])
        classes, codes = np.unique(_checked_labels(y), return_inverse=True)
        names = [str(name) for name in classes.tolist()]
        return self._events(x, fitting=True, label=(names, codes), hidden_roles=("label", "target")), classes

    def _by_id(self, x: Any, y: Any) -> Any:
        """Classes in the order of the sequences, where y has their ids: a mapping, or a Series with them as index."""
        if isinstance(y, Mapping):
            ids = self._events(x, fitting=True, hidden_roles=("label", "target")).ids
            classes = {str(id): one for id, one in y.items()}
            if missing := [id for id in ids if id not in classes]:
                raise _core.Error(f"y has no class of the sequence '{missing[0]}'; give one for each id")
            return [classes[id] for id in ids]
        if not is_series(y) or not hasattr(y, "index") or type(y.index).__name__ == "RangeIndex":
            return y
        if not is_path(x) and not is_table(x):
            return y
        place = {str(id): i for i, id in enumerate(y.index)}
        ids = self._events(x, fitting=True, hidden_roles=("label", "target")).ids
        found = y.index.is_unique and set(ids) <= set(place)  # else the index has no ids
        return y.array[[place[id] for id in ids]] if found else y

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, [sequences, classes]."""
        self._check_fitted()
        names = self.model_.classes
        predictions = self._predict(self._events_to_predict(X), top=len(names))
        place = {str(name): i for i, name in enumerate(self.classes_.tolist())}
        result = np.zeros((len(predictions["sequence"]), len(self.classes_)))
        result[:, [place[name] for name in names]] = self._probabilities(predictions, len(names))
        return result

    def predict(self, X: Any, *, output: str = "numpy") -> Any:
        """The class of each sequence: the most probable one or, of two, what the model's threshold says.

        `output`: "arrow" for an Arrow table of id, label and probability, "frame" for a frame of the kind of X.
        """
        self._check_fitted()
        check_output(output)
        place = {str(name): i for i, name in enumerate(self.classes_.tolist())}
        order = np.array([place[name] for name in self.model_.classes])
        events = self._events_to_predict(X)
        predictions = self._predict(events, top=1)
        labels = self.classes_[order[predictions["code"][:, 0]]]
        if output == "numpy":
            return labels
        columns = {"id": np.asarray(events.ids)[predictions["sequence"]], "label": labels,
                   "probability": np.ascontiguousarray(predictions["probability"][:, 0])}
        return as_output(columns, output, X)

    def score(self, X: Any, y: Any = None) -> float:
        """The share of sequences whose class is predicted."""
        self._check_fitted()
        X = readable_again(X)
        y = self._by_id(X, y)
        if y is None:
            events = self._events(X, fitting=False, hidden_roles=("target",))
            y = np.array(events.label_names)[events.label_codes]
            return float(np.mean(np.asarray(self.predict(X)).astype(str) == y))
        return float(np.mean(self.predict(X) == np.asarray(y).ravel()))

    def _events_to_score(self, x: Any, y: Any) -> _core.EventSet:
        if y is None:
            return self._events(x, fitting=False, hidden_roles=("target",))
        x = readable_again(x)
        y = self._by_id(x, y)
        names = [str(name) for name in self.classes_.tolist()]
        given = [str(name) for name in np.asarray(y).ravel().tolist()]
        if unknown := sorted(set(given) - set(names)):
            raise _core.Error(f"y has the class {unknown[0]!r}, which 'fit' did not have; it had "
                              f"{', '.join(names[:20])}")
        codes = [names.index(name) for name in given]
        return self._events(x, fitting=False, label=(names, np.array(codes)), hidden_roles=("label", "target"))

    def _restore(self) -> None:
        self.classes_ = named_classes(self.model_.classes)


def _checked_labels(y: Any) -> np.ndarray:
    y = one_dimension(y)
    if y.ndim != 1:
        raise _core.Error(f"y has {y.ndim} dimensions; give one class for each sequence")
    if y.dtype.kind == "O" and any(map(is_missing, y)):
        raise _core.Error("y has None or NaN; every sequence needs a class")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise _core.Error("Input y contains NaN or infinity (inf); every sequence needs a class")
        if (y != np.round(y)).any():
            raise _core.Error("Unknown label type: continuous. Classes are whole numbers or names.")
    return y
