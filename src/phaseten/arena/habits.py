"""How a bot plays, in figures: what it does of what it could do, over whole games.

Two bots share a table, every other seat each, so that both meet the same situations. What a habit is,
:data:`HABITS` says; a figure is a share of occasions, or a mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from phaseten.arena.intervals import Estimate, Ratio
from phaseten.kernel.game import GAME_OVER, GOES_ON, Game
from phaseten.rules.cards import Card
from phaseten.rules.melds import Meld, add_to_meld
from phaseten.rules.state import DRAW, Board, State, following

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HABITS: Final = {
    "lay": "lays its Phase when it could",
    "lay_out": "lays, when it could then get rid of all cards but one",
    "lay_few": "lays, when two or three cards would be left",
    "lay_many": "lays, when four cards or more would be left",
    "lay_first": "lays, when nobody else has laid in this hand",
    "lay_after": "lays, when somebody else has",
    "out_at_once": "goes out in the turn in which it lays",
    "caught": "ends a hand with a Phase that it could have laid",
    "take_near": "takes a discard that brings the Phase nearer",
    "take_other": "takes a discard that does not",
    "take_laid": "takes a discard after it has laid",
    "hit_held": "ends a turn with a card that it could have hit",
    "skip_early": "plays a Skip when it could, before somebody else has laid",
    "skip_late": "plays a Skip when it could, after somebody else has laid",
    "skip_next": "aims a Skip at the next player, where it has a choice",
    "skip_ahead": "aims a Skip at a player who has the fewest Phases left",
    "skip_laid": "aims a Skip at a player who has laid, where one has and another has not",
    "wild_away": "discards a Wild",
    "taken": "discards what the next player takes",
    "fits": "discards what the next player can hit, who has laid",
    "points": "discards cards of so many points, before it has laid",
}
"""What is counted, in words that follow the bot's name."""
MEANS: Final = frozenset({"points"})
"""The habits that are means; the others are shares."""
FEW: Final = 3
DRAWS: Final = 3
"""The first actions draw; the second of them takes the discard."""
TAKE: Final = 1


class Player(Protocol):
    """Chooses in a game of the kernel."""

    def choose_in(self, game: Game) -> int:
        """The number of the choice."""
        ...


Count = tuple[str, int, int]
"""A habit, what is added above the line (1 if it was so), and below it."""


class Habits:
    """What was counted of one bot, game by game."""

    def __init__(self) -> None:
        self._ratios: dict[str, Ratio] = {}

    def add(self, counts: Iterable[Count]) -> None:
        """Count one game."""
        above, below = Counter[str](), Counter[str]()
        for name, so, occasions in counts:
            above[name] += so
            below[name] += occasions
        for name in HABITS:
            self._ratios.setdefault(name, Ratio()).add(above[name], below[name])

    def merge(self, other: Habits) -> None:
        """Count the games of another part."""
        for name, ratio in other._ratios.items():
            self._ratios.setdefault(name, Ratio()).merge(ratio)

    def figure(self, name: str) -> Estimate | None:
        """A habit with its interval; None where there was hardly an occasion."""
        ratio = self._ratios.get(name)
        if ratio is None or ratio.games < 2 or not ratio.below:
            return None
        return ratio.mean() if name in MEANS else ratio.share()


@dataclass(frozen=True)
class Moment:
    """A decision, before it is carried out."""

    game: Game
    state: State
    board: Board
    mask: NDArray[np.uint8]
    """Which of a learner's actions are legal: seats counted from the one on turn."""
    chosen: int
    advised: int
    """Both as a learner's action: what was chosen, and what sharp would do."""

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return self.board.turn

    @property
    def has_laid(self) -> bool:
        """Whether that seat has laid in this hand."""
        return bool(self.board.made[self.seat - 1])

    @property
    def others_have_laid(self) -> bool:
        """Whether somebody else has."""
        return any(self.board.made[seat - 1] for seat in self.board.players if seat != self.seat)

    @property
    def ends_turn(self) -> bool:
        """Whether it is a discard."""
        return DRAWS <= self.chosen < self.game.setup.layout.a_hit

    @property
    def plays_skip(self) -> bool:
        """Whether it is the discard of a Skip."""
        layout = self.game.setup.layout
        return layout.a_skip <= self.chosen < layout.a_hit

    @property
    def card(self) -> Card:
        """The card that is discarded; no Skip."""
        return self.game.setup.convert.faces[self.chosen - DRAWS]


def _laying(moment: Moment) -> Iterator[Count]:
    lay = moment.game.setup.layout.a_lay
    if not moment.mask[lay]:
        return
    laid = int(moment.chosen == lay)
    left = count_left(moment.game)
    yield "lay", laid, 1
    yield ("lay_out" if left <= 1 else "lay_few" if left <= FEW else "lay_many"), laid, 1
    yield ("lay_after" if moment.others_have_laid else "lay_first"), laid, 1


