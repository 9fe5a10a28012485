"""The models in PyTorch: Time2Vec, an LSTM, and a softmax after the last step or after each."""

import torch
from torch import nn
from torch.nn import functional

from batches import NO_TARGET


class Time2Vec(nn.Module):
    """A linear term and sines of a time, frequencies and phases learned."""

    def __init__(self, sines):
        super().__init__()
        self.omega = nn.Parameter(torch.empty(sines + 1).uniform_(-1, 1))
        self.phi = nn.Parameter(torch.empty(sines + 1).uniform_(-1, 1))

    def forward(self, times):
        phase = times.unsqueeze(-1) * self.omega + self.phi
        return torch.cat([phase[..., :1], torch.sin(phase[..., 1:])], -1)


class EventModel(nn.Module):
    """Scores of the classes: for each sequence after its last event, or for every step."""

    def __init__(self, workload, time_major=False):
        super().__init__()
        self.each_step, self.time_major = workload.each_step, time_major
        self.time = Time2Vec(workload.sines) if workload.sines else None
        self.embedding = nn.Embedding(workload.classes, workload.embedding) if workload.embedding else None
        self.lstm = nn.LSTM(workload.features(), workload.hidden, batch_first=not time_major)
        self.head = nn.Linear(workload.hidden, workload.classes)

    def features(self, times, events):
        encoded = self.time(times) if self.time else times.unsqueeze(-1)
        return torch.cat([self.embedding(events), encoded], -1) if self.embedding else encoded

    def forward(self, times, events, lengths):
        """times, events: B x T, or T x B where the model is time-major."""
        states, _ = self.lstm(self.features(times, events))
        if self.each_step:
            return self.head(states)
        rows = torch.arange(len(lengths))
        last = states[lengths - 1, rows] if self.time_major else states[rows, lengths - 1]
        return self.head(last)


class PackedModel(EventModel):
    """The same through PyTorch's packed sequences instead of padding."""

    def forward(self, times, events, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(
            self.features(times, events), lengths, batch_first=True, enforce_sorted=False
        )
        states, (last, _) = self.lstm(packed)
        if not self.each_step:
            return self.head(last[0])
        padded, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=times.shape[1])
        return self.head(padded)


def tensors(batch, time_major=False):
    """Times, events, lengths and targets of a batch."""
    turn = (lambda array: torch.from_numpy(array.T.copy())) if time_major else torch.from_numpy
    events = None if batch.events is None else turn(batch.events)
    targets = turn(batch.targets) if batch.targets.ndim == 2 else torch.from_numpy(batch.targets)
    return turn(batch.times), events, torch.from_numpy(batch.lengths), targets


def summed_loss(scores, targets):
    return functional.cross_entropy(
        scores.flatten(0, -2), targets.flatten(), ignore_index=NO_TARGET, reduction="sum"
    )


def hits(scores, targets):
    """How many targets got the highest score, and how many targets there are."""
    real = targets != NO_TARGET
    return int((scores.argmax(-1)[real] == targets[real]).sum()), int(real.sum())
