"""Games that go on elsewhere: on another device, and with a newer program than the one that kept them."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from phaseten.game import Game
from phaseten.pocket.device import Device
from phaseten.pocket.moving import FORMAT, adopt
from phaseten.rules.actions import DrawDeck
from phaseten.rules.editions import read_edition
from phaseten.server.store.interface import EVENTS_FORM
from tests.pocket.test_device import ALONE, CODE, Data, Worker, chance, kept_alone, whole_games

OLDER = Path(__file__).parent / "saved" / "form_1.json"
"""A game in the middle of a hand, after another one, as the first version of the pocket kept it: with events of form 1."""


def moved(steps: list[Data], code: str = CODE) -> str:
    """The file that ``web/src/pocket/moving.ts`` writes."""
    names = ("version", "at", "events", "form")
    steps = [{name: step[name] for name in names} for step in steps]
    return json.dumps({"format": FORMAT, "code": code, "steps": steps})


def play_to_the_end(worker: Worker) -> None:
    while worker.update["table"]["stage"] == "playing":
        worker.wait()
        if worker.update["actions"]:
            worker.play()


def test_a_game_moves_in_the_middle_of_a_turn_and_is_played_to_its_end() -> None:
    first = next(worker for number, worker in enumerate(whole_games()) if number == 2)
    answer = json.loads(first.device.adopt(moved(first.kept)))
    assert not answer["problem"]
    assert answer["keep"] == first.kept
    second = Worker(ALONE, kept=answer["keep"])
    assert not second.load()
    second.join(1)
    assert second.update["game"] == first.update["game"]
    play_to_the_end(second)
    assert second.kept[-1]["game"]["about"]["winner"]


def test_finished_games_of_the_table_come_with_it() -> None:
    worker = list(whole_games())[-1]
    worker.ask("rematch")
    kept = adopt(moved(worker.kept)).keep
    (game,) = [step.game for step in kept if step.game is not None]
    (before,) = [step["game"] for step in worker.kept if step["game"] is not None]
    assert (game.id, game.record) == (before["id"], before["record"])


def broken_files() -> dict[str, str]:
    steps = Worker(ALONE, "Ana").kept
    swapped = [steps[1], steps[0], *steps[2:]]
    strange = deepcopy(steps)
    strange[-1]["events"] = strange[-1]["events"].replace('"dealer":', '"header":')
    return {
        "a picture": "\x89PNG",
        "other JSON": "[1, 2]",
        "another program's": '{"format": "something"}',
        "no steps": moved([]),
        "cut off": moved(steps)[:-40],
        "a step is missing": moved([*steps[:1], *steps[2:]]),
        "in another order": moved(swapped),
        "strange events": moved(strange),
        "a server's code": moved(steps, "ABCDEFGH"),
        "a code that is a path": moved(steps, "0/../x"),
    }


@pytest.mark.parametrize("name", broken_files())
def test_what_is_no_game_is_refused(name: str) -> None:
    found = adopt(broken_files()[name])
    assert (found.problem, found.keep) == ("broken", ())


def test_a_newer_file_is_refused_as_such() -> None:
    steps = deepcopy(Worker(ALONE, "Ana").kept)
    steps[-1]["form"] = EVENTS_FORM + 1
    assert adopt(moved(steps)).problem == "newer"
    assert adopt(moved(steps).replace(FORMAT, "phaseten-table-2")).problem == "newer"


def test_a_game_that_an_older_program_kept_goes_on() -> None:
    saved = json.loads(OLDER.read_text(encoding="utf-8"))
    assert {step["form"] for step in saved["steps"]} == {1}
    assert any(step["snapshot"] for step in saved["steps"])  # of a form that is none of today
    worker = Worker(ALONE, kept=[kept_alone(step) for step in saved["steps"]])
    assert not worker.load()
    worker.join(1)
    assert worker.update["version"] == saved["version"]
    assert sorted(worker.update["game"]["held"]) == sorted(saved["held"])
    assert worker.update["actions"] == saved["actions"]
    play_to_the_end(worker)
    assert worker.kept[-1]["game"]["about"]["winner"]
    assert not adopt(moved(saved["steps"], "0LDERGAM")).problem


def test_games_of_a_device_come_to_statistics_whatever_version_kept_them() -> None:
    saved = json.loads(OLDER.read_text(encoding="utf-8"))
    (older,) = [step["game"] for step in saved["steps"] if step["game"]]
    worker = list(whole_games())[-1]
    newer = worker.kept[-1]["game"]
    from_elsewhere = {**newer, "id": "0elsewhere", "seat": None}
    games = json.dumps([from_elsewhere, newer, older])
    answer = json.loads(worker.device.answer("/statistics", games, "en"))["value"]
    assert answer["games"] == 2
    assert answer["won"] == sum(game["about"]["winner"] == 1 for game in (newer, older))
    assert answer["hands"] == newer["about"]["hands"]  # the older one knew nothing of its course
    assert [game["game"] for game in answer["recent"]] == [older["id"], newer["id"]]
    assert {opponent["bot"] for opponent in answer["opponents"]} == {"sharp", ""}


def test_a_device_reads_editions_and_shows_puzzles() -> None:
    device = Worker(ALONE, "Ana").device
    good = 'based_on = "classic"\nname = "own"\ntitle = "Mine"\nphases = ["set 3"]\n'
    answer = json.loads(device.answer("/editions", good, "es"))
    assert not answer["problem"], answer
    assert answer["value"]["title"] == "Mine"
    bad = json.loads(device.answer("/editions", good.replace("set 3", "set 99"), "en"))
    assert "Mine" in bad["problem"]
    listed = json.loads(device.answer("/puzzles", "", "en"))["value"]
    shown = json.loads(device.answer(f"/puzzles/{listed['day']}", "", "en"))["value"]
    assert shown["number"] == listed["day"]
    assert 0 in [answer["loss"] for answer in shown["answers"]]
    assert json.loads(device.answer("/puzzles/99999", "", "en"))["problem"]
    assert json.loads(device.answer("/analysis", "", "en")) == {"value": None, "problem": ""}


def test_a_moment_is_played_on() -> None:
    """A position in one line, or a record and a step of it: bots play the other seats."""
    game = Game("express", ["Ana", "Beto"], seed=7)
    game.play(DrawDeck())
    device = Device(chance())
    found = json.loads(device.answer("/position", game.position(2), "en"))["value"]
    assert found == {"position": game.position(2), "seat": 2}
    record = game.record()
    sent = json.loads(device.answer("/moment?seat=all&step=1", record, "en"))["value"]
    assert sent["seat"] == game.turn
    wanted = {"names": ["Ana"], "options": {"stand_in": "rookie"}, "seeds": ["a1"], **found}
    opened = json.loads(device.open(json.dumps(wanted), CODE, "en"))
    assert not opened["problem"]
    told = json.loads(device.join(1, "en", None))["messages"]
    update = json.loads(told[-1])
    assert update["you"]["seat"] == 2
    assert sorted(update["game"]["held"]) == sorted(card.text for card in game.view(2).held)


def test_what_is_no_moment_is_refused_in_a_sentence() -> None:
    device = Device(chance())
    assert "clasic" in json.loads(device.answer("/position", "clasic | hand 1", "en"))["problem"]
    assert json.loads(device.answer("/moment?seat=all&step=1", "nothing", "en"))["problem"]
    wanted = {"names": ["Ana"], "options": {"stand_in": "rookie"}, "position": "clasic | hand 1"}
    assert "clasic" in json.loads(device.open(json.dumps(wanted), CODE, "en"))["problem"]


OWN = 'based_on = "express"\nname = "ours"\ntitle = "Ours"\ndeal = 6\n'
NAMED = (
    "ours | hand 1 dealer 2 turn 1 draw | 1 held R8 G2 | 2 held Y4 B4 | draw rest | discards Y12"
)


def test_a_moment_of_an_edition_of_ones_own_is_played_on() -> None:
    game = Game(read_edition(OWN, "x"), ["Ana", "Beto"], seed=7)
    game.play(DrawDeck())
    device = Device(chance())
    for path, text in (
        ("/position", game.position(2)),
        ("/position", f"{NAMED}\n{OWN}"),
        ("/moment?seat=2&step=1", str(game.record())),
    ):
        found = json.loads(device.answer(path, text, "en"))["value"]
        wanted = {"names": ["Ana"], "options": {"stand_in": "rookie"}, "seeds": ["a1"], **found}
        opened = json.loads(device.open(json.dumps(wanted), CODE, "en"))
        assert not opened["problem"]
        welcome, *_, update = map(json.loads, json.loads(device.join(1, "en", None))["messages"])
        assert welcome["rules"]["title"] == "Ours"
        if found["position"] == game.position(2):
            held = sorted(card.text for card in game.view(2).held)
            assert sorted(update["game"]["held"]) == held


def test_an_edition_of_ones_own_that_is_missing_or_asks_for_too_much() -> None:
    device = Device(chance())
    large = Game(read_edition(f"{OWN}wilds = 13\n", "x"), ["Ana", "Beto"], seed=7)
    for path, text, why in (
        ("/position", NAMED, "'ours' is none of the editions"),
        ("/position", large.position(), "up to 12 Wilds, not 13"),
        ("/moment?seat=all&step=999", str(large.record()), "no such step"),
        ("/moment?seat=6&step=0", str(large.record()), "seat"),
    ):
        assert why in json.loads(device.answer(path, text, "en"))["problem"]
    found = json.loads(device.answer("/moment?seat=all&step=0", str(large.record()), "en"))["value"]
    wanted = {"names": ["Ana"], "options": {"stand_in": "rookie"}, **found}
    opened = json.loads(device.open(json.dumps(wanted), CODE, "en"))
    assert "up to 12 Wilds, not 13" in opened["problem"]
