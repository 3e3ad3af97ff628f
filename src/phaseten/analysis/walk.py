"""A record as the coach reads it: hand by hand, every move with the states around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from phaseten.notation.records import Header, RecordSyntaxError
from phaseten.notation.replay import Step, follow, start_of
from phaseten.notation.sources import Source, editions_beside, read_record
from phaseten.rules.actions import Action
from phaseten.rules.cards import Card
from phaseten.rules.editions import Edition
from phaseten.rules.events import CardDrawn, Event
from phaseten.rules.mistakes import mistake
from phaseten.rules.options import Rules
from phaseten.rules.state import State


@dataclass(frozen=True, slots=True)
class Move:
    """One action, and the whole truth before and after it."""

    step: int
    """Which step of the record it is, as ``phaseten.follow`` counts them from 0."""
    seat: int
    action: Action
    events: tuple[Event, ...]
    before: State
    after: State

    @property
    def drawn(self) -> Card | None:
        """The card that came from the draw pile."""
        return next((event.card for event in self.events if isinstance(event, CardDrawn)), None)


@dataclass(slots=True)
class HandWalk:
    """One hand."""

    number: int
    step: int
    """The step at which its cards lie on the table."""
    start: State
    dealt: bool
    """Whether the record tells the deal; otherwise the hand began before the record does."""
    moves: list[Move] = field(default_factory=list[Move])


@dataclass(frozen=True, slots=True)
class Walk:
    """A game."""

    rules: Rules
    names: tuple[str, ...]
    start: State
    end: State
    hands: tuple[HandWalk, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def steps(self) -> int:
        """How many steps the record has."""
        return sum(1 + len(hand.moves) for hand in self.hands)


def walk(record: Source, find: Callable[[str], Edition] | None = None) -> Walk:
    """Read a full record. Raises what :func:`phaseten.follow` raises."""
    find = find or editions_beside(record)
    record = read_record(record)
    check_whole(record.header)
    start = start_of(record.header, find)
    return walk_steps(start, record.header.names, follow(record, find))


def check_whole(header: Header) -> None:
    """Raises RecordSyntaxError where the record tells only what one seat saw."""
    if header.seen is not None:
        raise RecordSyntaxError(1, mistake("redacted", number=header.seen))


def walk_steps(start: State, names: tuple[str, ...], steps: Iterable[Step]) -> Walk:
    """The same for the steps of a game."""
    state = start
    hands: list[HandWalk] = []
    for number, step in enumerate(steps):
        if step.seat is None or step.action is None:
            board = step.state.board
            assert board is not None, "a step without an action deals, or begins in a position"
            hands.append(HandWalk(board.hand, number, step.state, bool(step.events)))
        else:
            move = Move(number, step.seat, step.action, step.events, state, step.state)
            hands[-1].moves.append(move)
        state = step.state
    if not hands:
        raise RecordSyntaxError(1, mistake("no-hand"))
    return Walk(start.rules, names, start, state, tuple(hands))
