"""``phaseten play`` and ``phaseten replay`` as commands."""

import re
import sys
from pathlib import Path

import pytest

from phaseten import Game
from phaseten.terminal.saves import GameFile, Saves
from tests.cli.command import Caller, assert_refused, process

needs_pty = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Caller:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return Caller(capsys, monkeypatch)


# -- at a real terminal --------------------------------------------------------------------------


@needs_pty
def test_kill_and_resume(tmp_path: Path) -> None:
    from tests.terminal.terminal import Terminal  # noqa: PLC0415 - there is none on Windows

    saves = Saves(tmp_path / "phaseten")
    terminal = Terminal(
        tmp_path, "play", "--name", "Ana", "--bots", "rookie", "--seed", "5", "--pace", "none"
    )
    terminal.wait_for("Your turn")

    def actions() -> int:
        (listed,) = saves.running()
        return len(GameFile(listed.path).load()[0].events)

    for kills in range(2):
        before = actions()
        terminal.type("dx"[kills])
        terminal.until(lambda: actions() > before)  # noqa: B023 - called at once
        after = actions()
        terminal.kill()
        assert actions() >= after
        terminal = Terminal(tmp_path, "play", "--pace", "none")
        terminal.wait_for("Ana, Beto")
        terminal.type("\r")
        terminal.wait_for("Your turn")
    terminal.type("q")
    terminal.wait_for("What now?")
    terminal.type("1")
    assert terminal.end() == 0
    assert "See you! phaseten play goes on with the game." in terminal.shown
    assert "Traceback" not in terminal.shown


@needs_pty
def test_control_c_and_two_windows(tmp_path: Path) -> None:
    from tests.terminal.terminal import Terminal  # noqa: PLC0415

    terminal = Terminal(tmp_path, "play", "--new")
    terminal.wait_for("Your turn")
    second = Terminal(tmp_path, "play")
    assert second.end() == 2
    assert "already being played in another window" in second.shown
    terminal.type("\x03")
    assert terminal.end() == 0
    assert len(Saves(tmp_path / "phaseten").running()) == 1


@needs_pty
def test_a_replay_in_black_and_white_and_in_french(tmp_path: Path) -> None:
    from tests.terminal.terminal import Terminal  # noqa: PLC0415

    record = tmp_path / "game.p10"
    record.write_text(Game("express", ["Ana", "Beto"], seed=1).record(), encoding="utf-8")
    terminal = Terminal(tmp_path, "replay", str(record), LANG="fr_FR.UTF-8", NO_COLOR="1")
    terminal.wait_for("Toutes les cartes")
    for colors in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", terminal.shown):
        assert len(set(colors)) == 1
    terminal.type("q")
    assert terminal.end() == 0


# -- without a terminal --------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["play"], ["play", "--new", "--bots", "sharp"], ["replay"]])
def test_no_terminal_is_said_clearly(call: Caller, arguments: list[str]) -> None:
    assert_refused(call(*arguments), f"phaseten {arguments[0]} needs a terminal")


