"""Time2Vec in PyTorch: `Time2Vec` is a layer of any network; `TrainedLstm` is a trained model of ours.

>>> import torch, time2vec.torch
>>> layer = time2vec.torch.Time2Vec(k=7)
>>> layer(torch.arange(6.0, dtype=torch.float64).reshape(2, 3)).shape
torch.Size([2, 3, 8])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from . import _core
from . import layer as _layer
from .model import Model

__all__ = ["Time2Vec", "TrainedLstm"]


class _Encode(Function):
    """t2v of times by the kernels of this package, forward and backward."""

    @staticmethod
    def forward(ctx: Any, tau: Any, omega: Any, phi: Any, activation: str, linear: bool, dtype: Any) -> Any:
        flat = tau.detach().reshape(-1).contiguous()
        value = torch.empty((flat.numel(), omega.numel()), dtype=dtype)
        needs = any(ctx.needs_input_grad[:3])
        slope = torch.empty_like(value) if needs else None
        _core.forward(value.numpy(), slope.numpy() if needs else None, flat.numpy(), omega.detach().numpy(),
                      phi.detach().numpy(), activation, linear)
        if needs:
            ctx.save_for_backward(flat, omega, slope)
            ctx.shape = tau.shape
        return value.view(*tau.shape, omega.numel())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, dvalue: Any) -> Any:
        flat, omega, slope = ctx.saved_tensors
        dvalue = dvalue.reshape(slope.shape).contiguous()
        dtau = None
        domega, dphi = torch.zeros_like(omega), torch.zeros_like(omega)
        _core.backward(domega.numpy(), dphi.numpy(), dvalue.numpy(), slope.numpy(), flat.numpy())
        if ctx.needs_input_grad[0]:
            dtau = torch.zeros_like(flat)
            _core.backward_times(dtau.numpy(), dvalue.numpy(), slope.numpy(), omega.detach().numpy())
            dtau = dtau.view(ctx.shape)
        return dtau, domega, dphi, None, None, None


class Time2Vec(nn.Module):
    """A vector of each time: ω₀τ + φ₀ and k periodic terms F(ωᵢτ + φᵢ), with ω and φ as parameters.

    Give times as float64 (or whole numbers): phases are then exact for |ωτ| up to 1e12, whatever the dtype of the
    result. `omega` and `phi` are float64 and stay so; the result has the dtype of the module, which `float()`,
    `double()` and `to(dtype)` change as usual. With float64 all arithmetic is double. On the CPU.

    k : periodic terms. activation : F, one of sin, cos, triangle, mod, sigmoid, tanh, relu. linear : whether the
    linear term comes first. start : of the frequencies, one of u11, u01, n1, n01, geometric, equal, positional;
    'span' takes their scale from `times`, 'periodogram' the strongest periods of `targets` over `times`. seed : None
    draws one from PyTorch's generator.

    >>> layer = Time2Vec(k=3, dtype=torch.float64)
    >>> tau = torch.tensor([[0.5, 1e9]], dtype=torch.float64)
    >>> layer(tau).dtype, sorted(layer.state_dict())
    (torch.float64, ['omega', 'phi'])
    """

    omega: nn.Parameter
    phi: nn.Parameter

    def __init__(self, k: int = 64, *, activation: str = "sin", linear: bool = True, start: str = "u11",
                 times: Any = (), targets: Any = None, seed: int | None = None, dtype: Any = None):
        super().__init__()
        self.activation = activation
        self.linear = linear
        if seed is None:
            seed = int(torch.randint(2**62, ()))
        omega, phi = _layer.start(k, start, times=times, targets=targets, activation=activation, linear=linear,
                                  seed=seed)
        self.omega = nn.Parameter(torch.from_numpy(omega))
        self.phi = nn.Parameter(torch.from_numpy(phi))
        # Empty: it carries the dtype of the results, as modules carry it in their parameters.
        self.register_buffer("_result", torch.empty(0, dtype=dtype or torch.get_default_dtype()), persistent=False)

    @property
    def width(self) -> int:
        """Entries of a vector."""
        return self.omega.numel()

    def forward(self, times: Any) -> Any:
        """Vectors of times: the shape of `times` and one dimension more."""
        if times.device.type != "cpu" or self.omega.device.type != "cpu":
            raise _core.Error(f"Time2Vec computes on the CPU, not on {times.device}; move the times there, and its "
                              "result where you need it")
        if self._result.dtype not in (torch.float32, torch.float64):
            raise _core.Error(f"Time2Vec gives float32 or float64, not {self._result.dtype}; convert its result")
        return _Encode.apply(_as_double(times), self.omega, self.phi, self.activation, self.linear, self._result.dtype)

    def extra_repr(self) -> str:
        return f"k={self.width - int(self.linear)}, activation={self.activation}, linear={self.linear}"

    def _apply(self, fn: Any, *args: Any, **kwargs: Any) -> "Time2Vec":
        """Frequencies and phases keep their digits whatever the module's dtype becomes."""
        kept = [self.omega.data, self.phi.data]
        super()._apply(fn, *args, **kwargs)
        for parameter, data in zip((self.omega, self.phi), kept):
            if parameter.dtype != torch.float64:
                parameter.data = data.to(parameter.device)
                if parameter.grad is not None:
                    parameter.grad.data = parameter.grad.data.double()
        return self

    # --- model files ---

    @classmethod
    def from_model(cls, model: Any, encoder: int = 0, *, dtype: Any = None) -> "Time2Vec":
        """The layer of a trained model: a `Model`, a fitted estimator or the path of a model file."""
        model = _model_of(model)
        config = _encoder_config(model, encoder)
        layer = cls(config["k"], activation=config["activation"], linear=config["linear"], dtype=dtype)
        tensors = model.tensors()
        layer.load_state_dict({name: torch.from_numpy(tensors[f"time{encoder}.{name}"].ravel().copy())
                               for name in ("omega", "phi")})
        return layer

    def to_model(self, model: Any, encoder: int = 0) -> Model:
        """Puts its frequencies and phases into a trained model, which `Model.write` saves; returns that."""
        model = _model_of(model)
        config = _encoder_config(model, encoder)
        mine = {"k": self.width - int(self.linear), "activation": self.activation, "linear": self.linear}
        for name, value in mine.items():
            if config[name] != value:
                raise _core.Error(f"the layer has {name} {value}, but the model {config[name]}")
        model.set_tensors({f"time{encoder}.{name}": value.numpy() for name, value in self.state_dict().items()})
        return model


