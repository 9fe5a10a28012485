"""The event stores that all workers read, made if need be."""

import math
import os
import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
T2V = ROOT / "build/release/cli/t2v"
DATA = ROOT / "build/bench-data"
MANY_TYPES = 5000


def quietly(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def write_many(path, sequences=1000):
    """A table of events of 5,000 types with lengths as Stack Overflow has them; a type often follows the one
    before it, and all of them occur."""
    draw = random.Random(1)
    with open(path, "w") as file:
        file.write("user_id,time,event,value\n")
        for sequence in range(sequences):
            seconds = 1_600_000_000 + draw.randrange(10_000_000)
            kind = MANY_TYPES * sequence // sequences
            for _ in range(41 + int(-31 * math.log(1 - draw.random()))):
                seconds += draw.randrange(1, 1_000_000)
                file.write(f"u{sequence},{seconds},e{kind},{draw.random():.4f}\n")
                kind = (kind + 1) % MANY_TYPES if draw.random() < 0.3 else draw.randrange(MANY_TYPES)


def make_mnist(store):
    quietly("scripts/fetch-mnist")
    folder = ROOT / "data/mnist"
    names = ["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"]
    files = [folder / f"{name}-ubyte" for name in names]
    quietly(T2V, "import", "--format", "mnist", *files, "--split", "given", "-o", store)


def make_badges(store):
    """Without the files of Stack Overflow, workloads use made events."""
    folder = Path(os.environ.get("T2V_TEST_DATA") or ROOT.parent / "shared/data") / "stackoverflow"
    names = ["event-1-train.txt", "time-1-train.txt", "event-1-test.txt", "time-1-test.txt"]
    if folder.exists():
        files = [folder / name for name in names]
        quietly(T2V, "import", "--format", "rmtpp", *files, "--split", "given", "-o", store)


def make_many(store):
    table = store.with_suffix(".csv")
    write_many(table)
    quietly(T2V, "import", table, "--value", "value", "--unit", "d", "--split", "random", "-o", store)
    table.unlink()


def data_sets():
    """Path of each store by the name of its option of 't2v bench'."""
    DATA.mkdir(parents=True, exist_ok=True)
    stores = {}
    for name, make in {"mnist": make_mnist, "badges": make_badges, "many": make_many}.items():
        store = DATA / f"{name}.events"
        if not store.exists():
            make(store)
        if store.exists():
            stores[name] = store
    return stores
