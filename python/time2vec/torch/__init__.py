"""Time2Vec in PyTorch: `Time2Vec` is a layer of any network; `TrainedLstm` is a trained model of ours.

>>> import torch, time2vec.torch
>>> layer = time2vec.torch.Time2Vec(k=7)
>>> layer(torch.arange(6.0, dtype=torch.float64).reshape(2, 3)).shape
torch.Size([2, 3, 8])
"""

from ._layer import Time2Vec
from ._lstm import TrainedLstm

__all__ = ["Time2Vec", "TrainedLstm"]
