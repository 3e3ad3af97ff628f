"""``phaseten play`` in a real terminal, from the first deal to a win."""

import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from phaseten import judge, parse_record
from tests.cli.command import process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

PROMPT = "\r\n> "
AGAIN = "(y/n) "
PATIENCE = 60


class Terminal:
    """A person at a pseudo-terminal."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        import pty  # noqa: PLC0415 - there is none on Windows

        self.screen = ""
        command = [sys.executable, "-m", "phaseten", "play", *arguments]
        environment = os.environ | {
            "XDG_DATA_HOME": str(folder),
            "TERM": "xterm-256color",
            "PYTHONIOENCODING": "utf-8",
            **variables,
        }
        self.pid, self._end = pty.fork()
        if not self.pid:
            os.execve(sys.executable, command, environment)

    def wait(self, *marks: str) -> str:
        """Read on until the screen ends with one of the marks; without any, to the end."""
        text = b""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            ready, _, _ = select.select([self._end], [], [], limit - time.monotonic())
            try:
                data = os.read(self._end, 1 << 16) if ready else b""
            except OSError:  # the other end is closed
                data = b""
            text += data
            shown = text.decode("utf-8", "replace")
            if not data or shown.endswith(marks or "\0"):
                self.screen += shown
                return shown
        raise AssertionError(f"still waiting for {marks}: {text[-500:]!r}")

    def type(self, text: str) -> None:
        os.write(self._end, text.encode() + b"\n")

    def press(self, key: bytes) -> None:
        os.write(self._end, key)

    def end(self) -> int:
        """The exit code, once everything is read."""
        self.wait()
        os.close(self._end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        assert self.end() == -signal.SIGKILL


def saved(folder: Path) -> str:
    return (folder / "phaseten" / "game.p10").read_text(encoding="utf-8")


def test_a_whole_game_with_a_kill_in_the_middle(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--players", "3", "--name", "Ana", "--seed", "5")
    turns = 0
    while True:
        shown = terminal.wait(PROMPT, AGAIN)
        if shown.endswith(AGAIN):
            break
        turns += 1
        if turns in (40, 41, 90):
            before = saved(tmp_path)
            terminal.kill()
            assert saved(tmp_path) == before
            terminal = Terminal(tmp_path)
            assert "Welcome back! The game with Beto and Carla goes on." in terminal.wait(PROMPT)
            assert saved(tmp_path) == before
        terminal.type("h")
        assert "(Enter does it)" in terminal.wait(PROMPT)
        terminal.type("")
    assert turns > 90
    assert "won the game" in shown
    assert "▲R" in terminal.screen
    terminal.type("n")
    assert terminal.end() == 0
    (kept,) = (tmp_path / "phaseten").glob("finished-*.p10")
    verdict = judge(parse_record(kept.read_text(encoding="utf-8")))
    assert verdict["finished"]
    assert not (tmp_path / "phaseten" / "game.p10").exists()


def test_control_c_and_control_d_leave_politely(tmp_path: Path) -> None:
    for key in (b"\x03", b"\x04"):
        terminal = Terminal(tmp_path)
        terminal.wait(PROMPT)
        before = saved(tmp_path)
        terminal.press(key)
        assert terminal.end() == 0
        assert "See you! Go on with: phaseten play" in terminal.screen
        assert "Traceback" not in terminal.screen
        assert saved(tmp_path) == before


def test_black_and_white(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, NO_COLOR="1", PYTHONIOENCODING="ascii")
    shown = terminal.wait(PROMPT)
    assert "\x1b[9" not in shown
    assert shown.isascii()
    terminal.type("q")
    assert terminal.end() == 0


def test_two_windows(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.wait(PROMPT)
    second = Terminal(tmp_path)
    assert second.end() == 2
    assert "already being played in another window" in second.screen
    terminal.type("q")
    assert terminal.end() == 0


def play(folder: Path, *arguments: str, stdin: bytes = b""):
    environment = os.environ | {"XDG_DATA_HOME": str(folder)}
    return process("play", *arguments, stdin=stdin, env=environment)


def test_options_are_for_a_new_game(tmp_path: Path) -> None:
    first = play(tmp_path, "--edition", "express", "--players", "2", "--variant", "phases=3")
    assert first.code == 0
    assert "Express, with Beto." in first.out
    assert "See you!" in first.out
    same = play(tmp_path, "--edition", "express", "--variant", "phases=3")
    assert "Welcome back!" in same.out
    other = play(tmp_path, "--edition", "classic", "--players", "3")
    assert other.code == 2
    assert "--edition and --players would not fit it" in other.err
    fresh = play(tmp_path, "--new", "--players", "3", "--house", "no_rediscard")
    assert "Classic, with Beto and Carla." in fresh.out
    assert len(list((tmp_path / "phaseten").glob("unfinished-*.p10"))) == 1


def test_own_edition_is_found_from_another_folder(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(
        'based_on = "express"\nname = "my"\ntitle = "Mine"\nhouse = ["choose_phase"]\n'
    )
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    first = process("play", "-e", "my.toml", stdin=b"1\n", cwd=tmp_path, env=environment)
    assert "Mine, with" in first.out
    again = process("play", cwd="/", env=environment)
    assert "Welcome back!" in again.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "1"], "2 to 6 players, not 1"),
        (["--players", "7"], "2 to 6 players, not 7"),
        (["--players", "0"], "2 to 6 players, not 0"),
        (["--players", "many"], "whole number"),
        (["--edition", "nope"], "no edition 'nope'"),
        (["--edition", "nope.toml"], "nope.toml cannot be read"),
        (["--variant", "nope"], "'nope' is not a variation"),
        (["--variant", "phases=99"], "phases=99"),
        (["--house", "nope"], "'nope' is not a house rule"),
        (["--name", ""], "A name has 1 to 20 letters"),
        (["--name", "a\nb"], "A name has 1 to 20 letters"),
        (["--name", "x" * 21], "A name has 1 to 20 letters"),
        (["--seed", "x"], "whole number"),
    ],
)
def test_refusals(tmp_path: Path, arguments: list[str], words: str) -> None:
    answer = play(tmp_path, *arguments)
    assert answer.code == 2
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "phaseten" / "game.p10").exists()


def test_a_spoilt_save(tmp_path: Path) -> None:
    (tmp_path / "phaseten").mkdir()
    (tmp_path / "phaseten" / "game.p10").write_text("spoilt")
    answer = play(tmp_path)
    assert answer.code == 2
    assert "Start afresh with --new; the old file is kept." in answer.err
    assert play(tmp_path, "--new").code == 0
    (kept,) = (tmp_path / "phaseten").glob("unfinished-*.p10")
    assert kept.read_text() == "spoilt"


def test_no_place_to_save(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = play(tmp_path / "file", stdin=b"D\nt\n")
    assert answer.code == 0
    assert answer.out.count("The game cannot be saved in ") == 1
    assert answer.out.endswith(" See you!\n")


def test_typing_that_is_not_utf8(tmp_path: Path) -> None:
    answer = play(tmp_path, stdin=b"\xff\xfe\n\x00\nq\n")
    assert answer.code == 0
    assert "is not an action" in answer.out
