#!/usr/bin/env python3
"""Measures how training scales over ranks on this machine, fits a model of the cost, and says what larger
machines would give. Made data, in the shapes of Event-MNIST, Stack Overflow and a log of many event types.

  bench/scaling.py [--tool build/release/cli/t2v] [--seconds 5] [--turns 5] [--json FILE]

The measurement is of a quiet machine with at least two cores, with mpirun. The prediction is a model: it
takes the speed of a core and the cost of a message from here, and the network's latency and bandwidth from
the table below.
"""

import argparse
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

# Seconds from one process to another over the network, with TCP; bytes per second.
NETWORKS = {"10 Gbit/s": (30e-6, 1.15e9), "25 Gbit/s": (25e-6, 2.9e9), "100 Gbit/s": (15e-6, 11.5e9)}
CORES = (8, 32, 128, 512, 1024)
CORES_PER_RANK = 8  # one rank on each, with as many threads
BATCH = 256  # sequences of a measured step
SHARD = 64  # sequences that one core works on at a time


@dataclass
class Shape:
    """A data set as the cost of training sees it."""

    name: str
    sequences: int  # of the real data
    events: float  # of a sequence, on average
    types: int
    labelled: bool
    hidden: int
    made: int  # sequences to measure with


SHAPES = [
    Shape("Event-MNIST", 60_000, 100, 784, True, 128, 1500),
    Shape("Stack Overflow", 6_633, 72, 22, False, 64, 1500),
    Shape("log of 10^9 events", 10_000_000, 100, 100_000, False, 128, 1200),
]


def write_table(path, shape):
    """Each type at least once, as far as there are events; the others by a law that prefers few of them. Returns how
    many rows of the table of types a batch touches, by its events."""
    draw = random.Random(1)
    fresh = list(range(shape.types))
    draw.shuffle(fresh)
    share = 1.05 * shape.types / (shape.made * shape.events)  # of events that are of a new type
    kinds = set()  # of the first batch
    events = 0  # of it
    with open(path, "w") as table:
        table.write("user,time,event" + (",label" if shape.labelled else "") + "\n")
        for user in range(shape.made):
            time = 0.0
            for _ in range(max(2, int(draw.gauss(shape.events, shape.events / 5)))):
                time += draw.expovariate(1)
                kind = fresh.pop() if fresh and draw.random() < share else int(shape.types * draw.random() ** 3)
                if user < BATCH:
                    kinds.add(kind)
                    events += 1
                label = f",c{user % 10}" if shape.labelled else ""
                table.write(f"u{user},{time:.3f},e{kind}{label}\n")
    return len(kinds) / events


def run(tool, store, shape, ranks, threads, batch, seconds, folder):
    """Events per second, and what the sum of the gradients over the ranks takes."""
    log = os.path.join(folder, "log.jsonl")
    if os.path.exists(log):
        os.remove(log)
    command = [tool, "train", store, "-o", os.path.join(folder, "model.t2v"), "--task",
               "classify" if shape.labelled else "next", "--hidden", str(shape.hidden), "--batch", str(batch),
               "--no-skip", "--patience", "0", "--valid-share", "0", "--threads", str(threads), "--max-time",
               str(seconds), "--epochs", "1000000", "--log", log]
    if ranks > 1:
        command = ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"] + command
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"scaling: {' '.join(command)} failed:\n{done.stderr}")
    lines = [json.loads(line) for line in open(log)]
    rates = [line["events_per_second"] for line in lines if line["event"] == "epoch"]
    said = re.search(r"takes ([\d.]+) ms a step, at most ([\d,]+) bytes sent by each(?:; MPI_Allreduce: ([\d.]+) ms)?",
                     done.stderr)
    return statistics.median(rates[1:] or rates), said


def numbers_of(said):
    return {"ms": float(said[1]), "bytes": int(said[2].replace(",", "")),
            "allreduce_ms": float(said[3]) if said[3] else None}


def parameters_of(shape):
    """Numbers of the dense part, and of a row of the table: an LSTM on types and 2 x 33 times, and its head."""
    columns = 4 * shape.hidden
    outputs = 10 if shape.labelled else shape.types
    return columns * (66 + shape.hidden + 1) + outputs * (shape.hidden + 1), columns


