#!/usr/bin/env python3
"""Scores of an LSTM with Time2Vec or raw time, forward alone, batches padded to their longest sequence.

predict-mnist, predict-mnist-t  classes of Event-MNIST, from Time2Vec or raw time
predict-sof                     next badges of Stack Overflow, after every event

onnx-ragged, torch        random batches as they are
onnx-equal, torch-equal   all sequences cut to the first 69 events; shorter ones are left out
onnx-sorted, torch-sorted each random batch sorted by length and cut into shards, of the best of a few sizes
"""

import worker
from workloads import TRAINING

MODELS = {"predict-mnist": "train-mnist-t2v", "predict-mnist-t": "train-mnist-t", "predict-sof": "train-sof"}
VARIANTS = ["onnx-ragged", "onnx-equal", "onnx-sorted", "torch", "torch-equal", "torch-sorted"]
OPTIONS = [
    ("batch", 0, "sequences of a batch; 0: that of the workload"),
    ("batches", 10, "batches of a repetition; 0: an epoch"),
    ("length", 69, "of equal sequences"),
]

if __name__ == "__main__":
    chosen = worker.arguments(__doc__.splitlines()[0], MODELS, VARIANTS, data=True, options=OPTIONS)

import numpy as np

from batches import Draws, open_parts, shard_sizes


def by_onnx(workload, threads):
    import onnxruntime

    import onnx_graphs

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    model = onnx_graphs.sequence_model(workload)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def predict(batch):
        times = np.ascontiguousarray(batch.times.T)[:, :, None]
        given = {"times": times, "lengths": batch.lengths.astype(np.int32)}
        if workload.embedding:
            given["events"] = np.ascontiguousarray(batch.events.T)
        return session.run(["scores"], given)[0]

    return f"ONNX Runtime {onnxruntime.__version__}", predict


def by_torch(workload, threads):
    import torch

    from torch_models import EventModel, tensors

    torch.set_num_threads(threads)
    model = EventModel(workload, time_major=True).eval()

    @torch.inference_mode()
    def predict(batch):
        times, events, lengths, _ = tensors(batch, time_major=True)
        return model(times, events, lengths).numpy()

    return f"PyTorch {torch.__version__}", predict


def main():
    workload = TRAINING[MODELS[chosen.workload]]
    equal = chosen.variant.endswith("-equal")
    part, _ = open_parts(chosen.data, workload.each_step, chosen.limit, chosen.length if equal else 0)
    draws = Draws(len(part), chosen.batch or workload.batch, chosen.seed)
    batches = chosen.batches or draws.batches()
    peer, predict = (by_onnx if chosen.variant.startswith("onnx") else by_torch)(workload, chosen.threads)

    def predict_all(chosen_ones, shard):
        amount = 0
        for part_of in part.shards(chosen_ones, shard) if shard else [chosen_ones]:
            batch = part.padded(part_of)
            scores = predict(batch)
            assert scores.shape[-2:] == (len(part_of), workload.classes)
            amount += batch.steps()
        return amount

    shard = 0
    if chosen.variant.endswith("-sorted"):
        sample = draws.next()
        timings = {
            size: worker.seconds_of(lambda: predict_all(sample, size), 2) for size in shard_sizes(draws.batch)
        }
        shard = min(timings, key=timings.get)

    def repetition():
        return sum(predict_all(draws.next(), shard) for _ in range(batches))

    repetition()
    settings = {
        "threads": chosen.threads,
        "batch": draws.batch,
        "batches": batches,
        "hidden": workload.hidden,
        "shard": shard or draws.batch,
    }
    worker.serve(peer, chosen.variant, settings, repetition)


if __name__ == "__main__":
    main()
