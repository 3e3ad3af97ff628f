"""The whole truth of one game, in three parts that are kept apart by who may know them.

The :class:`ScoreSheet` and the :class:`Board` lie open on the table. The draw pile and the held
cards are secret. Views are built from the open parts and the cards of one seat, and events change
the open parts through the same functions in the truth and in every view.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeVar

from phaseten.rules.cards import Card
from phaseten.rules.events import DealSeen, HandScored, HandSeen
from phaseten.rules.melds import Meld
from phaseten.rules.options import Rules

T = TypeVar("T")

Step = Literal["draw", "play"]
"""Where a turn stands."""
DRAW: Final = "draw"
PLAY: Final = "play"


class ScoreSheet(NamedTuple):
    """The score of the game, seat by seat."""

    left: tuple[tuple[int, ...], ...]
    """The Phases each seat has still to make, in order."""
    totals: tuple[int, ...]
    hands: tuple[HandScored, ...] = ()
    dealer: int = 1
    """Who deals: the hand that is going on, or between hands the next one."""
    tied: tuple[int, ...] = ()
    """The seats that play a tie-break hand next, or play one now."""
    winner: int | None = None

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.totals)


class Board(NamedTuple):
    """What lies open during a hand, and what everybody has seen happen in it."""

    hand: int
    players: tuple[int, ...]
    """The seats that play, in the order of dealing: the first player first."""
    turn: int
    step: Step
    """DRAW, or PLAY when the card is drawn: lay, hit or discard."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    draw_count: int
    discards: tuple[Card, ...]
    """The discard pile, its top card last."""
    melds: tuple[tuple[Meld, ...], ...]
    """What each seat has laid."""
    made: tuple[int, ...]
    """The number of the Phase each seat has laid in this hand, or 0."""
    waiting: tuple[bool, ...]
    """Who loses the next turn."""
    skipped_by: tuple[int, ...]
    """S-ONCE-A-ROUND: whose Skip still protects each seat from another one, or 0."""
    taken: Card | None = None
    """The card taken from the discard pile in this turn."""
    reshuffles: int = 0
    quiet: int = 0
    """H-DEAD: how many turns, this one included, have begun since a Phase was laid or a card hit."""
    seen: tuple[DealSeen | HandSeen, ...] = ()
    """What has happened in this hand, from its deal on, as a watcher saw it: the same in the truth
    and in every view. What follows from it (see :mod:`phaseten.rules.memory`) is no part of the law.
    """

    @property
    def top(self) -> Card | None:
        """The top card of the discard pile."""
        return self.discards[-1] if self.discards else None


class State(NamedTuple):
    """One game."""

    rules: Rules
    sheet: ScoreSheet
    board: Board | None = None
    """None between hands."""
    held: tuple[tuple[Card, ...], ...] = ()
    """The cards each seat holds, in the order in which they came."""
    draw_pile: tuple[Card, ...] = ()
    """Its top card first."""


def new_game(rules: Rules, seats: int, dealer: int) -> State:
    """A game of that many seats before the first deal."""
    rules.check_players(seats)
    if not 1 <= dealer <= seats:
        raise ValueError(f"seat {dealer} cannot deal: the seats are 1 to {seats}")
    numbers = tuple(phase.number for phase in rules.phases)
    return State(rules, ScoreSheet((numbers,) * seats, (0,) * seats, dealer=dealer))


def open_phases(rules: Rules, sheet: ScoreSheet, seat: int) -> tuple[int, ...]:
    """The Phases that the seat may lay in this hand, unless it has laid one."""
    if sheet.tied:
        return (rules.phases[-1].number,)
    left = sheet.left[seat - 1]
    return left if rules.choose_phase else left[:1]


def following(players: tuple[int, ...], seat: int) -> int:
    """The player to the left."""
    return players[(players.index(seat) + 1) % len(players)]


def put(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The row with the seat's entry replaced."""
    return (*row[: seat - 1], value, *row[seat:])


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards less those that are gone; what is not there is not missed."""
    rest = list(cards)
    for card in gone:
        if card in rest:
            rest.remove(card)
    return tuple(rest)
