"""The command ``phaseten serve``: what goes wrong before it starts is said in a sentence."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.service import SOURCE


def serve(*options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "phaseten", "serve", *options],
        env=os.environ | {"PYTHONPATH": str(SOURCE)} | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--port", "99999"), "0 to 65535"),
        (("--limit", "nothing=1"), "no limit 'nothing'"),
        (("--database", "postgresql://x@127.0.0.1:1/x"), "does not answer"),
        (("--database", "/dev/null/x.sqlite"), "cannot be used"),
        (("--origin",), "origin"),
    ],
)
def test_bad_input_is_said_in_one_sentence(options: tuple[str, ...], sentence: str) -> None:
    done = serve(*options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        database = str(tmp_path / "x.sqlite")
        done = serve("--host", "127.0.0.1", PHASETEN_PORT=port, PHASETEN_DATABASE=database)
    assert done.returncode == 2
    assert f"port {port} cannot be used" in done.stderr
    assert Path(database).exists()
