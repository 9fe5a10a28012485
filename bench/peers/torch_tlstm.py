#!/usr/bin/env python3
"""PyTorch learns next events by Time-LSTM 1 or 3, with thousands of types of events.

torch-script   the loop over steps as TorchScript
torch-eager    the loop over steps in Python
torch-compile  the same, a step through torch.compile

The batch is padded for the recurrence; the head sees real steps alone. --head none: a single number instead
of all types, so that what remains is the recurrence and the update of the rows of events. --head only: the
head alone, on made states.
"""

import worker

OPTIONS = [
    ("batch", 64, "sequences of a batch"),
    ("batches", 2, "batches of a repetition; 0: an epoch"),
    ("hidden", 128, "hidden units"),
    ("sines", 64, "sines of Time2Vec"),
    ("head", "all", "all: over all types; none: a single number; only: without the recurrence"),
    ("flush", 1, "1: flush subnormal numbers to zero"),
]

if __name__ == "__main__":
    chosen = worker.arguments(
        __doc__.splitlines()[0],
        ["train-tlstm1", "train-tlstm3"],
        ["torch-script", "torch-eager", "torch-compile"],
        data=True,
        options=OPTIONS,
    )

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from batches import NO_TARGET, Draws, open_parts
from torch_cells import TimeLstm
from workloads import RATE


class Learner:
    def __init__(self, train, types):
        way = chosen.variant.removeprefix("torch-")
        self.part, self.types = train, types
        self.cell = TimeLstm(int(chosen.workload[-1]), types, chosen.sines, chosen.hidden, way)
        self.head = nn.Linear(chosen.hidden, 1 if chosen.head == "none" else types)
        self.made_states = torch.randn(chosen.batch * int(train.lengths.max()), chosen.hidden)
        used = [self.head] if chosen.head == "only" else [self.cell, self.head]
        parameters = [parameter for module in used for parameter in module.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=RATE, fused=True)

    def states(self, batch, places):
        """Those of real steps, in the order of their targets."""
        if chosen.head == "only":
            return self.made_states[: len(places)].detach().requires_grad_()
        gaps, events = (torch.from_numpy(array.T.copy()) for array in (batch.times, batch.events))
        return self.cell(gaps, events).flatten(0, 1)[places]

    def scores(self, batch):
        """Of all real steps, and their targets."""
        targets = torch.from_numpy(batch.targets.T.copy()).flatten()
        places = (targets != NO_TARGET).nonzero()[:, 0]
        return self.head(self.states(batch, places)), targets[places]

    def train(self, sequences):
        """One step of the optimizer; returns how many events it saw."""
        batch = self.part.padded(sequences)
        self.optimizer.zero_grad()
        scores, targets = self.scores(batch)
        loss = scores.square().mean() if chosen.head == "none" else functional.cross_entropy(scores, targets)
        loss.backward()
        self.optimizer.step()
        self.cell.constrain()
        return batch.steps()

    @torch.no_grad()
    def accuracy(self, part):
        right = 0
        for shard in part.shards(np.arange(len(part)), 64):
            scores, targets = self.scores(part.padded(shard))
            right += int((scores.argmax(-1) == targets).sum())
        return right / int(part.lengths.sum())


def main():
    torch.set_flush_denormal(chosen.flush == 1)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    train, test = open_parts(chosen.data, True, chosen.limit, gaps=True)
    draws = Draws(len(train), chosen.batch, chosen.seed)
    batches = chosen.batches or draws.batches()
    learner = Learner(train, int(train.events.max()) + 1)

    def repetition():
        return sum(learner.train(draws.next()) for _ in range(batches))

    # TorchScript optimises in the first calls, which count as those of the other workers do.
    repetition()
    settings = {name: getattr(chosen, name) for name in ["threads", "batch", "hidden", "sines", "head"]}
    settings |= {"batches": batches, "types": learner.types, "flush_subnormals": chosen.flush == 1}
    score = (lambda: ("accuracy", learner.accuracy(test), draws.done())) if chosen.head == "all" else None
    worker.serve(f"PyTorch {torch.__version__}", chosen.variant, settings, repetition, score)


if __name__ == "__main__":
    main()
