"""The examples run, and what they show holds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "python"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("torch_*.py")), ids=lambda path: path.stem)
def test_time2vec_beats_raw_time_in_a_network_of_torch(path):
    torch = pytest.importorskip("torch")
    try:
        torch.zeros(1).numpy()
    except RuntimeError:
        pytest.skip("this PyTorch was made for another NumPy")
    said = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True).stdout
    accuracy = {name: float(value) for name, value in re.findall(r"^(\S+) +(\d\.\d+)$", said, re.MULTILINE)}
    assert accuracy["time2vec"] > accuracy["raw"] + 0.05, said
    assert accuracy["time2vec"] > 0.95, said


def test_there_is_an_example_of_each_network():
    assert {path.stem for path in FOLDER.glob("torch_*.py")} == {"torch_gru", "torch_lstm", "torch_transformer"}
