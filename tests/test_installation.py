"""What needs which installation, and what is said where something is not installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def without(home: Path, modules: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run phaseten where these modules (with commas) cannot be imported."""
    code = (
        "import sys\n"
        f"for name in {modules!r}.split(','):\n"
        "    sys.modules[name] = None\n"
        "from phaseten.cli import main\n"
        f"sys.argv[1:] = {list(arguments)!r}\n"
        "sys.exit(main())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "HOME": str(home)},
    )


def test_postgresql_without_its_extra_is_said_in_a_sentence(tmp_path: Path) -> None:
    result = without(
        tmp_path, "asyncpg", "serve", "--database", "postgresql://nobody@localhost/nothing"
    )
    assert result.returncode == 2
    assert "pip install 'phaseten[postgres]'" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_ray_without_its_extra_is_said_in_a_sentence(tmp_path: Path) -> None:
    result = without(
        tmp_path,
        "ray",
        "arena",
        "rookie",
        "rookie",
        "--games",
        "2",
        "--ray",
        "--edition",
        "express",
    )
    assert result.returncode != 0
    assert "pip install 'phaseten[ray]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_base_installation_has_no_extras() -> None:
    base = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert not base & {"asyncpg", "cryptography", "cython", "gymnasium", "ray"}
    extras = PROJECT["optional-dependencies"]
    assert [Requirement(line).name for line in extras["postgres"]] == ["asyncpg"]
    assert [Requirement(line).name for line in extras["push"]] == ["cryptography"]
    assert [Requirement(line).name for line in extras["ray"]] == ["ray"]
    assert [Requirement(line).name for line in extras["learn"]] == [
        "gymnasium",
        "open_spiel",
        "pettingzoo",
    ]
    developers = {Requirement(line).name for line in extras["dev"]}
    learners = {Requirement(line).name for line in extras["learn"]}
    assert {"asyncpg", "cryptography", "ray"} | learners <= developers


@pytest.mark.parametrize("command", ["play", "serve"])
def test_help_needs_no_extra(tmp_path: Path, command: str) -> None:
    result = without(tmp_path, "asyncpg,ray,Cython", command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert command in result.stdout
