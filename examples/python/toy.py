"""The toy data of the paper as sequences: a visitor's days, and whether the last one is every seventh day."""

import numpy as np
import torch

from time2vec.torch import Time2Vec


def sequences(count, steps, first, last, seed):
    """Times [count, steps] in days, rising, and classes [count]: 1 if the last day is a multiple of 7."""
    random = np.random.default_rng(seed)
    times = np.sort(random.integers(first, last, (count, steps)), axis=1)
    wanted = random.random(count) < 0.5  # as many of one class as of the other
    times[:, -1] = np.where(wanted, times[:, -1] // 7 * 7 + 7, times[:, -1])
    return torch.from_numpy(times.astype(np.float64)), torch.from_numpy((times[:, -1] % 7 == 0).astype(np.int64))


class RawTime(torch.nn.Module):
    """Time as a plain number, in years: the other way to feed it to a network."""

    width = 1

    def forward(self, times):
        return (times[..., None] / 365).float()


def training_data():
    """Of the first nine months."""
    return sequences(256, 5, 1, 266, seed=1)


def accuracy(network, steps=80, rate=0.01):
    """Trains on the first nine months; the share of right answers on the rest of the year."""
    times, label = training_data()
    optimizer = torch.optim.Adam(network.parameters(), rate)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(times), label).backward()
        optimizer.step()
    times, label = sequences(512, 5, 274, 358, seed=2)
    with torch.no_grad():
        return (network(times).argmax(dim=1) == label).float().mean().item()


def compare(make_network):
    """Prints the accuracy of a network with time as it is and with Time2Vec; both start from the same seed."""
    times, label = training_data()
    learned = Time2Vec.from_data(times[:, -1], k=16, targets=label, start="periodogram", seed=1)
    for name, encoder in (("raw", RawTime()), ("time2vec", learned)):
        torch.manual_seed(0)
        print(f"{name:<10} {accuracy(make_network(encoder)):.3f}")
