"""Phase 10 by the book: five editions, a referee, a solver and a game to play.

>>> import phaseten
>>> game = phaseten.Game("classic", ["Ana", "Beto"], seed=7)
>>> game.legal_actions()
[DrawDeck(), TakeDiscard()]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phaseten.game import Game, IllegalMoveError
    from phaseten.notation.moves import format_action, parse_action
    from phaseten.notation.records import Record, format_record, parse_record
    from phaseten.notation.verdict import judge
    from phaseten.rules.actions import (
        Action,
        Discard,
        DrawDeck,
        DrawNothing,
        Hit,
        LayPhase,
        TakeDiscard,
    )
    from phaseten.rules.cards import Card, parse_card, parse_cards
    from phaseten.rules.editions import BOOK_EDITIONS, Edition, edition
    from phaseten.rules.options import Rules, parse_variant
    from phaseten.rules.refusals import Refusal
    from phaseten.rules.solver import Solution, solve
    from phaseten.rules.views import View, legal_actions

# Where each public name lives. Names are loaded when they are first used, so that a command that
# needs one of them does not wait for all.
_HOMES = {
    "game": ("Game", "IllegalMoveError"),
    "notation.moves": ("format_action", "parse_action"),
    "notation.records": ("Record", "format_record", "parse_record"),
    "notation.verdict": ("judge",),
    "rules.actions": (
        "Action",
        "Discard",
        "DrawDeck",
        "DrawNothing",
        "Hit",
        "LayPhase",
        "TakeDiscard",
    ),
    "rules.cards": ("Card", "parse_card", "parse_cards"),
    "rules.editions": ("BOOK_EDITIONS", "Edition", "edition"),
    "rules.options": ("Rules", "parse_variant"),
    "rules.refusals": ("Refusal",),
    "rules.solver": ("Solution", "solve"),
    "rules.views": ("View", "legal_actions"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BOOK_EDITIONS",
    "Action",
    "Card",
    "Discard",
    "DrawDeck",
    "DrawNothing",
    "Edition",
    "Game",
    "Hit",
    "IllegalMoveError",
    "LayPhase",
    "Record",
    "Refusal",
    "Rules",
    "Solution",
    "TakeDiscard",
    "View",
    "edition",
    "format_action",
    "format_record",
    "judge",
    "legal_actions",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_record",
    "parse_variant",
    "solve",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'phaseten' has no attribute {name!r}")
    value: object = getattr(import_module(f"phaseten.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
