"""The shuffle, against a second implementation written from its published description."""

import hashlib
import hmac
import itertools
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseten.game import Game
from phaseten.rules.cards import format_cards, parse_cards
from phaseten.rules.editions import edition
from phaseten.rules.shuffle import SEED_BYTES, commitment, seeded, shuffled, words
from tests.rulebook.situations import ALL

SEED = bytes(range(32))


def published(
    cards: tuple[str, ...], seed: bytes, client: str, hand: int, shuffle: int
) -> tuple[str, ...]:
    """As docs/notation.md tells it, step by step."""

    def stream() -> Iterator[int]:
        for block in itertools.count():
            message = f"{client}:{hand}:{shuffle}:{block}".encode()
            yield from struct.unpack(">8I", hmac.new(seed, message, hashlib.sha256).digest())

    numbers = stream()
    pile = list(cards)
    for i in range(len(pile) - 1, 0, -1):
        limit = (2**32 // (i + 1)) * (i + 1)
        word = next(numbers)
        while word >= limit:
            word = next(numbers)
        j = word % (i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize(
    ("hand", "number", "client"), [(1, 0, "ana:k3,beto:zz"), (1, 1, ""), (12, 3, "ñandú")]
)
def test_every_shuffle_can_be_made_again(box: str, hand: int, number: int, client: str) -> None:
    deck = edition(box).deck
    faces = tuple(card.text for card in deck)
    expected = published(faces, SEED, client, hand, number)
    assert format_cards(seeded(SEED, client)(deck, hand, number)) == " ".join(expected)
    assert sorted(expected) == sorted(faces)


def test_a_fixed_vector() -> None:
    assert seeded(bytes(32), "ana:k3")(tuple("ABCDEFGH"), 1, 0) == tuple("HGFACBED")
    assert seeded(SEED, "x")(tuple("ABCDEFGH"), 1, 0) == published(
        tuple("ABCDEFGH"), SEED, "x", 1, 0
    )


def test_small_piles_stay() -> None:
    assert seeded(SEED, "x")((), 1, 1) == ()
    assert seeded(SEED, "x")(("A",), 1, 1) == ("A",)


def test_the_stream_of_words() -> None:
    first = hmac.digest(SEED, b"ab:3:1:0", "sha256")
    second = hmac.digest(SEED, b"ab:3:1:1", "sha256")
    got = list(itertools.islice(words(SEED, "ab", 3, 1), 16))
    assert got == list(struct.unpack(">16I", first + second))


def test_from_the_end_with_the_word_modulo_the_place() -> None:
    assert shuffled(("A", "B", "C", "D"), iter([0, 0, 0])) == ("B", "C", "D", "A")
    assert shuffled(("A", "B", "C", "D"), iter([3, 2, 1])) == ("A", "B", "C", "D")
    assert shuffled(("A", "B", "C", "D"), iter([4, 4, 4])) == ("C", "D", "B", "A")


def test_unfair_words_are_passed_over() -> None:
    """2^32 is no multiple of 3: its last word would favour the first card."""
    assert shuffled(("A", "B", "C"), iter([2**32 - 1, 2**32 - 2, 1])) == shuffled(
        ("A", "B", "C"), iter([2**32 - 2, 1])
    )
    assert shuffled(("A", "B"), iter([2**32 - 1])) == ("A", "B")
    with pytest.raises(StopIteration):
        shuffled(("A", "B", "C"), iter([2**32 - 1]))


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert SEED_BYTES == 32
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert (
        commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


def test_h_deal_a_game_deals_by_its_seeds() -> None:
    game = Game("express", ["Ana", "Beto"], seed=1, client_seed="c")
    seed = hashlib.sha256(b"phaseten seed 1").digest()
    assert game.commitment == hashlib.sha256(seed).hexdigest()
    faces = tuple(card.text for card in edition("express").deck)
    order = published(faces, seed, "c", 1, 0)
    assert format_cards(game.state.held[1]) == " ".join(order[0:10:2])
    assert format_cards(game.state.held[0]) == " ".join(order[1:10:2])


def test_the_vectors_that_the_notation_page_publishes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    seed = bytes.fromhex("4198f22c188b9b123c53557b6247a91959d0db00e62c959538303e3d6b607764")
    shuffle = seeded(seed, "ana:k3,beto:zz")
    classic = shuffle(edition("classic").deck, 1, 0)
    express = shuffle(edition("express").deck, 1, 0)
    pile = shuffle(parse_cards("R3 B9 Y2 G7 R11 B4"), 1, 1)
    for vector in (
        seed.hex(),
        commitment(seed),
        f"classic begins `{format_cards(classic[:12])}`, and its last card is `{classic[-1]}`",
        f"express begins `{format_cards(express[:12])}`, and its last card is `{express[-1]}`",
        f"`{format_cards(pile)}`",
    ):
        assert vector in page
