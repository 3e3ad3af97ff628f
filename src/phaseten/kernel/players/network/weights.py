"""The weights that ship, and which tables their networks have learned to play.

There are two that play: ``deep``, and its ``pupil``, which plays nearly like it in a tenth of the time, for
playing hands out in thought; ``sheet_chances`` say what the score sheet is worth then. Their files are written by
``python -m training.export`` and ``training.sheets``; docs/model-card.md tells where they come from. They are read when
somebody plays with them, once in a process.
"""

from __future__ import annotations

import json
import struct
import zlib
from array import array
from functools import cache
from pathlib import Path
from typing import Any, Final

from phaseten.kernel.players.network.look import Network
from phaseten.kernel.players.network.sheet_chances import SheetChances
from phaseten.rules.editions import edition
from phaseten.rules.options import STANDARD, Rules

EDITIONS: Final = ("classic", "anniversary", "deluxe", "elchavo", "express")
"""In the order of the network's input."""
WEIGHTS: Final = Path(__file__).with_name("deep.weights")
ABOUT: Final = WEIGHTS.with_suffix(".json")


@cache
def about(name: str = "deep") -> dict[str, Any]:
    """What is known of the weights: hash, origin, strength, and which tables they play."""
    return json.loads(ABOUT.with_stem(name).read_text(encoding="utf-8"))


@cache
def load_network(name: str = "deep") -> Network:
    """A network that ships."""
    return Network(read_weights(name), about(name)["width"], about(name)["layers"])


@cache
def load_sheet_chances() -> SheetChances:
    """What score sheets are worth, at the tables that ``deep`` plays."""
    return SheetChances(read_weights("sheet_chances"))


def read_weights(name: str = "deep") -> array[float]:
    """All its weights, in the order that ``look.py`` tells."""
    numbers = zlib.decompress(WEIGHTS.with_stem(name).read_bytes())
    return array("f", struct.unpack(f"<{len(numbers) // 2}e", numbers))


@cache
def input_of(rules: Rules, players: int) -> int | None:
    """The networks' input for an edition; None at a table of a kind that they have not learned.

    They know editions of the book without variations and house rules; with which numbers of players,
    ``deep.json`` says.
    """
    name = rules.edition.name
    if players not in about()["plays"].get(name, ()) or rules.house or rules.variant != STANDARD:
        return None
    return EDITIONS.index(name) if rules.edition == edition(name) else None
