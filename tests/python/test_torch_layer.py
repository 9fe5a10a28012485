"""Time2Vec in PyTorch: exact phases on every device, dtypes, states, and learning in any unit of time."""

import copy
import io
import warnings
from fractions import Fraction

import numpy as np
import pytest

torch = pytest.importorskip("torch")
try:
    torch.zeros(1).numpy()
except RuntimeError:
    pytest.skip("this PyTorch was made for another NumPy", allow_module_level=True)

import time2vec  # noqa: E402
from time2vec.torch import Time2Vec, _operator  # noqa: E402

TURN = 2 * Fraction("3.14159265358979323846264338327950288419716939937510582097494459")
SECONDS = 1_700_000_000 + 137 * np.arange(500)


@pytest.fixture(params=["kernels", "float64", "two float32"])
def device(request, monkeypatch):
    """The CPU as a device of each kind: with our kernels, without them, and without float64."""
    if request.param != "kernels":
        monkeypatch.setattr(_operator, "has_kernel", lambda device: False)
    if request.param == "two float32":
        monkeypatch.setattr(_operator, "has_float64", lambda device: False)
    return request.param


def exact_phases(layer, times):
    """ωτ + φ less whole turns, from the state of a layer without rounding."""
    omega, phi = layer._exact()
    result = np.empty((len(times), len(omega)))
    for i, time in enumerate(times):
        for j, (w, p) in enumerate(zip(omega, phi)):
            phase = Fraction(w) * Fraction(time) + p
            result[i, j] = phase - round(phase / TURN) * TURN
    return result


def check_exact(layer, times, error):
    wanted = exact_phases(layer, np.asarray(times).tolist())
    other = copy.deepcopy(layer)
    other.activation = "cos"
    got = np.arctan2(layer(times).detach().double().numpy(), other(times).detach().double().numpy())
    difference = np.abs((got - wanted + np.pi) % (2 * np.pi) - np.pi)
    assert difference.max() < error, difference.max()


@pytest.mark.parametrize("kind", ["whole numbers", "float64"])
def test_phases_of_unix_times_are_exact_on_every_kind_of_device(device, kind):
    layer = Time2Vec.from_data(SECONDS, k=12, linear=False, seed=3).to("cpu")
    assert layer.nu.dtype == (torch.float32 if device == "two float32" else torch.float64)
    times = torch.from_numpy(SECONDS)
    # Devices without float64 hold no such times.
    check_exact(layer, times if kind == "whole numbers" or device == "two float32" else times.double(), 1e-6)


def test_phases_far_from_the_centre_are_exact_on_every_kind_of_device(device):
    layer = Time2Vec(9, start="n1", linear=False, seed=1).to("cpu")
    times = torch.from_numpy(np.random.default_rng(2).integers(-10**7, 10**7, 50))
    check_exact(layer, times, 1e-6)
    if device != "two float32":
        check_exact(layer, times * 10**4 + 1, 1e-6)


def test_plain_operations_and_kernels_agree(device):
    for activation in ("sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"):
        layer = Time2Vec(5, activation=activation, seed=4)
        layer._measure_by(7.5, 20.25)
        times = torch.linspace(-9, 60, 45, dtype=torch.float64).round()
        wanted = time2vec.layer.forward(times.numpy(), layer.omega.detach().numpy(), layer.phi.detach().numpy(),
                                        activation=activation, dtype="float64")
        times = times.requires_grad_() if device != "two float32" else times.to(torch.int64)
        layer.to("cpu")
        got = layer(times)
        got.sum().backward()
        assert got.dtype == torch.float32 and np.abs(got.detach().numpy() - wanted).max() < 1e-5
        nu, psi = layer.nu.grad, layer.psi.grad
        again = Time2Vec(5, activation=activation, seed=4)
        again._measure_by(7.5, 20.25)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_operator, "has_kernel", lambda device: True)
            again(torch.as_tensor(times.detach().double())).sum().backward()
        assert torch.allclose(nu.double(), again.nu.grad, rtol=1e-4, atol=1e-4), activation
        assert torch.allclose(psi.double(), again.psi.grad, rtol=1e-4, atol=1e-4)


def test_phases_beyond_what_is_exact_are_no_numbers_where_nobody_can_look(device):
    layer = Time2Vec(2, start="positional", seed=1).to("cpu")
    if device == "kernels":
        with pytest.raises(time2vec.Error, match="range of exact phases"):
            layer(torch.tensor([10**15]))
    else:
        value = layer(torch.tensor([10**15]))
        assert value[..., 1:].isnan().all()


