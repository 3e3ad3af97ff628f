"""The last release, as people have it: its wheel, built from its commit."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.server.service import ROOT, Service

COMMIT = "b0987a20aba72a83d28d97a480d4c5307415259b"
"""Of the last release; before there is one, the first commit whose events and snapshots have forms. When a release is
made, this is its commit."""
TREE = "tree"
WHEEL = "wheel"


def build_release(to: Path) -> Path:
    """Build the wheel, without the compiled modules, and unpack it, and the tests of then beside it."""
    packed, tree = to / "tree.tar", to / TREE
    command = ["git", "-C", str(ROOT), "archive", "--output", str(packed), COMMIT]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"the repository has no commit {COMMIT}: it needs its whole history")
    with tarfile.open(packed) as archive:
        archive.extractall(tree, filter="data")
    site = tree / "src" / "phaseten" / "server" / "site"
    site.mkdir(exist_ok=True)
    (site / "index.html").write_text("<!doctype html><title>phaseten</title>")
    environment = {name: value for name, value in os.environ.items() if "CONSTRAINT" not in name}
    subprocess.run(
        [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            str(to / "dist"),
        ],
        cwd=tree,
        env=environment | {"PHASETEN_PURE": "1"},
        check=True,
        capture_output=True,
    )
    (built,) = (to / "dist").iterdir()
    with ZipFile(built) as package:
        package.extractall(to / WHEEL)
    shutil.rmtree(tree / "src")  # so that nothing but the wheel can be what runs
    return to


class ReleasedService(Service):
    """A server of the last release, until it is told to be one of this tree."""

    def __init__(self, database: str, release: Path) -> None:
        self.release: Path | None = release
        super().__init__(database)

    @property
    def program(self) -> tuple[str, ...]:
        return ("-m", "tests.server.foreseen") if self.release else super().program

    @property
    def python_path(self) -> str:
        return str(self.release / WHEEL) if self.release else super().python_path

    @property
    def folder(self) -> Path | None:
        return self.release / TREE if self.release else None  # it deals like the tests of then

    def upgrade(self) -> None:
        """End it, and start this tree's in its place."""
        self.stop()
        self.release = None
        self.start()
