"""Sequences of an event store as arrays, and batches of them: padded, or sorted by length and cut up."""

from dataclasses import dataclass

import numpy as np

from event_file import EventFile

NO_TARGET = -100  # PyTorch's mark of steps that have no target


@dataclass
class Batch:
    """B sequences padded to T steps. `targets`: of each step where the task is the next event, else of each
    sequence."""

    times: np.ndarray  # B x T, float32
    events: np.ndarray | None  # B x T
    lengths: np.ndarray  # B
    targets: np.ndarray  # B or B x T; NO_TARGET at padding

    def steps(self):
        return int(self.lengths.sum())


class Part:
    """Sequences for one purpose: start and length of each within the columns of the whole file. Times are those
    since the first event, or with `gaps` since the one before."""

    def __init__(self, file, name, each_step, limit=0, most=0, gaps=False):
        pieces = file.part(name)[: limit or None]
        self.each_step = each_step
        self.starts = pieces[:, 1].copy()
        # The last event is a target alone where the next event is predicted.
        self.lengths = pieces[:, 2] - pieces[:, 1] - (1 if each_step else 0)
        kept = self.lengths > 0
        self.starts, self.lengths, self.sequences = self.starts[kept], self.lengths[kept], pieces[kept, 0]
        self.times = (file.gaps() if gaps else file.times()).astype(np.float32)
        self.events = None if file.events is None else file.events.astype(np.int64)
        self.labels = None if file.labels is None else file.labels.astype(np.int64)
        if most:
            self.keep_equal(most)

    def keep_equal(self, length):
        """Only sequences of at least so many steps, and of these only so many."""
        kept = self.lengths >= length
        self.starts, self.sequences = self.starts[kept], self.sequences[kept]
        self.lengths = np.full(len(self.starts), length)

    def __len__(self):
        return len(self.starts)

    def padded(self, chosen, width=0, count=0):
        """The chosen sequences, padded to the longest or to `width`, and empty ones up to `count`."""
        starts, lengths = self.starts[chosen], self.lengths[chosen]
        missing = max(0, count - len(chosen))
        starts = np.concatenate([starts, np.zeros(missing, starts.dtype)])
        lengths = np.concatenate([lengths, np.zeros(missing, lengths.dtype)])
        steps = np.arange(width or lengths.max())
        real = steps < lengths[:, None]
        at = np.where(real, starts[:, None] + steps, 0)
        times = np.where(real, self.times[at], np.float32(0))
        events = np.where(real, self.events[at], 0) if self.each_step else None
        if self.each_step:
            targets = np.where(real, self.events[np.where(real, at + 1, 0)], NO_TARGET)
        else:
            labels = self.labels[self.sequences[chosen]]
            targets = np.concatenate([labels, np.full(missing, NO_TARGET)])
        return Batch(times, events, lengths, targets)

    def by_length(self, chosen):
        return chosen[np.argsort(self.lengths[chosen], kind="stable")]

    def shards(self, chosen, size):
        """The chosen sequences sorted by length and cut into shards of `size`, the longest first."""
        order = self.by_length(chosen)[::-1]
        return [order[i : i + size] for i in range(0, len(order), size)]


def shard_sizes(batch):
    """Sizes of shards worth a trial for a batch of so many sequences."""
    return [size for size in [16, 32, 64, 128, 256] if batch <= 32 * size and size <= batch] or [batch]


class Draws:
    """Batches in random order, all sequences once an epoch, for ever; the last batch of an epoch may be small."""

    def __init__(self, count, batch, seed):
        self.count, self.batch = count, min(batch, count)
        self.random = np.random.default_rng(seed)
        self.order = self.random.permutation(count)
        self.at = 0
        self.seen = 0
        self.steps = 0

    def next(self):
        if self.at >= self.count:
            self.order, self.at = self.random.permutation(self.count), 0
        chosen = self.order[self.at : self.at + self.batch]
        self.at += len(chosen)
        self.seen += len(chosen)
        self.steps += 1
        return chosen

    def batches(self):
        """Of an epoch."""
        return -(-self.count // self.batch)

    def done(self):
        """Steps and epochs so far."""
        return self.steps, self.seen / self.count


def open_parts(path, each_step, limit=0, most=0, gaps=False):
    """The parts to learn from and to measure on."""
    file = EventFile(path)
    return [Part(file, name, each_step, limit, most, gaps) for name in ("train", "test")]
