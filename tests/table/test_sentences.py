"""What happened, in sentences: in four languages, and the same whoever else is told."""

import random
from typing import Any, get_args

import pytest

from phaseten.language import LANGUAGES, Story, language
from phaseten.rules.actions import DrawDeck
from phaseten.rules.cards import SKIP, WILD, natural
from phaseten.rules.events import CardDiscarded, DiscardTaken, DrawSeen, Seen
from phaseten.server.socket.updates import updates
from phaseten.server.store.codec import read_events
from phaseten.table.commands import (
    AddSeed,
    CallOff,
    CallRematch,
    ChangeOptions,
    ClearSeat,
    Command,
    LeaveSeat,
    PassHost,
    PauseGame,
    React,
    ResumeGame,
    Say,
    SeatBot,
    SeatStandIn,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
)
from phaseten.table.events import (
    BotsHurried,
    FaceChosen,
    Open,
    OpenEvent,
    Said,
    SeedAdded,
    SeedPromised,
    TableOpened,
)
from phaseten.table.options import Options
from phaseten.table.sentences import Names, words
from phaseten.table.talk import REACTIONS
from phaseten.table.viewers import TableStep, Viewer, shown
from tests.laws.games import RARE, Setup, play
from tests.laws.games import Step as GameStep
from tests.server.store.test_codec import OF_TABLES
from tests.table.sitting import Sitting

EVERYBODY = [Viewer(seat, host=seat == 1) for seat in (None, 1, 2, 3, 4)]


def last_step(sitting: Sitting) -> TableStep:
    at, text = sitting.log[-1]
    return TableStep(sitting.table.version, at, read_events(text))


def told(sitting: Sitting, viewer: Viewer) -> list[str]:
    """What that viewer is told of the last step."""
    (form,) = updates(sitting.table, [viewer], [last_step(sitting)])[viewer].steps
    return list(form.words)


def both(sitting: Sitting, owner: str, command: Command) -> tuple[list[str], list[str]]:
    """What the one in seat 2, and a watcher, are told when somebody asks for this."""
    sitting.ask(owner, command)
    return told(sitting, Viewer(2, host=False)), told(sitting, Viewer(None, host=False))


def test_the_course_of_a_table() -> None:
    sitting = Sitting(Options(seats=3, pace=0))
    assert told(sitting, Viewer(None, host=False)) == ["Ana is the host now."]
    assert both(sitting, "ana", TakeSeat(1, "Ana"))[1] == ["Ana takes seat 1."]
    assert both(sitting, "beto", TakeSeat(2, "Beto")) == (
        ["You take seat 2."],
        ["Beto takes seat 2."],
    )
    assert both(sitting, "cleo", TakeSeat(3, "Cleo"))[0] == ["Cleo takes seat 3."]
    assert both(sitting, "cleo", LeaveSeat())[0] == ["Cleo leaves the table."]
    assert both(sitting, "ana", SeatBot(3, "sharp"))[0] == ["Cleo takes seat 3, a bot (sharp)."]
    assert both(sitting, "ana", ClearSeat(3))[0] == ["Cleo leaves the table."]
    assert both(sitting, "beto", TakeSeat(3, "Beto"))[1] == ["Beto moves to seat 3."]
    sitting.ask("beto", TakeSeat(2, "Beto"))
    assert both(sitting, "beto", TakeSeat(2, "Bea"))[0] == ["Beto is called Bea now."]
    assert both(sitting, "ana", TakeSeat(1, "Anna"))[0] == ["Ana is called Anna now."]
    assert both(sitting, "ana", PassHost(2)) == (
        ["You are the host now, Bea."],
        ["Bea is the host now."],
    )
    assert both(sitting, "beto", AddSeed("zz"))[0] == []
    changed = both(sitting, "beto", ChangeOptions(Options(seats=2, pace=0)))[0]
    assert changed == ["The host has changed how this table plays."]
    sitting.start()
    assert told(sitting, EVERYBODY[0])[0] == "The game begins."
    assert told(sitting, EVERYBODY[2])[1].startswith("Hand 1: you deal and turn up a")
    assert both(sitting, "beto", PauseGame())[0] == ["The game is paused."]
    assert both(sitting, "beto", ResumeGame())[0] == ["The game goes on."]
    assert both(sitting, "beto", SeatStandIn(2, "casual")) == (
        ["A bot plays for you now."],
        ["A bot plays for Bea now."],
    )
    assert both(sitting, "beto", TakeSeatBack()) == (
        ["You play yourself again."],
        ["Bea is back and plays again."],
    )
    assert both(sitting, "beto", Say("hello"))[0] == []
    assert both(sitting, "beto", React("nice"))[0] == ["Bea: Well played!"]
    assert both(sitting, "beto", SwitchChat(False))[0] == ["The host has switched the chat off."]
    sitting.play("ana", DrawDeck())
    assert told(sitting, Viewer(2, host=False)) == ["Anna draws a card."]
    assert told(sitting, Viewer(1, host=True))[0].startswith("You draw a")
    assert both(sitting, "ana", LeaveSeat())[0] == [
        "Anna leaves the table.",
        "Ada takes seat 1, a bot (casual).",
    ]
    assert both(sitting, "beto", CallOff())[0] == [
        "The game is called off, and nobody has won.",
        "The server's seed is open now: every deal of the game can be checked.",
    ]
    again = both(sitting, "beto", CallRematch(bytes(32)))[0]
    assert again == ["A rematch: the same people play again."]


