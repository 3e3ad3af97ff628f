"""Phases, cards and colours in words.

>>> from phaseten.rules.editions import edition
>>> phase_in_words(edition("classic").phases[1])
'set of 3 + run of 4'
>>> [phase_in_words(phase) for phase in edition("express").phases[5:8]]
['run of 4', 'run of 3 in one colour', 'run of 4 odd numbers']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from phaseten.rules.cards import COLOR_NAMES
from phaseten.rules.editions import Edition, Group, Phase

_KINDS: Final = {
    "set": "set of {}",
    "run": "run of {}",
    "color": "{} cards of one colour",
    "odd": "{} odd cards",
    "even": "{} even cards",
    "pairrun": "run of {} pairs",
    "colorrun": "run of {} in one colour",
    "oddrun": "run of {} odd numbers",
    "evenrun": "run of {} even numbers",
}


def group_in_words(group: Group) -> str:
    """A group, such as ``set of 3``."""
    return _KINDS[group.kind.name].format(group.size)


def phase_in_words(phase: Phase) -> str:
    """What the Phase asks for, such as ``set of 3 + run of 4``."""
    words = " + ".join(group_in_words(group) for group in phase.groups)
    return f"{words}, with {article(phase.must_show)} or a Wild" if phase.must_show else words


def article(number: int) -> str:
    """``a 7``, ``an 8``, ``an 11``."""
    return f"{'an' if number in (8, 11) else 'a'} {number}"


def plural(count: int, word: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def colors_in_words(edition: Edition) -> str:
    """The colours of the edition's cards."""
    return ", ".join(COLOR_NAMES[color] for color in edition.colors)
