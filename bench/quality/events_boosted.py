"""LightGBM for the next event: the last types, gaps, counts so far, the calendar where times are dates."""

import lightgbm
import numpy as np

import events_peers as peers

LAST = 5          # types and gaps before the event asked
MOST_TYPES = 100  # one tree a type and round
LEAVES = (15, 31)


def calendar(seconds):
    return [seconds / 3600 % 24, (seconds // 86400 + 3) % 7]


def features(coded, times, types, i):
    """What is known before event i, with its time where that is given."""
    back = [types[i - n] if i >= n else -1 for n in range(1, LAST + 1)]
    gaps = [np.log1p((times[i - n] - times[i - n - 1]) / coded.scale) if i > n else -1 for n in range(1, LAST)]
    row = [*back, *gaps, np.log1p((times[i - 1] - times[0]) / coded.scale), i]
    if coded.dates:
        row += calendar(times[i - 1])
    if coded.query:
        row.append(np.log1p((times[i] - times[i - 1]) / coded.scale))
        row += calendar(times[i]) if coded.dates else []
    return row


def table(coded, part):
    rows, truth = [], []
    for times, types, first in part:
        counts = np.zeros(coded.size)
        for i in range(1, len(types)):
            counts[types[i - 1]] += types[i - 1] >= 0
            if i >= first and types[i] >= 0:
                rows.append(np.concatenate([features(coded, times, types, i), counts]))
                truth.append(types[i])
    return np.array(rows, np.float32), np.array(truth)


def fit(coded, train, valid, seed, leaves):
    settings = {"objective": "multiclass", "num_class": coded.size, "num_leaves": leaves, "learning_rate": 0.1,
                "min_data_in_leaf": 20, "verbose": -1, "num_threads": 1, "seed": seed}
    make = lambda part: lightgbm.Dataset(*part, categorical_feature=list(range(LAST)))
    return lightgbm.train(settings, make(train), 300, valid_sets=[make(valid)],
                          callbacks=[lightgbm.early_stopping(10, verbose=False)])


def run(coded, seed):
    if coded.size > MOST_TYPES:
        raise SystemExit(f"LightGBM grows a tree for each of {coded.size} types")
    train, valid, test = (table(coded, part) for part in coded.parts)
    models = {leaves: fit(coded, train, valid, seed, leaves) for leaves in LEAVES}
    loss = lambda leaves: models[leaves].best_score["valid_0"]["multi_logloss"]
    best = min(LEAVES, key=loss)
    answer = peers.score(models[best].predict(test[0]), test[1])
    return {**answer, "settings": {"num_leaves": best, "rounds": models[best].best_iteration},
            "version": f"lightgbm {peers.version('lightgbm')}"}
