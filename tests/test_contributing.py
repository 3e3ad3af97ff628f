"""What CONTRIBUTING.md says about the tree is true."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ANSWERS = re.findall(r"^\| (.+\?) \| `(.+)` \| `(.+)` \|$", TEXT, re.MULTILINE)
PACKAGE = ROOT / "src" / "phaseten"


def test_ten_questions_are_answered() -> None:
    assert len(ANSWERS) == 10


@pytest.mark.parametrize(("question", "path", "word"), ANSWERS)
def test_the_answer_is_in_that_file(question: str, path: str, word: str) -> None:
    assert word in (ROOT / path).read_text(encoding="utf-8"), question


def test_every_layer_named_there_exists() -> None:
    [line] = re.findall(r"^cli  → .*$", TEXT, re.MULTILINE)
    named = re.findall(r"\w+", line)
    for name in named:
        assert (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file(), name
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    [layers] = [
        contract["layers"]
        for contract in contracts["importlinter"]["contracts"]
        if contract["type"] == "layers" and contract["containers"] == ["phaseten"]
    ]
    order = [re.findall(r"\w+", layer) for layer in layers]
    existing = [
        {name for name in layer if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()}
        for layer in order
    ]
    written = [set(re.findall(r"\w+", part)) for part in line.split("→")]
    assert written == [layer for layer in existing if layer - {"__main__"}]


NAMED = set(re.findall(r"`((?!build/)[\w./*-]+/[\w./*-]+)`", TEXT))  # what is built comes later


@pytest.mark.parametrize("path", sorted(NAMED))
def test_paths_named_there_exist(path: str) -> None:
    """From the root, or from the package."""
    assert any(list(base.glob(path.rstrip("/"))) for base in (ROOT, PACKAGE)), path
