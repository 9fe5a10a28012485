"""From what people have (arrays, lists of sequences, frames, Arrow tables) to events in columns."""

from __future__ import annotations

import datetime
import os
from typing import Any, Iterable, Mapping

import numpy as np

from . import _core

#: The names of columns that are made here.
ID, TIME, EVENT, VALUE = "sequence_id", "time", "event", "value"

_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
                "D": 86400 * 10**9, "W": 7 * 86400 * 10**9}


def is_frame(x: Any) -> bool:
    """Whether it is a frame of pandas, told without importing it."""
    return type(x).__module__.partition(".")[0] == "pandas" and hasattr(x, "columns")


def is_path(x: Any) -> bool:
    """Whether it names a file."""
    return isinstance(x, (str, os.PathLike))


def is_table(x: Any) -> bool:
    """Whether it has named columns, one event a row. A sparse matrix, some of which are dicts, is refused."""
    if hasattr(x, "toarray") and hasattr(x, "nnz"):
        raise TypeError("A sparse matrix was passed, but dense data is required; use X.toarray()")
    return is_frame(x) or isinstance(x, Mapping) or hasattr(x, "__arrow_c_stream__")


def whole_nanoseconds(dtype: np.dtype) -> int:
    """How many nanoseconds a count of a datetime64 or timedelta64 type is."""
    unit, count = np.datetime_data(dtype)
    if unit not in _NANOSECONDS:
        raise _core.Error(f"times of the type {dtype} cannot be used; make them datetime64[ns]")
    return _NANOSECONDS[unit] * count


def _microseconds(moment: Any) -> int:
    """Of a datetime or date since 1970, exactly; without a zone it is taken for UTC."""
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(microseconds=1)


def _from_objects(cells: list) -> np.ndarray:
    """Objects as an array of one kind: times, numbers or, else, objects."""
    known = [cell for cell in cells if cell is not None and cell == cell]
    if known and all(isinstance(cell, np.datetime64) for cell in known):
        return np.array(cells, dtype="datetime64[ns]")
    if known and all(isinstance(cell, datetime.date) for cell in known):
        if any(getattr(cell, "nanosecond", 0) for cell in known):  # pandas.Timestamp
            return np.array([c.value if c is not None and c == c else np.iinfo(np.int64).min for c in cells]
                            ).astype("datetime64[ns]")
        counts = [_microseconds(c) if c is not None and c == c else np.iinfo(np.int64).min for c in cells]
        return np.array(counts, dtype=np.int64).view("datetime64[us]")
    if known and all(isinstance(cell, (np.timedelta64, datetime.timedelta)) for cell in known):
        return np.array([np.timedelta64(cell) for cell in cells]).astype("timedelta64[ns]")
    if len(known) == len(cells) and all(type(cell) is int for cell in known):
        return np.array(cells, dtype=np.int64)
    if known and all(isinstance(cell, (int, float, np.number)) for cell in known):
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    result = np.empty(len(cells), dtype=object)
    result[:] = cells
    return result


def column_array(cells: Any) -> np.ndarray:
    """One column as an array of numbers, times, or objects that are texts. Whole numbers stay whole."""
    if isinstance(cells, np.ndarray):
        array = cells
    elif hasattr(cells, "__array__"):
        array = np.asarray(cells)
    else:
        array = _from_objects(list(cells))
    if array.dtype.kind == "O":
        array = _from_objects(list(array.ravel())).reshape(array.shape)
    return array


def _add_pandas(table: _core.Table, name: str, series: Any) -> None:
    kind = str(series.dtype)
    if kind == "category":
        names = ["" if c is None else str(c) for c in series.cat.categories]
        table.add_coded(name, series.cat.codes.to_numpy(), names)
    elif kind.startswith("datetime64[") and "," in kind:  # with a zone: UTC underneath
        add_column(table, name, series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif kind in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "boolean") \
            and not series.isna().any():
        add_column(table, name, series.to_numpy("int64"))
    elif kind[:1].isupper() and (kind.startswith(("Int", "UInt", "Float"))) or kind == "boolean":
        add_column(table, name, series.to_numpy("float64", na_value=np.nan))
    elif kind.startswith("string") or kind == "str":
        table.add_names(name, [None if missing else cell
                               for cell, missing in zip(series.array, series.isna())])
    else:
        add_column(table, name, series.to_numpy())


def add_column(table: _core.Table, name: str, cells: Any) -> None:
    """Adds a column of any kind to a table."""
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


