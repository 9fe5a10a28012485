"""The Python of the documentation runs as it stands there, in the root of the repository."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^(<!-- not run: .+ -->\n)?```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """(line, code) of each block that is run; a file for the commands of a page starts with its name."""
    text = (ROOT / page).read_text()
    return [(text[:match.start(2)].count("\n"), match[2]) for match in BLOCK.finditer(text)
            if not match[1] and not re.match(r"# \w+\.py\n", match[2])]


def needs_torch():
    torch = pytest.importorskip("torch")
    try:
        torch.zeros(1).numpy()
    except RuntimeError:
        pytest.skip("this PyTorch was made for another NumPy")


@pytest.mark.parametrize("page, at_least", [("README.md", 1), ("docs/python.md", 4), ("docs/pytorch.md", 3),
                                            ("docs/get-started.md", 1), ("docs/guide.md", 2), ("docs/faq.md", 1),
                                            ("docs/task-forecast.md", 1), ("docs/task-purchase.md", 1),
                                            ("docs/task-failures.md", 1), ("docs/task-process.md", 1),
                                            ("docs/task-stream.md", 1), ("docs/task-vectors.md", 1)])
def test_python_of_a_page_runs(page, at_least, tmp_path, monkeypatch):
    found = blocks(page)
    assert len(found) >= at_least
    if any("torch" in code for _, code in found):
        needs_torch()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page}
    for line, code in found:
        exec(compile("\n" * line + code, str(ROOT / page), "exec"), names)  # with the lines of the page


def test_blocks_are_what_is_in_pages():
    lines = [line for line, _ in blocks("README.md")]
    text = (ROOT / "README.md").read_text().splitlines()
    assert all(text[line - 1] == "```python" for line in lines)
