"""Copies of the source tree, in which the kernel can be built in other ways."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[2]
_LIST = re.compile(r"^MODULES = \((.*?)\)", re.DOTALL | re.MULTILINE)
MODULES: Final[list[str]] = [
    name
    for text in _LIST.findall((ROOT / "hatch_build.py").read_text())
    for name in re.findall(r'"([\w.]+)"', text)
]
"""The modules that are compiled."""


def copy_tree(to: Path) -> Path:
    """The sources and what builds them, without anything built."""
    nothing_built = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "src", to / "src", ignore=nothing_built)
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, to / name)
    return to


def run(tree: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python on the copy's sources; the tests are those of the repository."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        # The Makefile's pins are named by a path that is not there in the copy.
        env={name: value for name, value in os.environ.items() if "CONSTRAINT" not in name}
        | {"PYTHONPATH": os.pathsep.join([str(tree / "src"), str(ROOT)])}
        | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def build(tree: Path, **environment: str) -> None:
    """Build the kernel of the copy in place."""
    result = run(tree, "hatch_build.py", **environment)
    assert result.returncode == 0, result.stderr
    kernel = tree / "src" / "phaseten" / "kernel"
    for name in MODULES:
        assert list(kernel.glob(f"{name.replace('.', '/')}.*.so")), f"{name} was not built"
