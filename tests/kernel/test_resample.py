"""Worlds dealt anew agree with what the seat has seen, and every one of them is equally likely."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from phaseten.kernel import Game
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.rules.cards import Card, by_order
from phaseten.rules.options import Rules
from phaseten.rules.views import legal_actions, unseen_beside
from tests.kernel.positions import game_after, games_in_the_middle, hidden_from
from tests.kernel.twins import RARE, Table, make_edition, play

# -- nothing that was seen changes -------------------------------------------------------------


@pytest.mark.parametrize("part", range(6))
def test_a_world_dealt_anew_agrees_with_everything_the_seat_knows(part: int) -> None:
    moved = 0
    for game in games_in_the_middle(f"agrees {part}", 40):
        for seat in range(1, game.players + 1):
            before, view, seen = game.state_now(), game.view(seat), game.observe(seat).tobytes()
            other = game.copy()
            other.resample(seat)
            after, board = other.state_now(), before.board
            assert board is not None
            assert other.view(seat) == view
            assert other.observe(seat).tobytes() == seen
            assert after.sheet == before.sheet
            assert after.board == board  # sizes, what lies on the table
            memory = game.memory_now()
            assert other.memory_now() == memory
            assert len(after.draw_pile) == len(before.draw_pile)
            for held, size, known in zip(after.held, board.counts, memory.known, strict=True):
                assert len(held) == size
                assert Counter(known) <= Counter(held)
            pool = hidden_from(other, seat).pool
            assert (
                pool == hidden_from(game, seat).pool == Counter(unseen_beside(view, board, memory))
            )
            if board.reshuffles:
                assert Counter(after.draw_pile) <= Counter(memory.recycled)
            moved += after != before
            _counts_agree(other)
    assert moved > 50


def _counts_agree(game: Game) -> None:
    """What the kernel counts besides the cards themselves still counts them."""
    state = game.state_now()
    assert state.board is not None
    legal = {game.action(number) for number in game.legal()}
    assert legal == set(legal_actions(game.view(state.board.turn)))


@pytest.mark.parametrize("part", range(3))
def test_a_world_dealt_anew_can_be_played_on(part: int) -> None:
    for game in games_in_the_middle(f"plays on {part}", 20):
        for seat in range(1, game.players + 1):
            other = game.copy()
            other.deals_itself = True
            other.resample(seat)
            for _ in range(20):
                if other.winner is not None:
                    break
                other.step(other.pick("random"))
                if other.turn is not None:
                    _counts_agree(other)


def test_chance_belongs_to_the_game() -> None:
    game = Game("classic", 4, seed=3)
    one, same = game.copy(), game.copy()
    one.resample(2)
    same.resample(2)
    assert one.save() == same.save()
    one.resample(2)
    assert one.state_now() != same.state_now()


def test_between_hands_nothing_is_hidden() -> None:
    game = Game("express", 3, seed=1)
    game.deals_itself = False
    while game.turn is not None:
        game.step(game.pick())
    before = game.save()
    game.resample(1)
    assert game.save()[:-CHANCE_BYTES] == before[:-CHANCE_BYTES]  # but what is dealt next


# -- all that is hidden is equally likely everywhere -------------------------------------------

Sampler = Callable[[Game, int], None]
TIMES = 6_000
SIGMAS = 5.5
"""A right sampler fails once in ten million tests, were the seed not fixed."""


def too_far(statistic: float, freedom: int) -> bool:
    """Whether a chi-square is further out than chance explains (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread) > SIGMAS


def uneven(seen: Counter[Card], pool: Mapping[Card, int], taken: int) -> bool:
    """Whether cards taken so many at a time, TIMES times, are not drawn evenly from the pool."""
    size = sum(pool.values())
    assert sum(seen.values()) == TIMES * taken
    if any(card not in pool for card in seen):
        return True
    if len(pool) == 1 or taken == size:
        return False
    wanted = {card: TIMES * taken * count / size for card, count in pool.items()}
    statistic = sum((seen[card] - want) ** 2 / want for card, want in wanted.items())
    # Without putting back, what is taken varies less.
    return too_far(statistic * (size - 1) / (size - taken), len(pool) - 1)


