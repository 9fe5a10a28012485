#!/usr/bin/env python3
"""JAX learns: LSTM with Time2Vec or raw time on Event-MNIST, and next badges of Stack Overflow.

jax        lax.scan, jit, grad. XLA runs a scan in one thread
jax-tuned  shards spread over as many of XLA's CPU devices as there are threads; backward pass written by hand

Each batch is sorted by length and cut into shards; the length of a shard is rounded up to one of a few, so
that there are few programs to compile. The size of shards is tried first.
"""

import os

import worker
from workloads import TRAINING

OPTIONS = [
    ("batch", 0, "sequences of a batch; 0: that of the workload"),
    ("batches", 10, "batches of a repetition; 0: an epoch"),
    ("hidden", 0, "hidden units; 0: those of the workload"),
]

os.environ["JAX_PLATFORMS"] = "cpu"
if __name__ == "__main__":
    chosen = worker.arguments(
        __doc__.splitlines()[0], TRAINING, ["jax", "jax-tuned"], data=True, options=OPTIONS
    )
    if chosen.variant == "jax-tuned":
        os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={chosen.threads}"

import dataclasses
from functools import partial

import jax
import numpy as np
from jax import numpy as jnp

import jax_models
from batches import Draws, open_parts, shard_sizes


def bucket_ends(lengths, count=10):
    """Lengths to round up to: even shares of the sequences, then steps of a quarter up to the longest."""
    ends = {int(-(-np.quantile(lengths, (i + 1) / count) // 8) * 8) for i in range(count - 1)}
    while max(ends) < lengths.max():
        ends.add(int(-(-max(ends) * 1.25 // 8) * 8))
    return sorted(ends)


class Trainer:
    def __init__(self, workload, part, ends, seed, lstm):
        self.devices = jax.devices()
        self.part, self.ends, self.each_step = part, ends, workload.each_step
        self.parameters = jax_models.initial(workload, seed)
        self.moments = {name: (jnp.zeros_like(p), jnp.zeros_like(p)) for name, p in self.parameters.items()}
        self.count = 0
        loss = partial(jax_models.summed_loss, each_step=workload.each_step, lstm=lstm)
        self.gradients = jax.jit(jax.grad(loss))
        self.hits = jax.jit(partial(jax_models.hits, each_step=workload.each_step))
        self.add = jax.jit(partial(jax.tree.map, jnp.add))
        self.adam = jax.jit(jax_models.adam)
        self.shard = 64

    def arrays(self, part, shard):
        """A shard, padded to a length and a number of sequences that have a program; and its real steps."""
        longest = part.lengths[shard].max()
        width = next(end for end in self.ends if end >= longest)
        batch = part.padded(shard, width, self.shard)
        events = None if batch.events is None else batch.events.T.astype(np.int32)
        targets = (batch.targets.T if batch.targets.ndim == 2 else batch.targets).astype(np.int32)
        return (batch.times.T, events, batch.lengths.astype(np.int32), targets), batch.steps()

    def train(self, chosen):
        """One step of the optimizer; returns how many events it saw."""
        copies = [jax.device_put(self.parameters, device) for device in self.devices]
        found, amount = [], 0
        for n, shard in enumerate(self.part.shards(chosen, self.shard)):
            arrays, steps = self.arrays(self.part, shard)
            device = n % len(self.devices)
            found.append(self.gradients(copies[device], *jax.device_put(arrays, self.devices[device])))
            amount += steps
        total = found[0]
        for gradients in found[1:]:
            total = self.add(total, jax.device_put(gradients, self.devices[0]))
        self.count += 1
        share = 1 / (amount if self.each_step else len(chosen))
        self.parameters, self.moments = self.adam(
            self.parameters, self.moments, total, float(self.count), share
        )
        jax.block_until_ready(self.parameters)
        return amount

    def accuracy(self, part):
        right = count = 0
        for shard in part.shards(np.arange(len(part)), self.shard):
            found, of = self.hits(self.parameters, *self.arrays(part, shard)[0])
            right, count = right + int(found), count + int(of)
        return right / count

    def compile_all(self):
        """Runs a shard of every length once on each device."""
        for end in self.ends:
            fitting = np.flatnonzero(self.part.lengths <= end)
            longest = fitting[np.argmax(self.part.lengths[fitting])]
            arrays, _ = self.arrays(self.part, np.array([longest]))
            for device in self.devices:
                jax.block_until_ready(self.gradients(*jax.device_put((self.parameters, *arrays), device)))

    def tune(self, chosen):
        """Takes the fastest size of shards, by steps on the same batch, and forgets what it learned."""
        before = self.parameters, self.moments
        timings = {}
        for self.shard in shard_sizes(len(chosen)):
            timings[self.shard] = worker.seconds_of(lambda: self.train(chosen), 2)
            worker.note(f"shard {self.shard} {timings[self.shard]:.3f} s")
        self.shard = min(timings, key=timings.get)
        self.parameters, self.moments = before
        self.count = 0


def main():
    workload = TRAINING[chosen.workload]
    workload = dataclasses.replace(workload, hidden=chosen.hidden or workload.hidden)
    train, test = open_parts(chosen.data, workload.each_step, chosen.limit)
    draws = Draws(len(train), chosen.batch or workload.batch, chosen.seed)
    batches = chosen.batches or draws.batches()
    ends = bucket_ends(np.concatenate([train.lengths, test.lengths]))
    lstm = jax_models.tuned_lstm if chosen.variant == "jax-tuned" else jax_models.plain_lstm
    trainer = Trainer(workload, train, ends, chosen.seed, lstm)
    trainer.tune(Draws(len(train), draws.batch, chosen.seed + 1).next())
    trainer.compile_all()

    def repetition():
        return sum(trainer.train(draws.next()) for _ in range(batches))

    repetition()
    settings = {
        "threads": chosen.threads,
        "batch": draws.batch,
        "batches": batches,
        "hidden": workload.hidden,
        "shard": trainer.shard,
        "devices": len(trainer.devices),
        "lengths": ends,
    }
    worker.serve(
        f"JAX {jax.__version__}",
        chosen.variant,
        settings,
        repetition,
        lambda: ("accuracy", trainer.accuracy(test), draws.done()),
    )


if __name__ == "__main__":
    main()
