"""What is installed: the kernel compiled, or its sources as plain Python, with all that they need."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.kernel.trees import MODULES, ROOT, copy_tree, run

EXERCISE = str(ROOT / "tests" / "kernel" / "exercise.py")
SIZE = "400"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources without the compiled modules."""
    return copy_tree(tmp_path_factory.mktemp("plain"))


def test_the_sources_run_uncompiled_and_play_the_same_games(plain: Path) -> None:
    result = run(plain, "-W", "ignore::RuntimeWarning", EXERCISE, SIZE)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    here = run(ROOT, EXERCISE, SIZE)
    assert here.returncode == 0, here.stderr
    assert here.stdout.startswith("compiled ")
    assert result.stdout == here.stdout.replace("compiled ", "plain ")


def test_slow_games_say_so_once(plain: Path) -> None:
    play = (
        "from phaseten.kernel import Batch, Game, compiled, simulate\n"
        "assert not compiled\n"
        "Game('classic', 2); Game('express', 3); Batch('express', 4, games=1)\n"
        "simulate('express', 2, games=1, most_actions=10)\n"
    )
    result = run(plain, "-W", "always", "-c", play)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("RuntimeWarning: the kernel is not compiled") == 1
    assert "<string>:3" in result.stderr  # where the game was started


def test_nothing_is_said_before_a_game_is_played(plain: Path) -> None:
    result = run(plain, "-W", "error", "-c", "import phaseten.kernel")
    assert (result.returncode, result.stderr) == (0, "")


def wheel(tree: Path, to: Path, **environment: str) -> tuple[str, set[str]]:
    """The name of the tree's wheel and what is in it."""
    result = run(
        tree, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-build-isolation", "-w", str(to), ".", **environment,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    (path,) = to.glob("*.whl")
    return path.name, set(zipfile.ZipFile(path).namelist())


def has_everything_but_the_compiled(names: set[str]) -> None:
    kernel = ROOT / "src" / "phaseten" / "kernel"
    wanted = {f"phaseten/kernel/{path.name}" for path in kernel.glob("*.p*") if path.is_file()}
    editions = ROOT / "src" / "phaseten" / "rules" / "editions"
    wanted |= {f"phaseten/rules/editions/{path.name}" for path in editions.glob("*.toml")}
    assert len(list(editions.glob("*.toml"))) == 5
    wanted |= {"phaseten/rules/rulebook.md", "phaseten/py.typed", "phaseten/kernel/book.pxd"}
    assert wanted <= names


def compiled_in(names: set[str]) -> set[str]:
    return {Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}


@pytest.mark.long  # it compiles the kernel
def test_a_wheel_has_the_compiled_kernel_and_all_data(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    name, names = wheel(copy_tree(tmp_path / "tree"), tmp_path / "wheels")
    has_everything_but_the_compiled(names)
    assert compiled_in(names) == set(MODULES)
    assert not name.endswith("-none-any.whl")
    assert f"cp{sys.version_info.major}{sys.version_info.minor}" in name


def test_a_pure_wheel_has_everything_else(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    tree = copy_tree(tmp_path / "tree")
    stale = tree / "src/phaseten/kernel/book.cpython-311-x86_64-linux-gnu.so"
    stale.write_bytes(b"built earlier")
    name, names = wheel(tree, tmp_path / "wheels", PHASETEN_PURE="1")
    has_everything_but_the_compiled(names)
    assert compiled_in(names) == set()
    assert name.endswith("-py3-none-any.whl")
