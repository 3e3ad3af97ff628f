import threading

import pytest

import phaseten.cli.odds as command
from phaseten import Rules
from phaseten.arena.odds import Odds, OddsError
from phaseten.rules.editions import Phase
from tests.cli.command import Caller, assert_refused


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds that take no time: what they are is tested elsewhere."""

    def odds(rules: Rules, phase: Phase) -> Odds:
        if phase.number == 9:
            raise OddsError("this takes too long")
        return Odds(1000, 0 if phase.number == 6 else phase.number + 100 * len(rules.house))

    monkeypatch.setattr(command, "odds", odds)


@pytest.mark.usefixtures("counted")
def test_one_phase_in_json(call: Caller) -> None:
    answer = call("odds", "--edition", "classic", "--phase", "1", "--json")
    assert answer.code == 0
    assert answer.json == {"deals": 1000, "layable": 1, "probability": 0.001}
    answer = call("odds", "--phase", "1", "--json", "--house", "natural_per_meld")
    assert answer.json["layable"] == 101


def test_every_phase(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "odds", lambda _, phase: Odds(1000, 10 - phase.number))
    rows = call("odds", "--json").json
    assert [row["phase"] for row in rows] == list(range(1, 11))
    assert rows[0] == {"phase": 1, "deals": 1000, "layable": 9, "probability": 0.009}
    rows = call("odds", "--json", "--edition", "all").json
    assert len(rows) == 50
    assert rows[-1]["edition"] == "express"
    rows = call("odds", "--json", "--edition", "deluxe, express", "--phase", "2").json
    assert [(row["edition"], row["phase"]) for row in rows] == [("deluxe", 2), ("express", 2)]
    table = call("odds").out
    assert "Classic: 1,000 deals of 10 cards" in table
    assert "0.9000%" in table
    assert "never" in table
    assert len(call("odds", "--edition", "all").out) > 4 * len(table)


@pytest.mark.usefixtures("counted")
def test_refusals(call: Caller) -> None:
    assert_refused(call("odds", "--phase", "9"), "takes too long")
    assert_refused(call("odds", "--phase", "0"), "Phases 1 to 10")
    assert_refused(call("odds", "--phase", "x"), "whole number")
    assert_refused(call("odds", "--house", "nope"), "not a house rule")
    assert "no edition 'nope'" in call("odds", "--edition", "nope").err


def test_a_note_when_it_takes_long(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_PATIENCE", 0.01)

    def slow(_rules: Rules, _phase: Phase) -> Odds:
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.join()  # the note has been written
        return Odds(2, 1)

    monkeypatch.setattr(command, "odds", slow)
    answer = call("odds", "--phase", "3", "--json")
    assert answer.json["probability"] == 0.5
    assert answer.err == "Counting the deals for Phase 3 of Classic ...\n"


def test_real_odds(call: Caller) -> None:
    answer = call("odds", "--edition", "express", "--phase", "5", "--json")
    assert answer.json == {
        "deals": 3162510,
        "layable": 349368,
        "probability": 349368 / 3162510,
    }
