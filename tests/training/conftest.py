"""The environment is compiled once, before the first test that needs it."""

from __future__ import annotations

import fcntl
import importlib.util
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def environment_is_built() -> None:
    from training.build import OURS

    folder = ROOT / "training"
    ending = sysconfig.get_config_var("EXT_SUFFIX")
    sources = [*folder.glob("*.pyx"), *folder.glob("*.pxd")]
    kernel = ROOT / "src" / "phaseten" / "kernel"
    sources += [*kernel.rglob("*.pxd")]
    with (folder / ".lock").open("w") as lock:  # several workers may come here at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = [folder / f"{name}{ending}" for name in OURS]
        newest = max(path.stat().st_mtime for path in sources)
        if not all(path.exists() and path.stat().st_mtime > newest for path in made):
            subprocess.run([sys.executable, "-m", "training.build", "plain"], cwd=ROOT, check=True)


@pytest.fixture
def torch_is_there(request: pytest.FixtureRequest) -> None:
    """Torch, and the environment that it learns from."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is missing: pip install 'phaseten[training]' to test the training")
    request.getfixturevalue("environment_is_built")
