"""One column of whatever people have (lists, NumPy, pandas, Polars, Arrow) as an array, exactly."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from . import _core

_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
                "D": 86400 * 10**9, "W": 7 * 86400 * 10**9}
_NAT = np.iinfo(np.int64).min


def from_pandas(x: Any) -> bool:
    """Whether pandas made it, told without importing pandas."""
    return type(x).__module__.partition(".")[0] == "pandas"


def is_series(x: Any) -> bool:
    """Whether it is one column of pandas: a Series or an Index."""
    return from_pandas(x) and hasattr(x, "array") and not hasattr(x, "columns")


def whole_nanoseconds(dtype: np.dtype) -> int:
    """How many nanoseconds a count of a datetime64 or timedelta64 type is."""
    unit, count = np.datetime_data(dtype)
    if unit not in _NANOSECONDS:
        raise _core.Error(f"times of the type {dtype} cannot be used; make them datetime64[ns]")
    return _NANOSECONDS[unit] * count


def nanoseconds(times: np.ndarray) -> np.ndarray:
    """datetime64 or timedelta64 as whole nanoseconds. NumPy itself wraps around what 64 bits cannot hold."""
    counts, each = times.view(np.int64), whole_nanoseconds(times.dtype)
    known = counts[counts != _NAT]
    if known.size and max(abs(int(known.min())), abs(int(known.max()))) > np.iinfo(np.int64).max // each:
        raise _core.Error("a time is outside of the years 1677 to 2262, or a duration longer than 292 years")
    return np.where(counts == _NAT, _NAT, counts * each)


def check_unmasked(x: Any) -> None:
    """Raises Error for an array whose mask would be lost."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise _core.Error("an array has masked entries; leave them out, or fill them")


def column_array(cells: Any) -> np.ndarray:
    """One column as an array of numbers, times, or objects that are texts. Whole numbers stay whole."""
    check_unmasked(cells)
    if is_series(cells):
        array = _pandas_array(cells)
    elif isinstance(cells, np.ndarray):
        array = cells
    elif hasattr(cells, "__array__"):
        array = np.asarray(cells)
    else:
        array = _from_objects(list(cells))
    if array.dtype.kind == "O":
        array = _from_objects(list(array.ravel())).reshape(array.shape)
    return array


def _pandas_array(column: Any) -> np.ndarray:
    """Missing cells are NaT, NaN or None; clocks of a zone become UTC."""
    kind = str(column.dtype)
    if kind.startswith("period["):
        return np.asarray((column.dt if hasattr(column, "dt") else column).to_timestamp())
    if kind.startswith("datetime64[") and "," in kind:
        return np.asarray((column.dt if hasattr(column, "dt") else column).tz_convert(None))
    if hasattr(column.array, "__arrow_array__") and kind.endswith("[pyarrow]"):
        return np.asarray(column.array.__arrow_array__())
    if kind.startswith(("Int", "UInt", "Float")) and kind[-1].isdigit() or kind == "boolean":  # they may lack cells
        whole = not kind.startswith("Float") and not column.array.isna().any()
        return column.to_numpy("int64" if whole else "float64", **({} if whole else {"na_value": np.nan}))
    if kind.startswith("string") or kind == "str":
        return np.array([None if missing else cell for cell, missing in zip(column.array, column.isna())], dtype=object)
    return column.to_numpy()


def is_missing(cell: Any) -> bool:
    """None, NaN, NaT or pandas.NA, which alone is not equal to itself without being False."""
    if cell is None:
        return True
    try:
        return bool(cell != cell)
    except TypeError:
        return True
    except ValueError:  # an array
        return False


