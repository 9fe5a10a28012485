"""Classes of sequences by LightGBM, from summaries of each sequence, or by a GRU, run by build/quality-venv: prints a
line of JSON.

  build/quality-venv/bin/python bench/quality/events_patients.py METHOD LOADER SEED FOLDER"""

import json
import pathlib
import sys

import lightgbm
import numpy as np

import events_data as data
import events_peers as peers

GRID = [(leaves, rate) for leaves in (7, 15, 31) for rate in (0.03, 0.1)]


def summary(rows, codes):
    """Of each parameter: how often, when last, first, last, mean, least and greatest value."""
    found = np.full((len(codes), 7), np.nan)
    groups = {}
    for _, minutes, name, value, _ in rows:
        groups.setdefault(name, []).append((minutes, value))
    for name, pairs in groups.items():
        if name in codes:
            values = [value for _, value in pairs]
            found[codes[name]] = (len(pairs), pairs[-1][0], values[0], values[-1], np.mean(values), min(values),
                                  max(values))
    return found.ravel()


def patients(folder):
    """(features, classes) to learn from and to test on."""
    parts = [data.patients(folder, part) for part in "ab"]
    names = sorted({row[2] for rows in parts[0] for row in rows})
    codes = {name: i for i, name in enumerate(names)}
    return [(np.array([summary(rows, codes) for rows in part]), np.array([rows[0][4] for rows in part]))
            for part in parts]


def spikes(folder):
    """Counts of each channel in tenths of an utterance's duration."""
    import h5py
    parts = []
    with h5py.File(folder / "spoken_digit_spikes/spikes.hdf5") as file:
        for part in ("train", "test"):
            times, channels = file[f"{part}_timestamps"], file[f"{part}_addresses"]
            keys = [key.decode() if isinstance(key, bytes) else str(key) for key in file[f"{part}_labels"][()]]
            made = [np.histogram2d(channels[k][()], times[k][()] / (times[k][()].max() + 1e-9), (64, 10),
                                   ((0, 64), (0, 1)))[0].ravel() for k in keys]
            names = [key.rsplit("-", 1)[1] for key in keys]
            parts.append((np.array(made), np.unique(names, return_inverse=True)[1]))
    return parts


def fit(train, valid, seed, leaves, rate):
    classes = int(train[1].max()) + 1
    kind = {"objective": "multiclass", "num_class": classes} if classes > 2 else {"objective": "binary"}
    settings = {**kind, "num_leaves": leaves, "learning_rate": rate, "feature_fraction": 0.5, "num_threads": 1,
                "verbose": -1, "seed": seed}
    return lightgbm.train(settings, lightgbm.Dataset(*train), 500, valid_sets=[lightgbm.Dataset(*valid)],
                          callbacks=[lightgbm.early_stopping(20, verbose=False)])


def area(scores, truth):
    """Area under the ROC curve, and its standard error after Hanley and McNeil."""
    low, high = np.sort(scores[truth == 0]), scores[truth == 1]
    auc = (np.searchsorted(low, high, "left") + np.searchsorted(low, high, "right")).mean() / 2 / len(low)
    a, b = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    spread = auc * (1 - auc) + (len(high) - 1) * (a - auc * auc) + (len(low) - 1) * (b - auc * auc)
    return {"auc": float(auc), "auc_se": float(np.sqrt(spread / len(low) / len(high)))}


def boosted(loader, seed, folder):
    (features, truth), test = globals()[loader](folder)
    order = np.random.default_rng(seed).permutation(len(truth))
    valid, train = ((features[part], truth[part]) for part in np.split(order, [len(order) // 10]))
    models = {choice: fit(train, valid, seed, *choice) for choice in GRID}
    best = min(GRID, key=lambda choice: min(models[choice].best_score["valid_0"].values()))
    return models[best].predict(test[0]), test[1], dict(zip(("num_leaves", "learning_rate"), best))


def net(seed, folder):
    import events_patient_nets
    learn, test = (data.patients(folder, part) for part in "ab")
    found, settings = events_patient_nets.run(learn, test, seed)
    return found, np.array([rows[0][4] for rows in test]), settings


def main(method, loader, seed, folder):
    run, package = (boosted, "lightgbm") if method == "LightGBM" else (net, "torch")
    more = (loader,) if run is boosted else ()
    found, truth, settings = run(*more, int(seed), pathlib.Path(folder))
    columns = found if found.ndim == 2 else np.stack([1 - found, found], 1)
    answer = {key: value for key, value in peers.score(columns, truth).items() if "ndcg" not in key}
    answer |= area(found, truth) if found.ndim == 1 else {}
    print(json.dumps({**answer, "settings": settings, "version": f"{package} {peers.version(package)}"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
