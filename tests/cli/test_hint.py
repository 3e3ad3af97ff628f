"""``phaseten hint``, and ``phaseten solve`` with a position."""

from __future__ import annotations

from pathlib import Path

import pytest

from phaseten import Game, make_bot
from tests.cli.command import Caller, assert_refused

POSITION = (
    "express | hand 1 dealer 2 turn 1 draw | 1 held R1 R3 B5 G9 Y4"
    " | 2 held B1 B2 G3 Y8 W | draw rest | discards Y11"
)
LAID = POSITION.replace("turn 1 draw", "turn 1 play").replace("R1 R3 B5 G9 Y4", "R1 R3 B5 G9 Y4 S")


def played(actions: int) -> Game:
    game = Game("express", ["Ana", "Beto"], seed=2)
    bot = make_bot("casual")
    for _ in range(actions):
        game.play(bot.choose(game.view()))
    return game


def test_a_position_in_words(call: Caller) -> None:
    answer = call("hint", POSITION, "--worlds", "40")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0].startswith("Take a yellow 11 from the discard pile  (P)")
    assert "You hold all of your Phase already" in lines[1]
    assert "chance to win" in answer.out
    assert "%" in lines[-1]


def test_json_has_every_legal_action(call: Caller) -> None:
    for actions in (0, 1, 41, 42):
        game = played(actions)
        answer = call("hint", game.position(), "--json", "--worlds", "8").json
        assert answer["seat"] == game.turn
        assert game.is_legal(answer["action"])
        assert answer["reasons"]
        assert {each["action"] for each in answer["chances"]} == set(game.legal_texts())


def test_a_record_and_a_seat_know_the_same(call: Caller, tmp_path: Path) -> None:
    """Whatever the source tells, a hint is made of what the seat knows."""
    game = played(41)
    assert game.turn is not None
    full, own = tmp_path / "game.p10", tmp_path / "own.p10"
    full.write_text(game.record(), encoding="utf-8")
    own.write_text(game.record(game.turn), encoding="utf-8")
    sources = [str(full), str(own), game.position(), game.position(game.turn)]
    answers = [call("hint", each, "--json", "--worlds", "8", "--bot", "sharp") for each in sources]
    assert len({answer.out for answer in answers}) == 1
    answer = call("hint", "-", "--json", "--worlds", "8", "--bot", "sharp", stdin=full.read_bytes())
    assert answer.out == answers[0].out


def test_in_other_languages(call: Caller) -> None:
    answer = call("hint", POSITION, "--language", "es", "--worlds", "4")
    assert answer.out.startswith("Tomar un 11 amarillo del descarte")
    assert "probabilidad de ganar" in answer.out


OVER = Game.from_position(
    "express phases=1 | over winner 1 dealer 2 | 1 phases - points 0 | 2 points 5"
)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["express | nonsense"], "'nonsense' does not say how the game stands"),
        (["nothing.p10"], "nothing.p10 cannot be opened"),
        ([POSITION, "--seat", "2"], "It is the turn of seat 1"),
        ([POSITION, "--seat", "3"], "--seat is a seat from 1 to 2, not 3."),
        ([POSITION, "--bot", "shrap"], "There is no bot 'shrap'"),
        ([POSITION, "--worlds", "0"], "--worlds is a number from 1 to 100,000, not 0."),
        ([POSITION, "--language", "de"], "--language is one of en, es, fr, pt, not 'de'."),
        (["express | before hand 1 dealer 1 | 1 | 2"], "No hand is going on"),
        ([OVER.position()], "The game is over"),
        ([Game("express", seed=1).position(1), "--seat", "2"], "what seat 1 knows, not seat 2"),
        ([Game("express", seed=1).position(1)], "It is the turn of seat 2"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_problems(call: Caller, arguments: list[str], problem: str) -> None:
    answer = call("hint", *arguments)
    assert_refused(answer, problem)


def test_solve_a_position(call: Caller) -> None:
    answer = call("solve", LAID)
    assert "Yes: this makes Phase 1 of Express" in answer.out
    assert call("solve", LAID, "--json").json["possible"]
    assert not call("solve", LAID, "--json", "--phase", "4").json["possible"]
    lines = call("solve", LAID.replace("express", "express phases=3 choose_phase"), "--json").lines
    assert len(lines) == 3
    assert_refused(call("solve", LAID, "--phase", "40"), "has the Phases 1 to 10, not 40")
    assert_refused(call("solve", "express | before hand 1 dealer 1 | 1 | 2"), "nobody's turn")
