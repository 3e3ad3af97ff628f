"""Observations: every plane that ``knowledge.py`` documents, once more from the rules' views; and
no number depends on a card that the seat has not seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from phaseten.kernel import Batch, Game, planes
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.rules.cards import SKIP, WILD, Card, natural
from phaseten.rules.melds import Meld, held_form
from phaseten.rules.memory import Memory, remember
from phaseten.rules.state import PLAY
from phaseten.rules.views import View, view_of
from tests.effort import LONG
from tests.kernel.positions import exchange, games_in_the_middle
from tests.kernel.twins import RARE, play, random_table


class Encoder:
    """Writes an observation from a view, plane by plane, after the table in ``knowledge.py``."""

    def __init__(self, view: View, memory: Memory | None = None) -> None:
        box = view.rules.edition
        assert view.board is not None
        self.memory = memory or remember(view.board, box)
        numbers = range(1, box.highest + 1)
        self.view = view
        self.faces = [*(natural(c, n) for c in box.colors for n in numbers), WILD, SKIP]
        assert view.seat is not None
        seats = view.sheet.seats
        self.clockwise = [(view.seat - 1 + i) % seats + 1 for i in range(seats)]

    def counts(self, cards: Iterable[Card]) -> list[int]:
        counter = Counter(cards)
        return [counter[face] for face in self.faces]

    def code(self, card: Card | None) -> int:
        return self.faces.index(card) + 1 if card is not None else 0

    def relative(self, seat: int) -> int:
        return self.clockwise.index(seat) + 1 if seat else 0

    def meld(self, phase: int, index: int, meld: Meld) -> list[int]:
        rules, kind = self.view.rules, meld.group.kind
        first, last = meld.cards[0], meld.cards[-1]
        numbered = kind.chain or not (kind.one_color or kind.parity is not None)
        return [
            2 * [one.number for one in rules.phases].index(phase) + index + 1,
            first.number if numbered else 0,
            last.number if numbered else 0,
            rules.edition.colors.index(first.color)
            if kind.one_color
            else len(rules.edition.colors),
        ]

    def write(self) -> list[int]:
        view, board, sheet = self.view, self.view.board, self.view.sheet
        assert board is not None
        out = self.counts(view.held)
        for seat in self.clockwise:
            for i in range(2):
                row = board.melds[seat - 1]
                out += self.counts(held_form(row[i].cards) if i < len(row) else ())
        for seat in self.clockwise:
            for i in range(2):
                row = board.melds[seat - 1]
                there = i < len(row)
                out += self.meld(board.made[seat - 1], i, row[i]) if there else [0] * 4
        for seat in self.clockwise:
            out += self.counts(self.memory.known[seat - 1])
        out += self.counts(self.memory.recycled)
        pile = [self.code(card) for card in reversed(board.discards)]
        out += pile + [0] * (len(view.rules.edition.deck) - len(pile))
        phases = [phase.number for phase in view.rules.phases]
        for seat in self.clockwise:
            made = board.made[seat - 1]
            out += [
                board.counts[seat - 1],
                phases.index(made) + 1 if made else 0,
                board.waiting[seat - 1],
                self.relative(board.skipped_by[seat - 1]),
                sheet.totals[seat - 1],
                seat in board.players,
                seat == sheet.dealer,
            ]
        for seat in self.clockwise:
            out += [number in sheet.left[seat - 1] for number in phases]
        out += [
            board.turn == view.seat,
            board.step == PLAY,
            board.draw_count,
            self.code(board.taken),
            board.hand,
            bool(sheet.tied),
            board.quiet,
        ]
        for seat in self.clockwise:
            out += self.counts(self.memory.passed_over[seat - 1])[:-2]
        return out


def encoded(view: View, memory: Memory) -> NDArray[np.int16]:
    return np.array(Encoder(view, memory).write(), np.int16)


def _compare(seed: str, tables: int) -> None:
    rng = random.Random(seed)
    for _ in range(tables):
        for i, (twins, _events) in enumerate(play(random_table(rng), 300)):
            if twins.state.board is None or i % 7:
                continue
            for seat in range(1, twins.game.players + 1):
                seen = twins.game.observe(seat)
                assert seen.dtype == np.int16
                assert seen.tolist() == Encoder(view_of(twins.state, seat)).write()


@pytest.mark.parametrize("part", range(4))
def test_every_number_is_what_the_view_says(part: int) -> None:
    _compare(f"observe {part}", 12 if LONG else 5)


def test_every_number_is_what_the_view_says_in_rare_games() -> None:
    for table in RARE[::8]:
        for twins, _ in play(table, 120):
            if twins.state.board is not None:
                for seat in range(1, twins.game.players + 1):
                    expected = Encoder(view_of(twins.state, seat)).write()
                    assert twins.game.observe(seat).tolist() == expected


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_size_is_the_sum_of_the_planes(seats: int) -> None:
    game = Game("classic", seats)
    faces, deck, phases = 50, 108, 10
    sizes = {
        "held": faces, "table": seats * 2 * faces, "melds": seats * 2 * 4, "known": seats * faces,
        "recycled": faces, "discards": deck, "players": seats * 7, "left": seats * phases, "now": 7,
        "passed": seats * (faces - 2),
    }  # fmt: skip
    assert game.observation_size() == sum(sizes.values()) == len(game.observe(1))
    found = planes("classic", seats)
    assert {name: part.stop - part.start for name, part in found.items()} == sizes
    assert found == Batch("classic", seats, games=1).planes


def test_planes_cover_the_observation_of_any_edition() -> None:
    rng = random.Random("planes")
    for _ in range(20):
        table = random_table(rng)
        found = [*planes(table.rules, table.seats).values()]
        assert found[0].start == 0
        assert all(one.stop == other.start for one, other in pairwise(found))
        assert found[-1].stop == Game(table.rules, table.seats).observation_size()


def test_many_points_are_cut_off_rather_than_turned_negative() -> None:
    game = Game("classic", 2)
    raw = bytearray(game.save())
    totals = game.setup.layout.o_totals
    raw[totals : totals + 3] = (40_000).to_bytes(3, "little")
    game.restore(bytes(raw))
    assert game.totals == (40_000, 0)
    assert game.observe(1)[planes("classic", 2)["players"]][4] == 32_767


@pytest.mark.parametrize("name", ["classic", "express", "anniversary"])
def test_a_batch_writes_the_same_bytes(name: str) -> None:
    batch = Batch(name, 3, games=24, seed=9, threads=2)
    game = Game(name, 3)
    for _ in range(40):
        batch.play("casual", 7)
        rows = batch.observe()
        assert rows.shape == (24, batch.observation_size)
        for row, state, turn in zip(rows, batch.states, batch.turns(), strict=True):
            game.restore(state.tobytes() + bytes(CHANCE_BYTES))
            assert row.tobytes() == game.observe(int(turn)).tobytes()
            assert row.tobytes() == encoded(game.view(int(turn)), game.memory_now()).tobytes()


# -- no leaks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_exchanging_hidden_cards_changes_no_number(part: int) -> None:
    rng = random.Random(f"leaks {part}")
    changed = 0
    for game in games_in_the_middle(f"leaks {part}", 40):
        for seat in range(1, game.players + 1):
            seen, view = game.observe(seat).tobytes(), game.view(seat)
            other = game.copy()
            for _ in range(8):
                cards = exchange(other, seat, rng)
                assert other.observe(seat).tobytes() == seen
                assert other.view(seat) == view
                changed += cards is not None and cards[0] is not cards[1]
    assert changed > 500


def test_a_leak_would_be_noticed() -> None:
    """The same exchange is seen at once by somebody who holds one of the cards."""
    rng = random.Random("noticed")
    game = Game("classic", 4, seed=4)
    before = [game.observe(seat).tobytes() for seat in range(1, 5)]
    for _ in range(20):
        exchange(game, 1, rng)
    assert game.observe(1).tobytes() == before[0]
    assert [game.observe(seat).tobytes() for seat in range(2, 5)] != before[1:]
