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


def cell_step(sums, cell):
    i, f, g, o = jnp.split(sums, 4, -1)
    cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(cell), cell


def plain_lstm(known, recurrent):
    """known: T x B x 4H, what the features give; returns the states, T x B x H."""

    def step(state, known):
        state = cell_step(known + state[0] @ recurrent, state[1])
        return state, state[0]

    zero = jnp.zeros((known.shape[1], recurrent.shape[0]), jnp.float32)
    return lax.scan(step, (zero, zero), known)[1]


def lstm_forward(known, recurrent):
    def step(state, known):
        sums = known + state[0] @ recurrent
        following = cell_step(sums, state[1])
        return following, (*state, sums, following[0])

    zero = jnp.zeros((known.shape[1], recurrent.shape[0]), jnp.float32)
    hidden, cell, sums, states = lax.scan(step, (zero, zero), known)[1]
    return states, (hidden, cell, sums, recurrent)


def lstm_backward(kept, slopes):
    """One product for the gradient of the recurrent weights after all steps, instead of one in each."""
    hidden, cell, sums, recurrent = kept
    turned = recurrent.T

    def step(state, at):
        slope, cell, sums = at
        sums_slope, cell_slope = jax.vjp(cell_step, sums, cell)[1]((slope + state[0], state[1]))
        return (sums_slope @ turned, cell_slope), sums_slope

    zero = jnp.zeros_like(hidden[0])
    known_slope = lax.scan(step, (zero, zero), (slopes, cell, sums), reverse=True)[1]
    flat = known_slope.reshape(-1, known_slope.shape[-1])
    return known_slope, hidden.reshape(-1, hidden.shape[-1]).T @ flat


@jax.custom_vjp
def tuned_lstm(known, recurrent):
    """The same as plain_lstm, with a backward pass of its own."""
    return lstm_forward(known, recurrent)[0]


tuned_lstm.defvjp(lstm_forward, lstm_backward)


def scores(parameters, times, events, lengths, each_step, lstm=plain_lstm):
    """T x B x classes, or B x classes. The products with the features are made for all steps at once."""
    known = features(parameters, times, events) @ parameters["inputs"] + parameters["bias"]
    all_states = lstm(known, parameters["recurrent"])
    if not each_step:
        last = jnp.maximum(lengths - 1, 0)
        all_states = all_states[last, jnp.arange(len(lengths))]
    return all_states @ parameters["head"] + parameters["head_bias"]


def summed_loss(parameters, times, events, lengths, targets, each_step, lstm=plain_lstm):
    logs = jax.nn.log_softmax(scores(parameters, times, events, lengths, each_step, lstm))
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
    return {name: pair[0] for name, pair in updated.items()}, {
        name: pair[1] for name, pair in updated.items()
    }
