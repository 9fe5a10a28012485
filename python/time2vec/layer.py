"""The layer alone, on NumPy arrays: t2v(τ)[0] = ω₀τ + φ₀, t2v(τ)[i] = F(ωᵢτ + φᵢ)."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

__all__ = ["as_times", "backward", "forward", "start"]

_LARGEST_WHOLE = 1 << 53  # up to here whole numbers are doubles


def as_times(times: Any) -> np.ndarray:
    """Numbers as contiguous doubles; no copy if they are. Whole numbers that a double cannot hold are refused.

    >>> as_times([1, 2.5])
    array([1. , 2.5])
    """
    array = np.asarray(times)
    if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > _LARGEST_WHOLE:
        raise _core.Error("whole numbers beyond 2^53 are no doubles; subtract an origin from them first, such as "
                          "times - times[0]")
    if array.dtype.kind not in "biuf":
        raise _core.Error(f"times are numbers here, not {array.dtype}; time2vec.Time2Vec takes dates too")
    return np.ascontiguousarray(array, dtype=np.float64)


def forward(times: Any, omega: Any, phi: Any, *, activation: str = "sin", linear: bool = True,
            dtype: Any = np.float32, slope: bool = False) -> Any:
    """The vectors of times: an array of the shape of `times` and one dimension more, for the terms.

    Frequencies and phases are doubles, and phases are exact for |ωτ| up to 1e12, whatever `dtype` the result
    has. With `slope` also dF/dx, in the same shape, which `backward` needs.

    >>> forward([0.0, 0.25], omega=[1.0, 2 * np.pi], phi=[0.0, 0.0])
    array([[0.  , 0.  ],
           [0.25, 1.  ]], dtype=float32)
    """
    tau, omega, phi = as_times(times), as_times(omega), as_times(phi)
    shape = (*tau.shape, omega.size)
    value = np.empty(shape, dtype=dtype)
    if value.dtype not in (np.float32, np.float64):
        raise _core.Error(f"dtype is {value.dtype}; use float32 or float64")
    slopes = np.empty(shape, dtype=dtype) if slope else None
    _core.forward(value, slopes, tau, omega, phi, activation, linear)
    return (value, slopes) if slope else value


def backward(dvalue: Any, slope: np.ndarray, times: Any) -> tuple[np.ndarray, np.ndarray]:
    """The gradients of ω and φ, from that of the vectors and the slope that `forward` gave.

    >>> value, slope = forward([0.5], [1.0, 2.0], [0.0, 0.0], slope=True)
    >>> backward(np.ones_like(value), slope, [0.5])[1].round(4)
    array([1.    , 0.5403])
    """
    dvalue = np.ascontiguousarray(dvalue, dtype=slope.dtype)
    domega, dphi = np.zeros(slope.shape[-1]), np.zeros(slope.shape[-1])
    _core.backward(domega, dphi, dvalue, slope, as_times(times))
    return domega, dphi


def start(k: int, kind: str = "u11", *, times: Any = (), targets: Any = None, activation: str = "sin",
          linear: bool = True, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and phases to start from: (ω, φ), each of k numbers and one more for the linear term.

    `kind` is one of u11, u01, n1, n01, geometric, equal, positional, span (from the scale of `times`) and
    periodogram (the strongest periods of `targets` over `times`).

    >>> omega, phi = start(3, "positional")
    >>> omega[1:].round(4)
    array([1.    , 0.0464, 0.0022])
    """
    if targets is not None:
        targets = np.ascontiguousarray(targets, dtype=np.float64)
    return _core.start(k, kind, activation, linear, seed, as_times(times), targets)[:2]
