#!/usr/bin/env python3
"""Do the peers compute the same? Loss and a gradient of each, from the same parameters on the same sequences.

build/peers-venv/bin/python bench/peers/agree.py WORKLOAD FILE.events
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
import torch

import jax_models
import torch_models
from batches import open_parts
from workloads import TRAINING


def copy_parameters(model, source):
    pairs = [
        (model.lstm.weight_ih_l0, source["inputs"].T),
        (model.lstm.weight_hh_l0, source["recurrent"].T),
        (model.lstm.bias_ih_l0, source["bias"]),
        (model.lstm.bias_hh_l0, 0 * source["bias"]),
        (model.head.weight, source["head"].T),
        (model.head.bias, source["head_bias"]),
    ]
    if model.time:
        pairs += [(model.time.omega, source["omega"]), (model.time.phi, source["phi"])]
    if model.embedding:
        pairs += [(model.embedding.weight, source["embedding"])]
    with torch.no_grad():
        for parameter, values in pairs:
            parameter.copy_(torch.from_numpy(np.array(values)))


def of_torch(model, batches):
    """Loss and the gradient of the recurrent weights, summed over the batches."""
    loss, gradient = 0, 0
    for batch in batches:
        times, events, lengths, targets = torch_models.tensors(batch, model.time_major)
        part = torch_models.summed_loss(model(times, events, lengths), targets)
        gradient = gradient + torch.autograd.grad(part, model.lstm.weight_hh_l0)[0].T.numpy()
        loss += part.item()
    return loss, gradient


def of_jax(parameters, batch, each_step, lstm=jax_models.plain_lstm):
    turn = lambda array: array.T if array is not None and array.ndim == 2 else array
    arrays = [turn(array) for array in (batch.times, batch.events, batch.lengths, batch.targets)]
    loss, gradients = jax.value_and_grad(jax_models.summed_loss)(
        parameters, *arrays, each_step=each_step, lstm=lstm
    )
    return float(loss), np.array(gradients["recurrent"])


def main():
    workload = TRAINING[sys.argv[1]]
    train, _ = open_parts(sys.argv[2], workload.each_step, 20)
    everyone = np.arange(len(train))
    parameters = jax_models.initial(workload, 1)
    models = {
        "padded": torch_models.EventModel(workload),
        "time-major": torch_models.EventModel(workload, True),
        "packed": torch_models.PackedModel(workload),
    }
    for model in models.values():
        copy_parameters(model, parameters)
    whole = [train.padded(everyone)]
    found = {f"PyTorch, {name}": of_torch(model, whole) for name, model in models.items()}
    shards = [train.padded(shard) for shard in train.shards(everyone, 7)]
    found["PyTorch, shards"] = of_torch(models["time-major"], shards)
    found["JAX"] = of_jax(parameters, whole[0], workload.each_step)
    found["JAX, filled up"] = of_jax(parameters, train.padded(everyone, 800, 32), workload.each_step)
    found["JAX, tuned"] = of_jax(parameters, whole[0], workload.each_step, jax_models.tuned_lstm)
    loss, gradient = found["PyTorch, padded"]
    for name, (other, slope) in found.items():
        difference = abs(slope - gradient).max() / abs(gradient).max()
        print(f"{name:<20} loss {other:.4f}, gradient differs by {difference:.1e}")
        assert np.isclose(other, loss, rtol=1e-5) and difference < 1e-4


if __name__ == "__main__":
    main()
