"""A user's GRU that is given times by Time2Vec, beside the same with time as a plain number."""

import torch
from toy import compare


class Network(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.gru = torch.nn.GRU(encoder.width, 32, batch_first=True)
        self.head = torch.nn.Linear(32, 2)

    def forward(self, times):
        output, _ = self.gru(self.encoder(times))
        return self.head(output[:, -1])


if __name__ == "__main__":
    compare(Network)
