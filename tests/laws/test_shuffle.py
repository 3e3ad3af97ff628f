"""The shuffle: a permutation, fixed by each of its inputs, and fair."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.shuffle import commitment, seeded, shuffled, words
from tests.laws.games import examples

seeds = st.binary(min_size=32, max_size=32)
counts = st.integers(0, 10_000)


@given(seeds, st.text(max_size=20), counts, counts, st.lists(st.integers(0, 5), max_size=120))
def test_a_shuffle_is_a_permutation(
    server: bytes, client: str, hand: int, number: int, cards: list[int]
) -> None:
    result = seeded(server, client)(tuple(cards), hand, number)
    assert Counter(result) == Counter(cards)
    assert result == seeded(server, client)(tuple(cards), hand, number)


@examples(60)
@given(
    seeds,
    st.text(max_size=20),
    st.integers(1, 50),
    st.integers(0, 9),
    st.sampled_from(BOOK_EDITIONS),
)
def test_a_shuffle_is_the_documented_one(
    server: bytes, client: str, hand: int, number: int, name: str
) -> None:
    """docs/notation.md, step by step, written again."""
    pile = list(edition(name).deck)
    stream = b""
    block = 0
    at = 0
    for i in reversed(range(1, len(pile))):
        while True:
            if at + 4 > len(stream):
                message = f"{client}:{hand}:{number}:{block}".encode()
                stream += hmac.new(server, message, hashlib.sha256).digest()
                block += 1
            word = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if word < 2**32 // (i + 1) * (i + 1):
                break
        j = word % (i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    assert seeded(server, client)(edition(name).deck, hand, number) == tuple(pile)


@given(seeds, st.text(max_size=20), counts, counts, st.data())
def test_a_shuffle_depends_on_each_input(
    server: bytes, client: str, hand: int, number: int, data: st.DataObject
) -> None:
    cards = tuple(range(54))
    base = seeded(server, client)(cards, hand, number)
    bit = data.draw(st.integers(0, 255))
    flipped = (int.from_bytes(server, "big") ^ 1 << bit).to_bytes(32, "big")
    assert seeded(flipped, client)(cards, hand, number) != base
    assert seeded(server, client + data.draw(st.characters()))(cards, hand, number) != base
    assert seeded(server, client)(cards, hand + 1, number) != base
    assert seeded(server, client)(cards, hand, number + 1) != base
    assert seeded(server, client)((*cards, 54), hand, number) != (*base, 54)
    assert commitment(server) == hashlib.sha256(server).hexdigest() != commitment(flipped)


def test_words_that_would_favour_some_cards_are_passed_over() -> None:
    """For three cards: 2^32 is no multiple of 3, so the very last word is dropped."""
    largest = 2**32 - 1
    assert largest % 3 == 0  # it would have counted as a 0
    assert shuffled(("a", "b", "c"), iter([largest, 1, 0])) == shuffled(
        ("a", "b", "c"), iter([1, 0])
    )
    assert shuffled(("a", "b", "c"), iter([largest - 1, 0])) == ("b", "a", "c")
    # For two and four cards every word counts.
    assert shuffled(("a", "b"), iter([largest])) == ("a", "b")
    assert shuffled(("a", "b", "c", "d"), iter([largest, 2, 1])) == ("a", "b", "c", "d")


def test_the_stream_goes_on_from_block_to_block() -> None:
    stream = words(bytes(32), "x", 3, 1)
    taken = [next(stream) for _ in range(20)]
    raw = b"".join(
        hmac.digest(bytes(32), f"x:3:1:{block}".encode(), "sha256") for block in range(3)
    )
    assert taken == [int.from_bytes(raw[4 * i : 4 * i + 4], "big") for i in range(20)]


# -- fairness ---------------------------------------------------------------------------------

SIZE = 12
TRIALS = 12_000
# The 0.999 999 quantile of chi-square with (SIZE - 1)² = 121 degrees of freedom is 210.1 (by
# Wilson and Hilferty); the expectation is 121.
LIMIT = 211


def table_of(trials: int, where: str) -> list[list[int]]:
    """How often each card came to lie at each place."""
    table = [[0] * SIZE for _ in range(SIZE)]
    for trial in range(trials):
        server = hashlib.sha256(f"fair {trial}".encode()).digest()
        hand, number, client = 1, 0, "c"
        if where == "hands":  # one pair of seeds, many hands
            server, hand = bytes(32), trial + 1
        elif where == "reshuffles":
            server, number = bytes(32), trial + 1
        elif where == "clients":
            server, client = bytes(32), str(trial)
        for place, card in enumerate(seeded(server, client)(tuple(range(SIZE)), hand, number)):
            table[card][place] += 1
    return table


def chi_square(table: list[list[int]], trials: int) -> float:
    expected = trials / SIZE
    return sum((count - expected) ** 2 / expected for row in table for count in row)


@pytest.mark.parametrize("where", ["servers", "hands", "reshuffles", "clients"])
def test_every_card_comes_to_every_place_equally_often(where: str) -> None:
    assert chi_square(table_of(TRIALS, where), TRIALS) < LIMIT


def test_the_fairness_test_can_fail() -> None:
    """A shuffle that swaps with any card, not with an earlier one, is the classic mistake."""
    table = [[0] * SIZE for _ in range(SIZE)]
    for trial in range(TRIALS):
        stream = words(bytes(32), "c", trial, 0)
        pile = list(range(SIZE))
        for i in range(SIZE):
            j = next(stream) % SIZE
            pile[i], pile[j] = pile[j], pile[i]
        for place, card in enumerate(pile):
            table[card][place] += 1
    assert chi_square(table, TRIALS) > 2 * LIMIT


def test_every_order_of_four_cards_comes_equally_often() -> None:
    trials = 12_000
    shuffle = seeded(bytes(range(32)), "orders")
    orders = Counter(shuffle(("a", "b", "c", "d"), trial, 0) for trial in range(trials))
    expected = trials / 24
    assert len(orders) == 24
    chi = sum((count - expected) ** 2 / expected for count in orders.values())
    assert chi < 72  # the 0.999 999 quantile with 23 degrees of freedom is 71.2
