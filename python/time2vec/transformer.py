"""Time2Vec as a transformer: times in, vectors out."""

from __future__ import annotations

import json
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, layer
from ._estimator import plain_number
from ._features import Transformer
from ._tables import collected
from ._times import COUNTS, NUMBER, check_units, first_time, settled_units, since_origin, time_columns

if TYPE_CHECKING:
    from typing_extensions import Self

_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
_FILE_KIND = "layer"


class Time2Vec(Transformer):
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
    time_unit : what numbers count: s, ms, us or ns since 1970, or 'number' for anything else; 'auto' tells it in
        `fit`, for each column, by their size, as the command `t2v` does (seconds from 1e8 on, and so on).
    dtype : of the vectors, float32 or float64. Phases are exact in both.
    seed : of what is drawn at random.

    Attributes
    ----------
    omega_, phi_ : frequencies in radians per unit, and phases, [columns of times, terms].
    unit_, origin_ : as they were settled; `unit_` is '1' for plain numbers.
    feature_names_in_ : the names of the columns, if `fit` had a frame.

    Times are a list or array of numbers, datetime64, datetimes or texts such as 2024-05-01T08:00:00Z, or several
    columns of them (a 2-D array or a frame), whose vectors stand side by side; all are dates, or all plain numbers.
    Dates without an offset are UTC. Dates and whole numbers are exact until the origin is subtracted.

    >>> import numpy as np, time2vec
    >>> days = np.arange("2024-01-01", "2024-03-01", dtype="datetime64[D]")
    >>> time2vec.Time2Vec(k=4).fit_transform(days).shape
    (60, 5)
    >>> weekly = np.cos(2 * np.pi * np.arange(60) / 7)
    >>> encoder = time2vec.Time2Vec(k=4).fit(days, weekly)
    >>> encoder.unit_, float(encoder.periods_[0, 0].round(1))
    ('d', 7.0)
    """

    _learned = "phi_"

    def __init__(self, k: int = 64, *, activation: str = "sin", linear: bool = True, start: str = "auto",
                 unit: str = "auto", origin: Any = "auto", time_unit: str = "auto", dtype: str = "float32",
                 seed: int = 1):
        self._keep(locals())

    def fit(self, times: Any, y: Any = None) -> Self:
        """Settles origin, unit and frequencies. `y`, numbers or classes of the times, is for 'periodogram'."""
        times = collected(times)
        columns = time_columns(times)
        self._units = settled_units(columns, self.time_unit)
        self.origin_ = self._settle_origin(columns)
        self.unit_ = self._settle_unit(columns)
        self._set_names(times, len(columns))
        targets = None if y is None else _targets(y, len(columns[0]))
        starts = [self._start(self._tau(*column), targets) for column in zip(columns, self._units)]
        self.omega_ = np.array([omega for omega, _ in starts])
        self.phi_ = np.array([phi for _, phi in starts])
        return self

    def transform(self, times: Any) -> Any:
        """The vectors, [times, terms], those of several columns side by side: an array, or the frame that
        `set_output` asks for."""
        self._check_fitted()
        times = collected(times)
        self._check_names(times)
        columns = time_columns(times)
        self._check_n_features(len(columns))
        check_units(columns, self._units)
        vectors = [layer.forward(self._tau(column, unit), omega, phi, activation=self.activation,
                                 linear=self.linear, dtype=self.dtype)
                   for column, unit, omega, phi in zip(columns, self._units, self.omega_, self.phi_)]
        return self._output(vectors[0] if len(vectors) == 1 else np.concatenate(vectors, axis=1), times)

    def fit_transform(self, times: Any, y: Any = None) -> Any:
        """Both."""
        return self.fit(times, y).transform(times)

    @property
    def periods_(self) -> np.ndarray:
        """2π/|ω| of the periodic terms in units, [columns of times, k]; infinite for ω = 0."""
        self._check_fitted()
        with np.errstate(divide="ignore"):
            return 2 * np.pi / np.abs(self.omega_[:, int(self.linear):])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """x0_linear, x0_sin1, ... of each column, with the names of the frame that `fit` had in place of x0, ..."""
        self._check_fitted()
        names = self._input_names(input_features)
        terms = ["linear"] * bool(self.linear) + [f"{self.activation}{i + 1}" for i in range(self.k)]
        return np.array([f"{name}_{term}" for name in names for term in terms], dtype=object)

    def save(self, path: Any) -> None:
        """Writes frequencies, phases, unit and origin as a safetensors file."""
        self._check_fitted()
        params = {**self.get_params(), "origin": _as_json(self.origin), "dtype": np.dtype(self.dtype).name}
        about = {"params": params, "unit": self.unit_, "time_units": self._units, "origin": _as_json(self.origin_),
                 "names": list(getattr(self, "feature_names_in_", []))}
        _core.write_tensors(str(path), _FILE_KIND, {"layer": json.dumps(about, default=plain_number)},
                            {"omega": self.omega_, "phi": self.phi_})

    @classmethod
    def load(cls, path: Any) -> Self:
        """Reads what `save` wrote."""
        texts, tensors = _core.read_tensors(str(path), _FILE_KIND)
        about = json.loads(texts["layer"])
        encoder = cls(**{**about["params"], "origin": _from_json(about["params"]["origin"])})
        encoder.omega_, encoder.phi_ = tensors["omega"], tensors["phi"]
        encoder.unit_, encoder._units = about["unit"], about["time_units"]
        encoder.origin_ = _from_json(about["origin"])
        encoder.n_features_in_ = len(encoder.omega_)
        if about["names"]:
            encoder.feature_names_in_ = np.array(about["names"], dtype=object)
        return encoder

    # --- exact times ---

    def _settle_origin(self, columns: list[np.ndarray]) -> Any:
        if isinstance(self.origin, str) and self.origin == "auto":
            return first_time(columns, self._units)
        if self._units[0] == NUMBER:
            return _plain_origin(self.origin)
        [origin] = time_columns([self.origin])
        if origin.dtype.kind == "M":
            return origin.astype("datetime64[ns]")[0]
        if self._units[0] not in COUNTS:
            raise _core.Error(f"the times are dates, but the origin {self.origin!r} is a number; give a date")
        return np.datetime64(round(Fraction(str(self.origin)) * COUNTS[self._units[0]]), "ns")

    def _tau(self, column: np.ndarray, unit: str) -> np.ndarray:
        counts, per_second = since_origin(column, unit, self.origin_)
        return counts / (per_second * _SECONDS.get(self.unit_, 1))

    def _settle_unit(self, columns: list[np.ndarray]) -> str:
        if self._units[0] == NUMBER:
            if self.unit not in ("auto", "1"):
                raise _core.Error(f"plain numbers have no unit, so it cannot be '{self.unit}'; see time_unit")
            return "1"
        if self.unit != "auto":
            if self.unit not in _SECONDS:
                raise _core.Error(f"unknown unit '{self.unit}'; use auto, s, min, h, d or w")
            return self.unit
        counts, per_second = since_origin(columns[0], self._units[0], self.origin_)
        gaps = np.diff(np.unique(counts)) / per_second
        longest = np.median(gaps) if len(gaps) else 1
        return [unit for unit, seconds in _SECONDS.items() if seconds <= max(longest, 1)][-1]

    def _start(self, tau: np.ndarray, targets: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        kind = self.start
        if kind == "auto":
            kind = "span" if targets is None else "periodogram"
            if len(np.unique(tau)) < 2:  # there is no scale to take
                kind = "u11"
        return layer.start(_whole("k", self.k), kind, times=tau, targets=targets, activation=self.activation,
                           linear=self.linear, seed=_whole("seed", self.seed))


def _as_json(origin: Any) -> Any:
    """An origin for a file: a text, a number, or {"nanoseconds": since 1970}."""
    if isinstance(origin, (str, int, float)):
        return origin
    if isinstance(origin, np.generic) and origin.dtype.kind in "iuf":
        return origin.item()
    return {"nanoseconds": int(time_columns([origin])[0].astype("datetime64[ns]").view(np.int64)[0])}


def _from_json(origin: Any) -> Any:
    return np.datetime64(origin["nanoseconds"], "ns") if isinstance(origin, dict) else origin


def _plain_origin(origin: Any) -> Any:
    """A number as Python has it."""
    if isinstance(origin, np.generic):
        origin = origin.item()
    if not isinstance(origin, (int, float)) or not np.isfinite(origin):
        raise _core.Error(f"the times are plain numbers, so the origin is one too, not {origin!r}")
    return origin


def _whole(name: str, number: Any) -> int:
    """A parameter that counts something."""
    try:
        return operator.index(number)
    except TypeError:
        raise _core.Error(f"{name} is a whole number, not {number!r}") from None


def _targets(y: Any, count: int) -> np.ndarray:
    """Numbers as they are, classes as columns of zeros and ones."""
    y = np.asarray(y)
    if len(y) != count:
        raise _core.Error(f"there are {len(y)} targets y for {count} times")
    if y.dtype.kind in "biuf":
        return np.ascontiguousarray(y, dtype=np.float64)
    return np.ascontiguousarray(y[:, None] == np.unique(y)[None, :], dtype=np.float64)
