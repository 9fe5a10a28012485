"""A step of a next-event model in PyTorch."""

import torch
from torch import Tensor, nn

from torch_models import Time2Vec


class Step(nn.Module):
    def __init__(self, sines: int, hidden: int, types: int, embedding: int):
        super().__init__()
        self.time = Time2Vec(sines)
        self.embedding = nn.Embedding(types, embedding)
        self.cell = nn.LSTMCell(embedding + sines + 1, hidden)
        self.head = nn.Linear(hidden, types)

    def forward(
        self, event: Tensor, time: Tensor, hidden: Tensor, cell: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        features = torch.cat([self.embedding(event), self.time(time)], -1)
        hidden, cell = self.cell(features, (hidden, cell))
        return self.head(hidden), hidden, cell
