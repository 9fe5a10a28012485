"""What is measured: a workload of 't2v bench', and the workers of other software that do the same work."""

from dataclasses import dataclass, field


@dataclass
class Peer:
    label: str
    script: str  # of bench/peers
    arguments: list  # workload and variant, and more
    goal: float = 0  # how many times as fast ours is to be


@dataclass
class Workload:
    name: str  # of ours
    data: str = ""  # mnist or badges: the data set that all read
    threads: int = 0  # 0 for all cores
    ours: list = field(default_factory=list)  # further arguments of 't2v bench'
    peers: list = field(default_factory=list)


def trainers(name, plain, tuned):
    """PyTorch as people write it and well tuned, compiled, and JAX."""
    return [
        Peer("PyTorch, padded", "torch_train.py", [name, "torch-padded"], plain),
        Peer("PyTorch, tuned", "torch_train.py", [name, "torch-tuned"], tuned),
        Peer("PyTorch, compiled", "torch_train.py", [name, "torch-compile"], tuned),
        Peer("JAX, sorted", "jax_train.py", [name, "jax"], tuned),
    ]


def scripted(name, batch, head):
    arguments = [name, "torch-scripted", "--batch", batch] + ([] if head else ["--head", "none"])
    return [Peer("PyTorch, scripted cell", "torch_train.py", arguments, 5)]


WORKLOADS = [
    Workload(
        "encode",
        ours=["--times", "10000000"],
        peers=[
            Peer("PyTorch", "encode.py", ["encode", "torch"], 8),
            Peer("PyTorch, compiled", "encode.py", ["encode", "torch-compile"], 8),
            Peer("NumPy", "encode.py", ["encode", "numpy"], 8),
        ],
    ),
    Workload("train-mnist-t2v", "mnist", peers=trainers("train-mnist-t2v", 12, 4)),
    Workload("train-mnist-t", "mnist", peers=trainers("train-mnist-t", 10, 3)),
    Workload("train-sof", "badges", peers=trainers("train-sof", 8, 2.5)),
    Workload("train-tlstm1", peers=scripted("train-tlstm1", 64, True)),
    Workload("train-tlstm1-recurrence", peers=scripted("train-tlstm1", 64, False)),
    Workload("train-tlstm1-5", peers=scripted("train-tlstm1", 5, True)),
    Workload("train-tlstm3", peers=scripted("train-tlstm3", 64, True)),
    Workload("train-tlstm3-recurrence", peers=scripted("train-tlstm3", 64, False)),
    Workload("train-tlstm3-5", peers=scripted("train-tlstm3", 5, True)),
    Workload("predict-mnist", "mnist", peers=[Peer("ONNX Runtime", "onnx_predict.py", ["predict-mnist", "onnx-ragged"], 3)]),
    Workload("predict-equal", peers=[Peer("ONNX Runtime", "onnx_predict.py", ["predict-mnist", "onnx-equal"], 1.5)]),
    Workload("predict-sof", "badges"),
    Workload(
        "stream",
        threads=1,
        peers=[
            Peer("ONNX Runtime, C", "stream.py", ["stream", "onnx-c"], 3),
            Peer("ONNX Runtime, Python", "stream.py", ["stream", "onnx-python"], 8),
            Peer("PyTorch", "stream.py", ["stream", "torch"], 15),
        ],
    ),
]
