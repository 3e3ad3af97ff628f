"""The shuffle that anybody can check.

A shuffle is fixed by the server's secret seed, whose SHA-256 is published before the first card
is dealt, and by a client seed that the players make together. When the game is over the secret
is published, and everybody can deal the game again.

>>> seed = bytes(32)
>>> commitment(seed)
'66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
>>> seeded(seed, "ana:k3")(tuple("ABCDEFGH"), 1, 0)
('H', 'G', 'F', 'A', 'C', 'B', 'E', 'D')
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 2**32


def commitment(server_seed: bytes) -> str:
    """What is published before the game: the SHA-256 of the server seed, in hex."""
    return hashlib.sha256(server_seed).hexdigest()


def seed_of(number: int) -> bytes:
    """The server seed of games that are to be repeatable by a number."""
    return hashlib.sha256(f"phaseten seed {number}".encode()).digest()


def words(server_seed: bytes, client_seed: str, hand: int, shuffle: int) -> Iterator[int]:
    """The stream of random 32-bit words for one shuffle of one hand."""
    block = 0
    while True:
        message = f"{client_seed}:{hand}:{shuffle}:{block}".encode()
        digest = hmac.digest(server_seed, message, "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffled(cards: tuple[T, ...], stream: Iterator[int]) -> tuple[T, ...]:
    """Fisher and Yates from the end; words that would favour some cards are passed over."""
    pile = list(cards)
    for i in range(len(pile) - 1, 0, -1):
        fair = _WORD - _WORD % (i + 1)
        word = next(word for word in stream if word < fair)
        j = word % (i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


def seeded(
    server_seed: bytes, client_seed: str
) -> Callable[[tuple[T, ...], int, int], tuple[T, ...]]:
    """The shuffles of a game with these seeds: cards, hand, number of the shuffle to new order."""

    def shuffle(cards: tuple[T, ...], hand: int, number: int) -> tuple[T, ...]:
        return shuffled(cards, words(server_seed, client_seed, hand, number))

    return shuffle
