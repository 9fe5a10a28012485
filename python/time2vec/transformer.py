"""Time2Vec as a transformer: times in, vectors out."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from . import _core, layer
from ._estimator import Estimator
from ._tables import column_array, is_frame, number_array, whole_nanoseconds

_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
_COUNTS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}  # nanoseconds
_FILE_KIND = "layer"


class Time2Vec(Estimator):
    """Vectors of times: ω₀τ + φ₀ and k periodic terms F(ωᵢτ + φᵢ).

    Parameters
    ----------
    k : periodic terms.
    activation : F, one of sin, cos, triangle, mod, sigmoid, tanh, relu.
    linear : whether the linear term comes first.
    start : how frequencies are chosen: 'span' from the scale of the times, 'periodogram' as the strongest periods
        of y over the times, or u11, u01, n1, n01, geometric, equal, positional. 'auto': periodogram if y is
        given, else span.
    unit : of times, s, min, h, d or w; 'auto': the largest that is not longer than the median gap. Plain numbers
        have none.
    origin : what is time 0: a date or number; 'auto': the first of the times in `fit`.
    time_unit : what numbers count: s, ms, us or ns since 1970, or 'number' for anything else; 'auto' tells it by
        their size, as the command `t2v` does (seconds from 1e8 on, and so on).
    dtype : of the vectors, float32 or float64. Phases are exact in both.
    seed : of what is drawn at random.

    Attributes
    ----------
    omega_, phi_ : frequencies in radians per unit, and phases, [columns of times, terms].
    unit_, origin_ : as they were settled; `unit_` is '1' for plain numbers.

    Times are a list or array of numbers, datetime64 or datetimes, or several columns of them (a 2-D array or a
    frame), whose vectors stand side by side. Dates and whole numbers are exact until the origin is subtracted.

    >>> import numpy as np, time2vec
    >>> days = np.arange("2024-01-01", "2024-03-01", dtype="datetime64[D]")
    >>> time2vec.Time2Vec(k=4).fit_transform(days).shape
    (60, 5)
    >>> weekly = np.cos(2 * np.pi * np.arange(60) / 7)
    >>> encoder = time2vec.Time2Vec(k=4).fit(days, weekly)
    >>> encoder.unit_, encoder.periods_[0, 0].round(1)
    ('d', 7.0)
    """

    _kind = "transformer"
    _learned = "phi_"

    def __init__(self, k: int = 64, *, activation: str = "sin", linear: bool = True, start: str = "auto",
                 unit: str = "auto", origin: Any = "auto", time_unit: str = "auto", dtype: str = "float32",
                 seed: int = 1):
        self._keep(locals())

    def fit(self, times: Any, y: Any = None) -> "Time2Vec":
        """Settles origin, unit and frequencies. `y`, numbers or classes of the times, is for 'periodogram'."""
        columns = _columns(times)
        self._nanoseconds = self._count_of(columns)
        self.origin_ = self._settle_origin(columns)
        self.unit_ = self._settle_unit(columns)
        self.n_features_in_ = len(columns)
        targets = None if y is None else _targets(y, len(columns[0]))
        starts = [self._start(self._tau(column), targets) for column in columns]
        self.omega_ = np.array([omega for omega, _ in starts])
        self.phi_ = np.array([phi for _, phi in starts])
        return self

    def transform(self, times: Any) -> np.ndarray:
        """The vectors, [times, terms], those of several columns side by side."""
        self._check_fitted()
        columns = _columns(times)
        self._check_n_features(len(columns))
        count = self._count_of(columns)
        if (count is None) != (self._nanoseconds is None):
            raise _core.Error("these times are {}, but 'fit' had {}; see time_unit".format(
                *("plain numbers" if n is None else "dates" for n in (count, self._nanoseconds))))
        vectors = [layer.forward(self._tau(column, count), omega, phi, activation=self.activation,
                                 linear=self.linear, dtype=self.dtype)
                   for column, omega, phi in zip(columns, self.omega_, self.phi_)]
        return vectors[0] if len(vectors) == 1 else np.concatenate(vectors, axis=1)

    def fit_transform(self, times: Any, y: Any = None) -> np.ndarray:
        """Both."""
        return self.fit(times, y).transform(times)

    @property
    def periods_(self) -> np.ndarray:
        """2π/|ω| of the periodic terms in units, [columns of times, k]; infinite for ω = 0."""
        self._check_fitted()
        with np.errstate(divide="ignore"):
            return 2 * np.pi / np.abs(self.omega_[:, int(self.linear):])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """x0_linear, x0_sin1, ... of each column."""
        self._check_fitted()
        names = [f"x{i}" for i in range(self.n_features_in_)] if input_features is None else input_features
        terms = ["linear"] * bool(self.linear) + [f"{self.activation}{i + 1}" for i in range(self.k)]
        return np.array([f"{name}_{term}" for name in names for term in terms], dtype=object)

    def save(self, path: Any) -> None:
        """Writes frequencies, phases, unit and origin as a safetensors file."""
        self._check_fitted()
        about = {"params": {**self.get_params(), "origin": "auto" if self.origin == "auto" else str(self.origin)},
                 "unit": self.unit_, "nanoseconds": self._nanoseconds}
        if isinstance(self.origin_, np.datetime64):
            about["origin"] = int(self.origin_.astype("datetime64[ns]").astype(np.int64))
        else:
            about["origin"] = self.origin_
        _core.write_tensors(str(path), _FILE_KIND, {"layer": json.dumps(about)},
                            {"omega": self.omega_, "phi": self.phi_})

    @classmethod
    def load(cls, path: Any) -> "Time2Vec":
        """Reads what `save` wrote."""
        texts, tensors = _core.read_tensors(str(path), _FILE_KIND)
        about = json.loads(texts["layer"])
        encoder = cls(**about["params"])
        encoder.omega_, encoder.phi_ = tensors["omega"], tensors["phi"]
        encoder.unit_, encoder._nanoseconds = about["unit"], about["nanoseconds"]
        origin = about["origin"]
        encoder.origin_ = origin if encoder._nanoseconds is None else np.datetime64(origin, "ns")
        encoder.n_features_in_ = len(encoder.omega_)
        return encoder

    # --- exact times ---

    def _count_of(self, columns: list[np.ndarray]) -> int | None:
        """How many nanoseconds a count of these times is; None for plain numbers."""
        first = columns[0]
        if first.dtype.kind == "M":
            return whole_nanoseconds(first.dtype)
        unit = self.time_unit
        if unit == "auto":
            unit = _core.detect_unit(np.ascontiguousarray(first[:1000], dtype=np.float64))
        if unit != "number" and unit not in _COUNTS:
            raise _core.Error(f"unknown time_unit '{unit}'; use auto, s, ms, us, ns or number")
        return _COUNTS.get(unit)

    def _settle_origin(self, columns: list[np.ndarray]) -> Any:
        if isinstance(self.origin, str) and self.origin == "auto":
            first = min(column.min() for column in columns)
            if self._nanoseconds is None:
                return first.item()
            # math.floor takes whole numbers through a float.
            count = math.floor(first) if columns[0].dtype.kind == "f" else int(first.astype(np.int64))
            return np.datetime64(count * self._nanoseconds, "ns")
        if self._nanoseconds is None:
            return self.origin
        return np.datetime64(self.origin, "ns")

    def _since_origin(self, column: np.ndarray, nanoseconds: int | None) -> tuple[np.ndarray, float]:
        """Counts since the origin, subtracted exactly, and how many of them are a second (1 for plain numbers)."""
        if nanoseconds is None:
            if column.dtype.kind in "iu" and isinstance(self.origin_, int):
                return _difference(column, self.origin_), 1
            return column.astype(np.float64) - float(self.origin_), 1
        origin = int(self.origin_.astype(np.int64))
        if column.dtype.kind in "Miu" and origin % nanoseconds == 0:
            return _difference(column.astype(np.int64), origin // nanoseconds), 10**9 / nanoseconds
        if column.dtype.kind in "Miu":
            return _difference(column.astype(np.int64) * nanoseconds, origin), 10**9
        per_second = 10**9 // nanoseconds
        return column.astype(np.float64) - origin / nanoseconds, per_second

    def _tau(self, column: np.ndarray, nanoseconds: Any = ...) -> np.ndarray:
        if nanoseconds is ...:
            nanoseconds = self._nanoseconds
        counts, per_second = self._since_origin(column, nanoseconds)
        return counts / (per_second * _SECONDS.get(self.unit_, 1))

    def _settle_unit(self, columns: list[np.ndarray]) -> str:
        if self._nanoseconds is None:
            if self.unit not in ("auto", "1"):
                raise _core.Error(f"plain numbers have no unit, so it cannot be '{self.unit}'; see time_unit")
            return "1"
        if self.unit != "auto":
            if self.unit not in _SECONDS:
                raise _core.Error(f"unknown unit '{self.unit}'; use auto, s, min, h, d or w")
            return self.unit
        counts, per_second = self._since_origin(columns[0], self._nanoseconds)
        gaps = np.diff(np.unique(counts)) / per_second
        longest = np.median(gaps) if len(gaps) else 1
        return [unit for unit, seconds in _SECONDS.items() if seconds <= max(longest, 1)][-1]

    def _start(self, tau: np.ndarray, targets: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        kind = self.start
        if kind == "auto":
            kind = "span" if targets is None else "periodogram"
            if len(np.unique(tau)) < 2:  # there is no scale to take
                kind = "u11"
        return layer.start(self.k, kind, times=tau, targets=targets, activation=self.activation,
                           linear=self.linear, seed=self.seed)


def _difference(counts: np.ndarray, origin: int) -> np.ndarray:
    """Whole numbers less a whole number, exactly, as doubles."""
    low, high = int(counts.min()) - origin, int(counts.max()) - origin
    if max(abs(low), abs(high)) >= 1 << 63:
        raise _core.Error("the times are too far from the origin for 64 bits; use a nearer origin")
    return (counts - np.int64(origin)).astype(np.float64)


def _columns(times: Any) -> list[np.ndarray]:
    """The columns of times, each of one dimension."""
    if is_frame(times):
        columns = [column_array(times[name]) for name in times]
    else:
        numbers = number_array(times)
        array = column_array(times) if numbers is None else numbers
        if array.ndim not in (1, 2):
            raise _core.Error(f"times have {array.ndim} dimensions; give one, or columns of times")
        columns = [array] if array.ndim == 1 else [array[:, i] for i in range(array.shape[1])]
        if array.ndim == 2 and array.shape[1] == 0:
            raise _core.Error(f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    if not columns or len(columns[0]) == 0:
        raise _core.Error("there are no times; Found array with 0 sample(s)")
    for column in columns:
        _check_column(column)
    return columns


def _check_column(column: np.ndarray) -> None:
    if column.dtype.kind == "M":
        if np.isnat(column).any():
            raise _core.Error("a time is missing (NaT)")
    elif column.dtype.kind not in "iuf":
        raise _core.Error(f"times are of the type {column.dtype}; make them numbers or datetime64")
    elif not np.isfinite(column).all():
        raise _core.Error("a time is NaN or infinity (inf); times must be finite")


def _targets(y: Any, count: int) -> np.ndarray:
    """Numbers as they are, classes as columns of zeros and ones."""
    y = np.asarray(y)
    if len(y) != count:
        raise _core.Error(f"there are {len(y)} targets y for {count} times")
    if y.dtype.kind in "biuf":
        return np.ascontiguousarray(y, dtype=np.float64)
    return np.ascontiguousarray(y[:, None] == np.unique(y)[None, :], dtype=np.float64)
