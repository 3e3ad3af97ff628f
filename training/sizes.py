"""How many numbers the networks see and say, and what these are multiplied by, from the same files as the compiled lines."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
NETWORK: Final = ROOT / "src/phaseten/kernel/players/network"
MOST_PLAYERS: Final = 6
Stretch = tuple[str, int, int]
"""Where some features begin, how many they are, and what they are at most."""
COMMON: Final[tuple[Stretch, ...]] = (
    ("NEEDED", 48, 8),
    ("UNSEEN_NUMBER", 12, 8),
    ("UNSEEN_COLOR", 4, 24),
    ("UNSEEN_WILDS", 1, 8),
    ("UNSEEN_SKIPS", 1, 4),
)
OF_SEAT: Final[tuple[Stretch, ...]] = (
    ("KNOWN_NUMBER", 12, 4),
    ("KNOWN_COLOR", 4, 8),
    ("KNOWN_WILDS", 1, 4),
    ("PASSED_NUMBER", 12, 4),
    ("PASSED_COLOR", 4, 12),
)
SECRETS_OF_SEAT: Final[tuple[Stretch, ...]] = (
    ("SECRET_FACES", 48, 2),
    ("SECRET_NUMBER", 12, 4),
    ("SECRET_COLOR", 4, 8),
    ("SECRET_WILDS", 1, 4),
    ("SECRET_SKIPS", 1, 4),
)


@cache
def constants() -> dict[str, int]:
    """What the compiled lines know: places of features, secrets and actions."""
    paths = (NETWORK / "features.pxd", NETWORK / "actions.pxd", ROOT / "training/secrets.pxd")
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return {
        name: int(value)
        for name, value in re.findall(r"^    ([A-Z_]+) = (-?\d+)", text, re.MULTILINE)
    }


def sizes(players: int) -> tuple[int, int, int]:
    """How many features, secrets and actions there are for so many players."""
    at = constants()
    return (
        at["COMMON_FEATURES"] + at["SEAT_FEATURES"] * players,
        at["COMMON_SECRETS"] + at["SEAT_SECRETS"] * (players - 1),
        at["COMMON"] + at["SEAT_ACTIONS"] * players,
    )


def scales(players: int) -> tuple[list[float], list[float]]:
    """What each feature, and each secret, is multiplied by to be about one at most."""
    at = constants()
    features, secrets, _ = sizes(players)
    seen, secret = [1.0] * features, [1.0] * secrets
    _stretch(seen, COMMON, 0)
    for i in range(players):
        _stretch(seen, OF_SEAT, at["COMMON_FEATURES"] + at["SEAT_FEATURES"] * i)
    for i in range(players - 1):
        _stretch(secret, SECRETS_OF_SEAT, at["COMMON_SECRETS"] + at["SEAT_SECRETS"] * i)
    return seen, secret


def _stretch(row: list[float], parts: tuple[Stretch, ...], first: int) -> None:
    for name, count, most in parts:
        begin = first + constants()[name]
        row[begin : begin + count] = [1.0 / most] * count