def faults(game: Game, seat: int, sampler: Sampler) -> list[str]:
    """Places into which not every hidden card comes equally often, one by one and in pairs."""
    hidden = hidden_from(game, seat)
    hands = {other: Counter[Card]() for other in hidden.hands}
    pile = [Counter[Card]() for _ in hidden.pile]
    pairs: Counter[tuple[str, str]] = Counter()
    game = game.copy()
    for _ in range(TIMES):
        sampler(game, seat)
        now = hidden_from(game, seat)
        for other, cards in now.hands.items():
            hands[other].update(cards)
        for place, card in zip(pile, now.pile, strict=True):
            place[card] += 1
        if len(now.pile) > 1:
            pairs[_sort(now.pile[0]), _sort(now.pile[1])] += 1
    found = [
        f"hand of seat {other}"
        for other, seen in hands.items()
        if hidden.hands[other] and uneven(seen, hidden.pool, len(hidden.hands[other]))
    ]
    found += [
        f"card {i} of the pile" for i, seen in enumerate(pile) if uneven(seen, hidden.pool, 1)
    ]
    if pairs and _uneven_pairs(pairs, hidden.pool):
        found.append("the two top cards")
    return found


def _sort(card: Card) -> str:
    return card.color or card.text


def _uneven_pairs(seen: Counter[tuple[str, str]], pool: Mapping[Card, int]) -> bool:
    sorts: Counter[str] = Counter()
    for card, count in pool.items():
        sorts[_sort(card)] += count
    size = sum(sorts.values())
    statistic = 0.0
    cells = 0
    for one, some in sorts.items():
        for other, more in sorts.items():
            want = TIMES * some * (more - (one == other)) / (size * (size - 1))
            if want:
                statistic += (seen[one, other] - want) ** 2 / want
                cells += 1
    return too_far(statistic, cells - 1)


def the_sampler(game: Game, seat: int) -> None:
    game.resample(seat)


def position(name: str) -> Game:
    """A position without a reshuffle in which every other player is known to hold something."""
    box = {
        "express": Rules(make_edition(phases="color 5", deal=5, highest=12, wilds=3, skips=3)),
        "small": Rules(make_edition(phases="set 5", deal=4, highest=6, wilds=2, skips=0)),
    }[name]
    for seed in range(1_000):
        game = game_after(Table(box, 4, seed), 18)
        board = game.state_now().board if game else None
        if (
            game
            and board
            and not board.reshuffles
            and all(game.memory_now().known[1:])
            and board.draw_count > 1
        ):
            return game
    raise AssertionError("no such position")


@pytest.mark.parametrize("name", ["express", "small"])
def test_every_hidden_card_is_equally_likely_in_every_hidden_place(name: str) -> None:
    assert faults(position(name), 1, the_sampler) == []


def test_a_seat_that_only_watches_a_tie_break_can_deal_anew_too() -> None:
    tables = [table for table in RARE if table.rules.variant.ten_hands]  # where ties are likely
    games = (twins for table in tables for twins, _ in play(table, 300))
    for twins in games:
        board = twins.state.board
        if board and len(board.players) < twins.game.players and len(twins.state.draw_pile) > 2:
            watcher = next(s for s in range(1, 7) if s not in board.players)
            assert faults(twins.game, watcher, the_sampler) == []
            return
    raise AssertionError("no such position")


def _cheat(game: Game, seat: int) -> None:
    """Now and then leaves a hidden hand as it is: it knows too much."""
    truth = game.save()
    game.resample(seat)
    if random.Random(truth).random() < 0.1:
        game.restore(truth[:-CHANCE_BYTES] + game.save()[-CHANCE_BYTES:])


def _sorted_pile(game: Game, seat: int) -> None:
    """Deals evenly, but one time in ten the greatest of three cards comes on top."""
    game.resample(seat)
    raw = bytearray(game.save())
    layout = game.setup.layout
    top = layout.o_pile + layout.deck_size - len(game.state_now().draw_pile)
    if random.Random(bytes(raw)).random() < 0.1:
        raw[top : top + 3] = bytes(sorted(raw[top : top + 3], reverse=True))
    game.restore(bytes(raw))