def measure(tool, turns, seconds):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            table, store = os.path.join(folder, "t.csv"), os.path.join(folder, "t.events")
            rows_per_event = write_table(table, shape)
            subprocess.run([tool, "import", table, "-o", store], check=True, capture_output=True)
            # ranks, threads, batch: the small batch tells what a step costs beside its events
            runs = {(1, 1, BATCH): [], (1, 2, BATCH): [], (2, 1, BATCH): [], (1, 1, SHARD): []}
            prices = []
            for _ in range(turns):  # in turns, so that a slow minute hurts all alike
                for ranks, threads, batch in runs:
                    rate, said = run(tool, store, shape, ranks, threads, batch, seconds, folder)
                    runs[ranks, threads, batch].append(rate)
                    if said:
                        prices.append(numbers_of(said))
            rates = {"%d x %d, batch %d" % how: statistics.median(values) for how, values in runs.items()}
            pairs = zip(runs[2, 1, BATCH], runs[1, 2, BATCH])
            result = {"shape": shape.name, "events_per_second": rates,
                      "two_ranks_of_two_threads": statistics.median(a / b for a, b in pairs),
                      "exchange": min(prices, key=lambda price: price["ms"]),
                      "rows_per_event": rows_per_event}
            result.update(costs_of(shape, {how: statistics.median(values) for how, values in runs.items()}))
            results.append(result)
            print(f"{shape.name}: " + "; ".join(f"{name}: {rate:,.0f} events/s" for name, rate in rates.items()))
            print(f"  2 ranks are {result['two_ranks_of_two_threads']:.3f} of 2 threads; gradients "
                  f"{result['exchange']['ms']:.2f} ms for {result['exchange']['bytes']:,} bytes, MPI_Allreduce "
                  f"{result['exchange']['allreduce_ms']} ms; an event takes a core "
                  f"{1e6 * result['seconds_per_event']:.2f} us, a step besides {1e3 * result['seconds_per_step']:.2f} ms")
    return results


def costs_of(shape, rates):
    """A step takes what it takes beside its events (mostly the optimizer), and so much for each event."""
    small = SHARD * shape.events / rates[1, 1, SHARD]
    large = BATCH * shape.events / rates[1, 1, BATCH]
    per_event = (large - small) / ((BATCH - SHARD) * shape.events)
    both = BATCH * shape.events / rates[1, 2, BATCH]
    return {"seconds_per_event": per_event,
            "seconds_per_step": max(both - BATCH * shape.events * per_event / 2, 0)}  # on two threads


def fit(results):
    """The exchange as a + b * bytes, by least squares over the shapes."""
    points = [(r["exchange"]["bytes"], r["exchange"]["ms"] / 1e3) for r in results]
    mean_x = statistics.mean(x for x, _ in points)
    mean_y = statistics.mean(y for _, y in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return {"seconds_per_message_round": max(mean_y - slope * mean_x, 0) / 2, "seconds_per_byte": max(slope, 0)}


def step_seconds(shape, result, fitted, cores, batch, network):
    """One step of `batch` sequences on so many cores, a rank on each CORES_PER_RANK of them."""
    ranks = max(1, cores // CORES_PER_RANK)
    events = batch * shape.events
    shards = max(1, batch // SHARD)
    busy = math.ceil(shards / cores) * (events / shards) * result["seconds_per_event"]
    own = busy + result["seconds_per_step"]
    if ranks == 1:
        return own
    dense, columns = parameters_of(shape)
    rows = min(shape.types, events * result["rows_per_event"])
    latency, bandwidth = NETWORKS[network]
    sent = 2 * 4 * (dense + rows * columns) * (ranks - 1) / ranks
    per_message = fitted["seconds_per_message_round"] / 2
    rounds = 2 * latency + 4 * math.ceil(math.log2(ranks)) * latency + 2 * ranks * per_message
    return own + rounds + sent * (1 / bandwidth + fitted["seconds_per_byte"])


def predict(results, fitted):
    print("\nEvents per second by the model, and the share of ideal, where each core has one shard of "
          f"{SHARD} sequences (the batch grows with the cores) and each rank {CORES_PER_RANK} cores:")
    for shape, result in zip(SHAPES, results):
        print(f"\n{shape.name}\n| cores | batch | " + " | ".join(NETWORKS) + " |\n|---|---|" + "---|" * len(NETWORKS))
        for cores in CORES:
            batch = cores * SHARD
            cells = []
            for network in NETWORKS:
                seconds = step_seconds(shape, result, fitted, cores, batch, network)
                rate = batch * shape.events / seconds
                cells.append(f"{rate:,.0f} ({rate * result['seconds_per_event'] / cores:.0%})")
            print(f"| {cores} | {batch:,} | " + " | ".join(cells) + " |")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tool", default="build/release/cli/t2v")
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--json")
    given = options.parse_args()
    results = measure(os.path.abspath(given.tool), given.turns, given.seconds)
    fitted = fit(results)
    print(f"\nfitted: {1e6 * fitted['seconds_per_message_round']:.1f} us a round, "
          f"{1e-9 / max(fitted['seconds_per_byte'], 1e-15):.2f} GB/s through both ranks' memory")
    predict(results, fitted)
    if given.json:
        json.dump({"measured": results, "fitted": fitted}, open(given.json, "w"), indent=1)


if __name__ == "__main__":
    main()
