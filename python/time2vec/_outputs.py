"""Predictions in the form that people ask for: arrays, Arrow tables, or frames of the kind that came in."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from . import _core
from ._columns import from_pandas

#: What `output` may be.
OUTPUTS = ("numpy", "arrow", "frame")


def check_output(output: str) -> None:
    """Raises Error for an unknown form."""
    if output not in OUTPUTS:
        raise _core.Error(f"`output` is one of {', '.join(OUTPUTS)}, not {output!r}")


def as_output(columns: dict[str, Any], output: str, given: Any) -> Any:
    """Columns as an Arrow table or, for "frame", as a frame of the kind of `given`: of pandas, Polars or DuckDB, else
    an Arrow table. Arrays of numbers and of times are not copied for Arrow."""
    maker = type(given).__module__.partition(".")[0].lstrip("_")
    if output == "frame" and from_pandas(given):
        return importlib.import_module("pandas").DataFrame(columns)
    table = _needed("pyarrow", 'output="arrow"').table(columns)
    if output == "frame" and maker == "polars":
        return importlib.import_module("polars").from_arrow(table)
    if output == "frame" and maker == "duckdb":
        return importlib.import_module("duckdb").from_arrow(table)
    return table


def _needed(module: str, what_for: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise _core.Error(f"{what_for} needs the package {module}; pip install {module}") from None


def repeated(cells: Any, times: int) -> np.ndarray:
    """Each cell so often."""
    return np.repeat(np.asarray(cells), times)
