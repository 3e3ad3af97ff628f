"""A game in which chance is a player: every card that is dealt or drawn is asked for, one at a time.

The kernel draws from a pile whose order is fixed. Here the pile is a heap: before somebody draws, chance
names a face, and a card of that face is put on top.
"""

from __future__ import annotations

from collections import Counter
from copy import copy as shallow_copy
from typing import NamedTuple

from phaseten.arena.gameplay import DRAW_DECK, reshuffle
from phaseten.envs.table import Prizes, Terms
from phaseten.kernel.convert import DRAWS, TIED
from phaseten.kernel.game import GOES_ON, Game
from phaseten.rules.cards import format_cards


class Event(NamedTuple):
    """Something that happened: what the seat saw of it, and what the others did."""

    seat: int
    """From 1; 0: everybody saw it."""
    text: str
    hidden: str = ""

    def seen_by(self, seat: int) -> str:
        """What that seat saw."""
        return self.text if self.seat in (0, seat) else self.hidden


class OpenGame:
    """An episode without hidden chance. The seats' names are numbers from 1."""

    def __init__(self, terms: Terms, dealer: int) -> None:
        self.terms = terms
        self.game = Game(terms.rules, terms.players, dealer=dealer)
        self.game.deals_itself = False
        self.game.begin(dealer - 1, 0, bytes(32))
        self.events: list[Event] = []
        self.returns = [0.0] * terms.players
        """What has been paid so far."""
        self.is_over = False
        self._prizes = Prizes(terms.reward, self.game)
        self._actions = 0
        self._dealt: list[int] = []
        """The faces of the deal that is going on, in order."""
        self._draws = False
        """Somebody is about to get a card from the draw pile."""

    def __deepcopy__(self, memo: object) -> OpenGame:
        copy = OpenGame.__new__(OpenGame)
        copy.terms = self.terms
        copy.game = self.game.copy()
        copy.events = self.events[:]
        copy.returns = self.returns
        copy.is_over = self.is_over
        copy._prizes = shallow_copy(self._prizes)
        copy._actions = self._actions
        copy._dealt = self._dealt[:]
        copy._draws = self._draws
        return copy

    # -- chance --------------------------------------------------------------------------------

    @property
    def waits_for_chance(self) -> bool:
        """A hand is to be dealt, or a card to be drawn."""
        return not self.is_over and (self._draws or self.game.turn is None)

    def outcomes(self) -> list[tuple[int, float]]:
        """The faces that can come next, and how likely each is."""
        left = Counter(self._pile() if self._draws else self._deck())
        if not self._draws:
            left.subtract(self._dealt)
        total = left.total()
        return [(face, count / total) for face, count in sorted(left.items()) if count]

    def turn_up(self, face: int) -> None:
        """The next card is of this face."""
        card = format_cards([self.game.setup.convert.faces[face]])
        if self._draws:
            self._put_on_top(face)
            self.events.append(Event(self.game.turn or 0, f"D:{card}", "D"))
            self.game.step(DRAW_DECK)
            self._draws = False
            self._check_length()
            return
        order, needed = self._order(), self._needed()
        place = len(self._dealt)
        last = place == needed - 1
        self._dealt.append(face)
        self.events.append(Event(0, card) if last else Event(order[place % len(order)], card, "?"))
        if last:
            rest = Counter(self._deck())
            rest.subtract(self._dealt)
            self.game.deal_order(bytes([*self._dealt, *rest.elements()]))
            self._dealt = []

    def _deck(self) -> tuple[int, ...]:
        index = self.game.setup.convert.index
        return tuple(index[card] for card in self.game.rules.edition.deck)

    def _pile(self) -> bytes:
        layout = self.game.setup.layout
        end = layout.o_pile + layout.deck_size
        return self.game.save()[end - self.game.at(DRAWS) : end]

    def _order(self) -> list[int]:
        """The seats that the next hand is dealt to, in the order of the deal."""
        players, tied = self.game.players, self.game.at(TIED)
        clockwise = [(self.game.dealer + i) % players for i in range(players)]
        return [seat + 1 for seat in clockwise if not tied or tied >> seat & 1]

    def _needed(self) -> int:
        """How many cards are turned up for a deal: everybody's, and the first discard."""
        return len(self._order()) * self.game.rules.edition.deal + 1

    def _put_on_top(self, face: int) -> None:
        layout, raw = self.game.setup.layout, bytearray(self.game.save())
        top = layout.o_pile + layout.deck_size - raw[DRAWS]
        place = raw.index(face, top, layout.o_pile + layout.deck_size)
        raw[top], raw[place] = raw[place], raw[top]
        self.game.restore(bytes(raw))

    # -- choices -------------------------------------------------------------------------------

    def act(self, number: int) -> None:
        """Carry out an action of the seat on turn, by the kernel's number."""
        self._actions += 1
        if number == DRAW_DECK:
            self._draws = True
            if not self.game.at(DRAWS):
                reshuffle(self.game, lambda pile, _hand, _number: tuple(sorted(pile)))
                self.events.append(Event(0, "shuffled"))
            return
        self.events.append(Event(0, self.game.name(number)))
        if self.game.step(number) != GOES_ON:
            self.returns = (self._prizes.after_hand(self.game) + self.returns).tolist()
            self.is_over = self.terms.episode == "hand" or self.game.winner is not None
        self._check_length()

    def _check_length(self) -> None:
        """An episode of that length ends with what has been paid."""
        self.is_over |= self._actions >= self.terms.most_actions

    def resampled(self, seat: int) -> OpenGame:
        """Another game of which that seat knows exactly the same."""
        other = self.__deepcopy__(None)
        other.game.resample(seat)
        return other
