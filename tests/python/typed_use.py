"""What a typed program does with the package: tests/python/test_module.py checks it with mypy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import time2vec

times = np.arange(10.0)
vectors: NDArray[Any] = time2vec.Time2Vec(k=4).fit(times).transform(times)
encoder: time2vec.Time2Vec = time2vec.Time2Vec().set_params(k=3).fit(times)
next_event: time2vec.NextEvent = time2vec.NextEvent(hidden=8).fit([["a", "b"]])
chances: NDArray[Any] = next_event.predict_proba([["a"]], at="+1")
loaded: time2vec.NextEvent = time2vec.NextEvent.load("model.t2v")
score: float = time2vec.load("model.t2v").score([["a", "b"]])
best: NDArray[Any] = time2vec.load("model.t2v").fit([["a", "b"]]).predict([["a"]])
said: "dict[str, object] | None" = time2vec.Stream(loaded, top=1).push("me", 1.5, "a")
