"""What is said where the extra is not installed; in `make test` it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.envs.conftest import LACKING

SOURCE = Path(__file__).resolve().parents[2] / "src"


def test_the_extra_is_installed() -> None:
    if LACKING:
        what = f"{', '.join(LACKING)} missing: pip install -e '.[dev]' to test phaseten.envs"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


@pytest.mark.parametrize(
    ("package", "module"),
    [
        ("gymnasium", "phaseten.envs"),
        ("pettingzoo", "phaseten.envs.phaseten_v0"),
        ("pyspiel", "phaseten.envs.openspiel"),
    ],
)
def test_without_the_extra_a_sentence_says_what_to_install(package: str, module: str) -> None:
    code = f"import sys\nsys.modules[{package!r}] = None\nimport {module}\n"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    last = result.stderr.strip().splitlines()[-1]
    assert (
        last == f"ImportError: phaseten.envs needs {package}: pip install 'phaseten[learn]'"
        or package in LACKING
    )
