"""Writing down what happened: from events to a record.

The same code writes the full record from the truth, and a redacted one from what a seat was shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from phaseten.notation.editions import is_of_the_book
from phaseten.notation.moves import Move
from phaseten.notation.records import Hand, Header, Record, Reshuffle, Row, Turn
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    ReshuffleSeen,
    Seen,
    TurnLost,
)
from phaseten.rules.options import Rules
from phaseten.rules.state import State

_Move = CardDrawn | DrawSeen | DiscardTaken | NothingDrawn | PhaseLaid | MeldHit | CardDiscarded
"""What follows first from an action."""


def action_of(event: Event | Seen, house: Collection[str] = ()) -> Action | None:
    """The action from which an event follows first, or None where it follows by itself.

    Under the house rule ``choose_phase``, laying names the Phase.
    """
    match event:
        case CardDrawn() | DrawSeen():
            return DrawDeck()
        case DiscardTaken():
            return TakeDiscard()
        case NothingDrawn():
            return DrawNothing()
        case PhaseLaid(_, phase, melds):
            named = phase if "choose_phase" in house else None
            return LayPhase(tuple(meld.cards for meld in melds), named)
        case MeldHit(_, cards, owner, meld):
            return Hit(cards, owner, meld)
        case CardDiscarded(_, card, target):
            return Discard(card, target)
        case (
            HandDealt()
            | DealSeen()
            | PileReshuffled()
            | ReshuffleSeen()
            | TurnLost()
            | HandScored()
            | GameTied()
            | GameWon()
        ):
            return None
        case _:
            assert_never(event)


def header_for(  # noqa: PLR0913 - all of it is in a header
    rules: Rules,
    names: Sequence[str],
    dealer: int,
    *,
    seen: int | None = None,
    server_seed: bytes | None = None,
    client_seed: str | None = None,
    start: State | None = None,
) -> Header:
    """The header of a game by these rules. An edition that is not one of the five goes with it."""
    box = rules.edition
    return Header(
        edition=box.source or box.name,
        names=tuple(names),
        dealer=dealer,
        variant=rules.variant,
        house=rules.house | frozenset(box.house),
        seen=seen,
        server_seed=server_seed,
        client_seed=client_seed,
        carried=None if is_of_the_book(box) else box,
        start=start,
    )


def record_game(header: Header, events: Iterable[Event | Seen]) -> Record:
    """The record of a game, or of what a seat was shown of it when the header says ``seen``."""
    writer = _Writer(header)
    for event in events:
        writer.write(event)
    return Record(header, tuple(hand.finish() for hand in writer.hands))


class _OpenHand:
    """A hand while it is being written down."""

    def __init__(self, number: int, tiebreak: tuple[int, ...], deck: Row | None) -> None:
        self.number = number
        self.tiebreak = tiebreak
        self.deck = deck
        self.entries: list[Turn | Reshuffle] = []
        self.points: dict[int, int] | None = None
        self.open_turn = False

    def move(self, seat: int, move: Move, *, ends_turn: bool = False) -> None:
        last = self.entries[-1] if self.entries else None
        if self.open_turn and isinstance(last, Turn):
            self.entries[-1] = Turn(seat, (*last.moves, move))
        else:
            self.entries.append(Turn(seat, (move,)))
        self.open_turn = not ends_turn

    def finish(self) -> Hand:
        return Hand(self.number, self.tiebreak, self.deck, tuple(self.entries), self.points)


class _Writer:
    def __init__(self, header: Header) -> None:
        self._header = header
        self._seeds = header.server_seed is not None and header.client_seed is not None
        self.hands: list[_OpenHand] = []
        start = header.start
        if start is not None and start.board is not None:  # a hand is going on already
            self.hands.append(_OpenHand(start.board.hand, start.sheet.tied, None))

    def write(self, event: Event | Seen) -> None:
        match event:
            case HandDealt(order=order):
                self._open(event, None if self._seeds else order)
            case DealSeen():
                self._open(event, _redacted_deck(event, self._header.seen))
            case _ if self.hands:
                self._write_in_hand(self.hands[-1], event)
            case _:
                raise ValueError(f"{type(event).__name__} before the first deal")

    def _open(self, event: HandDealt | DealSeen, deck: Row | None) -> None:
        tied = tuple(sorted(event.players)) if event.tiebreak else ()
        self.hands.append(_OpenHand(event.hand, tied, deck))

    def _write_in_hand(self, hand: _OpenHand, event: Event | Seen) -> None:
        match event:
            case TurnLost(seat):
                hand.entries.append(Turn(seat, ()))
                hand.open_turn = False
            case PileReshuffled(order):
                if not self._seeds:
                    hand.entries.append(Reshuffle(order))
            case ReshuffleSeen(count):
                hand.entries.append(Reshuffle((None,) * count))
            case HandScored(points=points):
                hand.points = dict(points)
            case GameTied() | GameWon():
                pass  # both follow from the hands
            case HandDealt() | DealSeen():
                raise ValueError(f"{type(event).__name__} is not a move")
            case _:
                self._write_move(hand, event)

    def _write_move(self, hand: _OpenHand, event: _Move) -> None:
        action = action_of(event, self._header.house)
        assert action is not None  # each of these follows from an action
        named = event.card if isinstance(event, DrawSeen) else None
        ends = isinstance(event, CardDiscarded)
        hand.move(event.seat, Move(action, named), ends_turn=ends)


def _redacted_deck(event: DealSeen, seat: int | None) -> Row:
    """The deck as far as the seat knows it: its own cards and the one turned up."""
    count = len(event.players)
    dealt = event.deal * count
    row: list[Card | None] = [None] * (dealt + 1 + event.draw_count)
    if seat is not None and seat in event.players:
        row[event.players.index(seat) : dealt : count] = event.cards
    row[dealt] = event.turned_up
    return tuple(row)