def table_of(x: Any) -> _core.Table:
    """The columns of a frame, a mapping or an Arrow table."""
    if not is_frame(x) and not isinstance(x, Mapping):
        return _core.Table.from_arrow(x.__arrow_c_stream__())
    table = _core.Table()
    for name in x:
        if is_frame(x):
            _add_pandas(table, str(name), x[name])
        else:
            add_column(table, str(name), x[name])
    return table


# --- lists of sequences ---


def _columns_of(sequence: Any, plain: str) -> dict[str, np.ndarray]:
    """One sequence as columns. `plain` is what numbers without a name are."""
    if is_frame(sequence):
        return {str(name): column_array(sequence[name]) for name in sequence}
    if isinstance(sequence, Mapping):
        return {str(name): column_array(cells) for name, cells in sequence.items()}
    if isinstance(sequence, tuple) and len(sequence) == 2 and np.ndim(sequence[0]) == 1:
        return {TIME: column_array(sequence[0]), EVENT: column_array(sequence[1])}
    array = column_array(sequence)
    if array.ndim == 1 and array.dtype.kind == "M":
        return {TIME: array}
    steps = np.arange(len(array))
    if array.ndim == 1:
        return {TIME: steps, plain if array.dtype.kind in "biuf" else EVENT: array}
    if array.ndim == 2:
        return {TIME: steps, **{f"x{i}": array[:, i] for i in range(array.shape[1])}}
    raise _core.Error(f"a sequence has {array.ndim} dimensions; it is events or values [steps], numbers "
                      "[steps, channels], (times, events) or columns by name")


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    if any(part.dtype.kind in "OUST" for part in parts):
        return np.concatenate([part.astype(object) for part in parts])
    return np.concatenate(parts)


def sequences_table(sequences: Iterable[Any], plain: str) -> tuple[_core.Table, list[str]]:
    """A list of sequences as one table, and the names of its columns."""
    all_columns = [_columns_of(sequence, plain) for sequence in sequences]
    if not all_columns:
        raise _core.Error("there are no sequences; Found array with 0 sample(s)")
    names = list(all_columns[0])
    lengths = []
    for i, columns in enumerate(all_columns):
        if list(columns) != names:
            raise _core.Error(f"sequence {i} has the columns {list(columns)}, but the first one {names}")
        if TIME not in columns:
            raise _core.Error(f"sequence {i} has no column '{TIME}'; its columns are {list(columns)}")
        lengths.append(len(columns[TIME]))
        if lengths[-1] == 0:
            raise _core.Error(f"sequence {i} has no event; leave it out")
        for name, cells in columns.items():
            if len(cells) != lengths[-1]:
                raise _core.Error(f"sequence {i}: '{name}' has {len(cells)} entries for {lengths[-1]} times")
    table = _core.Table()
    table.add(ID, np.repeat(np.arange(len(all_columns)), lengths))
    for name in names:
        add_column(table, name, _joined([columns[name] for columns in all_columns]))
    return table, names


def series_table(x: np.ndarray) -> tuple[_core.Table, list[str]]:
    """Series of equal length, [series, steps] or [series, steps, channels], at the times 0, 1, 2, ..."""
    count, steps = x.shape[:2]
    table = _core.Table()
    table.add(ID, np.repeat(np.arange(count), steps))
    table.add(TIME, np.tile(np.arange(steps), count))
    if x.ndim == 2:
        table.add(VALUE, np.ascontiguousarray(x).ravel())
        return table, [TIME, VALUE]
    names = [f"x{i}" for i in range(x.shape[2])]
    for i, name in enumerate(names):
        table.add(name, np.ascontiguousarray(x[:, :, i]).ravel())
    return table, [TIME, *names]


def own_options(names: list[str]) -> dict[str, Any]:
    """The roles of columns in a table that was made here."""
    roles = {"id": ID, "time": TIME, "event": EVENT if EVENT in names else "-",
             "value": VALUE if VALUE in names else "-", "label": "-"}
    features = [name for name in names if name not in (TIME, EVENT, VALUE)]
    return {**roles, "features": features}


def number_array(x: Any) -> np.ndarray | None:
    """What is a rectangle of numbers as an array of floats; nothing for all else."""
    if is_table(x):
        return None
    if isinstance(x, (list, tuple)):
        try:
            x = np.array(x)
        except ValueError:  # of different lengths
            return None
    elif not isinstance(x, np.ndarray):
        x = np.asarray(x)
    if np.iscomplexobj(x):
        raise _core.Error("Complex data not supported")
    if x.dtype.kind == "O":
        try:
            x = x.astype(np.float64)
        except ValueError:
            return None
        except TypeError:
            if x.ndim < 2 or isinstance(x.flat[0], (datetime.date, np.datetime64)):
                return None
            raise
    return x if x.dtype.kind in "biuf" else None
