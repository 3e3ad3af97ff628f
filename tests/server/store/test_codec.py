"""Every event comes back from its kept form as it was."""

import re
from typing import get_args

import pytest

from phaseten.rules.cards import parse_cards
from phaseten.rules.events import Event
from phaseten.server.store.codec import DamagedStepError, form_of, read_events, write_events
from phaseten.server.store.interface import EVENTS_FORM
from phaseten.table.events import (
    BotSeated,
    BotsHurried,
    ChatSwitched,
    CoachSwitched,
    FaceChosen,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    HostOwned,
    Open,
    OpenEvent,
    OptionsChanged,
    OwnerBarred,
    PlayerRemoved,
    PlayerRenamed,
    PositionGiven,
    Reacted,
    RematchCalled,
    RematchWanted,
    RequestDone,
    Said,
    SeatLeft,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    SeatTakenBack,
    Secret,
    SecretEvent,
    SeedAdded,
    SeedDrawn,
    SeedPromised,
    SeedRevealed,
    StandInSeated,
    StepUndone,
    TableEvent,
    TableOpened,
)
from phaseten.table.options import Options
from tests.laws.games import RARE, Setup, play

OF_TABLES: tuple[OpenEvent | SecretEvent, ...] = (
    TableOpened(Options("express", variant="even", house=("no_rediscard",), timer=60, public=True)),
    HostOwned("a" * 32),
    SeatOwned(2, "b" * 32),
    OwnerBarred("c" * 32),
    SeedDrawn("00" * 32),
    PositionGiven("classic | hand 1"),
    RequestDone(2**48 - 1),
    OptionsChanged(Options("deluxe", seats=2, hints=False)),
    SeedPromised("11" * 32),
    SeedAdded(1, "k3"),
    SeedRevealed("22" * 32),
    SeatTaken(2, 'Zoë "Z" <b>'),
    SeatMoved(2, 3),
    PlayerRenamed(3, "Zoé"),
    FaceChosen(3, "owl"),
    BotsHurried(1),
    SeatLeft(2),
    PlayerRemoved(3, "no-show"),
    BotSeated(3, "Ada", "sharp"),
    StandInSeated(1, "casual"),
    SeatTakenBack(1),
    HostChanged("Ana", None),
    GameStarted(4, "1:k3,2:zz"),
    GamePaused(),
    GameResumed(),
    GameCalledOff(),
    StepUndone(1),
    RematchCalled(),
    RematchWanted(2),
    ChatSwitched(False),
    CoachSwitched(2, True),
    Said(1, "¡hola! 🎴"),
    Reacted(2, "nice"),
)


def test_every_event_of_tables_comes_back() -> None:
    assert {type(event) for event in OF_TABLES} == {*get_args(OpenEvent), *get_args(SecretEvent)}
    assert read_events(write_events(OF_TABLES)) == OF_TABLES


def test_a_step_carries_the_least_form_that_can_read_it() -> None:
    """So that an older program stays away from tables that have events it does not know, and from no others."""
    for event in OF_TABLES:
        is_new = isinstance(event, CoachSwitched)
        assert form_of([Said(1, "hi"), event]) == (EVENTS_FORM if is_new else 2)


def test_a_step_of_an_older_form_is_read() -> None:
    assert read_events('[{"event":"PlayerRemoved","seat":3}]') == (PlayerRemoved(3),)


@pytest.mark.parametrize("setup", RARE, ids=range(len(RARE)))
def test_every_event_of_games_comes_back(setup: Setup) -> None:
    events = [event for step in play(setup) for event in step.events]
    assert read_events(write_events(events)) == tuple(events)


def test_the_rare_games_have_every_event() -> None:
    found = {type(event) for setup in RARE for step in play(setup) for event in step.events}
    assert found == set(get_args(Event.__args__[0]) or get_args(Event))


def test_open_and_secret_are_apart() -> None:
    for kind in get_args(OpenEvent):
        assert issubclass(kind, Open)
        assert not issubclass(kind, Secret)
    for kind in get_args(SecretEvent):
        assert issubclass(kind, Secret)
        assert not issubclass(kind, Open)


def test_cards_and_melds_are_readable_text() -> None:
    events = [event for step in play(RARE[0]) for event in step.events]
    text = write_events(events)
    assert '{"event":"CardDrawn","seat":' in text
    assert re.search(r'"melds":\[{"group":"[a-z]+ \d","cards":\["', text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '[{"event":"Nothing"}]',
        '[{"event":"SeatLeft"}]',
        '[{"event":"SeatLeft","seat":"2"}]',
        '[{"event":"SeatLeft","seat":2,"more":1}]',
        '[{"event":"CardDrawn","seat":2,"card":"R99"}]',
        '[{"event":"PhaseLaid","seat":1,"phase":1,"melds":[{"group":"heap 3","cards":["R9"]}]}]',
    ],
)
def test_a_damaged_step_is_refused_without_telling_what_is_in_it(text: str) -> None:
    with pytest.raises(DamagedStepError) as caught:
        read_events(text)
    assert not re.search(r"R9|heap|seat|2", str(caught.value))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_what_is_no_event_is_not_kept() -> None:
    wrong: TableEvent = parse_cards("R7 W")  # pyright: ignore[reportAssignmentType]
    with pytest.raises(TypeError):
        write_events([wrong])
