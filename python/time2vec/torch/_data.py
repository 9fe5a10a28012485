"""What a layer starts from: the scale of some times, and frequencies that fit them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._times import COUNTS

__all__ = ["Measured", "measured"]


@dataclass
class Measured:
    """Frequencies in radians per unit of the times, phases at the centre."""

    omega: np.ndarray
    phi: np.ndarray
    scale: float
    centre: float


def measured(times: Any, targets: Any, k: int, start: str, activation: str, linear: bool, seed: int) -> Measured:
    """By times [N] or, as sequences, [B, T]. Raises Error for what are no times, or all one time."""
    array = np.asarray(times)
    if array.dtype.kind not in "iuf" or array.ndim not in (1, 2) or array.size == 0:
        raise _core.Error(f"times are numbers, [N] or [B, T], not {array.dtype} of the shape {array.shape}; "
                          "datetime64 become numbers by times.astype('int64')")
    rows = np.atleast_2d(array)
    held = ~np.isnan(rows) if array.dtype.kind == "f" else np.ones(rows.shape, dtype=bool)
    flat = rows[held]
    if flat.size == 0 or not np.isfinite(flat).all():
        raise _core.Error("times must be finite, and NaN, which is padding, not all there is")
    whole = array.dtype.kind in "iu" or bool((flat == np.round(flat)).all() and np.abs(flat).max() < 1 << 53)
    first = int(flat.min()) if whole else float(flat.min())
    tau = np.array([int(t) - first for t in flat], dtype=np.float64) if whole else flat.astype(np.float64) - first
    if tau.max() == 0:
        raise _core.Error(f"all times are {first}; a layer needs times that differ to take its scale from them")
    unit = _core.detect_unit(flat[:1000].astype(np.float64))
    # One row is a sequence, or times on their own; both have the same gaps once they are in order.
    offsets = np.concatenate([[0], np.cumsum(held.sum(axis=1))]) if array.ndim == 2 else np.array([0, flat.size])
    order = np.argsort(tau, kind="stable") if array.ndim == 1 else np.arange(flat.size)
    if targets is not None:
        targets = np.ascontiguousarray(np.asarray(targets), dtype=np.float64)
        targets = (targets[held] if targets.shape == array.shape and array.ndim == 2 else
                   targets.reshape(-1, *targets.shape[array.ndim:])[held.ravel()])[order]
    omega, phi, scale, centre = _core.start(
        k, start, activation, linear, seed, np.ascontiguousarray(tau[order]), targets,
        np.ascontiguousarray(offsets, dtype=np.int64), COUNTS[unit] / 1e9 if unit in COUNTS else 0.0, _grid(tau, whole),
        True)
    # A centre that is a whole number is subtracted from whole numbers exactly, be they nanoseconds since 1970.
    shifted = float(first + round(centre)) if whole else first + centre
    moved = float(int(shifted) - first) if whole else shifted - first
    return Measured(omega, phi + omega * moved, scale, shifted)


def _grid(tau: np.ndarray, whole: bool) -> float:
    """The largest number of which all times are multiples, of whole numbers; 0 if it is not known."""
    return float(np.gcd.reduce(tau[tau > 0].astype(np.int64))) if whole else 0.0