class TrainedLstm(nn.Module):
    """The time encoders and the LSTM of a trained model as modules of PyTorch, with the same outputs.

    `lstm` is a `torch.nn.LSTM` (gates in the order i, f, g, o, as in our files); its input is, in this order, the
    type of the event as zeros and a one, the features, and the vector of each time input. The second bias of
    PyTorch is 0 unless the model has two.

    >>> import time2vec, time2vec.torch
    >>> weeks = [(["work"] * 5 + ["rest"] * 2) * 4] * 20
    >>> ours = time2vec.NextEvent(hidden=16, epochs=5).fit(weeks)
    >>> theirs = time2vec.torch.TrainedLstm(ours)
    >>> inputs = theirs.inputs(ours, weeks[:2])
    >>> bool(np.abs(theirs(**inputs)[:, -1].detach().numpy() - ours.states(weeks[:2])).max() < 1e-5)
    True
    """

    def __init__(self, model: Any):
        super().__init__()
        model = _model_of(model)
        config = model.config
        if config["cell"] != "lstm":
            raise _core.Error(f"the cell of the model is '{config['cell']}'; only lstm is a torch.nn.LSTM")
        self.time_inputs = [time["input"] for time in config["times"]]
        self.event_types = config["event_types"]
        self.features = config["features"]
        self.times = nn.ModuleList(_encoder_module(model, i) for i in range(len(self.time_inputs)))
        width = self.event_types + self.features + sum(time.width for time in self.times)
        self.lstm = nn.LSTM(width, config["hidden"], config["layers"], batch_first=True)
        self.lstm.load_state_dict(_lstm_state(model))

    def forward(self, times: Any = (), events: Any = None, features: Any = None) -> Any:
        """The outputs of the LSTM, [B, T, H].

        times : one [B, T] of float64 for each of `time_inputs`, in the unit of the model. events : [B, T] codes.
        features : [B, T, F].
        """
        parts = []
        if self.event_types:
            parts.append(nn.functional.one_hot(events.long(), self.event_types).to(self.lstm.weight_ih_l0.dtype))
        if self.features:
            parts.append(features)
        parts += [encoder(time) for encoder, time in zip(self.times, times)]
        return self.lstm(torch.cat(parts, dim=-1))[0]

    def inputs(self, estimator: Any, x: Any) -> dict[str, Any]:
        """What `forward` takes, for data that an estimator takes: sequences of equal length."""
        given = estimator.model_._core.inputs(estimator._events_to_predict(x))
        count = len(given["offsets"]) - 1
        if len(set(np.diff(given["offsets"]))) > 1:
            raise _core.Error("the sequences differ in length; take them one by one, or pad them")
        shaped = {name: torch.from_numpy(array.reshape(count, -1, *array.shape[1:]))
                  for name, array in given.items() if name != "offsets"}
        return {"times": [shaped[name] for name in self.time_inputs], "events": shaped.get("events"),
                "features": shaped.get("features")}

    def to_model(self, model: Any) -> Model:
        """Puts its weights into a trained model of the same shapes, which `Model.write` saves; returns that."""
        model = _model_of(model)
        for i, encoder in enumerate(self.times):
            if isinstance(encoder, Time2Vec):
                encoder.to_model(model, i)
        tensors = model.tensors()
        changed = {}
        state = {name: value.detach().numpy() for name, value in self.lstm.state_dict().items()}
        for layer in range(self.lstm.num_layers):
            at = 0
            for name in _input_names(tensors, layer):
                rows = tensors[name].shape[0]
                changed[name] = state[f"weight_ih_l{layer}"].T[at : at + rows]
                at += rows
            prefix = _prefix(layer)
            changed[f"{prefix}.hidden"] = state[f"weight_hh_l{layer}"].T
            first, second = state[f"bias_ih_l{layer}"], state[f"bias_hh_l{layer}"]
            two = f"{prefix}.bias_hidden" in tensors
            changed[f"{prefix}.bias"] = first if two else first + second
            if two:
                changed[f"{prefix}.bias_hidden"] = second
        model.set_tensors(changed)
        return model


