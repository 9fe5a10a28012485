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
    data: str = ""  # mnist, badges or many: the data set that all read, in batches
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
        Workload(name, "many", peers=scripted("--batch", 64)),
        Workload(f"{name}-recurrence", "many", peers=scripted("--batch", 64, "--head", "none")),
        Workload(f"{name}-5", "many", peers=scripted("--batch", 5)),
    ]


def predictor(name, kind, times):
    return [Peer("ONNX Runtime", "predict.py", [name, f"onnx-{kind}"], times)]


CELLS = ["lstm", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased"]

WORKLOADS = [
    Workload(
        "encode",
        ours=["--times", "10000000"],
        peers=[
            Peer("PyTorch", "torch_encode.py", ["encode", "torch"], 8),
            Peer("PyTorch, compiled", "torch_encode.py", ["encode", "torch-compile"], 0),
            Peer("NumPy, one thread", "numpy_encode.py", ["encode", "numpy"]),
            Peer("NumPy, all threads", "numpy_encode.py", ["encode", "numpy-threads"]),
        ],
    ),
    Workload("train-mnist-t2v", "mnist", peers=trainers("train-mnist-t2v", 12, 4)),
    Workload("train-mnist-t", "mnist", peers=trainers("train-mnist-t", 10, 3)),
    Workload("train-sof", "badges", peers=trainers("train-sof", 8, 2.5)),
    *time_lstm("train-tlstm1"),
    *time_lstm("train-tlstm3"),
    Workload(
        "train-tlstm3-head",
        "many",
        peers=[Peer("PyTorch", "torch_tlstm.py", ["train-tlstm3", "torch-script", "--batch", 64, "--head", "only"])],
    ),
    *[Workload(f"cell-{cell}") for cell in CELLS],
    Workload("predict-mnist", "mnist", peers=predictor("predict-mnist", "ragged", 3)),
    Workload("predict-equal", "mnist", peers=predictor("predict-mnist", "equal", 1.5)),
    Workload("predict-mnist-t", "mnist", peers=predictor("predict-mnist-t", "ragged", 3)),
    Workload("predict-sof", "badges", peers=predictor("predict-sof", "ragged", 3)),
    Workload("predict-tlstm3", "many"),
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
