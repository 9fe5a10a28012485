"""The package as a whole: stubs, docstrings, the command."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import time2vec
from time2vec import _core

SOURCE = Path(time2vec.__file__).parent
ROOT = Path(__file__).parents[2]


def modules():
    inner = [f"torch.{name}" for _, name, _ in pkgutil.iter_modules([str(SOURCE / "torch")])]
    return [name for _, name, _ in pkgutil.iter_modules([str(SOURCE)]) if name != "_core"] + inner


@pytest.mark.parametrize("name", ["__init__", *modules()])
def test_examples_of_docstrings_give_what_they_say(name):
    if name.startswith("torch"):
        torch = pytest.importorskip("torch")
        try:
            torch.zeros(1).numpy()
        except RuntimeError:
            pytest.skip("this PyTorch was made for another NumPy")
    module = time2vec if name == "__init__" else importlib.import_module(f"time2vec.{name}")
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0 or name.rpartition(".")[2].startswith("_")


def public_members(scope):
    return {name for name in vars(scope) if not name.startswith("_") or name == "__init__"}


def stubbed_members(body):
    return {getattr(item, "name", None) or item.target.id for item in body
            if isinstance(item, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))}


def test_stubs_name_what_the_module_has():
    stubs = ast.parse((SOURCE / "_core.pyi").read_text())
    assert stubbed_members(stubs.body) == public_members(_core)
    for item in stubs.body:
        if isinstance(item, ast.ClassDef) and item.name != "Error":
            built = public_members(getattr(_core, item.name)) - {"__init__"}
            assert stubbed_members(item.body) - {"__init__"} == built, item.name


def test_stubs_name_the_arguments_of_functions():
    stubs = {item.name: [a.arg for a in item.args.args] for item in ast.parse((SOURCE / "_core.pyi").read_text()).body
             if isinstance(item, ast.FunctionDef)}
    for name, arguments in stubs.items():
        signature = re.search(name + r"\((.*?)\) ->", getattr(_core, name).__doc__).group(1)
        assert re.findall(r"(\w+): ", signature) == arguments, name


def test_everything_public_has_a_docstring():
    for name in time2vec.__all__:
        thing = getattr(time2vec, name)
        assert inspect.getdoc(thing)
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                assert member.startswith("_") or not callable(value) or inspect.getdoc(value), f"{name}.{member}"


def test_wheel_carries_the_command():
    command = Path(sys.executable).with_name("t2v")
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    assert time2vec.__version__ in said


def test_version_is_that_of_the_project():
    project = (ROOT / "CMakeLists.txt").read_text()
    assert f"project(time2vec VERSION {time2vec.__version__} " in project


def test_package_is_typed():
    assert (SOURCE / "py.typed").exists()


def mypy(path, tmp_path):
    pytest.importorskip("mypy")
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", path],
                         capture_output=True, text=True)
    return ran.stdout + ran.stderr


def test_a_typed_program_passes_mypy(tmp_path):
    assert "Success: no issues found" in mypy(Path(__file__).with_name("typed_use.py"), tmp_path)


def test_mypy_sees_what_is_wrong(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import time2vec\nnext_event: time2vec.NextEvent = time2vec.Forecaster().fit([1.0])\n"
                     "time2vec.load('x').forecast()\ntime2vec.NextEvent(hiden=3)\n")
    said = mypy(wrong, tmp_path)
    for line, kind in ((2, "assignment"), (3, "attr-defined"), (4, "call-arg")):
        assert re.search(rf"wrong.py:{line}: error: .*\[{kind}\]", said), said


def test_importing_needs_numpy_alone():
    code = "import sys, time2vec; print([m for m in ('torch', 'sklearn', 'pandas', 'pyarrow') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
