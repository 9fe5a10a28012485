#!/usr/bin/env python3
"""One event at a time through an LSTM with Time2Vec: k = 64, H = 128, 22 types of events, scores after each.

Prints the median and the 99.9th percentile of the time of a step.

torch         LSTMCell, no gradients
torch-script  the same, scripted and frozen
onnx-python   a graph of one step with the state in and out, by session.run
onnx-c        the same graph through ONNX Runtime's C API, inputs and outputs bound to memory once
"""

import worker

VARIANTS = ["torch", "torch-script", "onnx-python", "onnx-c"]
OPTIONS = [("steps", 20000, "of a repetition")]

if __name__ == "__main__":
    chosen = worker.arguments(__doc__.splitlines()[0], ["stream"], VARIANTS, options=OPTIONS)

import os
import sys
import time
from pathlib import Path

import numpy as np

SINES, HIDDEN, TYPES, EMBEDDING = 64, 128, 22, 32
FOLDER = Path(__file__).resolve().parent.parent.parent / "build/peers-venv"


def made_events(count, seed):
    random = np.random.default_rng(seed)
    return random.integers(0, TYPES, count), random.exponential(1, count).cumsum() % 1000


def timed(step, events, times):
    """Runs `step` on each event; returns what to print."""
    clock = time.perf_counter_ns
    taken = np.empty(len(events))
    for n, (event, at) in enumerate(zip(events.tolist(), times.tolist())):
        start = clock()
        step(event, at)
        taken[n] = clock() - start
    return {
        "seconds": float(np.median(taken)) * 1e-9,
        "p999": float(np.quantile(taken, 0.999)) * 1e-9,
        "amount": 1,
    }


def by_torch(scripted):
    import torch

    from torch_stream import Step

    torch.set_num_threads(chosen.threads)
    model = Step(SINES, HIDDEN, TYPES, EMBEDDING).eval()
    if scripted:
        model = torch.jit.freeze(torch.jit.script(model))
    state = [torch.zeros(1, HIDDEN), torch.zeros(1, HIDDEN)]

    @torch.inference_mode()
    def step(event, at):
        scores, state[0], state[1] = model(
            torch.tensor([event]), torch.tensor([at], dtype=torch.float32), *state
        )
        return scores.numpy()

    return f"PyTorch {torch.__version__}", {}, step


def graphs():
    import onnx_graphs

    return {
        "operator": onnx_graphs.step_by_operator(SINES, HIDDEN, TYPES, EMBEDDING),
        "gates": onnx_graphs.step_by_gates(SINES, HIDDEN, TYPES),
    }


def onnx_step(graph):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = chosen.threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    feeds = {"h": np.zeros((1, 1, HIDDEN), np.float32), "c": np.zeros((1, 1, HIDDEN), np.float32)}

    def step(event, at):
        feeds["time"] = np.array([[[at]]], np.float32)
        feeds["event"] = np.array([[event]], np.int64)
        scores, feeds["h"], feeds["c"] = session.run(["scores", "next_h", "next_c"], feeds)
        return scores

    return step


def by_onnx():
    """The faster of two ways to write the step."""
    import onnxruntime

    steps = {name: onnx_step(graph) for name, graph in graphs().items()}
    trial = made_events(2000, chosen.seed)
    timings = {name: min(timed(step, *trial)["seconds"] for _ in range(3)) for name, step in steps.items()}
    best = min(timings, key=timings.get)
    return f"ONNX Runtime {onnxruntime.__version__}", {"graph": best}, steps[best]


def run_program():
    """Becomes the program, which speaks the same lines."""
    program = FOLDER / "bin/onnx_stream"
    if not program.exists():
        sys.exit(f"{program} is missing: bench/peers/setup makes it")
    folder = FOLDER / "graphs"
    folder.mkdir(exist_ok=True)
    paths = []
    for name, graph in graphs().items():
        paths.append(folder / f"{name}.onnx")
        paths[-1].write_bytes(graph)
    os.execv(program, [str(program), str(chosen.steps), str(chosen.threads), *map(str, paths)])


def main():
    if chosen.variant == "onnx-c":
        run_program()
    peer, settings, step = (
        by_onnx() if chosen.variant == "onnx-python" else by_torch(chosen.variant == "torch-script")
    )
    events, times = made_events(chosen.steps, chosen.seed)
    timed(step, events[:1000], times[:1000])
    settings = {"threads": chosen.threads, "steps": chosen.steps, **settings}
    worker.serve(peer, chosen.variant, settings, lambda: timed(step, events, times))


if __name__ == "__main__":
    main()
