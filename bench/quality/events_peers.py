"""One method on one row of events.py, run by build/quality-venv: prints a line of JSON.

  build/quality-venv/bin/python bench/quality/events_peers.py METHOD LOADER QUERY SEED FOLDER"""

import json
import math
import pathlib
import sys
import warnings
from importlib.metadata import version

import numpy as np

import events_data as data


class Coded:
    """A split with its types as numbers, most frequent first; those that no sequence to learn from has are -1."""
    def __init__(self, split, query):
        counts = {}
        for sequence in split.train + split.valid:
            for kind in sequence.types:
                counts[kind] = counts.get(kind, 0) + 1
        self.names = sorted(counts, key=lambda kind: (-counts[kind], kind))
        code = {kind: i for i, kind in enumerate(self.names)}
        coded = lambda s: (np.array(s.times), np.array([code.get(kind, -1) for kind in s.types]), s.first)
        self.parts = [[coded(s) for s in part] for part in (split.train, split.valid, split.test)]
        self.size, self.dates, self.query = len(self.names), split.dates, query
        again = [kind in s.types[:i] for s in split.train for i, kind in enumerate(s.types) if i]
        self.no_repeats = sum(again) < 0.01 * len(again)
        gaps = np.concatenate([np.diff(times) for times, _, _ in self.parts[0]])
        self.scale = float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 1.0


def asked(part):
    """(times, types, position) of every event of a known type that is asked."""
    return [(times, types, i) for times, types, first in part for i in range(max(first, 1), len(types))
            if types[i] >= 0]


def score(probabilities, truth):
    """Measures of a matrix of probabilities, columns from the most frequent type on; ties in that order."""
    own = probabilities[np.arange(len(truth)), truth][:, None]
    before = np.arange(probabilities.shape[1]) < truth[:, None]
    ranks = 1 + ((probabilities > own) | ((probabilities == own) & before)).sum(1)
    gains = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0)
    accuracy, n = float((ranks == 1).mean()), len(truth)
    return {"accuracy": accuracy, "accuracy_se": math.sqrt(accuracy * (1 - accuracy) / n),
            "log_loss": float(-np.log(np.maximum(own, 1e-12)).mean()), "ndcg@10": float(gains.mean()),
            "ndcg@10_se": float(gains.std() / math.sqrt(n)), "n": n}


def without_seen(coded, probabilities, types):
    """Nothing is left for types already seen, where fewer than 1 % of the events to learn from repeat one."""
    if coded.no_repeats:
        probabilities[types[types >= 0]] = 0
    return probabilities


class Popularity:
    def __init__(self, coded):
        self.counts = np.bincount(np.concatenate([types for part in coded.parts[:2] for _, types, _ in part]),
                                  minlength=coded.size) + 1.0
        self.shares = self.counts / self.counts.sum()

    def of(self, types):
        return self.shares


class OwnFrequencies(Popularity):
    def of(self, types):
        known = np.bincount(types[types >= 0], minlength=len(self.shares)) + 3 * self.shares
        return known / known.sum()


class Markov(Popularity):
    def __init__(self, coded):
        super().__init__(coded)
        self.after = {}
        for sequence in (s for part in coded.parts[:2] for s in part):
            for a, b in zip(sequence[1], sequence[1][1:]):
                row = self.after.setdefault(int(a), {})
                row[int(b)] = row.get(int(b), 0) + 1

    def of(self, types):
        known = self.shares.copy()
        row = self.after.get(int(types[-1]), {})
        known[list(row)] += list(row.values())
        return known / known.sum()


class RepeatLast(Popularity):
    def __init__(self, coded):
        super().__init__(coded)
        same = np.concatenate([types[1:] == types[:-1] for part in coded.parts[:2] for _, types, _ in part])
        self.share = (same.sum() + 1) / (len(same) + 2)

    def of(self, types):
        known = (1 - self.share) * self.shares
        if types[-1] >= 0:
            known[types[-1]] += self.share
        return known / known.sum()


RULES = {"popularity": Popularity, "own frequencies": OwnFrequencies, "Markov": Markov, "repeat last": RepeatLast}


def rule(name, coded, seed):
    made, parts = RULES[name](coded), asked(coded.parts[2])
    return {**score(np.stack([without_seen(coded, made.of(types[:i]).copy(), types[:i]) for _, types, i in parts]),
                    np.array([types[i] for _, types, i in parts])), "version": f"NumPy {version('numpy')}"}


def main(method, loader, query, seed, folder):
    warnings.simplefilter("ignore")
    coded = Coded(getattr(data, loader)(pathlib.Path(folder)), query == "query")
    if method in RULES:
        answer = rule(method, coded, int(seed))
    elif method == "LightGBM":
        import events_boosted
        answer = events_boosted.run(coded, int(seed))
    else:
        import events_nets
        answer = events_nets.run(method, coded, int(seed))
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
