"""The layer and trained models in PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
try:
    torch.zeros(1).numpy()
except RuntimeError:
    pytest.skip("this PyTorch was made for another NumPy", allow_module_level=True)

import time2vec  # noqa: E402
import time2vec.torch as t2v  # noqa: E402


try:
    from torch.func import functional_call
except ImportError:  # before PyTorch 2
    from torch.nn.utils.stateless import functional_call


@pytest.mark.parametrize("activation", ["sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("scale, centre", [(1, 0), (3.7, -1.25)])
def test_first_and_second_derivatives_pass_gradcheck(activation, linear, scale, centre):
    torch.manual_seed(1)
    layer = t2v.Time2Vec(4, activation=activation, linear=linear).double()
    tau = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)

    def encode(tau, nu, psi):
        return functional_call(layer, {"nu": nu, "psi": psi}, (tau,))

    layer._measure_by(scale, centre)
    assert torch.autograd.gradcheck(encode, (tau, layer.nu, layer.psi))
    assert torch.autograd.gradgradcheck(encode, (tau, layer.nu, layer.psi))


def test_result_is_what_torch_itself_computes():
    layer = t2v.Time2Vec(6, dtype=torch.float64)
    tau = torch.randn(3, 5, dtype=torch.float64)
    phase = tau[..., None] * layer.omega + layer.phi
    wanted = torch.cat([phase[..., :1], torch.sin(phase[..., 1:])], dim=-1)
    assert torch.allclose(layer(tau), wanted, atol=1e-14)
    assert torch.allclose(layer.float()(tau).double(), wanted, atol=1e-6)


def test_phases_are_exact_for_unix_times_in_float32():
    layer = t2v.Time2Vec(3, linear=False)
    assert layer._result.dtype == torch.float32
    tau = torch.tensor([1.7e9, 1.7e9 + 1e-3], dtype=torch.float64)
    exact = time2vec.layer.forward(tau.numpy(), layer.omega.detach().numpy(), layer.phi.detach().numpy(), linear=False,
                                   dtype="float64")
    assert np.abs(layer(tau).detach().numpy() - exact).max() < 2e-7
    assert (layer(tau)[0] != layer(tau)[1]).any()


def test_dtype_of_the_module_is_that_of_the_result_and_frequencies_keep_their_digits():
    layer = t2v.Time2Vec(4)
    before = layer.omega.detach().clone()
    tau = torch.ones(2)
    assert layer.double()(tau).dtype == torch.float64
    assert layer.to(torch.float32)(tau).dtype == torch.float32
    assert layer.omega.dtype == torch.float64 and (layer.omega == before).all()


def test_whole_numbers_are_times_and_too_large_ones_are_refused():
    layer = t2v.Time2Vec(2)
    assert torch.equal(layer(torch.tensor([3])), layer(torch.tensor([3.0])))
    with pytest.raises(time2vec.Error, match="origin"):
        layer(torch.tensor([2**60]))


def test_seed_of_torch_decides_where_frequencies_start():
    def omega(seed):
        torch.manual_seed(seed)
        return t2v.Time2Vec(5).omega

    assert torch.equal(omega(1), omega(1)) and not torch.equal(omega(1), omega(2))


def test_frequencies_can_start_at_the_periods_of_what_is_predicted():
    days = np.arange(1.0, 274.0)
    layer = t2v.Time2Vec(3, start="periodogram", times=days, targets=days % 7 == 0)
    assert np.isclose(2 * np.pi / layer.omega[1:].detach().numpy(), [[7], [3.5], [7 / 3]], rtol=1e-2).any(axis=1).all()


@pytest.fixture(scope="module")
def trained():
    random = np.random.default_rng(3)
    sequences = [{"time": np.cumsum(random.exponential(1.0, 12)), "event": random.choice(list("abc"), 12),
                  "price": random.normal(size=12)} for _ in range(40)]
    return time2vec.NextEvent(hidden=16, layers=2, epochs=3, time="t2v:5").fit(sequences), sequences


def test_state_dict_goes_both_ways_with_a_model_file(tmp_path, trained):
    estimator, _ = trained
    estimator.save(tmp_path / "model.t2v")
    layer = t2v.Time2Vec.from_model(tmp_path / "model.t2v", encoder=1)
    tensors = estimator.model_.tensors()
    assert (layer.state_dict()["omega"].numpy() == tensors["time1.omega"].ravel()).all()
    with torch.no_grad():
        layer.omega += 0.25
    layer.to_model(tmp_path / "model.t2v", encoder=1).write(tmp_path / "changed.t2v")
    again = t2v.Time2Vec.from_model(tmp_path / "changed.t2v", encoder=1)
    assert torch.equal(again.omega, layer.omega) and torch.equal(again.phi, layer.phi)
    tau = np.linspace(0, 5, 7)
    ours = time2vec.Model.read(tmp_path / "changed.t2v").encode(tau, encoder=1)
    assert (again(torch.from_numpy(tau)).detach().numpy() == ours).all()


def test_trained_lstm_gives_the_same_outputs_in_torch(trained):
    estimator, sequences = trained
    lstm = t2v.TrainedLstm(estimator)
    assert isinstance(lstm.lstm, torch.nn.LSTM) and lstm.lstm.num_layers == 2
    outputs = lstm(**lstm.inputs(estimator, sequences))
    assert np.abs(outputs[:, -1].detach().numpy() - estimator.states(sequences)).max() < 1e-5


@pytest.mark.parametrize("kind", ["calendar", "raw", "log"])
def test_trained_lstm_has_the_other_time_encoders_too(kind, tmp_path):
    random = np.random.default_rng(3)
    first = np.datetime64("2024-03-04T05:06:07", "s")
    sequences = [(first + np.cumsum(random.integers(60, 90_000, 12)).astype("m8[s]"), random.choice(list("abc"), 12))
                 for _ in range(30)]
    estimator = time2vec.NextEvent(hidden=16, epochs=2, time=kind, options={"origin": "dataset"}).fit(sequences)
    lstm = t2v.TrainedLstm(estimator)
    outputs = lstm(**lstm.inputs(estimator, sequences))
    assert np.abs(outputs[:, -1].detach().numpy() - estimator.states(sequences)).max() < 1e-5
    estimator.save(tmp_path / "model.t2v")
    lstm.to_model(tmp_path / "model.t2v").write(tmp_path / "same.t2v")
    assert (time2vec.load(tmp_path / "same.t2v").states(sequences) == estimator.states(sequences)).all()


def test_weights_of_torch_go_back_into_a_model(tmp_path, trained):
    estimator, sequences = trained
    estimator.save(tmp_path / "model.t2v")
    lstm = t2v.TrainedLstm(tmp_path / "model.t2v")
    with torch.no_grad():
        for parameter in lstm.parameters():
            parameter.mul_(0.9)
        lstm.lstm.bias_hh_l0 += 0.1
    wanted = lstm(**lstm.inputs(estimator, sequences))[:, -1].detach().numpy()
    lstm.to_model(tmp_path / "model.t2v").write(tmp_path / "changed.t2v")
    assert np.abs(time2vec.load(tmp_path / "changed.t2v").states(sequences) - wanted).max() < 1e-5


def test_layers_that_do_not_fit_a_model_are_refused(trained):
    with pytest.raises(time2vec.Error, match="the layer has k 9, but the model 5"):
        t2v.Time2Vec(9).to_model(trained[0])
    with pytest.raises(time2vec.Error, match="2 time inputs, none of number 5"):
        t2v.Time2Vec.from_model(trained[0], encoder=5)
