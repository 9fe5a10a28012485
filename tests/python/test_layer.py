"""The layer on arrays: exact, without copies, with gradients."""

import ctypes
from decimal import Decimal, getcontext

import numpy as np
import pytest

import time2vec
from time2vec import _core, layer

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def exact_sine(omega: float, tau: float, phi: float) -> float:
    """sin(ωτ + φ) from exact decimals, reduced before it becomes a double."""
    phase = Decimal(omega) * Decimal(tau) + Decimal(phi)
    return float(np.sin(float(phase - 2 * PI * (phase / (2 * PI)).to_integral_value())))


@pytest.mark.parametrize("dtype, error", [("float32", 2e-7), ("float64", 1e-13)])
def test_phases_are_exact_for_unix_times(random, dtype, error):
    omega, phi = random.uniform(-500, 500, 9), random.uniform(-3, 3, 9)
    times = 1.7e9 + random.uniform(0, 1e6, 20)
    value = layer.forward(times, omega, phi, linear=False, dtype=dtype)
    wanted = np.array([[exact_sine(w, t, p) for w, p in zip(omega, phi)] for t in times])
    assert value.dtype == dtype
    assert np.abs(value - wanted).max() < error


@pytest.mark.parametrize("activation", ["sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_are_those_of_differences(random, activation, dtype):
    omega, phi = random.uniform(-2, 2, 6), random.uniform(-1, 1, 6)
    times, weights = random.uniform(-3, 3, 11), random.normal(size=(11, 6))

    def loss(w, p):
        return np.sum(layer.forward(times, w, p, activation=activation, dtype="float64") * weights)

    _, slope = layer.forward(times, omega, phi, activation=activation, dtype=dtype, slope=True)
    domega, dphi = layer.backward(weights, slope, times)
    for i in range(6):
        step = np.eye(6)[i] * 1e-7
        assert domega[i] == pytest.approx((loss(omega + step, phi) - loss(omega - step, phi)) / 2e-7, abs=2e-5)
        assert dphi[i] == pytest.approx((loss(omega, phi + step) - loss(omega, phi - step)) / 2e-7, abs=2e-5)


def test_doubles_are_taken_without_a_copy():
    times = np.arange(10.0)
    assert layer.as_times(times) is times


def test_result_has_the_shape_of_the_times_and_one_dimension_more():
    assert layer.forward(np.zeros((2, 3)), np.ones(5), np.zeros(5)).shape == (2, 3, 5)
    assert layer.forward(np.zeros(0), np.ones(5), np.zeros(5)).shape == (0, 5)


@pytest.mark.parametrize("times, word", [([np.nan], "NaN"), ([np.inf], "inf"), ([1e31], "1e\\+30"), ([1e13], "range")])
def test_times_that_cannot_be_encoded_are_refused(times, word):
    with pytest.raises(time2vec.Error, match=word):
        layer.forward(times, [1.0], [0.0])


def test_whole_numbers_that_are_no_doubles_are_refused():
    with pytest.raises(time2vec.Error, match="origin"):
        layer.forward(np.array([2**53 + 1]), [1.0], [0.0])


def test_messages_name_parameters_as_python_does():
    with pytest.raises(time2vec.Error, match="unknown activation 'sine'; use one of sin, cos"):
        layer.forward([0.0], [1.0], [0.0], activation="sine")


def test_a_call_that_keeps_pythons_lock_is_seen(stall):
    assert stall(lambda: ctypes.PyDLL(None).usleep(300_000)) > 0.5


def test_other_threads_run_while_the_layer_works(stall):
    times, omega = np.linspace(0, 1e6, 300_000), np.linspace(0.1, 1, 64)
    assert stall(lambda: layer.forward(times, omega, omega)) < 0.25
    value, slope = layer.forward(times, omega, omega, slope=True)
    assert stall(lambda: layer.backward(value, slope, times)) < 0.25


def forward_to(value, tau, omega):
    _core.forward(value, None, tau, omega, omega, "sin", True)


def test_the_core_writes_into_the_memory_that_it_is_given():
    value = np.full((3, 2), np.nan, np.float32)
    address = value.ctypes.data
    forward_to(value, np.arange(3.0), np.ones(2))
    assert value.ctypes.data == address and (value[:, 0] == [1, 2, 3]).all()


@pytest.mark.parametrize("value, tau", [
    (np.zeros((3, 2), np.float32), np.arange(3, dtype=np.float32)),
    (np.zeros((3, 2), np.float32), np.arange(6.0)[::2]),
    (np.zeros((3, 2), np.float32), np.arange(3)),
    (np.zeros((3, 2), np.float32), [0.0, 1.0, 2.0]),
    (np.zeros((3, 4), np.float32)[:, ::2], np.arange(3.0)),
    (np.zeros((3, 2), np.float16), np.arange(3.0)),
], ids=["float32 times", "strided times", "whole times", "list", "strided result", "float16 result"])
def test_the_core_refuses_what_it_would_have_to_copy(value, tau):
    with pytest.raises(TypeError):
        forward_to(value, tau, np.ones(2))


def test_starts_are_the_same_for_the_same_seed():
    first, second, other = (layer.start(8, seed=seed)[0] for seed in (1, 1, 2))
    assert (first == second).all() and (first != other).any()


def test_periodogram_finds_the_period_of_the_targets():
    times = np.arange(200.0)
    omega, _ = layer.start(3, "periodogram", times=times, targets=np.sin(2 * np.pi * times / 7))
    assert 2 * np.pi / omega[1] == pytest.approx(7, rel=1e-3)
