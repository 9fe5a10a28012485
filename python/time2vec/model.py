"""A trained model, as a model file holds it."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

import numpy as np

from . import _core

__all__ = ["Model"]


class Model:
    """What `t2v train` and the estimators make, and what their files hold.

    `Model.read(path)` opens a file; an estimator's is its `model_`. Files are safetensors: `tensors()` gives what
    the package `safetensors` would read, and `set_tensors()` puts numbers back.

    >>> import os, tempfile, time2vec
    >>> path = os.path.join(tempfile.mkdtemp(), "weeks.t2v")
    >>> weeks = [(["work"] * 5 + ["rest"] * 2) * 4] * 20
    >>> time2vec.NextEvent(hidden=16, epochs=2, time="t2v:4").fit(weeks).save(path)
    >>> model = time2vec.Model.read(path)
    >>> model.task, model.event_types, model.tensors()["time0.omega"].shape
    ('next', ['work', 'rest'], (1, 5))
    >>> model.encode([0.0, 1.5]).shape
    (2, 5)
    """

    def __init__(self, core: _core.Model):
        self._core = core
        self._about = json.loads(core.description())

    @classmethod
    def read(cls, path: Any) -> "Model":
        """Reads a model file and checks all of it."""
        return cls(_core.Model.read(os.fspath(path)))

    def write(self, path: Any) -> None:
        """Writes a model file, atomically."""
        self._core.write(os.fspath(path))

    @property
    def task(self) -> str:
        """classify, next, recommend, regress or forecast."""
        return self._about["task"]

    @property
    def forecasts(self) -> bool:
        """Whether it forecasts in closed form, at any horizon."""
        return self._about["forecasts"]

    @property
    def config(self) -> dict[str, Any]:
        """Cell, sizes, time encoders and heads."""
        return self._about["config"]

    @property
    def options(self) -> dict[str, Any]:
        """The options of its training, as they were settled."""
        return self._about["options"]

    @property
    def training(self) -> dict[str, Any]:
        """What came of the training: epochs, losses, the data."""
        return self._about["training"]

    @property
    def times(self) -> dict[str, Any]:
        """Unit and origin of its times, and whether they are instants."""
        return self._about["times"]

    @property
    def classes(self) -> list[str]:
        """The classes of sequences, or the types of events, that it can answer."""
        return self._core.classes if self.task == "classify" else self._core.event_types

    @property
    def event_types(self) -> list[str]:
        """The types of events that it knows."""
        return self._core.event_types

    def learned_time(self) -> dict[str, Any]:
        """The periods that it learned, with their importance, as `t2v inspect --json` has them."""
        return json.loads(self._core.learned_time())

    def tensors(self) -> dict[str, np.ndarray]:
        """Copies of all its parameters by name, [rows, columns]."""
        return {name: self._core.tensor(name) for name in self._core.tensor_names()}

    def set_tensors(self, tensors: dict[str, Any]) -> None:
        """Puts numbers into some of its parameters."""
        for name, numbers in tensors.items():
            self._core.set_tensor(name, np.asarray(numbers, dtype=np.float64))

    def encode(self, tau: Any, encoder: int = 0) -> np.ndarray:
        """The vectors of times in the model's unit, since its origin, by one of its time encoders."""
        from . import layer

        tau = layer.as_times(tau)
        return self._core.encode(encoder, tau.ravel()).reshape(*tau.shape, -1)

    def __repr__(self) -> str:
        config = self.config
        count = sum(tensor.size for tensor in self.tensors().values())
        return f"<time2vec.Model {self.task}, cell {config['cell']}, {count} parameters>"

    def __reduce__(self) -> tuple:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.t2v")
            self.write(path)
            with open(path, "rb") as file:
                return _from_bytes, (file.read(),)


def _from_bytes(content: bytes) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.t2v")
        with open(path, "wb") as file:
            file.write(content)
        return Model.read(path)
