#!/usr/bin/env python3
"""PyTorch learns next events by Time-LSTM 1 or 3 on made events: lengths 41 + exponential(31).

torch-script   the loop over steps as TorchScript
torch-eager    the loop over steps in Python
torch-compile  the same, a step through torch.compile

The batch is padded for the recurrence; the head sees real steps alone. --head none: a single number instead
of all types, so that what remains is the recurrence and the update of the rows of events.
"""

import worker

OPTIONS = [
    ("batch", 64, "sequences of a batch"),
    ("batches", 2, "batches of a repetition"),
    ("types", 5000, "event types"),
    ("hidden", 128, "hidden units"),
    ("sines", 64, "sines of Time2Vec"),
    ("head", "all", "all: over all types; none: a single number"),
    ("flush", 1, "1: flush subnormal numbers to zero"),
]

if __name__ == "__main__":
    chosen = worker.arguments(
        __doc__.splitlines()[0],
        ["train-tlstm1", "train-tlstm3"],
        ["torch-script", "torch-eager", "torch-compile"],
        options=OPTIONS,
    )

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from torch_cells import TimeLstm


class MadeBatch:
    """Padded, T x B, with the places of the steps that have a next event."""

    def __init__(self, sequences, types, random):
        lengths = 41 + random.exponential(31, sequences).astype(np.int64)
        shape = (lengths.max(), sequences)
        steps = np.arange(lengths.max())[:, None]
        self.gaps = torch.from_numpy(
            np.where(steps < lengths, random.uniform(0, 10, shape), 0).astype(np.float32)
        )
        events = np.where(steps < lengths, random.integers(0, types, shape), 0)
        self.events = torch.from_numpy(events)
        self.places = torch.from_numpy(np.flatnonzero(steps < lengths - 1))
        self.targets = self.events[1:].flatten()[self.places]
        self.amount = int(lengths.sum())


class Learner:
    def __init__(self):
        way = chosen.variant.removeprefix("torch-")
        self.cell = TimeLstm(int(chosen.workload[-1]), chosen.types, chosen.sines, chosen.hidden, way)
        self.head = nn.Linear(chosen.hidden, chosen.types if chosen.head == "all" else 1)
        parameters = [*self.cell.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=1e-3, fused=True)
        random = np.random.default_rng(chosen.seed)
        self.batches = [MadeBatch(chosen.batch, chosen.types, random) for _ in range(chosen.batches)]

    def train(self, batch):
        self.optimizer.zero_grad()
        states = self.cell(batch.gaps, batch.events).flatten(0, 1)[batch.places]
        scores = self.head(states)
        loss = (
            functional.cross_entropy(scores, batch.targets)
            if chosen.head == "all"
            else scores.square().mean()
        )
        loss.backward()
        self.optimizer.step()
        self.cell.constrain()
        return batch.amount

    def repetition(self):
        return sum(self.train(batch) for batch in self.batches)


def main():
    torch.set_flush_denormal(chosen.flush == 1)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    learner = Learner()
    for _ in range(5):  # TorchScript optimises in the first calls
        learner.train(learner.batches[0])
    settings = {
        name: getattr(chosen, name)
        for name in ["threads", "batch", "batches", "types", "hidden", "sines", "head"]
    }
    settings["flush_subnormals"] = chosen.flush == 1
    worker.serve(f"PyTorch {torch.__version__}", chosen.variant, settings, learner.repetition)


if __name__ == "__main__":
    main()
