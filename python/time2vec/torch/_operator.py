"""`encode`: t2v and its derivatives as an operator that PyTorch's compiler, exporter and transforms know.

Its formula says the gradients by the next derivative and plain operations, so derivatives of any order are there.
Before PyTorch 2.4 operators cannot be registered from Python: then it is a torch.autograd.Function, without
torch.compile, torch.export and vmap.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor

from .. import _core
from . import _phases

#: Whether operators can be registered.
REGISTERED = hasattr(torch.library, "custom_op")

#: Types of times about which a warning was given, or which were looked at.
_looked: set = set()


def has_kernel(device: Any) -> bool:
    """Whether our kernels compute there; elsewhere plain operations do."""
    return device.type == "cpu"


def has_float64(device: Any) -> bool:
    """Whether the device computes in float64; Apple's do not."""
    return device.type != "mps"


def _compute(times: Tensor, nu: Tensor, nu_rest: Tensor, psi: Tensor, psi_rest: Tensor, scale: float, centre: float,
             activation: str, linear: bool, order: int, dtype: torch.dtype) -> Tensor:
    """The order-th derivative by the phase of F(ω(τ - centre) + ψ) with ω = ν / scale + rest, [..., K]."""
    _warn_of_lost_digits(times)
    if times.numel() == 0:
        return torch.empty((*times.shape, nu.numel()), dtype=dtype, device=times.device)
    if not has_kernel(times.device) or nu.dtype != torch.float64:
        return _phases.encode(times, nu, nu_rest, psi, psi_rest, scale, centre, activation, linear, order, dtype)
    form, factor, polynomial = _phases.derivative(activation, order)
    tau = _since(times, centre).reshape(-1).contiguous()
    value = torch.zeros((tau.numel(), nu.numel()), dtype=dtype)
    slope = torch.empty_like(value) if form == "slope" else None
    omega = (nu / scale + nu_rest).contiguous()
    if form != "zero":
        _core.forward(value.numpy(), None if slope is None else slope.numpy(), tau.numpy(), omega.numpy(),
                      psi.contiguous().numpy(), activation if form == "slope" else form, linear)
    value = value if slope is None else slope
    if polynomial is not None:
        value = _phases.evaluate(polynomial, value)
    if factor != 1:
        value.neg_()
    if linear and order > 0:
        value[:, 0] = float(order == 1)
    return value.view(*times.shape, nu.numel())


def _since(times: Tensor, centre: float) -> Tensor:
    """Times less the centre in float64. Raises Error for whole numbers that are then still none of float64."""
    if not times.is_floating_point():
        whole = round(centre)
        if max(abs(int(times.max()) - whole), abs(int(times.min()) - whole)) > 1 << 53:
            raise _core.Error("whole numbers beyond 2^53 are no doubles; subtract an origin from the times first, or "
                              "make the layer by Time2Vec.from_data(times)")
    return _phases.since(times, centre, torch.float64)[0]


def _warn_of_lost_digits(times: Tensor) -> None:
    """Once: times so large that their type leaves out whole numbers. Elsewhere than on the CPU to look means to wait
    for the device, so only the first times are looked at."""
    key = times.dtype, times.device.type
    if not times.is_floating_point() or times.dtype == torch.float64 or key in _looked or times.numel() == 0:
        return
    step = torch.finfo(times.dtype).eps
    most = float(times.abs().max())
    if times.device.type != "cpu" or most * step >= 2:
        _looked.add(key)
    if most * step >= 2:
        warnings.warn(f"times such as {most:g} are {times.dtype}, where the next time is {most * step:.0f} later; give "
                      "them as float64 or as whole numbers, as they were read", stacklevel=2)


def _shape_alone(times: Tensor, nu: Tensor, nu_rest: Tensor, psi: Tensor, psi_rest: Tensor, scale: float, centre: float,
                 activation: str, linear: bool, order: int, dtype: torch.dtype) -> Tensor:
    return times.new_empty((*times.shape, nu.shape[0]), dtype=dtype)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    times, nu, nu_rest, psi, psi_rest, *ctx.rest = inputs
    ctx.save_for_backward(times, nu, nu_rest, psi, psi_rest)


def _gradients(ctx: Any, dvalue: Tensor) -> tuple:
    """By times, ν and ψ, in operations that have derivatives themselves."""
    times, nu, nu_rest, psi, psi_rest = ctx.saved_tensors
    scale, centre, activation, linear, order, dtype = ctx.rest
    slope = encode(times, nu, nu_rest, psi, psi_rest, scale, centre, activation, linear, order + 1, dtype)
    dphase = (dvalue * slope).to(nu.dtype)
    dtimes = dnu = dpsi = None
    if ctx.needs_input_grad[0]:
        dtimes = (dphase @ (nu / scale + nu_rest)).to(times.dtype)
    if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:
        whole = 0 if times.is_floating_point() else round(centre)
        high, low = _phases.constant(centre - whole, nu.dtype)
        tau = ((times - whole).to(nu.dtype) - high - low).reshape(-1) / scale
        dnu, dpsi = torch.stack([tau, torch.ones_like(tau)]) @ dphase.reshape(-1, nu.shape[0])
    return (dtimes, dnu, None, dpsi, *[None] * 7)


def _over_batch(info: Any, in_dims: tuple, *inputs: Any) -> tuple:
    """vmap: times may have a dimension more; of several layers each is computed apart."""
    tensors, rest = inputs[:5], inputs[5:]
    moved = [x if dim is None else x.movedim(dim, 0) for x, dim in zip(tensors, in_dims)]
    if all(dim is None for dim in in_dims[1:5]):
        return encode(*moved, *rest), 0
    layers = [encode(*[x if dim is None else x[i] for x, dim in zip(moved, in_dims)], *rest)
              for i in range(info.batch_size)]
    return torch.stack(layers), 0


def _on_detached(*inputs: Any) -> Tensor:
    return _compute(*[x.detach() if isinstance(x, Tensor) else x for x in inputs])


class _Function(torch.autograd.Function):
    """The formula where it is not found by itself: within torch.func.grad and its like."""

    @staticmethod
    def forward(*inputs: Any) -> Tensor:  # type: ignore[override]
        return _operator(*inputs)

    setup_context = staticmethod(_keep)
    backward = staticmethod(_gradients)
    vmap = staticmethod(_over_batch)


class _OldFunction(torch.autograd.Function):
    """The same for PyTorch before 2.4."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Tensor:  # type: ignore[override]
        value = (_shape_alone if inputs[0].device.type == "meta" else _on_detached)(*inputs)
        _keep(ctx, inputs, value)
        return value

    backward = staticmethod(_gradients)


def encode(*inputs: Any) -> Tensor:
    """The operator, by the way that is open."""
    if not REGISTERED:
        return _OldFunction.apply(*inputs)
    return _Function.apply(*inputs) if torch._C._are_functorch_transforms_active() else _operator(*inputs)


if REGISTERED:
    _operator = torch.library.custom_op("time2vec::encode", _on_detached, mutates_args=(), schema=(
        "(Tensor times, Tensor nu, Tensor nu_rest, Tensor psi, Tensor psi_rest, float scale, float centre, "
        "str activation, bool linear, int order, ScalarType dtype) -> Tensor"))
    _operator.register_fake(_shape_alone)
    _operator.register_autograd(_gradients, setup_context=_keep)
    if hasattr(_operator, "register_vmap"):
        _operator.register_vmap(_over_batch)
