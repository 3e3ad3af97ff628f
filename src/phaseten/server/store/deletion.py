"""Taking a finished game out of a table's log for good, so that the rest can still be folded.

What people did around the game stays: who sat down, who was host, that a game was played. What was
played, dealt, promised and said goes. In the log it then looks like a game that was called off
before its first card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from phaseten.rules.events import GameWon
from phaseten.server.store.codec import write_events
from phaseten.server.store.interface import KeptGame, KeptStep, Step
from phaseten.server.store.records import read_step
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
from phaseten.table.state import Table


def without_game(
    table: Table | None, log: Sequence[KeptStep], game: KeptGame, games: Iterable[KeptGame]
) -> list[KeptStep]:
    """The log of the game as it is kept without it; ``games`` are the finished ones of the table.

    What was said after the game belongs to it, up to the rematch. A table that has expired is None.
    """
    following = [other.first for other in games if other.number > game.number]
    end = log[-1].version if log else 0
    if table is not None:
        end = table.since if table.since >= game.last else table.version
    return [
        _rewritten(kept) for kept in log if game.first <= kept.version < min([*following, end + 1])
    ]


def _rewritten(kept: KeptStep) -> KeptStep:
    step = read_step(kept)
    return KeptStep(step.version, Step(step.at, write_events(tuple(_rest(step.events)))))


def _rest(events: Sequence[TableEvent]) -> Iterator[TableEvent]:
    """What stays of a step."""
    for event in events:
        match event:
            case GameStarted(dealer):
                yield GameStarted(dealer, "")
            case GameWon():
                yield GameCalledOff()
            case PlayerRemoved(seat):
                yield PlayerRemoved(seat)
            case Open() | Secret():
                if _stays(event):
                    yield event
            case _:
                pass


def _stays(event: OpenEvent | SecretEvent) -> bool:
    """Whether this is about the people and not about the game."""
    match event:
        case (
            SeedDrawn()
            | RequestDone()
            | SeedPromised()
            | SeedAdded()
            | SeedRevealed()
            | StepUndone()
            | Said()
            | Reacted()
        ):
            return False
        case HostOwned() | SeatOwned() | OwnerBarred() | PositionGiven():  # the next game needs it
            return True
        case (
            TableOpened()
            | OptionsChanged()
            | SeatTaken()
            | SeatMoved()
            | PlayerRenamed()
            | FaceChosen()
            | SeatLeft()
            | PlayerRemoved()
            | BotSeated()
            | StandInSeated()
            | SeatTakenBack()
            | HostChanged()
            | ChatSwitched()
            | CoachSwitched()
        ):
            return True
        case (
            GameStarted()
            | BotsHurried()
            | GamePaused()
            | GameResumed()
            | GameCalledOff()
            | RematchCalled()
            | RematchWanted()
        ):
            return True
        case _:
            assert_never(event)