def _from_objects(cells: list) -> np.ndarray:
    """Objects as an array of one kind: times, numbers or, else, objects."""
    missing = [is_missing(cell) for cell in cells]
    known = [cell for cell, absent in zip(cells, missing) if not absent]
    if known and all(isinstance(cell, np.datetime64) for cell in known):
        return _counted(cells, missing, _nanoseconds_of_one, "datetime64[ns]")
    if known and all(isinstance(cell, datetime.date) for cell in known):
        if any(getattr(cell, "nanosecond", 0) for cell in known):  # pandas.Timestamp
            return _counted(cells, missing, _nanoseconds_of_one, "datetime64[ns]")
        return _counted(cells, missing, _microseconds, "datetime64[us]")
    if known and all(isinstance(cell, (np.timedelta64, datetime.timedelta)) for cell in known):
        return _counted(cells, missing, _nanoseconds_of_one, "timedelta64[ns]")
    if known and len(known) == len(cells) and all(type(cell) is int for cell in known):
        try:
            return np.array(cells, dtype=np.int64)
        except OverflowError:
            raise _core.Error(f"a whole number is {max(cells, key=abs)}, beyond 64 bits") from None
    if known and all(isinstance(cell, (int, float, np.number)) for cell in known):
        return np.array([np.nan if absent else cell for cell, absent in zip(cells, missing)], dtype=np.float64)
    result = np.empty(len(cells), dtype=object)
    result[:] = [None if absent else cell for cell, absent in zip(cells, missing)]
    return result


def _counted(cells: list, missing: list, count: Any, dtype: str) -> np.ndarray:
    counts = [_NAT if absent else count(cell) for cell, absent in zip(cells, missing)]
    return np.array(counts, dtype=np.int64).view(dtype)


def _nanoseconds_of_one(cell: Any) -> int:
    """Of a moment since 1970 or of a duration, of NumPy, pandas or Python."""
    for to_numpy in ("to_datetime64", "to_timedelta64"):  # pandas' own keep nanoseconds
        if hasattr(cell, to_numpy):
            cell = getattr(cell, to_numpy)()
    if isinstance(cell, datetime.date):
        return _microseconds(cell) * 1000
    one = np.atleast_1d(np.timedelta64(cell) if isinstance(cell, datetime.timedelta) else cell)
    return int(nanoseconds(one)[0])


def _microseconds(moment: Any) -> int:
    """Of a datetime or date since 1970, exactly; without a zone it is taken for UTC."""
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(microseconds=1)


def duration_text(span: Any) -> str:
    """A duration as options have it: a text, a timedelta, or a number for plain times."""
    if isinstance(span, (np.timedelta64, datetime.timedelta)):
        return f"{_nanoseconds_of_one(span)}ns"
    return str(span)


def add_column(table: _core.Table, name: str, cells: Any) -> None:
    """Adds a column of any kind to a table."""
    if is_series(cells) and str(cells.dtype) == "category":
        cells = cells.to_series() if not hasattr(cells, "cat") else cells
        names = ["" if is_missing(c) else str(c) for c in cells.cat.categories]
        return table.add_coded(name, cells.cat.codes.to_numpy(), names)
    array = column_array(cells)
    if array.ndim != 1:
        raise _core.Error(f"the column '{name}' has {array.ndim} dimensions, not one")
    kind = array.dtype.kind
    if kind in "biuf":
        table.add(name, array)
    elif kind == "M":
        table.add_instants(name, array.view(np.int64), whole_nanoseconds(array.dtype))
    elif kind in "OUST":
        _add_texts(table, name, array)
    else:
        table.add_other(name, f"of the type {array.dtype}", len(array))


def _add_texts(table: _core.Table, name: str, array: np.ndarray) -> None:
    cells = array.tolist()
    if any(not isinstance(cell, (str, bytes, int, float, bool, type(None))) and cell == cell for cell in cells):
        table.add_other(name, "a column of Python objects", len(cells))
    elif any(isinstance(cell, bytes) for cell in cells):
        table.add_names(name, [c.decode() if isinstance(c, bytes) else c for c in cells])
    else:
        table.add_names(name, [None if cell != cell else cell for cell in cells])
