"""A record to be watched: every moment of it, and the way from one to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from phaseten.notation.records import Record, RecordSyntaxError
from phaseten.notation.replay import IllegalRecordError, follow, follow_seen
from phaseten.rules.cards import Card
from phaseten.rules.editions import Edition, edition
from phaseten.rules.events import DealSeen, DrawSeen, Event, HandDealt, ReshuffleSeen, Seen
from phaseten.rules.mistakes import mistake
from phaseten.rules.state import State
from phaseten.rules.views import View, seen_by, view_of


class Moment(NamedTuple):
    """How things stand after a step."""

    events: tuple[Event, ...] | tuple[Seen, ...]
    known: State | View
    """Everything; of a redacted record, what its seat knew."""


class Replay:
    """The moments of a record. A record that breaks a rule can be watched up to there."""

    def __init__(self, record: Record, find: Callable[[str], Edition] = edition) -> None:
        self.record = record
        self.find = find
        """Finds editions as the record names them."""
        self.names = record.header.names
        self.seen = record.header.seen
        """The seat whose knowledge a redacted record shows."""
        self.trouble = ""
        """Where and why the record goes no further, if it breaks a rule."""
        self._moments: list[Moment] = []
        try:
            self._moments.extend(self._follow(record, find))
        except (IllegalRecordError, RecordSyntaxError) as error:
            self.trouble = f"{error.line}: {error}"
            if not self._moments:
                raise
        if not self._moments:
            raise RecordSyntaxError(1, mistake("no-hand"))
        self.hands: dict[int, int] = {}
        """The number of each hand, and the moment of its deal."""
        board = self._moments[0].known.board
        if not self._moments[0].events and board is not None:  # it begins in a position
            self.hands[board.hand] = 0
        for place, moment in enumerate(self._moments):
            for event in moment.events:
                if isinstance(event, HandDealt | DealSeen):
                    self.hands[event.hand] = place

    def _follow(self, record: Record, find: Callable[[str], Edition]) -> Iterable[Moment]:
        if self.seen is None:
            for step in follow(record, find):
                yield Moment(step.events, step.state)
        else:
            for seen in follow_seen(record, find):
                yield Moment(seen.events, seen.view)

    @property
    def last(self) -> int:
        """The last moment."""
        return len(self._moments) - 1

    @property
    def eyes(self) -> tuple[int, ...]:
        """The seats from which it can be watched."""
        return tuple(range(1, len(self.names) + 1)) if self.seen is None else (self.seen,)

    def view(self, place: int, seat: int | None) -> View:
        """What a seat knew at a moment."""
        known = self._moments[place].known
        return known if isinstance(known, View) else view_of(known, seat)

    def position(self, place: int) -> State | View:
        """How the game stood at a moment, as far as the record tells."""
        return self._moments[place].known

    def open_hands(self, place: int) -> tuple[tuple[Card, ...], ...]:
        """Everybody's cards at a moment, where the record tells them."""
        known = self._moments[place].known
        return known.held if isinstance(known, State) else ()

    def happened(self, place: int, seat: int | None) -> list[Seen]:
        """What a seat was shown in a hand up to a moment."""
        start = max(deal for deal in self.hands.values() if deal <= place)
        return [
            _shown(event, seat)
            for moment in self._moments[start : place + 1]
            for event in moment.events
        ]

    def turn(self, place: int, by: int) -> int:
        """The next moment at which another player's turn begins, or the one before."""
        here = self._turn_of(place)
        place += by
        while 0 < place < self.last and self._turn_of(place) == here:
            place += by
        if by < 0:  # to the beginning of that turn
            while place > 0 and self._turn_of(place - 1) == self._turn_of(place):
                place -= 1
        return max(0, min(place, self.last))

    def _turn_of(self, place: int) -> tuple[int, int]:
        board = self.view(place, None).board
        return (board.hand, board.turn) if board is not None else (0, place)

    def hand(self, place: int, by: int) -> int:
        """The deal of the next hand, or of this one, or of the one before."""
        deals = sorted(self.hands.values())
        if by > 0:
            return next((deal for deal in deals if deal > place), self.last)
        return next((deal for deal in reversed(deals) if deal < place), 0)


def _shown(event: Event | Seen, seat: int | None) -> Seen:
    """An event as a seat was shown it; what was shown already stays as it is."""
    if isinstance(event, DealSeen | DrawSeen | ReshuffleSeen):
        return event
    return seen_by(event, seat)
