"""Phase 10 by the book: five editions, a referee, a solver and a game to play.

>>> import phaseten
>>> game = phaseten.Game("classic", ["Ana", "Beto"], seed=7)
>>> game.legal_actions()
[DrawDeck(), TakeDiscard()]
>>> phaseten.solve("classic", 1, "r3 b3 w, y7 y7 g7").melds
((Y7, Y7, G7), (R3, B3, W=3))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phaseten import analysis as analysis
    from phaseten import arena as arena
    from phaseten import bots as bots
    from phaseten import kernel as kernel
    from phaseten import language as language
    from phaseten import notation as notation
    from phaseten import rules as rules
    from phaseten.analysis.coach import Analysis, analyse
    from phaseten.arena.contest import Contest, match
    from phaseten.arena.odds import Odds, odds
    from phaseten.bots.evaluation import Evaluation, evaluate
    from phaseten.bots.ladder import LADDER, make_bot
    from phaseten.bots.reasons import explain
    from phaseten.game import Game, IllegalMoveError
    from phaseten.notation.moves import MoveSyntaxError, format_action, parse_action
    from phaseten.notation.positions import PositionError, format_position, parse_position
    from phaseten.notation.records import Record, RecordSyntaxError, format_record, parse_record
    from phaseten.notation.replay import IllegalRecordError, Step, follow, follow_seen
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
    from phaseten.rules.cards import (
        SKIP,
        WILD,
        Card,
        CardSyntaxError,
        parse_card,
        parse_cards,
        sort_cards,
    )
    from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, Phase, edition
    from phaseten.rules.options import OptionError, Rules, Variant, parse_variant
    from phaseten.rules.outcome import Outcome
    from phaseten.rules.refusals import Refusal
    from phaseten.rules.solver import Solution, solve
    from phaseten.rules.state import State
    from phaseten.rules.views import View, legal_actions

    __version__: str

# Where each public name lives. Names are loaded when they are first used, so that a command that
# needs one of them does not wait for all.
_HOMES = {
    "analysis.coach": ("Analysis", "analyse"),
    "arena.contest": ("Contest", "match"),
    "arena.odds": ("Odds", "odds"),
    "bots.evaluation": ("Evaluation", "evaluate"),
    "bots.ladder": ("LADDER", "make_bot"),
    "bots.reasons": ("explain",),
    "game": ("Game", "IllegalMoveError"),
    "notation.moves": ("MoveSyntaxError", "format_action", "parse_action"),
    "notation.positions": ("PositionError", "format_position", "parse_position"),
    "notation.records": ("Record", "RecordSyntaxError", "format_record", "parse_record"),
    "notation.replay": ("IllegalRecordError", "Step", "follow", "follow_seen"),
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
    "rules.cards": (
        "SKIP",
        "WILD",
        "Card",
        "CardSyntaxError",
        "parse_card",
        "parse_cards",
        "sort_cards",
    ),
    "rules.editions": ("BOOK_EDITIONS", "Edition", "EditionError", "Phase", "edition"),
    "rules.options": ("OptionError", "Rules", "Variant", "parse_variant"),
    "rules.outcome": ("Outcome",),
    "rules.refusals": ("Refusal",),
    "rules.solver": ("Solution", "solve"),
    "rules.state": ("State",),
    "rules.views": ("View", "legal_actions"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_PACKAGES = ("analysis", "arena", "bots", "kernel", "language", "notation", "rules")

__all__ = [
    "BOOK_EDITIONS",
    "LADDER",
    "SKIP",
    "WILD",
    "Action",
    "Analysis",
    "Card",
    "CardSyntaxError",
    "Contest",
    "Discard",
    "DrawDeck",
    "DrawNothing",
    "Edition",
    "EditionError",
    "Evaluation",
    "Game",
    "Hit",
    "IllegalMoveError",
    "IllegalRecordError",
    "LayPhase",
    "MoveSyntaxError",
    "Odds",
    "OptionError",
    "Outcome",
    "Phase",
    "PositionError",
    "Record",
    "RecordSyntaxError",
    "Refusal",
    "Rules",
    "Solution",
    "State",
    "Step",
    "TakeDiscard",
    "Variant",
    "View",
    "__version__",
    "analyse",
    "analysis",
    "arena",
    "bots",
    "edition",
    "evaluate",
    "explain",
    "follow",
    "follow_seen",
    "format_action",
    "format_position",
    "format_record",
    "judge",
    "kernel",
    "language",
    "legal_actions",
    "make_bot",
    "match",
    "notation",
    "odds",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_position",
    "parse_record",
    "parse_variant",
    "rules",
    "solve",
    "sort_cards",
]


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"phaseten.{name}")
    if name == "__version__":
        value: object = import_module("importlib.metadata").version("phaseten")
    elif name in _HOME_OF:
        value = getattr(import_module(f"phaseten.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module 'phaseten' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
