"""The kernel built so that it notices its own mistakes: Cython's checks of every index, sum and
division, and the compiler's of every address; then everything it can do, which must stay silent.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.kernel.trees import MODULES, ROOT, build, copy_tree, run

pytestmark = pytest.mark.long

EXERCISE = str(ROOT / "tests" / "kernel" / "exercise.py")
SIZE = "20000"


def figures(tree: Path, **environment: str) -> str:
    """What the exercise prints; it must say nothing else."""
    result = run(tree, EXERCISE, SIZE, **environment)
    assert result.returncode == 0, result.stderr[-4_000:]
    assert result.stderr == "", result.stderr[-4_000:]  # errors in nogil code are only printed
    assert result.stdout.startswith("compiled ")
    return result.stdout


@pytest.fixture(scope="module")
def usual() -> str:
    """What the build that is installed prints."""
    return figures(ROOT)


def switch_checks_on(tree: Path) -> None:
    """Edit the sources: what stands in them goes before what the build asks for.

    Wrap-around stays off, so that a negative index is an error and not the last element. The
    generator of chance and the digest of an observation multiply beyond 64 bits on purpose, and the
    sums of a hash go beyond 32.
    """
    checks = "boundscheck=True, overflowcheck=True, initializedcheck=True, nonecheck=True"
    for name in MODULES:
        path = tree / "src" / "phaseten" / "kernel" / f"{name.replace('.', '/')}.py"
        text = path.read_text()
        header = f"# cython: language_level=3, {checks}, wraparound=False, cdivision=False\n"
        body = re.sub(r"^# cython: .*\n", "", text, flags=re.MULTILINE)
        body = re.sub(
            r"^def (random_below|stream|digest|turn|compress)\(",
            r"@cython.overflowcheck(False)\ndef \1(",
            body,
            flags=re.MULTILINE,
        )
        path.write_text(header + body)


def break_it(tree: Path, name: str, right: str, wrong: str) -> None:
    """Put a mistake into a module of the copy."""
    path = tree / "src" / "phaseten" / "kernel" / f"{name.replace('.', '/')}.py"
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))


def test_with_every_index_and_sum_checked(tmp_path: Path, usual: str) -> None:
    tree = copy_tree(tmp_path)
    switch_checks_on(tree)
    build(tree)
    assert figures(tree) == usual


def test_the_checks_are_really_on(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path)
    switch_checks_on(tree)
    break_it(tree, "dealing", "= g.deck[i]", "= g.deck[i + 1000]")
    build(tree)
    result = run(tree, "-c", "from phaseten.kernel import Game; Game('classic', 2)")
    assert "IndexError" in result.stderr


def _library(name: str) -> str:
    found = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if not Path(found).is_absolute():
        pytest.skip(f"this compiler has no {name}")
    return found


SANITIZE = "-fsanitize=address,undefined"


def sanitized(tree: Path) -> dict[str, str]:
    """Build with the sanitizers; the environment to run it in."""
    library = _library("libasan.so")
    build(
        tree,
        PHASETEN_CFLAGS=f"-O1 -g {SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer",
        PHASETEN_LDFLAGS=SANITIZE,
    )
    return {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",
        "PYTHONMALLOC": "malloc",  # each object with its own guarded memory
    }


def test_with_every_address_checked(tmp_path: Path, usual: str) -> None:
    tree = copy_tree(tmp_path)
    assert figures(tree, **sanitized(tree)) == usual


def test_the_sanitizer_is_really_on(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path)
    break_it(tree, "shortage", "cells: cython.uchar[16]", "cells: cython.uchar[4]")
    # The first of the even Phases has a run: only there is more than one cell written.
    play = "from phaseten.kernel import Game; Game('classic', 2, variant='even').pick('casual')"
    result = run(tree, "-c", play, **sanitized(tree))
    assert result.returncode != 0
    assert "stack-buffer-overflow" in result.stderr or "runtime error" in result.stderr
