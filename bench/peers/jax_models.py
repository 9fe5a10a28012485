"""The models in JAX: Time2Vec, an LSTM as lax.scan, a softmax after the last step or after each, and Adam."""

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from workloads import RATE


def initial(workload, seed):
    random = np.random.default_rng(seed)
    bound = workload.hidden**-0.5

    def uniform(limit, *shape):
        return jnp.asarray(random.uniform(-limit, limit, shape), jnp.float32)

    parameters = {
        "inputs": uniform(bound, workload.features(), 4 * workload.hidden),
        "recurrent": uniform(bound, workload.hidden, 4 * workload.hidden),
        "bias": uniform(bound, 4 * workload.hidden),
        "head": uniform(bound, workload.hidden, workload.classes),
        "head_bias": uniform(bound, workload.classes),
    }
    if workload.sines:
        parameters |= {"omega": uniform(1, workload.sines + 1), "phi": uniform(1, workload.sines + 1)}
    if workload.embedding:
        rows = random.normal(size=(workload.classes, workload.embedding))
        parameters["embedding"] = jnp.asarray(rows, jnp.float32)
    return parameters


def features(parameters, times, events):
    encoded = times[..., None]
    if "omega" in parameters:
        phase = encoded * parameters["omega"] + parameters["phi"]
        encoded = jnp.concatenate([phase[..., :1], jnp.sin(phase[..., 1:])], -1)
    if "embedding" in parameters:
        # A product with one-hot rows: the gradient of a look-up is a scatter, which XLA does slowly on a CPU.
        rows = parameters["embedding"]
        encoded = jnp.concatenate([jax.nn.one_hot(events, len(rows)) @ rows, encoded], -1)
    return encoded


def states(parameters, times, events):
    """T x B x H; the products with the features are made for all steps at once."""
    sums = features(parameters, times, events) @ parameters["inputs"] + parameters["bias"]
    recurrent = parameters["recurrent"]

    def step(state, known):
        hidden, cell = state
        i, f, g, o = jnp.split(known + hidden @ recurrent, 4, -1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    zero = jnp.zeros((times.shape[1], recurrent.shape[0]), jnp.float32)
    return lax.scan(step, (zero, zero), sums)[1]


def scores(parameters, times, events, lengths, each_step):
    """T x B x classes, or B x classes."""
    all_states = states(parameters, times, events)
    if not each_step:
        last = jnp.maximum(lengths - 1, 0)
        all_states = all_states[last, jnp.arange(len(lengths))]
    return all_states @ parameters["head"] + parameters["head_bias"]


def summed_loss(parameters, times, events, lengths, targets, each_step):
    logs = jax.nn.log_softmax(scores(parameters, times, events, lengths, each_step))
    return -jnp.sum(logs * jax.nn.one_hot(targets, logs.shape[-1]))  # no one at targets that are not there


def hits(parameters, times, events, lengths, targets, each_step):
    best = scores(parameters, times, events, lengths, each_step).argmax(-1)
    return jnp.sum((best == targets) & (targets >= 0)), jnp.sum(targets >= 0)


def adam(parameters, moments, gradients, count, share):
    """One step with the gradients times `share`; count: of the step, from 1 on."""

    def update(parameter, moment, gradient):
        gradient = gradient * share
        first = 0.9 * moment[0] + 0.1 * gradient
        second = 0.999 * moment[1] + 0.001 * gradient**2
        scale = jnp.sqrt(second / (1 - 0.999**count)) + 1e-8
        return parameter - RATE * first / (1 - 0.9**count) / scale, (first, second)

    updated = {name: update(parameters[name], moments[name], gradients[name]) for name in parameters}
    return {name: pair[0] for name, pair in updated.items()}, {name: pair[1] for name, pair in updated.items()}
