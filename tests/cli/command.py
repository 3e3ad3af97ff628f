"""Calling the command: in this process where that will do, as a process where it matters."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from phaseten.cli import main
from tests.patience import PATIENCE


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Caller:
    """Calls the command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Answer:
        self._monkeypatch.setenv("PHASETEN_DEBUG", "1")  # a mistake shall fail the test
        stream = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        self._monkeypatch.setattr(sys, "stdin", stream)
        self._capsys.readouterr()
        code = main(arguments)
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)


def process(*arguments: str | bytes, stdin: bytes = b"", **options: Any) -> Answer:
    """Run the real command as a process."""
    done = subprocess.run(
        [sys.executable, "-m", "phaseten", *arguments],
        input=stdin,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )
    return Answer(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8")
    )


def assert_refused(answer: Answer, *words: str) -> None:
    """One sentence on standard error with these words in it, exit code 2, and no answer."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("phaseten: ")
    assert answer.err.count("\n") == 1
    assert answer.err.rstrip()[-1] in ".?)" or "See: " in answer.err or "--toml" in answer.err
    for word in words:
        assert word in answer.err
