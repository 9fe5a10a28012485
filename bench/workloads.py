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
    """PyTorch as people write it, compiled, and well tuned; JAX well tuned."""
    return [
        Peer("PyTorch, padded", "torch_train.py", [name, "torch-padded"], plain),
        Peer("PyTorch, compiled", "torch_train.py", [name, "torch-compile"], plain),
        Peer("PyTorch, tuned", "torch_train.py", [name, "torch-tuned"], tuned),
        Peer("JAX, tuned", "jax_train.py", [name, "jax-tuned"], tuned),
    ]


def time_lstm(name):
    """The whole model in batches of 64 and of 5, and without its head."""

    def scripted(*more):
        return [Peer("PyTorch, scripted", "torch_tlstm.py", [name, "torch-script", *more], 5)]

    return [
        Workload(name, peers=scripted("--batch", 64)),
        Workload(f"{name}-recurrence", peers=scripted("--batch", 64, "--head", "none")),
        Workload(f"{name}-5", peers=scripted("--batch", 5)),
    ]


def predictors(kind, times):
    return [Peer("ONNX Runtime", "predict.py", ["predict-mnist", f"onnx-{kind}"], times)]


CELLS = ["lstm", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased"]

WORKLOADS = [
    Workload(
        "encode",
        ours=["--times", "10000000"],
        peers=[
            Peer("PyTorch", "torch_encode.py", ["encode", "torch"], 8),
            Peer("PyTorch, compiled", "torch_encode.py", ["encode", "torch-compile"], 0),
            Peer("NumPy", "numpy_encode.py", ["encode", "numpy"], 8),
        ],
    ),
    Workload("train-mnist-t2v", "mnist", peers=trainers("train-mnist-t2v", 12, 4)),
    Workload("train-mnist-t", "mnist", peers=trainers("train-mnist-t", 10, 3)),
    Workload("train-sof", "badges", peers=trainers("train-sof", 8, 2.5)),
    *time_lstm("train-tlstm1"),
    *time_lstm("train-tlstm3"),
    *[Workload(f"cell-{cell}") for cell in CELLS],
    Workload("predict-mnist", "mnist", peers=predictors("ragged", 3)),
    Workload("predict-equal", "mnist", peers=predictors("equal", 1.5)),
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
