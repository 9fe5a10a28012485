"""A user's Transformer whose only position is the time, by Time2Vec, beside the same with a plain number."""

import torch
from toy import compare


class Network(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.project = torch.nn.Linear(encoder.width, 32)
        self.attend = torch.nn.TransformerEncoderLayer(32, nhead=4, dim_feedforward=64, dropout=0.0, batch_first=True)
        self.head = torch.nn.Linear(32, 2)

    def forward(self, times):
        return self.head(self.attend(self.project(self.encoder(times)))[:, -1])


if __name__ == "__main__":
    compare(Network)