def count_left(game: Game) -> int:
    """How many cards the seat on turn would hold if it laid now and hit all it can."""
    trial, seat = game.copy(), game.turn
    assert seat is not None
    layout = game.setup.layout
    action = layout.a_lay
    while trial.step(trial.absolute(action)) == GOES_ON:
        hits = trial.mask()[layout.a_hit : layout.a_lay].nonzero()[0]
        if not len(hits):
            board = trial.state_now().board
            assert board is not None
            return board.counts[seat - 1]
        action = layout.a_hit + int(hits[0])
    return 0


def _taking(moment: Moment) -> Iterator[Count]:
    if moment.board.step != DRAW or not moment.mask[TAKE]:
        return
    took = int(moment.chosen == TAKE)
    if moment.has_laid:
        yield "take_laid", took, 1
    else:
        yield ("take_near" if moment.advised == TAKE else "take_other"), took, 1


def _skipping(moment: Moment) -> Iterator[Count]:
    """Skips are looked at where a turn ends."""
    layout = moment.game.setup.layout
    if not moment.ends_turn or not moment.mask[layout.a_skip : layout.a_hit].any():
        return
    yield ("skip_late" if moment.others_have_laid else "skip_early"), int(moment.plays_skip), 1
    targets = [
        (moment.seat + int(away) - 1) % moment.game.players + 1
        for away in moment.mask[layout.a_skip_at : layout.a_hit].nonzero()[0]
    ]
    if len(targets) > 1 and moment.chosen >= layout.a_skip_at and moment.plays_skip:
        away = moment.chosen - layout.a_skip_at
        yield from _aiming(moment, targets, (moment.seat + away - 1) % moment.game.players + 1)


def _aiming(moment: Moment, targets: Sequence[int], target: int) -> Iterator[Count]:
    board, left = moment.board, moment.state.sheet.left
    fewest = min(len(left[seat - 1]) for seat in targets)
    yield "skip_next", int(target == following(board.players, moment.seat)), 1
    yield "skip_ahead", int(len(left[target - 1]) == fewest), 1
    laid = [bool(board.made[seat - 1]) for seat in targets]
    if any(laid) and not all(laid):
        yield "skip_laid", int(bool(board.made[target - 1])), 1


def _discarding(moment: Moment) -> Iterator[Count]:
    if not moment.ends_turn or moment.plays_skip:
        return
    layout, card = moment.game.setup.layout, moment.card
    yield "wild_away", int(card.is_wild), 1
    if moment.has_laid:
        yield "hit_held", int(moment.mask[layout.a_hit : layout.a_lay].any()), 1
    else:
        yield "points", card.points, 1
    if moment.board.made[following(moment.board.players, moment.seat) - 1]:
        yield "fits", int(_fits(moment, card)), 1


def _fits(moment: Moment, card: Card) -> bool:
    edition = moment.game.rules.edition
    return any(
        isinstance(add_to_meld(meld, (card,), edition), Meld)
        for melds in moment.board.melds
        for meld in melds
    )


OBSERVERS: Final[tuple[Callable[[Moment], Iterator[Count]], ...]] = (
    _laying,
    _taking,
    _skipping,
    _discarding,
)


@dataclass
class _Hand:
    """What has to be remembered within a hand."""

    discarded_by: int = 0
    """Who made the last discard that the next player may take."""
    could_lay: set[int] = field(default_factory=set[int])
    laid: set[int] = field(default_factory=set[int])
    laying: int = 0
    """Who has laid in this turn."""

    def follow(self, moment: Moment) -> Iterator[tuple[int, Count]]:
        """What becomes of the last discard."""
        lay = moment.game.setup.layout.a_lay
        if moment.mask[lay]:
            self.could_lay.add(moment.seat)
        if moment.chosen == lay:
            self.laid.add(moment.seat)
            self.laying = moment.seat
        elif moment.board.step == DRAW:
            self.laying = 0
        if moment.board.step == DRAW and self.discarded_by and moment.mask[TAKE]:
            yield self.discarded_by, ("taken", int(moment.chosen == TAKE), 1)
        self.discarded_by = moment.seat if moment.ends_turn and not moment.plays_skip else 0

    def end(self) -> Iterator[tuple[int, Count]]:
        """Who went out with the Phase, and who sat there with one in the hand."""
        for seat in self.laid:
            yield seat, ("out_at_once", int(seat == self.laying), 1)
        for seat in self.could_lay:
            yield seat, ("caught", int(seat not in self.laid), 1)


def watch(game: Game, players: Sequence[Player], adviser: Player) -> list[list[Count]]:
    """Play a game to its end; what was counted of each seat."""
    found: list[list[Count]] = [[] for _ in players]
    hand = _Hand()
    result = GOES_ON
    while result != GAME_OVER:
        seat = game.turn
        assert seat is not None
        number = players[seat - 1].choose_in(game)
        moment = _moment(game, number, adviser.choose_in(game))
        for observe in OBSERVERS:
            found[seat - 1] += observe(moment)
        for whose, count in hand.follow(moment):
            found[whose - 1].append(count)
        result = game.step(number)
        if result != GOES_ON:
            for whose, count in hand.end():
                found[whose - 1].append(count)
            hand = _Hand()
    return found


def _moment(game: Game, number: int, advised: int) -> Moment:
    state = game.state_now()
    assert state.board is not None
    return Moment(
        game, state, state.board, game.mask(), game.relative(number), game.relative(advised)
    )
