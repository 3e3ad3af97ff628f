"""What is installed: the kernel compiled, or its sources as plain Python, with all that they need."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.effort import LONG, mainly
from tests.kernel.trees import MODULES, ROOT, copy_tree, run

EXERCISE = str(ROOT / "tests" / "kernel" / "exercise.py")
SIZE = "400" if LONG else "50"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources without the compiled modules."""
    return copy_tree(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def compiled_games() -> str:
    """What the exercise prints where the kernel is compiled."""
    here = run(ROOT, EXERCISE, SIZE)
    assert here.returncode == 0, here.stderr
    assert here.stdout.startswith("compiled ")
    return here.stdout


ONLY_NUMPY = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {ALLOWED}:
            raise ModuleNotFoundError(f"{name} is not there", name=name)

sys.meta_path.insert(0, Refuse())
"""
"""Makes as if nothing were installed but what is allowed."""


def allowing(*names: str) -> str:
    """The lines that make as if only these were installed."""
    return ONLY_NUMPY.replace("{ALLOWED}", repr(set(names)))


@pytest.mark.parametrize("cython", mainly(["Cython installed", "no Cython"], "no Cython"))
def test_the_sources_run_uncompiled_and_play_the_same_games(
    plain: Path, compiled_games: str, cython: str
) -> None:
    hide = "" if cython == "Cython installed" else "sys.modules.update(cython=None, Cython=None)\n"
    play = f"import runpy, sys\n{hide}runpy.run_path({EXERCISE!r}, run_name='__main__')"
    result = run(plain, "-W", "ignore::RuntimeWarning", "-c", play, SIZE)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout == compiled_games.replace("compiled ", "plain ")


PLAY_A_LITTLE = """
from phaseten.kernel import Game, simulate
game = Game("classic", players=3, seed=1)
for _ in range(9):
    game.step(game.pick("sharp"))
print(game.turn, simulate("express", players=2, games=1, seed=1).actions)
"""


@pytest.mark.parametrize("tree", ["compiled", "plain"])
def test_numpy_is_all_that_it_needs(plain: Path, tree: str) -> None:
    script = allowing("numpy", "phaseten") + PLAY_A_LITTLE
    where = ROOT if tree == "compiled" else plain
    result = run(where, "-W", "ignore::RuntimeWarning", "-c", script)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == run(ROOT, "-c", PLAY_A_LITTLE).stdout


def test_uncompiled_too_every_bot_answers(plain: Path) -> None:
    ask = (
        "from phaseten import Game\n"
        "from phaseten.bots.ladder import LADDER, make_bot\n"
        "from phaseten.kernel import compiled\n"
        "from phaseten.rules.views import legal_actions\n"
        "assert not compiled\n"
        "game = Game('classic', ['Ana', 'Beto', 'Carla', 'Dani'], seed=1)\n"
        "for name in LADDER:\n"
        "    for _ in range(2):\n"
        "        action = make_bot(name).choose(game.view())\n"
        "        assert action in legal_actions(game.view())\n"
        "        game.play(action)\n"
    )
    result = run(plain, "-W", "ignore::RuntimeWarning", "-c", ask)
    assert (result.returncode, result.stderr) == (0, "")


def test_chances_to_win_add_up_to_one(plain: Path) -> None:
    script = str(ROOT / "tests" / "kernel" / "chances.py")
    result = run(plain, "-W", "ignore::RuntimeWarning", script)
    assert result.returncode == 0, result.stderr
    hands, furthest = result.stdout.split()
    assert int(hands) > 80
    assert float(furthest) < 1e-9


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


def has_everything_but_the_compiled(tree: Path, names: set[str]) -> None:
    sources = tree / "src"
    wanted = {
        path.relative_to(sources).as_posix()
        for path in sources.rglob("*")
        if path.is_file() and path.suffix not in (".so", ".pyd", ".c")
    }
    for name in (
        "rules/editions/express.toml", "rules/rulebook.md", "language/pt/rulebook.md",
        "terminal/style.tcss", "kernel/layout.pxd", "kernel/players/search.pyi", "py.typed",
    ):  # fmt: skip
        assert f"phaseten/{name}" in wanted
    assert wanted <= names


def compiled_in(names: set[str]) -> set[str]:
    return {Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}


@pytest.mark.long  # it compiles the kernel
def test_a_wheel_has_the_compiled_kernel_and_all_data(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    tree = copy_tree(tmp_path / "tree")
    name, names = wheel(tree, tmp_path / "wheels")
    has_everything_but_the_compiled(tree, names)
    assert compiled_in(names) == {name.rpartition(".")[2] for name in MODULES} | {"cython_shared"}
    assert not name.endswith("-none-any.whl")
    assert f"cp{sys.version_info.major}{sys.version_info.minor}" in name


def test_a_pure_wheel_has_everything_else(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    tree = copy_tree(tmp_path / "tree")
    stale = tree / "src/phaseten/kernel/layout.cpython-311-x86_64-linux-gnu.so"
    stale.write_bytes(b"built earlier")
    name, names = wheel(tree, tmp_path / "wheels", PHASETEN_PURE="1")
    has_everything_but_the_compiled(tree, names)
    assert compiled_in(names) == set()
    assert name.endswith("-py3-none-any.whl")


@pytest.mark.long
def test_a_source_package_has_what_its_tests_need(tmp_path: Path) -> None:
    result = run(
        ROOT, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)
    )
    assert result.returncode == 0, result.stderr
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as package:
        names = {name.partition("/")[2] for name in package.getnames()}
    for folder in ("tests", "benchmarks", "docs", "examples", ".ci"):
        inside = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).rglob("*")
            if path.is_file()
            and "__pycache__" not in path.parts
            and ".hypothesis" not in path.parts
        }
        assert inside
        assert inside <= names
    assert {"Makefile", "constraints.txt", "hatch_build.py", "src/phaseten/py.typed"} <= names
