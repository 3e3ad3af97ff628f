"""Nora: a bot as a Python class.

    cd examples/bots
    phaseten arena nora:Nora rookie

A bot needs one method, ``choose``. It gets a view of the game, as her seat knows it, and returns one
of the legal actions. Nora lays and hits whenever she can, and throws away what is furthest from her
Phase. A ``seed`` is passed to a class that takes one; Nora leaves nothing to chance.
"""

from phaseten.rules.actions import Action, Discard, DrawDeck, Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import Card
from phaseten.rules.solver import missing_cards
from phaseten.rules.state import open_phases
from phaseten.rules.views import View, legal_actions


class Nora:
    """Plays whatever brings her nearer to her Phase."""

    def choose(self, view: View) -> Action:
        """Her choice; it is her turn."""
        legal = legal_actions(view)
        for kind in (LayPhase, Hit):
            for action in legal:
                if isinstance(action, kind):
                    return action
        discards = [action for action in legal if isinstance(action, Discard)]
        if discards:
            return max(discards, key=lambda action: self._worth_discarding(view, action.card))
        return self._draw(view, legal)

    def _draw(self, view: View, legal: list[Action]) -> Action:
        board = view.board
        if board is None or board.top is None or TakeDiscard() not in legal:
            return legal[0]
        with_it = self._missing(view, (*view.held, board.top))
        helps = with_it < self._missing(view, view.held) and not board.made[board.turn - 1]
        return TakeDiscard() if helps or DrawDeck() not in legal else DrawDeck()

    def _worth_discarding(self, view: View, card: Card) -> tuple[int, int]:
        """The fewer cards are missing without it the better, and then the more points it costs."""
        if card.is_wild:
            return -100, 0
        rest = list(view.held)
        rest.remove(card)
        return -self._missing(view, tuple(rest)), card.points

    def _missing(self, view: View, held: tuple[Card, ...]) -> int:
        """How many cards she lacks for her Phase."""
        rules = view.rules
        phases = open_phases(rules, view.sheet, view.seat or 0)
        return min((missing_cards(rules.by_number[n], held, rules) for n in phases), default=0)
