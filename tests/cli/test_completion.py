"""What a shell offers when somebody presses Tab."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from phaseten.cli.completion import SHELLS
from tests.cli.command import Caller, assert_refused

TAB = """
phaseten() { PYTHON -m phaseten "$@"; }
source SCRIPT
COMP_WORDS=(phaseten TYPED)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_phaseten
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_a_script(call: Caller, shell: str) -> None:
    answer = call("completion", shell)
    assert answer.code == 0
    for word in ("arena", "referee", "--edition", "--sprt"):
        assert word in answer.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("ar", ["arena"]),
        ("arena --ti", ["--time-limit"]),
        ("solve --edition cl", ["classic"]),
        ("stats --edition classic,ex", ["classic\\,express"]),
        ("arena sharp ro", ["rookie"]),
        ("rules T-HIT-", ["T-HIT-WILD"]),
        ("referee ga", ["games/", "game.p10"]),
        ("editions my", ["my.toml"]),
        ("completion zs", ["zsh"]),
    ],
)
def test_bash_completes(call: Caller, tmp_path: Path, words: str, offered: list[str]) -> None:
    (tmp_path / "games").mkdir()
    for name in ("game.p10", "gamble.txt", "my.toml"):
        (tmp_path / name).touch()
    (tmp_path / "script").write_text(call("completion", "bash").out)
    done = subprocess.run(
        [
            "bash",
            "--norc",
            "-c",
            TAB.replace("PYTHON", sys.executable)
            .replace("SCRIPT", "./script")
            .replace("TYPED", words),
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert sorted(done.stdout.split()) == sorted(offered)


def test_installing(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    answer = call("completion", "fish", "--install")
    assert answer.code == 0
    assert answer.out.startswith(f"Installed in {tmp_path}")
    assert "arena" in (tmp_path / ".config/fish/completions/phaseten.fish").read_text()


def test_a_shell_that_is_not_known(call: Caller) -> None:
    assert_refused(call("completion", "tcsh"), "The shell is one of bash, zsh, fish, powershell")


def test_a_folder_that_cannot_be_written(
    call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "file")
    if os.name == "posix":
        assert_refused(call("completion", "fish", "--install"), "cannot be installed")
