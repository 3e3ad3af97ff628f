"""Positions in the middle of random games, and what can be done with their hidden cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from phaseten.kernel import Game
from phaseten.kernel.convert import DRAWS
from phaseten.rules.cards import Card
from tests.kernel.twins import PLAYERS, Table, random_table


def games_in_the_middle(seed: str, count: int, most: int = 250) -> Iterator[Game]:
    """Games of every sort, each stopped somewhere in the middle of a hand."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        game = game_after(random_table(rng), rng.randrange(most))
        if game is not None:
            found += 1
            yield game


def game_after(table: Table, actions: int) -> Game | None:
    """The game after so many actions, or None where it is over by then. The kernel plays it alone, in no
    time; that it does so by the law is what test_differential.py is for."""
    rng = random.Random(f"{table.seed} {table.rules.edition.name}")
    choosers = [rng.choice(PLAYERS) for _ in range(table.seats)]
    dealer = rng.randint(1, table.seats)
    game = Game(table.rules, table.seats, dealer=dealer, seed=table.seed)
    for _ in range(actions):
        if game.turn is None:
            return None
        numbers = {game.action(number): number for number in game.legal()}
        action = choosers[game.turn - 1](game, [*numbers], rng)
        game.step(numbers[action])
    return game if game.turn is not None else None


class Hidden(NamedTuple):
    """Where the cards are whose place a seat does not know."""

    hands: dict[int, tuple[Card, ...]]
    """What each other seat holds, less what it took before everybody's eyes."""
    pile: tuple[Card, ...]

    @property
    def pool(self) -> Counter[Card]:
        """All of them."""
        return Counter(self.pile) + sum(map(Counter, self.hands.values()), Counter[Card]())


def hidden_from(game: Game, seat: int) -> Hidden:
    """The cards whose place the seat does not know, by where they are."""
    state = game.state_now()
    assert state.board is not None
    hands = {
        other: tuple((Counter(state.held[other - 1]) - Counter(known)).elements())
        for other, known in enumerate(game.memory_now().known, 1)
        if other != seat
    }
    return Hidden(hands, state.draw_pile)


def exchange(game: Game, seat: int, rng: random.Random) -> tuple[Card, Card] | None:
    """Exchange two cards whose places the seat does not know; None where there are none."""
    hidden = hidden_from(game, seat)
    places = [(0, i, card) for i, card in enumerate(hidden.pile)]
    places += [(other, 0, card) for other, cards in hidden.hands.items() for card in cards]
    if len(places) < 2:
        return None
    one, other = rng.sample(places, 2)
    raw = bytearray(game.save())
    for (owner, i, old), (_, _, new) in ((one, other), (other, one)):
        if owner:
            _change(game, raw, owner - 1, old, -1)
            _change(game, raw, owner - 1, new, 1)
        else:
            layout = game.setup.layout
            raw[layout.o_pile + layout.deck_size - raw[DRAWS] + i] = game.setup.convert.index[new]
    game.restore(bytes(raw))
    return one[2], other[2]


def _change(game: Game, raw: bytearray, seat: int, card: Card, by: int) -> None:
    """One card more or less in a hand, in all the ways in which it is counted."""
    layout = game.setup.layout
    raw[layout.o_held + seat * layout.faces + game.setup.convert.index[card]] += by
    if card.is_natural:
        color = game.rules.edition.colors.index(card.color)
        raw[layout.o_numbers + 13 * seat + card.number] += by
        raw[layout.o_colors + layout.colors * seat + color] += by