def test_frequencies_survive_a_device_without_float64(monkeypatch):
    layer = Time2Vec.from_data(SECONDS, k=6, seed=1)
    before = layer.state_dict()
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    with monkeypatch.context() as patch:
        patch.setattr(_operator, "has_float64", lambda device: False)
        layer.to("cpu")
        assert [p.dtype for p in layer.parameters()] == [torch.float32] * 2
        layer(torch.from_numpy(SECONDS)).sum().backward()
        within = layer.state_dict()
    layer.to("cpu")
    assert layer.nu.dtype == torch.float64 and layer.nu.grad.dtype == torch.float64
    for state in (within, layer.state_dict()):
        assert torch.allclose(state["omega"], before["omega"], rtol=1e-14, atol=0)
        assert torch.allclose(state["phi"], before["phi"], rtol=1e-12, atol=1e-7)  # at 0, far from all times
    nu = layer.nu.detach().clone()
    optimizer.step()  # which still holds the same parameters
    assert (layer.nu != nu).any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_result_has_the_dtype_of_the_module(dtype):
    layer = Time2Vec.from_data(SECONDS, k=5, seed=1)
    exact = copy.deepcopy(layer).double()(torch.from_numpy(SECONDS))
    got = layer.to(dtype)(torch.from_numpy(SECONDS))
    assert got.dtype == dtype and layer.nu.dtype == torch.float64
    assert (got.double() - exact).abs().max() <= 4 * torch.finfo(dtype).eps
    got.sum().backward()
    assert layer.nu.grad.dtype == torch.float64 and layer.nu.grad.abs().sum() > 0


def test_autocast_leaves_phases_as_they_are():
    network = torch.nn.Sequential(Time2Vec.from_data(SECONDS, k=5, seed=1), torch.nn.Linear(6, 3))
    times = torch.from_numpy(SECONDS)
    wanted = network[0](times)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(network[0](times), wanted)
        result = network(times)
    assert result.dtype == torch.bfloat16
    result.float().sum().backward()
    assert network[0].nu.grad.abs().sum() > 0


def test_meta_tensors_have_the_shape_alone():
    layer = Time2Vec(5).to("meta")
    value = layer(torch.empty(2, 3, dtype=torch.int64, device="meta"))
    assert value.device.type == "meta" and value.shape == (2, 3, 6) and value.dtype == torch.float32
    full = Time2Vec(5, seed=1)
    layer.to_empty(device="cpu").load_state_dict(full.state_dict())
    assert torch.equal(layer(torch.arange(4)), full(torch.arange(4)))


def test_no_times_give_no_vectors():
    assert Time2Vec(3)(torch.empty(0, 2)).shape == (0, 2, 4)


def test_float32_unix_times_warn_once(monkeypatch):
    monkeypatch.setattr(_operator, "_looked", set())
    layer, times = Time2Vec.from_data(SECONDS, k=3), torch.tensor([1.7e9])
    with pytest.warns(UserWarning, match="1.7e[+]09 are torch.float32.* 203 later.*float64"):
        layer(times)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layer(times)
        layer(times.double())
        monkeypatch.setattr(_operator, "_looked", set())
        layer(torch.tensor([1e6]))


def test_nanoseconds_since_1970_are_exact():
    nanoseconds = 1_700_000_000_123_456_789 + 1000 * np.arange(300)
    layer = Time2Vec.from_data(nanoseconds, k=6, linear=False, seed=1)
    check_exact(layer, torch.from_numpy(nanoseconds), 1e-6)
    with pytest.raises(time2vec.Error, match="from_data"):
        Time2Vec(3)(torch.from_numpy(nanoseconds))


def test_state_is_in_the_unit_of_the_times_and_goes_to_any_layer():
    layer = Time2Vec.from_data(SECONDS, k=7, seed=1)
    state = layer.state_dict()
    assert sorted(state) == ["centre", "omega", "phi", "scale"]
    assert all(value.dtype == torch.float64 for value in state.values())
    times = torch.from_numpy(SECONDS)
    plain = Time2Vec(7)
    plain.load_state_dict({name: state[name] for name in ("omega", "phi")})  # as a layer without measures has it
    assert plain.scale == 1 and (plain.double()(times) - layer.double()(times)).abs()[:, 1:].max() < 1e-6
    other = Time2Vec(7)
    other.load_state_dict(state)
    assert (other.scale, other.centre) == (layer.scale, layer.centre)
    assert torch.equal(other.omega, layer.omega)
    assert torch.allclose(other.double()(times), layer(times), rtol=0, atol=1e-10)
    with pytest.raises(RuntimeError, match="size mismatch for omega"):
        Time2Vec(6).load_state_dict(state)
    with pytest.raises(RuntimeError, match='Missing key.*"phi"'):
        Time2Vec(7).load_state_dict({"omega": state["omega"]})
    with pytest.raises(RuntimeError, match='Unexpected key.*"psi"'):
        Time2Vec(7).load_state_dict({**state, "psi": state["phi"]})