def test_what_was_missed_is_told_with_the_names_of_then() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play("ana", DrawDeck())
    sitting.ask("ana", LeaveSeat())
    steps = [
        TableStep(version, at, read_events(text))
        for version, (at, text) in enumerate(sitting.log, 1)
    ]
    forms = updates(sitting.table, EVERYBODY[:1], steps)[EVERYBODY[0]].steps
    assert forms[-2].words == ("Ana draws a card.",)
    assert forms[-1].words[0] == "Ana leaves the table."


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_event_of_tables_has_its_words(code: str) -> None:
    names = Names(["Ana", "Beto", "Cleo", "Dora"], ["Ana", "Beto", "Cleo", "Dora"])
    silent = (TableOpened, SeedPromised, SeedAdded, FaceChosen, BotsHurried, Said)
    for event in OF_TABLES:
        if not isinstance(event, Open):
            continue
        for seat in (None, 1, 2, 3, 4):
            said = words([event], names, seat, language(code))
            assert len(said) == (type(event) not in silent), event
    assert {type(event) for event in OF_TABLES} >= {*get_args(OpenEvent)}
    for reaction in REACTIONS:
        assert language(code).say(f"table.reaction.{reaction}")


def as_shown(step: GameStep, version: int) -> TableStep:
    return TableStep(version, 1, tuple(step.events))


@pytest.mark.parametrize("setup", RARE, ids=range(len(RARE)))
def test_everybody_is_told_the_story_as_that_one_saw_it(setup: Setup) -> None:
    """Words are made once for all who are told the same: nobody may be told somebody else's."""
    rng = random.Random(1)
    table = Sitting(Options(seats=setup.seats)).table
    names = [f"Player {seat}" for seat in range(1, setup.seats + 1)]
    table = table._replace(seatings=((1, tuple(names)),))
    for number, game_step in enumerate(play(setup), 2):
        step = as_shown(game_step, number)
        code = rng.choice(LANGUAGES)
        viewers = [
            Viewer(seat, host=False, language=language(code))
            for seat in (None, *range(1, setup.seats + 1))
        ]
        rng.shuffle(viewers)
        for viewer, update in updates(table, viewers, [step]).items():
            seen: list[Any] = shown(step, viewer.seat)
            story = Story(language(code), names, viewer.seat)
            assert update.steps[0].words == tuple(story.tell(seen))


def test_words_are_made_from_what_is_shown() -> None:
    """Whoever cannot see a card is not told it, whatever it is."""
    hidden = words_of_a_draw(None)
    assert all(hidden == words_of_a_draw(None, number) for number in range(3))
    assert len({words_of_a_draw(1, number) for number in range(3)}) > 1


def words_of_a_draw(seat: int | None, seed: int = 0) -> tuple[str, ...]:
    sitting = Sitting(Options(seats=2, pace=0), seed=bytes([seed]) * 32)
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play("ana", DrawDeck())
    events = shown(last_step(sitting), seat)
    assert all(isinstance(event, Open | Seen) for event in events)
    return words(events, Names((), ("Ana", "Beto")), seat, language("en"))


def test_who_is_muted_is_not_heard_and_not_told() -> None:
    sitting = Sitting(Options(seats=2))
    sitting.seat("ana", "beto")
    deaf = Viewer(1, host=True, muted=frozenset({2}))
    for command in (Say("rude"), React("hurry")):
        sitting.ask("beto", command)
        found = updates(sitting.table, [*EVERYBODY[:3], deaf], [last_step(sitting)])
        assert found[deaf].steps[0].events == ()
        assert found[deaf].steps[0].words == ()
        assert found[deaf].you.muted == (2,)
        assert all(found[viewer].steps[0].events for viewer in EVERYBODY[:3])
    sitting.ask("ana", Say("I cannot hear you"))
    assert updates(sitting.table, [deaf], [last_step(sitting)])[deaf].steps[0].events


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_happens_in_every_turn_is_told_like_everything_else(code: str) -> None:
    """Sentences that are kept, with a name put in later, are those that would be made anew."""
    told, names = language(code), ("ámbar", "Oona", "h")
    events: list[Seen] = []
    for seat in (1, 2, 3):
        for card in (WILD, SKIP, natural("R", 8), natural("G", 1)):
            events += [DrawSeen(seat, card), DiscardTaken(seat, card)]
            events.append(CardDiscarded(seat, card, None))
    for event in (*events, DrawSeen(1, None)):
        for seat in (None, 1, 2):
            story = tuple(Story(told, names, seat).tell([event]))
            assert words([event], Names(names, names), seat, told) == story
