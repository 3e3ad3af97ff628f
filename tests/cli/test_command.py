"""The command as a whole: help, mistakes in calling it, and how it ends."""

import importlib
import os
import subprocess
import sys

import pytest

from phaseten.cli import BROKEN_PIPE, COMMANDS
from tests.cli.command import Caller, assert_refused, process
from tests.patience import PATIENCE


def test_help_lists_every_command(call: Caller) -> None:
    answer = call("--help")
    assert answer.code == 0
    for name, summary in COMMANDS.items():
        assert f"{name}: {summary}" in answer.out
    assert call().out == answer.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples(call: Caller, name: str) -> None:
    answer = call(name, "--help")
    assert answer.code == 0
    assert COMMANDS[name] in answer.out
    assert f"Examples:\n  phaseten {name}" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80
    module = importlib.import_module(f"phaseten.cli.{name}")
    assert module.run.__doc__.splitlines()[0] == COMMANDS[name]


def test_version(call: Caller) -> None:
    assert call("--version").out.strip() == importlib.import_module("importlib.metadata").version(
        "phaseten"
    )


def test_unknown_command_names_the_nearest(call: Caller) -> None:
    assert_refused(call("slove"), "did you mean solve?")
    assert_refused(call("--bogus"), "choose one of play, ")
    assert_refused(call("\udcff"), "There is no command")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "--phse", "2"), "Did you mean --phase?"),
        (("solve", "--phase", "two", "R3"), 'cannot read "two" as a whole number'),
        (("solve", "--phase"), "requires an argument"),
        (("play", "extra"), "extra"),
        (("referee", "--txt"), "Unknown option: --txt."),
        (("verify", "a", "b"), "b"),
    ],
)
def test_misuse_is_one_sentence(call: Caller, arguments: tuple[str, ...], words: str) -> None:
    assert_refused(call(*arguments), words)


def test_help_imports_no_command() -> None:
    """What makes it quick; how quick it is says ``benchmarks/startup.py``."""
    answer = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "phaseten", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for heavy in ("numpy", "textual", "phaseten.cli.play", "phaseten.arena", "phaseten.terminal"):
        assert f" {heavy}\n" not in answer.stderr


def test_mistake_in_the_program_is_no_traceback(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("phaseten.cli.rules.rulebook", broken)
    with pytest.raises(ZeroDivisionError):
        call("rules")
    monkeypatch.setattr("phaseten.cli._run", broken)
    monkeypatch.delenv("PHASETEN_DEBUG")
    monkeypatch.setattr("os.environ", {k: v for k, v in os.environ.items() if "DEBUG" not in k})
    from phaseten.cli import SOFTWARE, main  # noqa: PLC0415

    assert main(["rules"]) == SOFTWARE


def test_interrupt(monkeypatch: pytest.MonkeyPatch, call: Caller) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("phaseten.cli._run", interrupted)
    answer = call("rules")
    assert (answer.code, answer.err) == (130, "")


# -- as a process ------------------------------------------------------------------------------


def test_broken_pipe_is_quiet() -> None:
    reader = subprocess.Popen(
        [sys.executable, "-m", "phaseten", "rules", "all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert reader.stdout is not None
    assert reader.stderr is not None
    reader.stdout.close()
    assert reader.stderr.read() == b""
    reader.stderr.close()
    assert reader.wait(PATIENCE) == BROKEN_PIPE


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("arguments", [["editions"], ["--help"]])
def test_full_disk_is_said(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "phaseten", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("phaseten: The output cannot be used: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes the streams")
def test_closed_streams() -> None:
    done = subprocess.run(
        [f"{sys.executable} -m phaseten editions >&- 2>&- <&-"], shell=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are text there")
def test_arguments_that_are_not_utf8() -> None:
    for arguments in (
        [b"solve", b"--phase", b"2", b"R\xff"],
        [b"solve", b"--edition", b"\xff.toml", b"--phase", b"2", b"R3"],
        [b"rules", b"\xff"],
        [b"editions", b"\xff"],
        [b"\xff"],
        [b"play", b"--name", b"\xff"],
    ):
        answer = process(*arguments)
        assert answer.code == 2
        assert answer.err.startswith("phaseten: ")
        assert "should not have" not in answer.err
