#!/usr/bin/env python3
"""PyTorch learns: LSTM with Time2Vec or raw time on Event-MNIST, and next badges of Stack Overflow.

torch-padded   random batches, padded to their longest sequence: as people write it
torch-packed   the same with packed sequences
torch-compile  torch-padded through torch.compile
torch-tuned    each batch sorted by length and cut into shards, each padded for itself; gradients are added.
               Tried first: the size of shards, threads within or across shards, oneDNN or PyTorch's own LSTM.
               Subnormal numbers are flushed to zero
"""

import itertools

import worker
from workloads import RATE, TRAINING

VARIANTS = ["torch-padded", "torch-packed", "torch-compile", "torch-tuned"]
OPTIONS = [
    ("batch", 0, "sequences of a batch; 0: that of the workload"),
    ("batches", 10, "batches of a repetition; 0: an epoch"),
    ("hidden", 0, "hidden units; 0: those of the workload"),
    ("flush", 0, "1: flush subnormal numbers to zero, which torch-tuned always does"),
]

if __name__ == "__main__":
    chosen = worker.arguments(__doc__.splitlines()[0], TRAINING, VARIANTS, data=True, options=OPTIONS)

import copy
import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from batches import Draws, open_parts, shard_sizes
from torch_models import EventModel, PackedModel, hits, summed_loss, tensors


class Trainer:
    """Whole batches at once."""

    def __init__(self, model, part):
        self.model, self.part = model, part
        self.optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
        self.run = model

    def train(self, chosen):
        """One step of the optimizer; returns how many events it saw."""
        batch = self.part.padded(chosen)
        times, events, lengths, targets = tensors(batch)
        self.optimizer.zero_grad()
        loss = summed_loss(self.run(times, events, lengths), targets) / (targets >= 0).sum()
        loss.backward()
        self.optimizer.step()
        return batch.steps()

    def forget(self, before):
        """Back to a state of the model, with an optimizer that has seen nothing."""
        self.model.load_state_dict(before)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=RATE)

    def compile_all(self, draws):
        """Some of the first batches are compiled anew; forgets what it learned."""
        before = copy.deepcopy(self.model.state_dict())
        for _ in range(12):
            self.train(draws.next())
        self.forget(before)


class ShardedTrainer(Trainer):
    """Shards of similar lengths, one after another or in several threads."""

    def __init__(self, model, part, threads):
        super().__init__(model, part)
        self.threads = threads
        self.parameters = list(model.parameters())
        self.pool = ThreadPoolExecutor(threads, initializer=prepare_thread, initargs=(1,))
        self.shard, self.across = 64, False

    def settings(self):
        return {
            "shard": self.shard,
            "parallel": "across shards" if self.across else "within shards",
            "lstm": "oneDNN" if torch.backends.mkldnn.enabled else "native",
        }

    def use(self, shard, across, onednn):
        self.shard, self.across = shard, across
        torch.backends.mkldnn.enabled = onednn
        torch.set_num_threads(1 if across else self.threads)

    def gradients(self, chosen, share):
        batch = self.part.padded(chosen)
        times, events, lengths, targets = tensors(batch, time_major=True)
        loss = summed_loss(self.model(times, events, lengths), targets) * share
        return torch.autograd.grad(loss, self.parameters), batch.steps()

    def train(self, chosen):
        shards = self.part.shards(chosen, self.shard)
        targets = self.part.lengths[chosen].sum() if self.part.each_step else len(chosen)
        run = self.pool.map if self.across else map
        amount = 0
        for parameter in self.parameters:
            parameter.grad = None
        for gradients, steps in run(lambda shard: self.gradients(shard, 1 / targets), shards):
            amount += steps
            for parameter, gradient in zip(self.parameters, gradients):
                parameter.grad = gradient if parameter.grad is None else parameter.grad.add_(gradient)
        self.optimizer.step()
        return amount

    def tune(self, chosen):
        """Takes the fastest of a few settings, by steps on the same batch, and forgets what it learned."""
        before = copy.deepcopy(self.model.state_dict())
        ways = [False, True] if self.threads > 1 else [False]
        timings = {}
        for way in itertools.product(shard_sizes(len(chosen)), ways, [False, True]):
            self.use(*way)
            timings[way] = worker.seconds_of(lambda: self.train(chosen), 2)
            worker.note(f"{self.settings()} {timings[way]:.3f} s")
        self.use(*min(timings, key=timings.get))
        self.forget(before)


def prepare_thread(threads, flush=True):
    """Threads that this one starts later inherit how it treats subnormal numbers."""
    torch.set_flush_denormal(flush)
    torch.set_num_threads(threads)


def make_trainer(variant, workload, part, threads):
    if variant == "torch-tuned":
        return ShardedTrainer(EventModel(workload, time_major=True), part, threads)
    trainer = Trainer((PackedModel if variant == "torch-packed" else EventModel)(workload), part)
    if variant == "torch-compile":
        trainer.run = torch.compile(trainer.model, dynamic=True)
    return trainer


@torch.no_grad()
def accuracy(model, part, size=256):
    right = count = 0
    for shard in part.shards(np.arange(len(part)), size):
        times, events, lengths, targets = tensors(part.padded(shard), model.time_major)
        found, of = hits(model(times, events, lengths), targets)
        right, count = right + found, count + of
    return right / count


def main():
    workload = TRAINING[chosen.workload]
    workload = dataclasses.replace(workload, hidden=chosen.hidden or workload.hidden)
    flush = chosen.variant == "torch-tuned" or chosen.flush == 1
    prepare_thread(chosen.threads, flush)
    torch.manual_seed(chosen.seed)
    train, test = open_parts(chosen.data, workload.each_step, chosen.limit)
    draws = Draws(len(train), chosen.batch or workload.batch, chosen.seed)
    batches = chosen.batches or draws.batches()
    trainer = make_trainer(chosen.variant, workload, train, chosen.threads)
    settings = {
        "threads": chosen.threads,
        "batch": draws.batch,
        "batches": batches,
        "hidden": workload.hidden,
        "flush_subnormals": flush,
    }
    trials = Draws(len(train), draws.batch, chosen.seed + 1)
    if chosen.variant == "torch-tuned":
        trainer.tune(trials.next())
        settings.update(trainer.settings())
    if chosen.variant == "torch-compile":
        trainer.compile_all(trials)

    def repetition():
        return sum(trainer.train(draws.next()) for _ in range(batches))

    repetition()
    worker.serve(
        f"PyTorch {torch.__version__}",
        chosen.variant,
        settings,
        repetition,
        lambda: ("accuracy", accuracy(trainer.model, test), draws.done()),
    )


if __name__ == "__main__":
    main()
