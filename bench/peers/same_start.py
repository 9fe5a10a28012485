#!/usr/bin/env python3
"""Does t2v learn as PyTorch does? Both start from the same weights and take the same steps; prints their losses.

build/peers-venv/bin/python bench/peers/same_start.py train-mnist-t2v mnist.events 20

A step is over the first 2,048 images that are learned from, all at once, so that no order matters. PyTorch takes the
steps twice, in single and in double precision: how far those two part is what rounding alone does.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch

from batches import open_parts
from event_file import T2V, TensorFile
from torch_models import EventModel, summed_loss, tensors
from workloads import RATE, TRAINING

IMAGES = 2048
SHARD = 128
PAPER = "--task classify --time-unit number --time-input start --omega-init u11 --l1 0 --cell lstm --no-skip --clip 0"
PLAIN = "--split none --valid-share 0 --start pytorch --epoch-steps 1 --patience 0 --average 0"


def write_table(part, path):
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "time", "label"])
        for sequence, start, length in zip(part.sequences, part.starts, part.lengths):
            for time in part.times[start : start + length]:
                table.writerow([sequence, int(time), part.labels[sequence]])


def train(table, workload, rate, steps, path):
    """Lets t2v take the steps; returns the losses before each."""
    log = path.with_suffix(".log")
    time = f"t2v:{workload.sines}" if workload.sines else "raw"
    sizes = ["--time", time, "--hidden", str(workload.hidden), "--batch", str(IMAGES), "--epochs", str(steps)]
    command = [T2V, "train", table, *PAPER.split(), *PLAIN.split(), *sizes, "--rate", str(rate)]
    subprocess.run([*command, "--log", log, "-o", path], check=True, capture_output=True)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "epoch"]


def copy_weights(model, file):
    """Of a model that t2v wrote, with gates in PyTorch's order."""
    weights = file.tensors
    pairs = [
        (model.lstm.weight_ih_l0, weights["cell.time0"].T),
        (model.lstm.weight_hh_l0, weights["cell.hidden"].T),
        (model.lstm.bias_ih_l0, weights["cell.bias"][0]),
        (model.lstm.bias_hh_l0, weights["cell.bias_hidden"][0]),
        (model.head.weight, weights["head.weight"].T),
        (model.head.bias, weights["head.bias"][0]),
    ]
    if model.time:
        pairs += [(model.time.omega, weights["time0.omega"][0]), (model.time.phi, weights["time0.phi"][0])]
    with torch.no_grad():
        for parameter, values in pairs:
            parameter.copy_(torch.from_numpy(values.copy()))


def take_step(model, optimizer, batches):
    """Returns the loss before it."""
    optimizer.zero_grad()
    total = 0
    for times, events, lengths, targets in batches:
        loss = summed_loss(model(times, events, lengths), targets) / IMAGES
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


def torch_losses(workload, start, part, order, dtype, steps):
    """`order`: the labels in the order in which t2v met them, which is that of its classes."""
    model = EventModel(workload, time_major=True)
    copy_weights(model, start)
    model = model.to(dtype)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    batches = []
    for shard in part.shards(np.arange(IMAGES), SHARD):
        times, events, lengths, targets = tensors(part.padded(shard), time_major=True)
        batches.append((times.to(dtype), events, lengths, order[targets]))
    for _ in range(steps):
        yield take_step(model, optimizer, batches)


def class_of_label(file):
    names = [int(name) for name in file.strings("vocabulary.0")]
    classes = torch.empty(len(names), dtype=torch.int64)
    classes[torch.tensor(names)] = torch.arange(len(names))
    return classes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", choices=["train-mnist-t2v", "train-mnist-t"])
    parser.add_argument("data", help="MNIST as an event store, as t2v import writes it")
    parser.add_argument("steps", type=int, nargs="?", default=20)
    chosen = parser.parse_args()
    workload, steps = TRAINING[chosen.workload], chosen.steps
    torch.set_num_threads(1)  # only this thread flushes subnormal numbers to zero
    torch.set_flush_denormal(True)
    part, _ = open_parts(chosen.data, each_step=False, limit=IMAGES)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_table(part, folder / "images.csv")
        train(folder / "images.csv", workload, 1e-30, 1, folder / "start.t2v")  # a step that moves nothing
        ours = train(folder / "images.csv", workload, RATE, steps, folder / "end.t2v")
        start = TensorFile(folder / "start.t2v")
        of_torch = [
            torch_losses(workload, start, part, class_of_label(start), dtype, steps)
            for dtype in (torch.float32, torch.float64)
        ]
        print("step  loss of t2v  PyTorch - t2v  the same in double precision", flush=True)
        for step, losses in enumerate(zip(ours, *of_torch), 1):
            print(f"{step:4}  {losses[0]:.9f}  {losses[1] - losses[0]:+13.1e}  {losses[2] - losses[0]:+13.1e}", flush=True)


if __name__ == "__main__":
    main()
