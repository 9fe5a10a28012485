"""t2v by plain PyTorch operations, for devices that our kernels do not know.

A number of more digits than its type holds is a pair, the unevaluated sum of two numbers of that type: float64 where
the device has it, else float32. Rounding errors are found by Dekker's and Knuth's exact sums and products, so these
functions must run as they stand, one operation after another; a compiler that joins them would lose the errors.
"""

from __future__ import annotations

import math
from typing import Any

import torch

#: |ωτ| up to which phases are within 1e-6 rad.
MOST_PHASE = {torch.float64: 1e12, torch.float32: 1e8}
#: 1 / 2π as a sum of two float64.
_TURNS_PER_RADIAN = (0.15915494309189535, -9.839338337591243e-18)

Pair = tuple  # of two tensors, or numbers


def constant(number: float, dtype: Any) -> Pair:
    """A number as a pair: exact in float64, to 48 bits in float32."""
    if dtype == torch.float64:
        return number, 0.0
    high = torch.tensor(number, dtype=torch.float64).float().item()
    return high, torch.tensor(number - high, dtype=torch.float64).float().item()


def _fast_sum(a: Any, b: Any) -> Pair:
    """a + b for |a| >= |b|."""
    s = a + b
    return s, b - (s - a)


def _sum(a: Any, b: Any) -> Pair:
    s = a + b
    other = s - a
    return s, (a - (s - other)) + (b - other)


def _halves(a: Any) -> Pair:
    """a as a sum of two numbers of half as many bits."""
    t = a * (134217729.0 if a.dtype == torch.float64 else 4097.0)
    high = t - (t - a)
    return high, a - high


def _product(a: Any, b: Any) -> Pair:
    p = a * b
    (ah, al), (bh, bl) = _halves(a), _halves(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def _times(a: Pair, b: Pair) -> Pair:
    p, e = _product(a[0], b[0])
    return _fast_sum(p, e + (a[0] * b[1] + a[1] * b[0]))


def since(times: Any, centre: float, dtype: Any) -> Pair:
    """Times less the centre, exactly where they are whole numbers, as pairs."""
    if not times.is_floating_point():
        whole = round(centre)
        counts = times.to(torch.int64) - whole
        high = counts.to(dtype)
        if dtype == torch.float64:
            return high - (centre - whole), torch.zeros_like(high)
        return _fast_sum(high, (counts - high.to(torch.int64)).to(dtype) - (centre - whole))
    times = times.to(dtype)
    high, low = constant(centre, dtype)
    if dtype == torch.float64:
        return times - high, torch.zeros_like(times)
    s, e = _sum(times, torch.full_like(times, -high))
    return _fast_sum(s, e - low)


def frequencies(nu: Any, rest: Any, scale: float) -> Pair:
    """ω = ν / scale + rest."""
    if nu.dtype == torch.float64:
        omega = nu / scale + rest
        return omega, torch.zeros_like(omega)
    inverse, low = constant(1 / scale, nu.dtype)
    p, e = _product(nu, torch.full_like(nu, inverse))
    return _fast_sum(p, e + (nu * low + rest))


def _turns(tau: Pair, omega: Pair, psi: Pair) -> Any:
    """(ωτ + ψ) / 2π less the nearest whole number: [..., K] in [-1/2, 1/2], NaN where the phase is out of range."""
    dtype = omega[0].dtype
    high, low = _TURNS_PER_RADIAN if dtype == torch.float64 else constant(_TURNS_PER_RADIAN[0], dtype)
    by_turn = torch.full_like(omega[0], high), torch.full_like(omega[0], low)
    per_unit, start = _times(omega, by_turn), _times(psi, by_turn)
    p, e = _product(tau[0], per_unit[0])
    e = e + (tau[0] * per_unit[1] + tau[1] * per_unit[0])
    s, low = _sum(p - torch.round(p), e)
    s, more = _sum(s - torch.round(s), start[0] - torch.round(start[0]))
    x = (s - torch.round(s)) + (low + more + start[1])
    return torch.where(p.abs() <= MOST_PHASE[dtype] * high, x, torch.full_like(x, math.nan))


def derivative(activation: str, order: int) -> tuple[str, float, list[float] | None]:
    """The derivative of F as (form, factor, polynomial): factor times a form, or a polynomial of F itself. Forms are
    activations, "slope" for the first derivative of piecewise linear ones, "zero"."""
    if activation in ("sin", "cos"):
        quarter = (order + (activation == "cos")) % 4
        return "sin" if quarter % 2 == 0 else "cos", 1.0 if quarter < 2 else -1.0, None
    if order == 0:
        return activation, 1.0, None
    if activation in ("sigmoid", "tanh"):
        slope = [0.0, 1.0, -1.0] if activation == "sigmoid" else [1.0, 0.0, -1.0]  # F' = F - F², 1 - F²
        polynomial = [0.0, 1.0]
        for _ in range(order):
            polynomial = _multiply([i * c for i, c in enumerate(polynomial)][1:], slope)
        return activation, 1.0, polynomial
    return "slope" if order == 1 else "zero", 1.0, None


def _multiply(a: list[float], b: list[float]) -> list[float]:
    product = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def evaluate(polynomial: list[float], x: Any) -> Any:
    """By Horner."""
    value = torch.full_like(x, polynomial[-1])
    for coefficient in polynomial[-2::-1]:
        value = value * x + coefficient
    return value


def _periodic(form: str, activation: str, turns: Any) -> Any:
    """A form of a periodic activation at phases in turns."""
    if form in ("sin", "cos"):
        return getattr(torch, form)(2 * math.pi * turns)
    if activation == "triangle":
        n = torch.round(2 * turns)
        sign = 1 - 2 * (n - 2 * torch.floor(n / 2))
        return sign * (2 / math.pi) if form == "slope" else (2 * turns - n) * 2 * sign
    return torch.full_like(turns, 1 / math.pi) if form == "slope" else 2 * (turns - torch.floor(turns)) - 1


def encode(times: Any, nu: Any, nu_rest: Any, psi: Any, psi_rest: Any, scale: float, centre: float, activation: str,
           linear: bool, order: int, dtype: Any) -> Any:
    """The order-th derivative by the phase of t2v, [..., K]. Phases are formed in the type of ν."""
    tau = tuple(part[..., None] for part in since(times, centre, nu.dtype))
    omega = frequencies(nu, nu_rest, scale)
    form, factor, polynomial = derivative(activation, order)
    if form == "zero":
        value = torch.zeros((*times.shape, nu.numel()), dtype=dtype, device=times.device)
    elif activation in ("sin", "cos", "triangle", "mod"):
        value = factor * _periodic(form, activation, _turns(tau, omega, (psi, psi_rest)).to(dtype))
    else:
        phase = _phase(tau, omega, psi).to(dtype)
        value = (phase > 0).to(dtype) if form == "slope" else getattr(torch, form)(phase)
        if polynomial is not None:
            value = evaluate(polynomial, value)
    if linear:
        first = _phase(tau, tuple(part[:1] for part in omega), psi[:1]) if order == 0 else None
        value = torch.cat([first.to(dtype) if order == 0 else torch.full_like(value[..., :1], float(order == 1)),
                           value[..., 1:]], dim=-1)
    return value


def _phase(tau: Pair, omega: Pair, psi: Any) -> Any:
    """ωτ + ψ, not reduced."""
    return tau[0] * omega[0] + (tau[0] * omega[1] + tau[1] * omega[0] + psi)
