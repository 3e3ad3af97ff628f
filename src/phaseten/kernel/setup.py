"""What all games by the same rules share: their tables, and the translation."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache, lru_cache

from phaseten.kernel import layout as _layout
from phaseten.kernel.convert import Converter
from phaseten.kernel.layout import Layout
from phaseten.kernel.tables import tables_for
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules, check_house, parse_variant

compiled: bool = not _layout.__file__.endswith(".py")
"""Whether the kernel was compiled when phaseten was installed."""


class Setup:
    """One set of rules for one number of players."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.layout = Layout(tables_for(rules, players))
        self.convert = Converter(rules, self.layout)


@lru_cache(maxsize=256)
def setup_for(rules: Rules, players: int) -> Setup:
    """The setup of games with these rules and that many players."""
    if not compiled:
        _say_that_it_is_slow()
    return Setup(rules, players)


@cache  # once is enough
def _say_that_it_is_slow() -> None:
    warnings.warn(
        "the kernel is not compiled and runs slowly: install a C compiler and phaseten again",
        RuntimeWarning,
        stacklevel=5,
    )


def find_setup(
    rules: str | Rules, players: int, variant: str = "standard", house: Iterable[str] = ()
) -> Setup:
    """The setup of games by rules, or for the name of an edition with options."""
    if isinstance(rules, str):
        rules = _rules_of(rules, variant, check_house(house))
    return setup_for(rules, players)


@lru_cache(maxsize=256)
def _rules_of(name: str, variant: str, house: frozenset[str]) -> Rules:
    return Rules(edition(name), parse_variant(variant), house)
