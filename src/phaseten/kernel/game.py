"""One game.

Actions are numbers. For an edition with F numbered faces and P players they are, in this order:

========================  =============================================================
number                    action
========================  =============================================================
0, 1, 2                   draw from the draw pile, take the top discard, draw nothing
3 + face                  discard a card (faces by colour and number, then the Wild)
then 1                    discard a Skip without a target
then P                    discard a Skip on seat 1 … P
then P x 2 x H            hit: for each seat and each of its two melds, each numbered face, a
                          Wild below (or anywhere in a set), a Wild above; in editions with
                          runs of pairs also each pair of colours below and above
then on                   lay: the first, second, … way in the fixed order of ``rules``
========================  =============================================================

A *learner's* actions are the same numbers, with two changes that make them mean the same in every seat and
every hand: seats are counted from the one on turn, which is the first, and there is one way to lay, the
best (:mod:`phaseten.kernel.relative` says by which order). ``absolute`` and ``relative`` translate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from phaseten.kernel.convert import CHANCE_BYTES, DEALER, HAND, ORDER, PLACE, STEP, WINNER
from phaseten.kernel.game_core import GameCore
from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import Setup, find_setup, setup_for
from phaseten.notation.moves import format_action
from phaseten.rules.actions import Action, LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.memory import Memory
from phaseten.rules.options import Rules
from phaseten.rules.shuffle import seed_of
from phaseten.rules.state import State
from phaseten.rules.views import View, view_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GOES_ON, HAND_OVER, GAME_OVER = range(3)
LAY_THIS = -1
"""Stands for a way to lay that is given beside it."""
NO_FACE = 255


class Game(GameCore):
    """One game: legal actions as numbers, step, copy, save and restore.

    All shuffles follow from the seed by the verifiable shuffle of :mod:`phaseten.rules.shuffle`:
    ``phaseten.Game(seed=7)`` and ``kernel.Game(seed=7)`` have the same cards. A seed in bytes is the
    server seed itself. ``deck`` fixes the first deal. With ``deals_itself`` switched off, each hand
    waits for :meth:`deal` or :meth:`deal_cards`.
    """

    def __new__(  # noqa: PLR0913 - a game has that many things to choose, by name
        cls,
        rules: str | Rules = "classic",
        players: int = 2,
        *,
        variant: str = "standard",
        house: Iterable[str] = (),
        dealer: int = 1,
        seed: int | bytes = 0,
        deck: Iterable[Card] | None = None,
    ) -> Game:
        """A new game with its first hand dealt."""
        setup = find_setup(rules, players, variant, house)
        self = super().__new__(cls, setup.layout)
        self.setup = setup
        if isinstance(seed, bytes):
            self.begin(dealer - 1, int.from_bytes(seed[:8], "little"), seed)
        else:
            self.begin(dealer - 1, seed & (2**64 - 1), seed_of(seed))
        if deck is None:
            self.deal()
        else:
            self.deal_cards(deck)
        return self

    if TYPE_CHECKING:
        setup: Setup

    def deal_cards(self, deck: Iterable[Card]) -> None:
        """Deal the next hand from a deck in this order."""
        index = self.setup.convert.index
        self.deal_order(bytes(index.get(card, NO_FACE) for card in deck))

    # -- what is so ----------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.setup.rules

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.setup.players

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None between hands and after the game."""
        return self.at(ORDER + self.at(PLACE)) + 1 if self.at(STEP) < 2 else None

    @property
    def hand(self) -> int:
        """The number of the hand."""
        return self.at(HAND) + 256 * self.at(HAND + 1)

    @property
    def dealer(self) -> int:
        """Who deals."""
        return self.at(DEALER) + 1

    @property
    def winner(self) -> int | None:
        """The seat that has won, or None while the game is going on."""
        return self.at(WINNER) or None

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat."""
        return tuple(self.total_of(seat) for seat in range(self.players))

    @property
    def left(self) -> tuple[tuple[int, ...], ...]:
        """The Phases each seat has still to make."""
        return self.state_now().sheet.left

    def state_now(self) -> State:
        """The state as ``rules`` has it, without what happened before; hands sorted."""
        return self.setup.convert.state(self.save())

    def memory_now(self) -> Memory:
        """What everybody may remember of this hand, as ``rules`` works it out of what was seen."""
        return self.setup.convert.memory(self.save())

    def view(self, seat: int) -> View:
        """What lies open for that seat, as ``rules`` has it, without what was seen before.

        A bot that remembers needs more: give it views of a game that ``rules`` plays.
        """
        return view_of(self.state_now(), seat)

    def observe(self, seat: int, out: NDArray[np.int16] | None = None) -> NDArray[np.int16]:
        """What that seat may know, as numbers: see :mod:`phaseten.kernel.knowledge`."""
        if out is None:
            import numpy as np  # noqa: PLC0415 - a browser has none, and nobody there observes so

            out = np.empty(self.observation_size(), np.int16)
        self.observe_for(seat - 1, out)
        return out

    def chances(self) -> tuple[float, ...]:
        """Each seat's chance to win by the score sheet alone, without a look at the cards.

        It is meant for the time between two hands: Phases left and points, fitted to games of sharp players.
        """
        return tuple(self.chance_of(seat) for seat in range(self.players))

    def resample(self, seat: int) -> None:
        """Deal anew all cards whose place that seat does not know."""
        self.resample_for(seat - 1)

    # -- actions -------------------------------------------------------------------------------

    def action(self, number: int, way: bytes = b"") -> Action:
        """The action of that number, as ``rules`` has it, or this way to lay."""
        if not way and number >= self.setup.layout.a_lay:
            way = self.way(number)
        return self.setup.convert.action(self.save(), number, way)

    def number(self, action: Action) -> int:
        """The number of an action; it must be legal, and a Phase laid at its least size."""
        for number in self.legal():
            if self.action(number) == action:
                return number
        what = (
            "is not laid at its least size, or not legal"
            if isinstance(action, LayPhase)
            else "is not legal"
        )
        raise ValueError(f"{format_action(action)} {what}")

    def name(self, number: int) -> str:
        """The action of that number in text."""
        return format_action(self.action(number))

    @property
    def actions(self) -> int:
        """How many actions a learner has."""
        return self.setup.layout.a_lay + 1

    def mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Which of a learner's actions are legal: zeros and ones."""
        if out is None:
            import numpy as np  # noqa: PLC0415 - a browser has none, and nobody there learns

            out = np.empty(self.actions, np.uint8)
        self.mark(out)
        return out

    def pick(self, policy: str = "casual") -> int:
        """The action that a built-in policy chooses."""
        return self.choose(policy_number(policy))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.rules, self.players, self.save(), self.deals_itself)


def game_of(view: View) -> Game:
    """A game of which that seat, whose turn it is, knows exactly this.

    What the seat does not know is filled in anyhow, and later hands are dealt from seed 0.
    """
    if view.board is None or view.seat != view.board.turn:
        raise ValueError("it is not this seat's turn")
    setup = setup_for(view.rules, view.sheet.seats)
    game = GameCore.__new__(Game, setup.layout)
    game.setup = setup
    game.restore(setup.convert.raw(view) + bytes(CHANCE_BYTES))
    return game


def _restored(rules: Rules, players: int, saved: bytes, deals_itself: bool) -> Game:  # noqa: FBT001
    game = Game(rules, players)
    game.restore(saved)
    game.deals_itself = deals_itself
    return game
