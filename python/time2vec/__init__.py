"""Learnable vectors of time, and the sequence models that use them.

- `Time2Vec`: times in, vectors out. `layer`: the same on arrays, with gradients. `time2vec.torch`: in PyTorch.
- `SequenceClassifier`, `NextEvent`, `Recommender`, `Forecaster`: estimators in scikit-learn's manner.
- `load`, `Model`, `Stream`: trained models, their files, and events as they come.
"""

from __future__ import annotations

from typing import Any

from . import layer
from ._core import Error
from ._core import version as __version__
from ._sequences import SequenceEstimator
from .classifier import SequenceClassifier
from .forecaster import Forecaster
from .model import Model
from .next_event import NextEvent, Recommender
from .stream import Stream
from .transformer import Time2Vec

__all__ = ["Error", "Forecaster", "Model", "NextEvent", "Recommender", "SequenceClassifier", "Stream", "Time2Vec",
           "__version__", "layer", "load"]

_BY_TASK = {"classify": SequenceClassifier, "next": NextEvent, "recommend": Recommender, "regress": Forecaster,
            "forecast": Forecaster}


def load(path: Any) -> SequenceEstimator:
    """The estimator of a model file, whether an estimator or the command `t2v train` wrote it.

    >>> import os, tempfile, time2vec
    >>> path = os.path.join(tempfile.mkdtemp(), "weeks.t2v")
    >>> weeks = [(["work"] * 5 + ["rest"] * 2) * 4] * 20
    >>> time2vec.NextEvent(hidden=16, epochs=20).fit(weeks).save(path)
    >>> time2vec.load(path).predict([["work"] * 5])
    array(['rest'], dtype='<U4')
    """
    return _BY_TASK[Model.read(path).task].load(path)
