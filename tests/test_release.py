"""What is released has the same bytes wherever and whenever it is built."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from tests.kernel.trees import ROOT, copy_tree, run


def script() -> ModuleType:
    """.ci/dist.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("dist", ROOT / ".ci" / "dist.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def trees(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Two copies of what is released, in folders of different names, with different times."""
    copies = (tmp_path / "here", tmp_path / "in" / "another" / "folder")
    for copy in copies:
        copy_tree(copy)
        site = copy / "src/phaseten/server/site"
        if not (site / "index.html").exists():  # what is in them is no matter here
            site.mkdir(exist_ok=True)
            (site / "index.html").write_text("<!doctype html><title>phaseten</title>")
    for path in copies[1].rglob("*"):
        path.touch()
    yield copies
    shutil.rmtree(tmp_path)


def build(tree: Path, target: str, to: Path, **environment: str) -> bytes:
    result = run(
        tree, "-m", "hatchling", "build", "--target", target, "--directory", str(to), **environment
    )
    assert result.returncode == 0, result.stderr
    (made,) = to.iterdir()
    return made.read_bytes()


@pytest.mark.parametrize("target", ["sdist", "wheel"])
def test_packages_without_compiled_modules_are_built_alike(
    trees: tuple[Path, Path], target: str, tmp_path: Path
) -> None:
    """The order of the files, their times and rights, and nothing of the machine."""
    environment = {"PHASETEN_PURE": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    one, other = (
        build(tree, target, tmp_path / f"dist{number}", **environment)
        for number, tree in enumerate(trees)
    )
    assert one == other


@pytest.mark.long  # it compiles the kernel twice
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="auditwheel is for Linux")
def test_what_make_dist_builds_is_the_same_everywhere(
    trees: tuple[Path, Path], tmp_path: Path
) -> None:
    dist = script()
    results = [dist.pack(tree, tmp_path / f"dist{number}") for number, tree in enumerate(trees)]
    (source, wheel, sums), again = results
    assert "manylinux" in wheel.name
    assert wheel.stat().st_size < 4_000_000
    assert [path.name for path in again] == [path.name for path in (source, wheel, sums)]
    different = [path.name for path, other in zip(*results, strict=True) if _differ(path, other)]
    assert not different, "\n".join(_parts(wheel, again[1]))
    assert len(sums.read_text().splitlines()) == 2


def _differ(one: Path, other: Path) -> bool:
    return one.read_bytes() != other.read_bytes()


def _parts(one: Path, other: Path) -> list[str]:
    """Which files in two wheels are not the same."""
    with ZipFile(one) as first, ZipFile(other) as second:
        both = {*first.namelist()} & {*second.namelist()}
        return sorted(name for name in both if first.read(name) != second.read(name))
