"""A Python class as a bot, and everything that it can do wrong."""

import inspect
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from phaseten.arena.class_bots import ClassBot, construct, find_class
from phaseten.arena.faults import CRASHED, LATE, NONSENSE, EntrantError, FaultError
from phaseten.arena.gameplay import GameTerms, play_game
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.ladder import make_bot
from phaseten.rules.actions import Action, Discard, Hit
from phaseten.rules.cards import parse_card
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from phaseten.rules.views import View
from tests.arena.visitor import Visitor
from tests.patience import PATIENCE

TABLE = GameTerms(Rules(edition("express")), 2, 3)
QUICK = TimeLimits(move=0.2)
PATIENT = TimeLimits(move=PATIENCE)


def fault_of(choose: Any, limits: TimeLimits = PATIENT) -> FaultError:
    class Bot:
        def choose(self, view: View) -> Action:
            return choose(view)

    bot = ClassBot("bot", Bot, 0, limits)
    game = play_game(TABLE, [make_bot("casual"), bot], 0)
    assert game.fault is not None
    assert game.fault.seat == 2
    assert game.winner is None
    return FaultError(game.fault.kind, game.fault.sentence)


def test_a_whole_game() -> None:
    game = play_game(TABLE, [make_bot("casual"), ClassBot("bot", Visitor, 0, PATIENT)], 0)
    assert game.winner is not None
    assert game.fault is None


def forever(_: View) -> Action:
    while True:
        pass


def forever_and_deaf(_: View) -> Action:
    while True:
        with suppress(Exception):
            time.sleep(0.01)


@pytest.mark.parametrize("choose", [forever, forever_and_deaf])
def test_an_endless_loop_is_interrupted(choose: Any) -> None:
    fault = fault_of(choose, QUICK)
    assert fault.kind == LATE
    assert fault.sentence == "no answer within 0.2 s"


def test_a_late_answer_does_not_count() -> None:
    """Not even when the alarm was slept through."""
    caught: list[FaultError] = []

    def in_a_thread() -> None:  # where no alarm rings
        caught.append(fault_of(lambda view: time.sleep(0.3) or Visitor().choose(view), QUICK))

    thread = threading.Thread(target=in_a_thread)
    thread.start()
    thread.join()
    assert caught[0].kind == LATE


def crash(_: View) -> Action:
    raise KeyError("where?")


def leave(_: View) -> Action:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("choose", "kind", "words"),
    [
        (crash, CRASHED, "choose raised KeyError: 'where?'"),
        (leave, CRASHED, "choose raised SystemExit"),
        (lambda _: None, NONSENSE, "returned None, which is not an action"),
        (lambda _: "D", NONSENSE, "returned 'D', which is not an action"),
        (lambda _: Discard("R5"), NONSENSE, "a broken action"),  # type: ignore[arg-type]
        (lambda _: Hit((), 1, 1), NONSENSE, "a broken action"),
        (lambda _: Hit(None, 1, 1), NONSENSE, "a broken action"),  # type: ignore[arg-type]
    ],
)
def test_misbehaviour(choose: Any, kind: str, words: str) -> None:
    fault = fault_of(choose)
    assert fault.kind == kind
    assert words in fault.sentence


def test_a_crash_says_where_it_happened(tmp_path: Path) -> None:
    """The line of the bot, not one of ours that it called; the whole traceback is in the log."""

    class Misreading:
        def choose(self, view: View) -> Action:
            return parse_card(f"R77{view.seat}")  # type: ignore[return-value]

    log = tmp_path / "logs" / "bot.log"
    bot = ClassBot("bot", Misreading, 0, TimeLimits(), log)
    fault = play_game(TABLE, [make_bot("casual"), bot], 0).fault
    assert fault is not None
    line = inspect.getsourcelines(Misreading)[1] + 2
    assert fault.sentence.endswith(f"(test_class_bots.py, line {line})")
    assert fault.sentence.startswith("choose raised CardSyntaxError: ")
    kept = log.read_text()
    assert kept.startswith("Traceback (most recent call last)")
    assert 'return parse_card(f"R77' in kept
    assert "cards.py" in kept


def test_seeds_and_constructors() -> None:
    class Seeded(Visitor):
        def __init__(self, *, seed: int) -> None:
            self.seed = seed

    class Broken(Visitor):
        def __init__(self) -> None:
            raise OSError("no network")

    assert construct(Seeded, 17).seed == 17
    assert isinstance(construct(Visitor, 17), Visitor)
    with pytest.raises(
        EntrantError, match=r"Broken cannot be made: OSError: no network \(test_class_bots.py, line"
    ):
        construct(Broken, 0)
    game = play_game(TABLE, [make_bot("casual"), ClassBot("b", Broken, 0, QUICK)], 0)
    assert game.fault is not None
    assert game.fault.kind == CRASHED


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("no_such_module_here:Bot", "there is no module no_such_module_here"),
        ("phaseten.rules.cards:Nobody", "has no Nobody"),
        ("phaseten.rules.cards:Card", "is not a bot: a class with a method choose"),
        ("phaseten.rules.cards:SKIP", "is not a bot"),
    ],
)
def test_classes_that_cannot_play(path: str, words: str) -> None:
    with pytest.raises(EntrantError, match=words):
        find_class(path)


def test_a_module_that_cannot_be_imported(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_bot_module.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/elsewhere"])
    with pytest.raises(
        EntrantError, match=r"cannot be imported: ZeroDivisionError.*broken_bot_module.py, line 1"
    ):
        find_class("broken_bot_module:Bot")