class TestABiasedSamplerIsFoundOut:
    def test_one_that_does_not_deal_anew(self) -> None:
        assert faults(position("express"), 1, lambda *_: None)

    def test_one_that_now_and_then_keeps_what_is(self) -> None:
        # From the same truth every time: a chain of worlds forgets where it began.
        start = position("express")
        truth = start.save()

        def sampler(game: Game, seat: int) -> None:
            game.restore(truth[:-CHANCE_BYTES] + game.save()[-CHANCE_BYTES:])
            _cheat(game, seat)

        assert faults(start, 1, sampler)

    def test_one_that_puts_great_cards_on_top(self) -> None:
        assert faults(position("express"), 1, _sorted_pile)


# -- after a reshuffle -------------------------------------------------------------------------


def reshuffled_position(copies: int) -> Game:
    """A position after a reshuffle in which some hidden cards cannot be in the draw pile, and
    others can be there and in hands as well.
    """
    box = make_edition(
        phases="color 5", deal=5, highest=8 // copies, copies=copies, wilds=0, skips=0
    )
    for seed in range(3_000):
        game = game_after(Table(Rules(box), 4, seed), 70)
        state = game.state_now() if game else None
        if not game or not state or not state.board or not state.board.reshuffles:
            continue
        hidden = hidden_from(game, 1)
        drawn = (hidden.pool & Counter(game.memory_now().recycled)) - Counter(hidden.pile)
        if (
            len(hidden.pile) >= 5
            and drawn.total() >= 4
            and min(map(len, hidden.hands.values())) > 2
        ):
            return game
    raise AssertionError("no such position")


def faults_after_reshuffle(game: Game, sampler: Sampler) -> list[str]:
    """As ``faults``: every recycled card equally often in every place of the draw pile, and what
    is left over equally often in every hand.
    """
    board = game.state_now().board
    assert board is not None
    hidden = hidden_from(game, 1)
    recycled = hidden.pool & Counter(game.memory_now().recycled)
    hands = {other: Counter[Card]() for other in hidden.hands}
    pile = [Counter[Card]() for _ in hidden.pile]
    game = game.copy()
    for _ in range(TIMES):
        sampler(game, 1)
        now = hidden_from(game, 1)
        for other, cards in now.hands.items():
            hands[other].update(cards)
        for place, card in zip(pile, now.pile, strict=True):
            place[card] += 1
    found = [f"card {i} of the pile" for i, seen in enumerate(pile) if uneven(seen, recycled, 1)]
    everywhere = sum(hands.values(), Counter[Card]())
    spare = {other: len(cards) for other, cards in hidden.hands.items()}
    for other, seen in hands.items():
        share = spare[other] / sum(spare.values())
        for card, times in everywhere.items():
            # A card that is in some hand so many times: in this one with this probability.
            spread = math.sqrt(times * share * (1 - share))
            if abs(seen[card] - times * share) > SIGMAS * spread:
                found.append(f"{card} in the hand of seat {other}")
    return found


@pytest.mark.parametrize("copies", [1, 2])
def test_after_a_reshuffle_every_recycled_card_is_equally_likely_in_the_pile(copies: int) -> None:
    assert faults_after_reshuffle(reshuffled_position(copies), the_sampler) == []


def test_a_sampler_that_forgets_the_reshuffle_is_found_out() -> None:
    def forgets(game: Game, seat: int) -> None:
        """Deals the pile evenly from all hidden cards, whatever was shuffled again."""
        pool = sorted(hidden_from(game, seat).pool.elements(), key=by_order)
        chance = random.Random(game.save())
        game.resample(seat)
        raw = bytearray(game.save())
        layout, index = game.setup.layout, game.setup.convert.index
        count = len(game.state_now().draw_pile)
        first = layout.o_pile + layout.deck_size - count
        raw[first : first + count] = bytes(index[card] for card in chance.sample(pool, count))
        game.restore(bytes(raw))

    assert faults_after_reshuffle(reshuffled_position(1), forgets)