def test_so_it_is_in_a_process_of_its_own(tmp_path: Path) -> None:
    assert_refused(process("play", cwd=tmp_path), "phaseten play needs a terminal")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "1"], "2 to 6 players, not 1"),
        (["--players", "7"], "2 to 6 players, not 7"),
        (["--players", "0"], "--players 0 does not fit"),
        (["--players", "many"], "whole number"),
        (["--players", "3", "--bots", "sharp"], "--players 3 does not fit 1 people and 1 bots"),
        (["--players", "2", "--people", "Ana,Eva,Ida"], "--players 2 does not fit 3 people"),
        (["--people", "Ana"], "2 to 6 players, not 1"),
        (["--people", "Ana,ana"], "Two people have the same name"),
        (["--people", "Ana,,Eva"], "A name has 1 to 20 letters"),
        (["--name", "Ana", "--people", "Eva,Ida"], "give one of them"),
        (
            ["--bots", "wizard"],
            "--bots is one of rookie, casual, sharp, deep, master, not 'wizard'",
        ),
        (["--bots", ""], "2 to 6 players, not 1"),
        (["--bots", "rookie," * 6], "2 to 6 players, not 7"),
        (["--edition", "nope"], "no edition 'nope'"),
        (["--edition", "nope.toml"], "nope.toml cannot be read"),
        (["--variant", "nope"], "'nope' is not a variation"),
        (["--variant", "phases=99"], "phases=99"),
        (["--variant", "phases=1,even"], "leaves no Phase"),
        (["--house", "nope"], "'nope' is not a house rule"),
        (["--name", ""], "A name has 1 to 20 letters"),
        (["--name", "a\nb"], "A name has 1 to 20 letters"),
        (["--name", "x" * 21], "A name has 1 to 20 letters"),
        (["--seed", "x"], "whole number"),
        (["--language", "tlh"], "--language is one of en, es, fr, pt, not 'tlh'"),
        (["--pace", "warp"], "--pace is one of slow, normal, fast, none, not 'warp'"),
        (["extra"], "extra"),
    ],
)
def test_options_that_do_not_fit(call: Caller, arguments: list[str], words: str) -> None:
    assert_refused(call("play", *arguments), words)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--new"],
        ["--players", "6", "--people", "Ana,Eva"],
        ["--people", "Ana,Eva", "--bots", "rookie,sharp", "--players", "4"],
        ["-e", "express", "--variant", "ten-hands,even", "--house", "no_rediscard", "--seed", "3"],
    ],
)
def test_options_that_fit_get_as_far_as_the_terminal(call: Caller, arguments: list[str]) -> None:
    assert_refused(call("play", *arguments), "needs a terminal")


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (None, [], "cannot be opened"),
        ("nonsense", [], "line 1: A record starts with tags"),
        ('[Format "phaseten-1"]\n', [], "A game has the seats Seat1"),
        ("game", ["--seat", "3"], "--seat is a seat of the record 1, 2, not 3."),
        ("seen", ["--seat", "1"], "--seat is a seat of the record 2, not 1."),
        ("game", ["--language", "tlh"], "--language is one of"),
        ("illegal", [], "line "),
        ("game", [], "needs a terminal"),
        ("game", ["--seat", "2"], "needs a terminal"),
        ("seen", [], "needs a terminal"),
    ],
)
def test_replays(call: Caller, text: str | None, arguments: list[str], words: str) -> None:
    game = Game("express", ["Ana", "Beto"], seed=1)
    texts = {"game": game.record(), "seen": game.record(2)}
    texts["illegal"] = game.record().replace("Deck ", "Deck W W W W ")
    if text is not None:
        Path("x.p10").write_text(texts.get(text, text), encoding="utf-8")
    assert_refused(call("replay", "x.p10", *arguments), words)


def test_a_seat_without_a_record(call: Caller) -> None:
    assert_refused(call("replay", "--seat", "1"), "--seat is a seat of the record")


@pytest.mark.parametrize("command", ["play", "replay"])
def test_help(call: Caller, command: str) -> None:
    answer = call(command, "--help")
    assert answer.code == 0
    assert f"phaseten {command}" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 100


# -- from a position -----------------------------------------------------------------------------


POSITION = (
    "express | hand 1 dealer 1 turn 2 draw | 1 held B1 B2 G3 Y8 W | 2 held R1 R3 B5 G9 Y4"
    " | draw rest | discards Y11"
)


@needs_pty
def test_play_on_from_a_position(tmp_path: Path) -> None:
    from tests.terminal.terminal import Terminal  # noqa: PLC0415

    terminal = Terminal(tmp_path, "play", "--from", POSITION, "--name", "Nora", "--pace", "none")
    terminal.wait_for("Your turn")
    terminal.type("t")
    saves = Saves(tmp_path / "phaseten")
    terminal.until(lambda: len(GameFile(saves.running()[0].path).load()[0].events) == 1)
    game = GameFile(saves.running()[0].path).load()[0]
    assert game.names[1] == "Nora"
    assert game.state.held[1][-1].text == "Y11"
    terminal.type("u")
    terminal.until(lambda: not GameFile(saves.running()[0].path).load()[0].events)
    terminal.type("t")
    terminal.until(lambda: len(GameFile(saves.running()[0].path).load()[0].events) == 1)
    terminal.kill()
    terminal = Terminal(tmp_path, "play", "--pace", "none")
    terminal.wait_for("Nora")
    terminal.type("\r")
    terminal.wait_for("Your turn")
    terminal.type("\x03")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nothing.p10"], "nothing.p10 cannot be opened"),
        (["express | nonsense"], "does not say how the game stands"),
        ([POSITION, "--edition", "classic"], "The position says what is played"),
        ([POSITION, "--players", "3"], "This game is for 2 players, not 3."),
        ([POSITION, "--bots", "rookie,rookie"], "does not fit 1 people and 2 bots"),
        (
            ["express phases=1 | over winner 1 dealer 2 | 1 phases - points 0 | 2 points 5"],
            "This game is over",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_position_that_cannot_be_played(call: Caller, arguments: list[str], problem: str) -> None:
    assert_refused(call("play", "--from", *arguments), problem)
