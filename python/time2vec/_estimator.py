"""What all estimators have: parameters, in scikit-learn's manner, without needing scikit-learn."""

from __future__ import annotations

import inspect
import json
import reprlib
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Error

if TYPE_CHECKING:
    from typing_extensions import Self


class NotFitted(ValueError, AttributeError):
    """The estimator was asked for something that it learns in `fit`."""


def _not_fitted(message: str) -> Exception:
    """scikit-learn's own exception, where it is in use."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return exceptions.NotFittedError(message) if exceptions else NotFitted(message)


def one_dimension(y: Any) -> np.ndarray:
    """y as an array; a column of one dimension more is taken with a warning, as scikit-learn does."""
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        category = getattr(sys.modules.get("sklearn.exceptions"), "DataConversionWarning", UserWarning)
        warnings.warn("A column-vector y was passed when a 1d array was expected.", category, stacklevel=4)
        y = y.ravel()
    return y


def plain_number(value: Any) -> Any:
    """NumPy's numbers for JSON."""
    if isinstance(value, np.generic):
        number = value.item()
        return float(number) if isinstance(number, np.generic) else number
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be an option")


def option_text(options: dict[str, Any]) -> str:
    """Options as JSON. Raises time2vec.Error for a value that has no place there: nan, what is too large, no text."""
    texts = []
    for name, value in options.items():
        try:
            text = json.dumps({name: value}, default=plain_number, allow_nan=False)
            json.dumps({name: value}, default=plain_number, ensure_ascii=False).encode()
            if len(text) > 1 << 16 or any(map(is_too_large, value if isinstance(value, list) else [value])):
                raise ValueError("it is too large")
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise Error(f"`{name}` cannot be {shown(value)}: {error}") from None
        texts.append(text[1:-1])
    return "{" + ", ".join(texts) + "}"


def shown(value: Any) -> str:
    """The start of a value, as Python writes it; Python writes no whole number of thousands of digits."""
    try:
        return reprlib.repr(value)
    except ValueError:
        return "such a number"


def is_too_large(value: Any) -> bool:
    """Whether a whole number is beyond all that an option can be."""
    return isinstance(value, int) and abs(value) >= 1 << 64


class Estimator:
    """Parameters are the arguments of `__init__`, kept as they are under their names."""

    #: What scikit-learn calls the kind: 'classifier', 'regressor', 'transformer' or None.
    _kind: str | None = None
    #: What `fit` sets last.
    _learned = "model_"

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keeps the arguments of `__init__`, whose locals() these are."""
        for name in self._parameter_names():
            setattr(self, name, arguments[name])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Sets some parameters; returns itself."""
        names = self._parameter_names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {names}.")
            setattr(self, name, value)
        return self

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {name: parameter.default for name, parameter in inspect.signature(cls.__init__).parameters.items()}

    def __repr__(self) -> str:
        defaults = self._defaults()
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not defaults[name] and value != defaults[name]]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._learned)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")

    def _check_n_features(self, count: int) -> None:
        """That as many columns come as came to `fit`, if that was a rectangle of numbers."""
        known = getattr(self, "n_features_in_", count)
        if known != count:
            raise ValueError(f"X has {count} features, but {type(self).__name__} is expecting {known} features "
                             "as input. Reshape your data to that many columns.")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None if self._kind == "transformer" else self._kind,
            target_tags=TargetTags(required=self._kind in ("classifier", "regressor")),
            transformer_tags=TransformerTags(preserves_dtype=[]) if self._kind == "transformer" else None,
            classifier_tags=ClassifierTags() if self._kind == "classifier" else None,
            regressor_tags=RegressorTags() if self._kind == "regressor" else None,
            input_tags=InputTags(allow_nan=self._kind == "classifier", three_d_array=True),
            non_deterministic=False,
        )
