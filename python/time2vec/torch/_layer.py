"""Time2Vec as a module of PyTorch."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _core
from .. import layer as _layer
from ..model import Model
from . import _operator
from ._data import measured

__all__ = ["Time2Vec"]

_TURN = 2 * Fraction("3.14159265358979323846264338327950288419716939937510582097494459")
_PERIODIC = ("sin", "cos", "triangle", "mod")
#: What a state holds beside its frequencies and phases.
_MEASURES = ("scale", "centre")


class Time2Vec(nn.Module):
    """A vector of each time: ω₀τ + φ₀ and k periodic terms F(ωᵢτ + φᵢ), with ω and φ as parameters.

    Give times as float64 or as whole numbers: phases are then exact, whatever the dtype of the result. `from_data`
    makes a layer that learns equally well in any unit of time; it is the one to start with.

    k : periodic terms. activation : F, one of sin, cos, triangle, mod, sigmoid, tanh, relu. linear : whether the
    linear term comes first. start : of the frequencies, one of u11, u01, n1, n01, geometric, equal, positional;
    'span' takes their scale from `times`, 'periodogram' the strongest periods of `targets` over `times`. seed : None
    draws one from PyTorch's generator. dtype : of the result, as `half()`, `double()` and `to(dtype)` change it.

    `nu` and `psi` are the parameters: ω times `scale`, and the phases at the time `centre`. `omega` and `phi` are
    the same in the unit of the times; a state_dict has those. All have float64 whatever the dtype of the module, but
    on devices without it, where nu and psi are float32 and buffers hold the digits that these lack.

    >>> layer = Time2Vec(k=3, dtype=torch.float64)
    >>> tau = torch.tensor([[0.5, 1e9]], dtype=torch.float64)
    >>> layer(tau).dtype, sorted(layer.state_dict())
    (torch.float64, ['centre', 'omega', 'phi', 'scale'])
    """

    nu: nn.Parameter
    psi: nn.Parameter

    def __init__(self, k: int = 64, *, activation: str = "sin", linear: bool = True, start: str = "u11",
                 times: Any = (), targets: Any = None, seed: int | None = None, dtype: Any = None, device: Any = None):
        super().__init__()
        omega, phi = _layer.start(k, start, times=times, targets=targets, activation=activation, linear=linear,
                                  seed=_seed(seed))
        self._make(omega, phi, activation, linear, dtype, device)

    def _make(self, omega: np.ndarray, phi: np.ndarray, activation: str, linear: bool, dtype: Any, device: Any) -> None:
        self.activation, self.linear = activation, linear
        self.scale, self.centre = 1.0, 0.0
        self.nu = nn.Parameter(torch.from_numpy(omega.copy()))
        self.psi = nn.Parameter(torch.from_numpy(phi.copy()))
        self.register_buffer("_nu_rest", torch.zeros(omega.size, dtype=torch.float64, device="cpu"), persistent=False)
        self.register_buffer("_psi_rest", torch.zeros(omega.size, dtype=torch.float64, device="cpu"), persistent=False)
        # Empty: it carries the dtype of the results, as modules carry it in their parameters.
        self.register_buffer("_result", torch.empty(0, dtype=dtype or torch.get_default_dtype(), device="cpu"),
                             persistent=False)
        device = torch.empty(0).device if device is None else torch.device(device)
        if device.type != "cpu":
            self.to(device)

    @classmethod
    def from_data(cls, times: Any, k: int = 64, *, targets: Any = None, start: str = "auto", activation: str = "sin",
                  linear: bool = True, seed: int | None = None, dtype: Any = None, device: Any = None) -> "Time2Vec":
        """A layer for times like these, in any unit: Unix seconds learn as well as weeks.

        times : numbers [N], or sequences [B, T], where NaN is padding; whole numbers may be as large as nanoseconds
        since 1970. targets : what is to be predicted over them, [N] or [N, C], of which periods are taken. start :
        'auto' is cycles: of day, week and year where times count s, ms, us or ns since 1970, of the targets, and
        others that the times can show. The parameters are those of the engine: ω measured by the spread of the
        times, phases at their mean.

        >>> seconds = 1_700_000_000 + 3600 * torch.arange(1000)
        >>> layer = Time2Vec.from_data(seconds, k=8)
        >>> bool((layer.nu.abs() < 1e4).all()), layer(seconds).abs().max() < 1.1
        (True, tensor(True))
        """
        found = measured(times, targets, k, "cycles" if start == "auto" else start, activation, linear, _seed(seed))
        self = cls.__new__(cls)
        nn.Module.__init__(self)
        self._make(found.omega, found.phi, activation, linear, dtype, None)
        self._measure_by(found.scale, found.centre)
        phases = [self._reduced(i, Fraction(x)) for i, x in enumerate(found.phi.tolist())]
        self._put(found.omega.tolist(), phases, at_centre=True)
        return self if device is None else self.to(device)

    @property
    def width(self) -> int:
        """Entries of a vector."""
        return self.nu.numel()

    @property
    def omega(self) -> Any:
        """Frequencies in radians per unit of the times."""
        return self.nu if self.scale == 1 and self.nu.dtype == torch.float64 else self.nu / self.scale + self._nu_rest

    @omega.setter
    def omega(self, value: Any) -> None:
        self._put(value.detach().double().tolist(), self._exact()[1])

    @property
    def phi(self) -> Any:
        """Phases at the time 0."""
        if self.centre == 0 and self.psi.dtype == torch.float64:
            return self.psi
        return self.state_dict()["phi"].to(self.psi.dtype)

    @phi.setter
    def phi(self, value: Any) -> None:
        self._put(self._exact()[0], [Fraction(x) for x in value.detach().double().tolist()])

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("omega", "phi"):  # also what is a parameter
            return object.__setattr__(self, name, value)
        super().__setattr__(name, value)

    def forward(self, times: Any) -> Any:
        """Vectors of times: the shape of `times` and one dimension more."""
        if times.device != self.nu.device:
            raise _core.Error(f"the times are on {times.device}, but the layer on {self.nu.device}; move one of them")
        wanted = self._result.dtype
        wide = wanted == torch.float64 and self.nu.dtype == torch.float64
        value = _operator.encode(times, self.nu, self._nu_rest, self.psi, self._psi_rest, self.scale, self.centre,
                                 self.activation, self.linear, 0, torch.float64 if wide else torch.float32)
        return value.to(wanted)

    def extra_repr(self) -> str:
        measure = f", scale={self.scale:g}, centre={self.centre:g}" if self.scale != 1 or self.centre != 0 else ""
        return f"k={self.width - int(self.linear)}, activation={self.activation}, linear={self.linear}{measure}"

    # --- digits: frequencies and phases keep them whatever the module's dtype becomes ---

    def _apply(self, fn: Any, *args: Any, **kwargs: Any) -> "Time2Vec":
        moved = fn(self._result)
        if not _operator.has_float64(moved.device) and self.nu.dtype == torch.float64:
            self._store(torch.float32)
        names = ("nu", "psi", "_nu_rest", "_psi_rest")
        kept = {name: getattr(self, name).data for name in names}
        super()._apply(fn, *args, **kwargs)
        for name, data in kept.items():
            tensor = getattr(self, name)
            if tensor.dtype != data.dtype:
                tensor.data = data.to(tensor.device)
                if tensor.grad is not None:
                    tensor.grad = tensor.grad.to(data.dtype)
        if _operator.has_float64(self.nu.device) and self.nu.dtype != torch.float64:
            self._store(torch.float64)
        return self

    def _store(self, dtype: Any) -> None:
        """Holds the same frequencies and phases in another type."""
        exact = None if self.nu.device.type == "meta" else (self._exact()[0], self._exact_at_centre())
        for name in ("nu", "psi", "_nu_rest", "_psi_rest"):
            tensor = getattr(self, name)
            tensor.data = tensor.data.to(dtype)
            if tensor.grad is not None:
                tensor.grad = tensor.grad.to(dtype)
        if exact is not None:
            self._put(*exact, at_centre=True)

    def _measure_by(self, scale: float, centre: float) -> None:
        """Changes in what the parameters are counted."""
        exact = self._exact()
        self.scale, self.centre = float(scale), float(centre)
        self._put(*exact)

    def _put(self, omega: list, phi: list, *, at_centre: bool = False) -> None:
        """Sets ω, and the phases at 0 or at the centre, with what the types of ν and ψ leave out as rests."""
        wide = self.nu.dtype == torch.float64
        nu = torch.tensor([float(Fraction(w) * Fraction(self.scale)) for w in omega], dtype=torch.float64, device="cpu")
        nu = nu.to(self.nu.dtype)
        rest = [w - v if wide else float(Fraction(w) - Fraction(n) / Fraction(self.scale))
                for w, v, n in zip(omega, (nu / self.scale).tolist(), nu.tolist())]
        turned = phi if at_centre else [p + Fraction(w) * Fraction(self.centre) for w, p in zip(omega, phi)]
        turned = [Fraction(p) if self.centre == 0 or at_centre else self._reduced(i, p) for i, p in enumerate(turned)]
        psi = torch.tensor([float(p) for p in turned], dtype=torch.float64, device="cpu").to(self.psi.dtype)
        lacking = [float(p - Fraction(held)) for p, held in zip(turned, psi.tolist())]
        for name, numbers in (("nu", nu), ("_nu_rest", rest), ("psi", psi), ("_psi_rest", lacking)):
            tensor = getattr(self, name)
            tensor.data.copy_(torch.as_tensor(numbers, dtype=torch.float64, device="cpu").to(tensor.dtype))

    def _exact(self) -> tuple[list, list]:
        """ω as float64, and φ exactly."""
        nu, rest = (tensor.detach().cpu().double() for tensor in (self.nu, self._nu_rest))
        if self.nu.dtype == torch.float64:
            omega = (nu / self.scale + rest).tolist()
        else:
            omega = [float(Fraction(n) / Fraction(self.scale) + Fraction(r))
                     for n, r in zip(nu.tolist(), rest.tolist())]
        phases = self._exact_at_centre()
        return omega, [p if self.centre == 0 else self._reduced(i, p - Fraction(w) * Fraction(self.centre))
                       for i, (w, p) in enumerate(zip(omega, phases))]

    def _exact_at_centre(self) -> list:
        psi, rest = (tensor.detach().cpu().double().tolist() for tensor in (self.psi, self._psi_rest))
        return [Fraction(p) + Fraction(r) for p, r in zip(psi, rest)]

    def _reduced(self, term: int, phase: Fraction) -> Fraction:
        """A phase less whole turns, where they make no difference."""
        if self.activation not in _PERIODIC or (self.linear and term == 0):
            return phase
        return phase - round(phase / _TURN) * _TURN

    # --- states: in the unit of the times ---

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        if self.nu.device.type == "meta" or type(self.nu.data) is not torch.Tensor or keep_vars:
            super()._save_to_state_dict(destination, prefix, keep_vars)
            return
        omega, phi = self._exact()
        for name, value in zip(("omega", "phi", *_MEASURES), (omega, [float(p) for p in phi], self.scale, self.centre)):
            value = torch.tensor(value, dtype=torch.float64, device="cpu")
            wide = _operator.has_float64(self.nu.device)
            destination[prefix + name] = value.to(self.nu.device) if wide else value

    def _load_from_state_dict(self, state: Any, prefix: str, metadata: Any, strict: bool, missing: list,
                              unexpected: list, errors: list) -> None:
        names = {name: prefix + name for name in ("omega", "phi", *_MEASURES)}
        found = {name: state[key].detach().cpu().double() for name, key in names.items() if key in state}
        missing += [names[name] for name in ("omega", "phi") if name not in found]
        if strict:
            unexpected += [key for key in state if key.startswith(prefix) and key not in names.values()]
        for name in ("omega", "phi"):
            if name in found and found[name].shape != self.nu.shape:
                errors.append(f"size mismatch for {names[name]}: the state has {tuple(found[name].shape)}, "
                              f"the layer {tuple(self.nu.shape)}")
                return
        if self.nu.device.type == "meta" and metadata.get("assign_to_params_buffers"):
            self.to_empty(device=state[names["omega"]].device)
        if self.nu.device.type == "meta" or "omega" not in found or "phi" not in found:
            return
        self.scale = float(found.get("scale", self.scale))
        self.centre = float(found.get("centre", self.centre))
        self._put(found["omega"].tolist(), [Fraction(p) for p in found["phi"].tolist()])

    # --- model files ---

    @classmethod
    def from_model(cls, model: Any, encoder: int | None = None, *, dtype: Any = None) -> "Time2Vec":
        """The layer of a trained model: a `Model`, a fitted estimator or the path of a model file.

        encoder : which of the model's time inputs, as `TrainedLstm.time_inputs` names them; None: the first Time2Vec.
        """
        model = model_of(model)
        encoder, config = _encoder_of(model, encoder)
        layer = cls(config["k"], activation=config["activation"], linear=config["linear"], dtype=dtype)
        tensors = model.tensors()
        state = {name: torch.from_numpy(tensors[f"time{encoder}.{name}"].ravel().copy()) for name in ("omega", "phi")}
        measures = {name: torch.tensor(float(config.get(name, default)), dtype=torch.float64)
                    for name, default in zip(_MEASURES, (1, 0))}
        layer.load_state_dict({**state, **measures})
        return layer

    def to_model(self, model: Any, encoder: int | None = None) -> Model:
        """Puts its frequencies and phases into a trained model, which `Model.write` saves; returns that."""
        model = model_of(model)
        encoder, config = _encoder_of(model, encoder)
        mine = {"k": self.width - int(self.linear), "activation": self.activation, "linear": self.linear}
        for name, value in mine.items():
            if config[name] != value:
                raise _core.Error(f"the layer has {name} {value}, but the model {config[name]}")
        state = self.state_dict()
        model.set_tensors({f"time{encoder}.{name}": state[name].cpu().numpy() for name in ("omega", "phi")})
        return model


def model_of(model: Any) -> Model:
    """Of an estimator, a path or itself."""
    model = getattr(model, "model_", model)
    return model if isinstance(model, Model) else Model.read(model)


def _encoder_of(model: Model, encoder: int | None) -> tuple[int, dict[str, Any]]:
    """The number and the configuration of a Time2Vec encoder. Raises Error if it is none."""
    times = model.config["times"]
    learned = [i for i, time in enumerate(times) if time["kind"] == "t2v"]
    if not learned:
        raise _core.Error("the model has no Time2Vec; train it with time='t2v'")
    encoder = learned[0] if encoder is None else encoder
    if not 0 <= encoder < len(times):
        raise _core.Error(f"the model has {len(times)} time inputs, none of number {encoder}")
    if encoder not in learned:
        raise _core.Error(f"time input {encoder} of the model is '{times[encoder]['kind']}', not t2v; those of t2v are "
                          f"{', '.join(map(str, learned))}")
    return encoder, times[encoder]


def _seed(seed: int | None) -> int:
    return int(torch.randint(2**62, (), device="cpu")) if seed is None else seed
