"""Phase 10 by the book: five editions, a referee, a solver and a game to play.

>>> import phaseten
>>> game = phaseten.Game("classic", ["Ana", "Beto"], seed=7)
>>> game.legal_actions()
[DrawDeck(), TakeDiscard()]
"""

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
