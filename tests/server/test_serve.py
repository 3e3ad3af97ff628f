"""The command ``phaseten serve``: what goes wrong before it starts is said in a sentence."""

import os
import pty
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from phaseten.cli.serve import PORTS_TRIED, USUAL_PORT
from phaseten.server.store.lock import InUseError, claimed
from tests.cli.command import Caller
from tests.patience import PATIENCE, wait_until
from tests.server.service import SOURCE, SecretService


def serve(*options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "phaseten", "serve", *options],
        env=os.environ | {"PYTHONPATH": str(SOURCE)} | environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
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
def test_bad_input_is_said_in_one_sentence(
    options: tuple[str, ...],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = Caller(capsys, monkeypatch)("serve", *options)
    assert answer.code == 2
    assert sentence in answer.err
    assert len(answer.err.splitlines()) == 1


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


def test_whoever_starts_it_twice_gets_the_next_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # then somebody else has it
            other.bind(("127.0.0.1", USUAL_PORT))
            other.listen()
        first, taken, here, *_ = started(tmp_path, "--host", "127.0.0.1", port=None)
    port = int(first.split("port ")[1].rstrip("."))
    assert USUAL_PORT < port < USUAL_PORT + PORTS_TRIED
    assert (
        taken
        == f"A porta {USUAL_PORT} está ocupada, talvez por outro phaseten; este tem a porta {port}."
    )
    assert here.endswith(f":{port}")


def started(tmp_path: Path, *options: str, port: int | None = 0, **environ: str) -> list[str]:
    """What the command prints until it serves."""
    database = str(tmp_path / "x.sqlite")
    given = () if port is None else ("--port", str(port))
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "phaseten",
            "serve",
            *given,
            "--database",
            database,
            *options,
        ],
        env=os.environ | {"PYTHONPATH": str(SOURCE), "LANGUAGE": "pt"} | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    process.stderr.readline()  # its first line of log: it is about to serve
    process.terminate()
    return process.communicate(timeout=PATIENCE)[0].splitlines()


def test_it_says_where_it_is_found(tmp_path: Path) -> None:
    first, here, others, end = started(tmp_path)
    port = first.split("port ")[1].rstrip(".")
    assert first == f"Serving tables on 0.0.0.0 port {port}."
    assert here == f"Neste computador: http://localhost:{port}"
    assert others.startswith(("Para celulares e computadores", "Outros aparelhos não chegam"))
    assert end == "Ctrl+C encerra."


def test_a_server_for_this_machine_says_so(tmp_path: Path) -> None:
    _, here, others, _ = started(tmp_path, "--host", "127.0.0.1", LANGUAGE="en")
    assert "http://127.0.0.1:" in here
    assert "--host 0.0.0.0" in others


def test_behind_a_proxy_the_proxy_has_the_address(tmp_path: Path) -> None:
    assert len(started(tmp_path, "--secure")) == 1


def test_a_terminal_gets_a_qr_code_unless_it_wants_none(tmp_path: Path) -> None:
    with_code = in_terminal(tmp_path)
    if "http://localhost" in with_code and "0.0.0.0" in with_code and "▄" not in with_code:
        assert "no network" in with_code  # a machine in no network
        return
    assert "▀" in with_code
    assert "▀" not in in_terminal(tmp_path, "--no-qr")


def in_terminal(tmp_path: Path, *options: str) -> str:
    """What the command prints in a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [
            sys.executable, "-m", "phaseten", "serve", "--port", "0",
            "--database", str(tmp_path / "x.sqlite"), *options,
        ],
        env=os.environ | {"PYTHONPATH": str(SOURCE), "LANGUAGE": "en", "PYTHONUTF8": "1"},
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs)
    printed = b""
    while b"ends it." not in printed:
        printed += os.read(ours, 4096)
    process.terminate()
    process.wait(PATIENCE)
    os.close(ours)
    return printed.decode()


def test_it_opens_the_browser(tmp_path: Path) -> None:
    """A browser is any program named in BROWSER."""
    browser, opened = fake_browser(tmp_path)
    process = subprocess.Popen(
        [
            sys.executable, "-m", "phaseten", "serve", "--port", "0", "--open",
            "--database", str(tmp_path / "x.sqlite"),
        ],
        env=os.environ | {"PYTHONPATH": str(SOURCE), "BROWSER": browser},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    port = process.stdout.readline().split("port ")[1].rstrip(".\n")
    wait_until(lambda: opened.exists() and bool(opened.read_text()), "opening the browser")
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert opened.read_text() == f"http://localhost:{port}\n"


def fake_browser(tmp_path: Path) -> tuple[str, Path]:
    """A browser that notes what it opens: for BROWSER, and where it notes it."""
    opened = tmp_path / "opened"
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    program.chmod(0o755)
    return f"{program} %s", opened


def test_a_second_server_for_the_same_file_names_the_first(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    options = ("--port", "0", "--database", database)
    browser, opened = fake_browser(tmp_path)
    with SecretService(database) as first:
        second = serve(*options, LANGUAGE="en")
        assert second.returncode == 2
        assert second.stdout == ""
        assert f"process {first.pid}" in second.stderr
        assert f"http://127.0.0.1:{first.port}" in second.stderr
        assert len(second.stderr.splitlines()) == 1
        third = serve(*options, "--open", LANGUAGE="fr", BROWSER=browser)
        assert (third.returncode, third.stderr) == (0, "")
        assert third.stdout.startswith("Il tourne déjà")
        assert opened.read_text() == f"http://127.0.0.1:{first.port}\n"
        assert httpx.get(f"{first.url}/readyz", verify=False).status_code == 200
        first.kill()  # the lock goes with it, whatever it has left behind
        first.start()


def test_a_server_that_has_only_just_begun_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with claimed(path), pytest.raises(InUseError, match="another phaseten"), claimed(path):
        pass
    with claimed(path) as claim:
        claim.tell("http://a-longer-address:1")
        claim.tell("http://here")
        with (
            pytest.raises(InUseError, match=rf"process {os.getpid()}\) at http://here:"),
            claimed(path),
        ):
            pass
    with claimed(path):
        pass
