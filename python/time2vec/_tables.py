"""From what people have (arrays, lists of sequences, frames, Arrow tables) to events in columns."""

from __future__ import annotations

import datetime
import importlib.util
import os
from typing import Any, Iterable, Mapping

import numpy as np

from . import _core
from ._columns import add_column, check_unmasked, column_array, from_pandas, is_series, nanoseconds

#: The names of columns that are made here.
ID, TIME, EVENT, VALUE = "sequence_id", "time", "event", "value"


def is_frame(x: Any) -> bool:
    """Whether it is a frame of pandas."""
    return from_pandas(x) and hasattr(x, "columns")


def is_path(x: Any) -> bool:
    """Whether it names a file."""
    return isinstance(x, (str, os.PathLike))


def find_duckdb() -> None:
    """Lets files of Parquet and databases be read by the package duckdb, where it is installed and no other library of
    DuckDB is."""
    try:
        spec = importlib.util.find_spec("_duckdb") or importlib.util.find_spec("duckdb.duckdb")
    except ImportError:  # without the package there is nothing within it
        return
    if spec is not None and spec.origin is not None:
        _core.offer_duckdb(spec.origin)


def is_table(x: Any) -> bool:
    """Whether it has named columns, one event a row. A sparse matrix, some of which are dicts, is refused."""
    if hasattr(x, "toarray") and hasattr(x, "nnz"):
        raise TypeError("A sparse matrix was passed, but dense data is required; use X.toarray()")
    if is_frame(x) or isinstance(x, (Mapping, _core.Table)):
        return True
    # A column of Arrow or Polars is a stream too, but has no names.
    return hasattr(x, "__arrow_c_stream__") and any(hasattr(x, name) for name in ("columns", "column_names", "schema"))


def collected(x: Any) -> Any:
    """A lazy frame of Polars as a frame; all else as it is."""
    lazy = type(x).__module__.startswith("polars") and type(x).__name__ == "LazyFrame"
    return x.collect() if lazy else x


def resolved(x: Any, plain: str = VALUE) -> tuple[Any, dict[str, str]]:
    """What is read later (a lazy frame, a data set of Arrow), can be read once, or has its times in an index, as a
    table, and the roles of its columns that are sure. `plain` is what numbers without a name are. All else stays."""
    x = collected(x)
    if hasattr(x, "scanner") and hasattr(x, "to_table"):
        return table_of(x.scanner().to_reader()), {}
    if hasattr(x, "read_next_batch"):
        return table_of(x), {}
    if isinstance(x, np.ndarray) and x.dtype.names:
        return {name: x[name] for name in x.dtype.names}, {}
    if is_frame(x) and _has_times(x.index):
        return _with_index(x, "index"), {}
    if is_series(x) and hasattr(x, "index") and _has_times(x.index):
        return _series_over_time(x, plain)
    return x, {}


def readable_again(x: Any) -> Any:
    """The same, but a table where it could be read once alone, or is costly to read."""
    table, roles = resolved(x)
    return x if roles else table


def _has_times(index: Any) -> bool:
    """Whether an index of pandas, or a level of it, has dates."""
    return any(str(level.dtype).startswith(("datetime64", "period", "timestamp"))
               for level in (index.levels if index.nlevels > 1 else [index]))


def _series_over_time(series: Any, plain: str) -> tuple[Any, dict[str, str]]:
    """A Series whose index has times; of dates over dates, the values are the times."""
    kind = column_array(series).dtype.kind
    if kind in "mM":
        return series, {}
    role = plain if kind in "biuf" else EVENT
    name = role if series.name is None else str(series.name)
    frame = _with_index(series.to_frame(name), TIME)
    return frame, {role: name} if series.index.nlevels > 1 else {"time": frame.columns[0], role: name}


def _with_index(frame: Any, unnamed: str) -> Any:
    """The levels of the index as columns before the others, unless there are columns of these names."""
    index, frame = frame.index, frame.copy(deep=False)
    for i, name in reversed(list(enumerate(index.names))):
        if name is None:
            name = unnamed if index.nlevels == 1 else f"level_{i}"
        if name not in frame.columns:
            frame.insert(0, name, index.get_level_values(i).array)
    return frame


def table_of(x: Any) -> _core.Table:
    """The columns of a frame, a mapping or an Arrow table."""
    if isinstance(x, _core.Table):
        return x
    if not is_frame(x) and not isinstance(x, Mapping):
        return _core.Table.from_arrow(x.__arrow_c_stream__())
    table = _core.Table()
    for name in x:
        add_column(table, str(name), x[name])
    return table


# --- lists of sequences ---


def named_columns(x: Any) -> dict[str, Any] | None:
    """The columns of a mapping, a frame or an Arrow table; nothing for all else."""
    if not is_table(x) or not hasattr(x, "__getitem__"):
        return None
    if isinstance(x, Mapping):
        return {str(name): cells for name, cells in x.items()}
    return {str(name): x[name] for name in getattr(x, "column_names", x.columns)}


def _columns_of(sequence: Any, plain: str) -> dict[str, np.ndarray]:
    """One sequence as columns. `plain` is what numbers without a name are."""
    if isinstance(sequence, (str, bytes, int, float, np.generic, datetime.date, type(None))):
        raise _core.Error(f"a sequence is {sequence!r}, one thing alone; if X is one sequence, give it as [X], or with "
                          "its times as [(times, X)]; if it is a column of a table, give the table")
    sequence, roles = resolved(sequence, plain)
    columns = named_columns(sequence)
    if columns is not None:
        known = {name: role for role, name in roles.items()} or ({} if TIME in columns else {"index": TIME})
        return {known.get(name, name): column_array(cells) for name, cells in columns.items()}
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


def _joined(name: str, parts: list[np.ndarray]) -> np.ndarray:
    times = {part.dtype.kind == "M" for part in parts}
    if len(times) > 1:
        raise _core.Error(f"'{name}' has dates in some sequences and none in others; make them alike")
    if times == {True} and len({part.dtype for part in parts}) > 1:
        return np.concatenate([nanoseconds(part).view("datetime64[ns]") for part in parts])
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
        add_column(table, name, _joined(name, [columns[name] for columns in all_columns]))
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
    check_unmasked(x)
    if np.iscomplexobj(x):
        raise _core.Error("Complex data not supported")
    if x.dtype.kind == "O":
        if any(isinstance(cell, (datetime.date, np.datetime64)) for cell in x.flat):
            return None
        try:
            x = x.astype(np.float64)
        except ValueError:
            return None
        except TypeError:
            if x.ndim < 2:
                return None
            raise
    return x if x.dtype.kind in "biuf" else None
