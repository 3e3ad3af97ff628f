"""Who somebody is at a table: a name, and a face that every client draws in its own way."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

BOT_NAMES: Final = ("Ada", "Bruno", "Cleo", "Dario", "Elsa", "Fidel")
FACES: Final = (
    "owl",
    "bear",
    "cat",
    "fox",
    "penguin",
    "frog",
    "rabbit",
    "whale",
    "kettle",
    "cactus",
    "moon",
    "robot",
)


def free_face(seat: int, taken: Collection[str]) -> str:
    """A face for whoever has chosen none: the seat's own, or the next one that nobody has."""
    order = FACES[seat - 1 :] + FACES[: seat - 1]
    return next((face for face in order if face not in taken), order[0])
