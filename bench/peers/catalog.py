#!/usr/bin/env python3
"""All workers: which program runs which variants of which workload.

build/peers-venv/bin/python bench/peers/catalog.py
    prints them
build/peers-venv/bin/python bench/peers/catalog.py --try FOLDER [WORD]
    runs each once on little data, or those with WORD in their line; FOLDER holds mnist.events, badges.events and
    many.events, as build/bench-data does
"""

import json
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRAIN = ["torch-padded", "torch-packed", "torch-compile", "torch-tuned"]
TLSTM = ["torch-script", "torch-eager", "torch-compile"]
# workload, program, variants, data
WORKERS = [
    ("encode", "numpy_encode.py", ["numpy", "numpy-threads"], None),
    ("encode", "torch_encode.py", ["torch", "torch-inplace", "torch-compile"], None),
    ("train-mnist-t2v", "torch_train.py", TRAIN, "mnist.events"),
    ("train-mnist-t2v", "jax_train.py", ["jax", "jax-tuned"], "mnist.events"),
    ("train-mnist-t", "torch_train.py", TRAIN, "mnist.events"),
    ("train-mnist-t", "jax_train.py", ["jax", "jax-tuned"], "mnist.events"),
    ("train-sof", "torch_train.py", TRAIN, "badges.events"),
    ("train-sof", "jax_train.py", ["jax", "jax-tuned"], "badges.events"),
    ("train-tlstm1", "torch_tlstm.py", TLSTM, "many.events"),
    ("train-tlstm3", "torch_tlstm.py", TLSTM, "many.events"),
    (
        "predict-mnist",
        "predict.py",
        ["onnx-ragged", "onnx-equal", "onnx-sorted", "torch", "torch-equal", "torch-sorted"],
        "mnist.events",
    ),
    ("predict-mnist-t", "predict.py", ["onnx-ragged", "onnx-sorted"], "mnist.events"),
    ("predict-sof", "predict.py", ["onnx-ragged", "onnx-sorted"], "badges.events"),
    ("stream", "stream.py", ["torch", "torch-script", "onnx-python", "onnx-c"], None),
]
LITTLE = {
    "encode": ["--times", "1000000"],
    "predict-mnist": ["--limit", "2000", "--batches", "2"],
    "predict-mnist-t": ["--limit", "2000", "--batches", "2"],
    "predict-sof": ["--limit", "200", "--batches", "2"],
    "train-tlstm1": ["--limit", "50", "--batch", "16", "--batches", "1"],
    "train-tlstm3": ["--limit", "50", "--batch", "16", "--batches", "1"],
    "train-mnist-t2v": ["--limit", "600", "--batch", "128", "--batches", "2"],
    "train-mnist-t": ["--limit", "600", "--batch", "128", "--batches", "2"],
    "train-sof": ["--limit", "200", "--batch", "32", "--batches", "2"],
    "stream": [],
}


def every():
    """Workload, variant, program, data."""
    return [
        (workload, variant, program, data)
        for workload, program, variants, data in WORKERS
        for variant in variants
    ]


def command(workload, variant, program, data, folder, threads=1):
    files = ["--data", Path(folder) / data] if data else []
    return [sys.executable, HERE / program, workload, variant, "--threads", str(threads), *files]


def try_one(entry, folder):
    """Runs a worker through all its lines; returns what to print about it."""
    workload = entry[0]
    scored = workload.startswith("train-") and entry[3]
    start = time.perf_counter()
    run = subprocess.run(
        [*command(*entry, folder), *LITTLE[workload]],
        input="go\nscore\n" if scored else "go\n",
        capture_output=True,
        text=True,
    )
    if run.returncode:
        return "FAILED: " + (run.stderr.strip().splitlines() or ["no message"])[-1]
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(lines) == (3 if scored else 2) and lines[0]["ready"] and lines[1]["seconds"] > 0, run.stdout
    text = f"{lines[1]['seconds'] / lines[1]['amount'] * 1e6:10.4f} us for each of {lines[1]['amount']}"
    if scored:
        assert 0 <= lines[2]["value"] <= 1 and lines[2]["epochs"] > 0, run.stdout
        text += f", accuracy {lines[2]['value']:.3f} after {lines[2]['steps']} steps"
    return f"{text} ({time.perf_counter() - start:.0f} s in all)"


def main():
    tried = sys.argv[1:2] == ["--try"]
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    failed = False
    for entry in every():
        name = f"{entry[0]:<16} {entry[1]:<14} {entry[2]:<16}"
        if word not in name:
            continue
        result = try_one(entry, sys.argv[2]) if tried else entry[3] or ""
        failed = failed or result.startswith("FAILED")
        print(name, result, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
