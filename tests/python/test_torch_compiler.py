"""What PyTorch's compiler, exporter and transforms make of the layer; they know operators from PyTorch 2.4 on."""

import io

import numpy as np
import pytest

torch = pytest.importorskip("torch")
if not hasattr(torch.library, "custom_op"):
    pytest.skip(f"PyTorch {torch.__version__} cannot register operators from Python; they came with 2.4",
                allow_module_level=True)

from time2vec.torch import Time2Vec, _operator  # noqa: E402

TIMES = torch.from_numpy(1_700_000_000 + 137 * np.arange(60)).reshape(12, 5)


class Network(torch.nn.Module):
    def __init__(self, activation="sin"):
        super().__init__()
        torch.manual_seed(1)
        self.time = Time2Vec.from_data(TIMES, k=6, activation=activation, seed=1)
        self.hidden = torch.nn.Linear(self.time.width, 8)  # the compiler does not know recurrent layers
        self.out = torch.nn.Linear(8, 1)

    def forward(self, times):
        return self.out(torch.tanh(self.hidden(self.time(times))).mean(dim=1))


def gradients(network, run, times):
    network.zero_grad()
    run(times).sum().backward()
    return [parameter.grad.clone() for parameter in network.parameters()]


def test_operator_passes_the_checks_of_pytorch():
    layer = Time2Vec.from_data(TIMES, k=3, seed=1)
    for times, order in ((TIMES, 0), (TIMES.double().requires_grad_(), 1)):
        torch.library.opcheck(_operator._operator, (
            times, layer.nu, layer._nu_rest, layer.psi, layer._psi_rest, layer.scale, layer.centre, "sin", True, order,
            torch.float64))


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize("activation", ["sin", "sigmoid"])
def test_compiled_without_a_break_it_is_the_same(backend, activation):
    network = Network(activation)
    compiled = torch.compile(network, fullgraph=True, backend=backend)
    wanted, mine = gradients(network, network, TIMES), gradients(network, compiled, TIMES)
    assert torch.allclose(compiled(TIMES), network(TIMES), atol=1e-6)
    assert all(torch.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(mine, wanted))
    assert torch.allclose(compiled(TIMES[:7]), network(TIMES[:7]), atol=1e-6)  # another batch


def test_compiled_in_half_precision_and_under_autocast():
    layer = Time2Vec.from_data(TIMES, k=6, seed=1).half()
    assert torch.equal(torch.compile(layer, fullgraph=True, backend="aot_eager")(TIMES), layer(TIMES))
    network = Network()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        compiled = torch.compile(network.time, fullgraph=True, backend="aot_eager")
        assert torch.equal(compiled(TIMES), network.time(TIMES))


def test_exported_it_can_be_saved_and_run():
    network = Network().eval()
    batch = torch.export.Dim("batch", min=2)
    program = torch.export.export(network, (TIMES,), dynamic_shapes=({0: batch},))
    assert any("time2vec.encode" in str(node.target) for node in program.graph.nodes)
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    again = torch.export.load(file).module()
    for times in (TIMES, TIMES[:5]):
        assert torch.allclose(again(times), network(times), atol=1e-6)


def test_vmap_over_times_and_over_layers():
    layer = Time2Vec.from_data(TIMES, k=6, seed=1)
    assert torch.equal(torch.func.vmap(layer)(TIMES), layer(TIMES))
    assert torch.equal(torch.func.vmap(layer, in_dims=1)(TIMES), layer(TIMES).transpose(0, 1))
    layers = [Time2Vec(4, seed=seed) for seed in range(3)]
    parameters, buffers = torch.func.stack_module_state(layers)

    def one(parameters, buffers, times):
        return torch.func.functional_call(layers[0], (parameters, buffers), (times,))

    times = torch.arange(5.0, dtype=torch.float64)
    together = torch.func.vmap(one, in_dims=(0, 0, None))(parameters, buffers, times)
    assert torch.equal(together, torch.stack([layer(times) for layer in layers]))
    rows = torch.randn(3, 5, dtype=torch.float64)
    together = torch.func.vmap(one)(parameters, buffers, rows)
    assert torch.equal(together, torch.stack([layer(row) for layer, row in zip(layers, rows)]))


def test_gradients_of_each_sample():
    network = Network()
    parameters = dict(network.named_parameters())

    def loss(parameters, times):
        return torch.func.functional_call(network, parameters, (times[None],)).sum()

    layer = network.time
    of_layer = torch.func.vmap(torch.func.grad(lambda nu, times: torch.func.functional_call(
        layer, {"nu": nu}, (times,)).sum()), in_dims=(None, 0))(layer.nu.detach(), TIMES)
    for row, times in zip(of_layer, TIMES):
        layer.zero_grad()
        layer(times).sum().backward()
        assert torch.allclose(row, layer.nu.grad, rtol=1e-6)
    each = torch.func.grad(loss)({name: p.detach() for name, p in parameters.items()}, TIMES[0])
    network.zero_grad()
    network(TIMES[:1]).sum().backward()
    assert all(torch.allclose(each[name], parameters[name].grad, rtol=1e-4, atol=1e-6) for name in each)


def test_second_derivatives_by_transforms():
    layer = Time2Vec(3, dtype=torch.float64, seed=1)
    times = torch.tensor([0.3, 1.7], dtype=torch.float64)
    curvature = torch.func.jacrev(torch.func.jacrev(lambda t: layer(t)[..., 1:].sum()))(times)
    wanted = -(layer.omega[1:] ** 2 * torch.sin(times[:, None] * layer.omega[1:] + layer.phi[1:])).sum(1)
    assert torch.allclose(curvature, torch.diag(wanted), atol=1e-12)


def test_fake_tensors_need_no_numbers():
    from torch._subclasses.fake_tensor import FakeTensorMode

    layer = Time2Vec(4)
    with FakeTensorMode(allow_non_fake_inputs=True):
        value = layer(torch.empty(7, 2))
    assert value.shape == (7, 2, 5) and value.device.type == "cpu"
