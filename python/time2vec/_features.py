"""Names of columns, in and out, as scikit-learn's transformers have them."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._estimator import Estimator

if TYPE_CHECKING:
    from typing_extensions import Self

_OUTPUTS = ("default", "pandas", "polars")


def names_of(x: Any) -> np.ndarray | None:
    """The names of the columns of a frame; nothing unless all are texts."""
    columns = getattr(x, "columns", None)
    if columns is None or len(columns) == 0 or not all(isinstance(name, str) for name in columns):
        return None
    return np.array(list(columns), dtype=object)


class Transformer(Estimator):
    """Knows the names of the columns that `fit` had, and gives frames where that is asked for."""

    _kind = "transformer"

    def set_output(self, *, transform: str | None = None) -> Self:
        """What `transform` gives: 'default' for arrays, 'pandas' or 'polars' for frames; None changes nothing."""
        if transform is not None:
            if transform not in _OUTPUTS:
                raise _core.Error(f"there is no output '{transform}'; use default, pandas or polars")
            self._sklearn_output_config = {"transform": transform}  # the name that scikit-learn clones
        return self

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of what `transform` gives."""
        raise NotImplementedError

    def _set_names(self, x: Any, count: int) -> None:
        """Keeps what `fit` had."""
        self.n_features_in_ = count
        names = names_of(x)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_names(self, x: Any) -> None:
        """That the columns are those that `fit` had, in that order."""
        kind, names, known = type(self).__name__, names_of(x), getattr(self, "feature_names_in_", None)
        if names is None and known is not None:
            warnings.warn(f"X does not have valid feature names, but {kind} was fitted with feature names",
                          stacklevel=3)
        elif names is not None and known is None:
            warnings.warn(f"X has feature names, but {kind} was fitted without feature names", stacklevel=3)
        elif names is not None and list(names) != list(known):
            raise _core.Error(_difference(list(names), list(known)))

    def _input_names(self, given: Any) -> list[str]:
        known = getattr(self, "feature_names_in_", None)
        if given is None:
            return [f"x{i}" for i in range(self.n_features_in_)] if known is None else list(known)
        given = list(given)
        if known is not None and given != list(known):
            raise _core.Error("input_features is not equal to feature_names_in_")
        if len(given) != self.n_features_in_:
            raise _core.Error(f"input_features should have length equal to number of features ({self.n_features_in_}), "
                              f"got {len(given)}")
        return given

    def _output(self, values: np.ndarray, x: Any) -> Any:
        """The result of `transform` as it was asked for; `x` has the index."""
        kind = getattr(self, "_sklearn_output_config", {}).get("transform")
        if kind is None and "sklearn" in sys.modules:
            kind = sys.modules["sklearn"].get_config()["transform_output"]
        if kind == "pandas":
            import pandas

            index = x.index if isinstance(x, (pandas.DataFrame, pandas.Series)) else None
            return pandas.DataFrame(values, columns=self.get_feature_names_out(), index=index)
        if kind == "polars":
            import polars

            return polars.DataFrame(values, schema=self.get_feature_names_out().tolist(), orient="row")
        return values


def _difference(names: list[str], known: list[str]) -> str:
    """In the words of scikit-learn."""
    said = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    for title, some in (("Feature names unseen at fit time", unseen),
                        ("Feature names seen at fit time, yet now missing", missing)):
        if some:
            said += f"{title}:\n" + "".join(f"- {name}\n" for name in some[:5]) + "- ...\n" * (len(some) > 5)
    if not unseen and not missing:
        said += "Feature names must be in the same order as they were in fit.\n"
    return said
