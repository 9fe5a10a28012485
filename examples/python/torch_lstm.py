"""A user's LSTM that is given times by Time2Vec, beside the same with time as a plain number."""

import torch
from toy import compare


class Network(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.lstm = torch.nn.LSTM(encoder.width, 32, batch_first=True)
        self.head = torch.nn.Linear(32, 2)

    def forward(self, times):
        output, _ = self.lstm(self.encoder(times))
        return self.head(output[:, -1])


if __name__ == "__main__":
    compare(Network)
