"""Ten Phases made up by chance, sensible enough to play: from easy to hard, no two alike."""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from phaseten.rules.editions import Phase, edition, parse_groups
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards

PHASES: Final = 10
_DEALS: Final = 40
"""Hands on which a Phase is tried, to see how hard it is."""

_SINGLE: Final = {
    "run": (7, 9),
    "color": (6, 8),
    "odd": (8, 9),
    "even": (8, 9),
    "pairrun": (3, 4),
    "colorrun": (4, 5),
    "oddrun": (5, 6),
    "evenrun": (5, 6),
    "set": (5, 6),
}
_PARTS: Final = {
    "set": (2, 5),
    "run": (4, 6),
    "color": (4, 5),
    "odd": (4, 5),
    "even": (4, 5),
    "oddrun": (4, 4),
    "evenrun": (4, 4),
}
_FEWEST_CARDS: Final = 6
_MOST_CARDS: Final = 9


def random_edition(seed: int) -> str:
    """An edition file, based on classic, with ten Phases that follow from the seed."""
    chance = random.Random(seed)
    ranked = _by_difficulty()
    slice_size = len(ranked) / PHASES
    chosen = [
        chance.choice(ranked[int(i * slice_size) : int((i + 1) * slice_size)])
        for i in range(PHASES)
    ]
    phases = "\n".join(f'    "{text}",' for text in chosen)
    return (
        f"# Ten Phases made up by chance: phaseten editions --random {seed}\n"
        f'based_on = "classic"\n'
        f'name = "random-{seed}"\n'
        f'title = "Random {seed}"\n'
        f"year = 0\n"
        f"\n"
        f"phases = [\n{phases}\n]\n"
    )


@cache
def _by_difficulty() -> list[str]:
    """All Phases worth asking for, the easy ones first."""
    box = edition("classic")
    rules = Rules(box)
    chance = random.Random(10)  # the same hands for everybody
    hands = [chance.sample(box.deck, box.deal) for _ in range(_DEALS)]

    def missing(text: str) -> int:
        phase = Phase(1, parse_groups(text))
        return sum(missing_cards(phase, hand, rules) for hand in hands)

    return sorted(_candidates(), key=lambda text: (missing(text), text))


def _candidates() -> list[str]:
    alone = [f"{kind} {n}" for kind, (low, high) in _SINGLE.items() for n in range(low, high + 1)]
    parts = [(kind, n) for kind, (low, high) in _PARTS.items() for n in range(low, high + 1)]
    pairs = [
        f"{kind} {n} + {other} {m}"
        for i, (kind, n) in enumerate(parts)
        for other, m in parts[: i + 1]
        if _FEWEST_CARDS <= n + m <= _MOST_CARDS and (kind != other or kind in ("set", "run"))
    ]
    return alone + pairs
