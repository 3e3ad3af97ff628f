"""What the worker of a browser calls: everything is kept before it is shown, and nothing is lost."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from phaseten.cli import main
from phaseten.client.folding import fold
from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from phaseten.pocket.device import Device
from phaseten.pocket.table import Chance
from phaseten.server.store.games import ID_LENGTH, is_game_id
from phaseten.server.store.interface import EVENTS_FORM

Data = dict[str, Any]
SEED = bytes(range(32))
CODE = "0TESTTES"


def chance() -> Chance:
    clock, seeds = count(1_000_000, 100), count(1)
    return Chance(lambda: SEED, lambda: next(seeds), lambda: next(clock))


class Worker:
    """Does what ``web/src/pocket/worker.ts`` does, with a list for a database."""

    def __init__(self, options: Data, *names: str, kept: list[Data] | None = None) -> None:
        self.device = Device(chance())
        self.kept: list[Data] = kept or []
        self.update: Data = {}
        self.said: list[Data] = []
        self.full = False
        self.opened: Data = {}
        if kept is None:
            text = json.dumps({"names": names, "options": options, "seeds": ["a1"] * len(names)})
            self.opened = json.loads(self.device.open(text, CODE, "en"))
            self.kept = self.opened["keep"]

    def load(self) -> str:
        return self.device.load(CODE, json.dumps([kept_alone(step) for step in self.kept]))

    def join(self, number: int, after: int | None = None) -> None:
        self.update = {}
        self.take(self.device.join(number, "en", after))

    def ask(self, do: str, **more: object) -> None:
        self.take(self.device.hear(json.dumps({"do": do, **more})))

    def take(self, text: str) -> None:
        told = json.loads(text)
        for message in map(json.loads, told["messages"]):
            self.said.append(message)
            if message["type"] == "change":
                self.update = fold(self.update, message)
            elif message["type"] == "update":
                self.update = message
        if told["keep"] is None:
            return
        if self.full:
            self.take(self.device.not_kept())
            return
        self.kept.append(told["keep"])
        self.take(self.device.kept())

    def wait(self) -> None:
        """Let the bots act, until a person is on turn."""
        while self.device.due is not None and not self.update["actions"]:
            self.take(self.device.act())

    def play(self) -> None:
        """One action of whoever is on turn."""
        order = ("lay", "hit", "draw", "take", "nothing", "discard")
        action = min(self.update["actions"], key=lambda one: order.index(one["do"]))
        self.ask(**action, at=self.update["version"])


def kept_alone(step: Data) -> Data:
    """What the database has of a step, less what lists are made of."""
    names = ("version", "at", "events", "form", "snapshot", "snapshot_form")
    return {name: step[name] for name in names if name in step}


ALONE = {"edition": "express", "seats": 3, "pace": 0, "variant": "phases=1", "stand_in": "sharp"}


def whole_games() -> Iterator[Worker]:
    worker = Worker(ALONE, "Ana")
    worker.load()
    worker.join(1)
    yield worker
    while worker.update["table"]["stage"] == "playing":
        worker.wait()
        if worker.update["actions"]:
            worker.play()
        yield worker


def test_a_game_against_bots_is_played_to_its_end_and_its_record_is_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = list(whole_games())[-1]
    game = worker.kept[-1]["game"]
    assert worker.update["table"]["stage"] == "finished"
    assert game["about"]["winner"] == worker.update["game"]["winner"]
    verdict = judge(parse_record(game["record"]))
    assert (verdict["ok"], verdict["winner"]) == (True, game["about"]["winner"])
    path = tmp_path / "game.p10"
    path.write_text(game["record"], encoding="utf-8")
    assert main(["verify", str(path)]) == 0, capsys.readouterr()
    film = json.loads(worker.device.film(game["record"], None, "fr"))
    assert film["film"]["language"] == "fr"
    assert not film["problem"]
    assert worker.kept[-1]["listed"]["stage"] == "finished"


def test_whatever_is_read_back_goes_on_where_it_was() -> None:
    for number, worker in enumerate(whole_games()):
        if number % 10:
            continue
        again = Worker(ALONE, kept=list(worker.kept))
        assert not again.load()
        again.join(1)
        assert _standing(again.update) == _standing(worker.update)


def _standing(update: Data) -> Data:
    return {**update, "steps": None, "seen": None}


def test_what_cannot_be_kept_has_not_happened() -> None:
    worker = Worker(ALONE, "Ana")
    worker.join(1)
    worker.wait()
    before = worker.update
    worker.full = True
    worker.play()
    assert worker.update == before
    assert (worker.said[-1]["type"], worker.said[-1]["reason"]) == ("refused", "unavailable")
    worker.full = False
    worker.play()
    assert worker.update["version"] == before["version"] + 1


def test_people_who_pass_the_device_see_their_own_cards_alone() -> None:
    worker = Worker({"seats": 2, "pace": 0}, "Ana", "Beto")
    worker.join(1)
    ana = worker.update
    worker.join(2)
    beto = worker.update
    assert (ana["you"]["seat"], beto["you"]["seat"]) == (1, 2)
    assert len(ana["game"]["held"]) == len(beto["game"]["held"]) == 10
    assert ana["game"]["held"] != beto["game"]["held"]
    assert all(seat["connected"] for seat in beto["table"]["seats"])
    version = beto["version"]
    on_turn = ana if ana["actions"] else beto
    worker.join(on_turn["you"]["seat"])
    worker.play()
    worker.join(3 - on_turn["you"]["seat"], after=version)
    assert [step["version"] for step in worker.update["steps"]] == [version + 1]


def test_a_rematch_needs_nothing_of_the_game_before() -> None:
    worker = list(whole_games())[-1]
    worker.ask("rematch")
    again = Worker(ALONE, kept=[worker.kept[-1]])
    assert not again.load()
    again.join(1)
    assert _standing(again.update) == _standing(worker.update)


def test_the_master_does_not_play_here_and_sharp_advises() -> None:
    worker = Worker({**ALONE, "stand_in": "master"}, "Ana")
    assert "rookie, casual, sharp" in worker.opened["problem"]
    worker = Worker(ALONE, "Ana")
    worker.join(1)
    assert worker.said[0]["bots"] == ["rookie", "casual", "sharp", "deep"]
    worker.wait()
    worker.ask("hint", at=worker.update["version"])
    assert worker.said[-1]["level"] == "sharp"
    assert worker.said[-1]["reasons"]


def test_options_that_make_no_sense_are_refused_in_a_sentence() -> None:
    worker = Worker({"edition": "nonsense"}, "Ana")
    assert "nonsense" in worker.opened["problem"]
    assert Worker({}, "\u2800").opened["problem"]


def test_there_is_no_coach_here() -> None:
    worker = Worker(ALONE, "Ana")
    worker.ask(do="coach", on=True, id=5)
    assert worker.said[-1]["reason"] == "no-coach"


def test_a_newer_program_s_steps_are_left_alone() -> None:
    worker = Worker(ALONE, "Ana")
    worker.kept[-1]["form"] = EVENTS_FORM + 1
    assert worker.load() == "newer"


def test_a_damaged_step_is_no_game_any_more() -> None:
    worker = Worker(ALONE, "Ana")
    worker.kept[-1]["events"] = "[{"
    assert worker.load() == "broken"


def test_a_record_that_is_none_gets_a_sentence() -> None:
    answer = json.loads(Device(chance()).film("nonsense", None, "en"))
    assert answer["film"] is None
    assert "line 1" in answer["problem"].lower()


def test_games_of_a_device_have_names_that_no_server_gives() -> None:
    game = list(whole_games())[-1].kept[-1]["game"]
    assert len(game["id"]) == ID_LENGTH
    assert not is_game_id(game["id"])


def test_what_happened_before_is_told_once() -> None:
    worker = Worker(ALONE, "Ana")
    worker.join(1)
    worker.ask("past", id=1)
    told = worker.said[-1]
    assert [step["version"] for step in told["steps"]] == [1, 2, 3, 4]
    worker.ask("past", id=2)
    assert worker.said[-1]["type"] == "refused"


def test_after_a_rematch_the_game_before_is_not_told_again() -> None:
    worker = list(whole_games())[-1]
    over = worker.update["version"]
    worker.ask("rematch")
    worker.ask("past", id=1)
    assert min([step["version"] for step in worker.said[-1]["steps"]], default=over + 1) > over


def test_advice_is_not_spoken_against() -> None:
    """What a server's table says with a hint speaks for it: see ``recommend``."""
    for worker in whole_games():
        if worker.update["actions"]:
            worker.ask("hint", at=worker.update["version"])
            assert not [said for said in worker.said[-1]["reasons"] if said.startswith("But ")]