class _Plain(nn.Module):
    """A time encoder without parameters: raw or log."""

    width = 1

    def __init__(self, config: dict[str, Any]):
        super().__init__()
        self.kind = config["kind"]
        self._scale, self._centre, self._spread = config.get("scale", 1), config.get("centre", 0), config.get("spread", 1)

    def forward(self, times: Any) -> Any:
        if self.kind == "raw":
            value = (times - self._centre) / self._scale
        else:
            value = (torch.sign(times) * torch.log1p(times.abs() / self._scale) - self._centre) / self._spread
        return value[..., None].to(torch.get_default_dtype())


class _Calendar(nn.Module):
    """Day, week and year of a model's times, as the model sees them; without gradients of times."""

    def __init__(self, model: Model, encoder: int):
        super().__init__()
        self._model, self._encoder = model, encoder
        self.width = model.encode([0.0], encoder).shape[-1]

    def forward(self, times: Any) -> Any:
        return torch.from_numpy(self._model.encode(times.detach().numpy(), self._encoder)).to(torch.get_default_dtype())


def _as_double(times: Any) -> Any:
    if times.dtype == torch.float64:
        return times
    if not times.is_floating_point() and times.numel() and max(abs(int(times.max())), abs(int(times.min()))) > 1 << 53:
        raise _core.Error("whole numbers beyond 2^53 are no doubles; subtract an origin from the times first")
    return times.double()


def _model_of(model: Any) -> Model:
    model = getattr(model, "model_", model)
    return model if isinstance(model, Model) else Model.read(model)


def _encoder_config(model: Model, encoder: int) -> dict[str, Any]:
    times = model.config["times"]
    if not 0 <= encoder < len(times):
        raise _core.Error(f"the model has {len(times)} time inputs, none of number {encoder}")
    if times[encoder]["kind"] != "t2v":
        raise _core.Error(f"time input {encoder} of the model is '{times[encoder]['kind']}', not t2v")
    return times[encoder]


def _encoder_module(model: Model, encoder: int) -> nn.Module:
    kind = model.config["times"][encoder]["kind"]
    if kind == "t2v":
        return Time2Vec.from_model(model, encoder)
    if kind in ("raw", "log"):
        return _Plain(model.config["times"][encoder])
    if kind in ("calendar", "week"):
        return _Calendar(model, encoder)
    raise _core.Error(f"the time encoder '{kind}' of the model has no module here")


def _prefix(layer: int) -> str:
    return "cell" if layer == 0 else f"cell{layer}"


def _input_names(tensors: dict[str, np.ndarray], layer: int) -> list[str]:
    """The weights of a layer's inputs, in the order of the inputs of a torch.nn.LSTM."""
    prefix = _prefix(layer)
    names = [f"{prefix}.events", f"{prefix}.features", f"{prefix}.below"]
    names += [f"{prefix}.time{i}" for i in range(sum(name.startswith(f"{prefix}.time") for name in tensors))]
    return [name for name in names if name in tensors]


def _lstm_state(model: Model) -> dict[str, Any]:
    """Our tensors [inputs, 4H] as the state of a torch.nn.LSTM, [4H, inputs]."""
    tensors = model.tensors()
    state = {}
    for layer in range(model.config["layers"]):
        prefix = _prefix(layer)
        inputs = np.concatenate([tensors[name] for name in _input_names(tensors, layer)])
        bias = tensors[f"{prefix}.bias"].ravel()
        state[f"weight_ih_l{layer}"] = inputs.T
        state[f"weight_hh_l{layer}"] = tensors[f"{prefix}.hidden"].T
        state[f"bias_ih_l{layer}"] = bias
        state[f"bias_hh_l{layer}"] = tensors.get(f"{prefix}.bias_hidden", np.zeros_like(bias)).ravel()
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in state.items()}
