"""Columns of times, and how they are counted from an origin: exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core
from ._columns import column_array, whole_nanoseconds
from ._tables import named_columns, number_array

#: Nanoseconds of what numbers can count since 1970.
COUNTS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
#: What a column of dates counts, and what numbers count that are no Unix times.
DATE, NUMBER = "date", "number"


def time_columns(times: Any) -> list[np.ndarray]:
    """The columns of times, each of one dimension, of numbers or datetime64."""
    named = named_columns(times)
    if named is not None:
        columns = [column_array(cells) for cells in named.values()]
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
    return [_usable(column) for column in columns]


def _usable(column: np.ndarray) -> np.ndarray:
    """A column without gaps; dates that are text are read."""
    if column.dtype.kind in "OUT" and all(isinstance(cell, str) for cell in column.tolist()):
        return _core.read_dates(column.tolist()).view("datetime64[ns]")
    if column.dtype.kind == "M":
        if np.isnat(column).any():
            raise _core.Error("a time is missing (NaT)")
    elif column.dtype.kind not in "iuf":
        raise _core.Error(f"times are of the type {column.dtype}; make them numbers, datetime64 or texts such as "
                          "'2024-05-01T08:00:00Z'")
    elif not np.isfinite(column).all():
        raise _core.Error("a time is NaN or infinity (inf); times must be finite")
    return column


def settled_units(columns: list[np.ndarray], time_unit: str) -> list[str]:
    """What each column counts: DATE, NUMBER or a name of COUNTS. All are instants, or all plain numbers."""
    if time_unit not in ("auto", NUMBER, *COUNTS):
        raise _core.Error(f"unknown time_unit '{time_unit}'; use auto, s, ms, us, ns or number")
    units = [_settled_unit(column, time_unit) for column in columns]
    if len({unit == NUMBER for unit in units}) > 1:
        said = ", ".join(f"column {i} {_described(unit)}" for i, unit in enumerate(units))
        raise _core.Error(f"columns of times must be all dates or all plain numbers, but here {said}; encode them "
                          "apart, or say what numbers count by time_unit")
    return units


def _settled_unit(column: np.ndarray, time_unit: str) -> str:
    if column.dtype.kind == "M":
        return time_unit if time_unit in COUNTS else DATE
    if time_unit != "auto":
        return time_unit
    return _core.detect_unit(np.ascontiguousarray(column[:1000], dtype=np.float64))


def _described(unit: str) -> str:
    return {DATE: "has dates", NUMBER: "has plain numbers"}.get(unit, f"counts {unit} since 1970")


def check_units(columns: list[np.ndarray], units: list[str]) -> None:
    """That further columns are of the kinds that were settled: a number means what it meant then."""
    for column, unit in zip(columns, units):
        dates = column.dtype.kind == "M"
        if dates and unit == NUMBER:
            raise _core.Error("these times are dates, but 'fit' had plain numbers; see time_unit")
        if not dates and unit == DATE:
            raise _core.Error("these times are plain numbers, but 'fit' had dates; make them datetime64, or say what "
                              "they count by time_unit in 'fit'")


def _nanoseconds(column: np.ndarray, unit: str) -> int | None:
    """How many a count is; None for plain numbers."""
    return whole_nanoseconds(column.dtype) if column.dtype.kind == "M" else COUNTS.get(unit)


def first_time(columns: list[np.ndarray], units: list[str]) -> Any:
    """The first of all times, a number or a datetime64[ns]; of floats that count since 1970, the whole below."""
    firsts = []
    for column, unit in zip(columns, units):
        first, nanoseconds = column.min(), _nanoseconds(column, unit)
        if nanoseconds is None:
            firsts.append(first.item())
        else:
            # math.floor takes whole numbers through a float.
            count = math.floor(first) if column.dtype.kind == "f" else int(first.astype(np.int64))
            firsts.append(count * nanoseconds)
    return min(firsts) if units[0] == NUMBER else np.datetime64(min(firsts), "ns")


def since_origin(column: np.ndarray, unit: str, origin: Any) -> tuple[np.ndarray, float]:
    """Counts since the origin, subtracted exactly, and how many of them are a second (1 for plain numbers)."""
    nanoseconds = _nanoseconds(column, unit)
    if nanoseconds is None:
        if column.dtype.kind in "iu" and isinstance(origin, int):
            return _difference(column, origin), 1
        return column.astype(np.float64) - float(origin), 1
    zero = int(origin.astype(np.int64))
    if column.dtype.kind in "Miu" and zero % nanoseconds == 0:
        return _difference(column.astype(np.int64), zero // nanoseconds), 10**9 / nanoseconds
    if column.dtype.kind in "Miu":
        return _difference(column.astype(np.int64) * nanoseconds, zero), 10**9
    return column.astype(np.float64) - zero / nanoseconds, 10**9 // nanoseconds


def _difference(counts: np.ndarray, origin: int) -> np.ndarray:
    """Whole numbers less a whole number, exactly, as doubles."""
    low, high = int(counts.min()) - origin, int(counts.max()) - origin
    if max(abs(low), abs(high)) >= 1 << 63:
        raise _core.Error("the times are too far from the origin for 64 bits; use a nearer origin")
    return (counts - np.int64(origin)).astype(np.float64)