def test_a_network_is_saved_and_read_with_its_layer():
    network = torch.nn.Sequential(Time2Vec.from_data(SECONDS, k=7, seed=1), torch.nn.Linear(8, 2))
    file = io.BytesIO()
    torch.save(network.state_dict(), file)
    file.seek(0)
    other = torch.nn.Sequential(Time2Vec(7), torch.nn.Linear(8, 2))
    other.load_state_dict(torch.load(file))
    assert torch.equal(other(torch.from_numpy(SECONDS)), network(torch.from_numpy(SECONDS)))
    assert torch.equal(copy.deepcopy(network)(torch.from_numpy(SECONDS)), network(torch.from_numpy(SECONDS)))


def test_frequencies_can_be_set():
    layer = Time2Vec.from_data(SECONDS, k=2, seed=1)
    phi = layer.state_dict()["phi"]
    layer.omega = torch.tensor([0.5, 1.0, 2.0])
    assert layer.omega.tolist() == [0.5, 1.0, 2.0]
    assert torch.allclose(layer.state_dict()["phi"], phi, atol=1e-9)
    layer.phi = torch.zeros(3)
    assert torch.allclose(torch.sin(layer.phi), torch.zeros(3, dtype=torch.float64), atol=1e-6)


def weekly(unit, origin, steps):
    """Losses of a network that learns a weekly value of times in some unit."""
    days = np.sort(np.random.default_rng(5).uniform(0, 120, 400))
    target = torch.from_numpy(np.sin(2 * np.pi * days / 7)).float()
    times = torch.from_numpy(np.round(days * 86400) / unit + origin)
    torch.manual_seed(0)
    layer = Time2Vec.from_data(times, k=16, start="span", seed=2)
    network = torch.nn.Sequential(layer, torch.nn.Linear(17, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((network(times)[:, 0] - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_unix_seconds_train_at_once_and_as_weeks_do():
    seconds, weeks = weekly(1, 1.7e9, 150), weekly(604800, 0, 150)
    assert max(seconds) < 3 and seconds[-1] < 0.05
    # The first step differs by rounding alone; later steps make more of that.
    assert np.allclose(seconds[:5], weeks[:5], rtol=1e-3)


@pytest.mark.parametrize("unit", [1, 1000, 10**9])
def test_cycles_of_the_calendar_are_there_where_times_are_unix_times(unit):
    times = SECONDS[0] * unit + np.arange(0, 90 * 86400, 1800) * unit
    layer = Time2Vec.from_data(times, k=16, seed=1)
    periods = 2 * np.pi / layer.omega.detach().numpy()[1:] / unit
    for period in (86400, 7 * 86400):
        assert np.isclose(periods, period, rtol=1e-6).any(), periods


def test_periods_of_targets_are_there():
    times = np.arange(1.0, 274.0)
    layer = Time2Vec.from_data(times, k=8, targets=np.sin(2 * np.pi * times / 11), start="periodogram")
    assert np.isclose(2 * np.pi / layer.omega.detach().numpy()[1], 11, rtol=1e-2)


def test_sequences_and_padding_are_seen_as_such():
    rows = [np.arange(20.0) + 1000, np.arange(15.0) + 5000.25]
    padded = np.full((2, 20), np.nan)
    for row, times in zip(padded, rows):
        row[:len(times)] = times
    layer = Time2Vec.from_data(torch.from_numpy(padded), k=64, start="span", seed=1)
    shortest = 2 * np.pi / layer.omega.detach().numpy()[1:].max()
    assert 2 <= shortest < 4  # of gaps within sequences, 1; between all times in order they are 0.25 and less
    assert layer.centre == pytest.approx(np.concatenate(rows).mean())


@pytest.mark.parametrize("times, words", [([], "numbers"), ([5.5, 5.5], "all times are 5.5"), (["a"], "numbers"),
                                          ([1.0, np.inf], "finite"), ([np.nan], "finite"),
                                          (np.array(["2024-01-01"], "M8[s]"), "astype")])
def test_times_without_a_scale_are_refused(times, words):
    with pytest.raises(time2vec.Error, match=words):
        Time2Vec.from_data(times)


def test_scale_and_centre_of_a_model_come_with_its_layer():
    random = np.random.default_rng(3)
    sequences = [(np.cumsum(random.exponential(900.0, 12)), random.choice(list("abc"), 12)) for _ in range(40)]
    model = time2vec.NextEvent(hidden=16, epochs=2, time="t2v:5").fit(sequences).model_
    layer, config = Time2Vec.from_model(model, 1), model.config["times"][1]
    assert (layer.scale, layer.centre) == (config["scale"], config["centre"]) and layer.scale > 100
