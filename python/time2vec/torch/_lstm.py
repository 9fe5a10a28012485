"""A trained LSTM of ours as modules of PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _core
from ..model import Model
from ._layer import Time2Vec, model_of

__all__ = ["TrainedLstm"]


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
        model = model_of(model)
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
        model = model_of(model)
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
