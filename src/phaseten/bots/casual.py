"""A sensible, greedy player: draws what helps, lays when it can, hits what it can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from phaseten.bots.bot import Bot
from phaseten.rules.actions import Action, Discard, DrawDeck, Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import SKIP, WILD, Card
from phaseten.rules.melds import hits_on, open_ends
from phaseten.rules.solver import missing_cards
from phaseten.rules.state import DRAW, Board, open_phases
from phaseten.rules.views import View, legal_actions


class Casual(Bot):
    """Plays like somebody who knows the rules and does not think about the others."""

    name = "casual"

    def choose(self, view: View) -> Action:
        """The choice for this view."""
        board = view.board
        actions = legal_actions(view)
        if board is None or not actions:
            raise ValueError("it is not this seat's turn")
        if board.step == DRAW:
            return _draw(view, board, actions)
        lays = [action for action in actions if isinstance(action, LayPhase)]
        if lays:
            return min(lays, key=_price)
        hits = [action for action in actions if isinstance(action, Hit)]
        if hits:
            return max(hits, key=lambda hit: sum(card.held.points for card in hit.cards))
        return _discard(view, board, [a for a in actions if isinstance(a, Discard)])


def _price(lay: LayPhase) -> tuple[int, int]:
    """Few Wilds, then dear cards."""
    cards = [card for meld in lay.melds for card in meld]
    return sum(card.is_wild for card in cards), -sum(card.held.points for card in cards)


def _draw(view: View, board: Board, actions: Sequence[Action]) -> Action:
    top = board.top
    if top is None or TakeDiscard() not in actions:
        return actions[0]
    if DrawDeck() not in actions:
        return TakeDiscard()
    if board.made[board.turn - 1]:
        held = Counter((top,))
        fits = any(hits_on(meld, held, view.rules.edition) for row in board.melds for meld in row)
        return TakeDiscard() if fits else DrawDeck()
    if top is WILD:
        return TakeDiscard()
    helps = _missing(view, board, (*view.held, top)) < _missing(view, board, view.held)
    return TakeDiscard() if helps else DrawDeck()


def _missing(view: View, board: Board, held: Sequence[Card]) -> int:
    rules = view.rules
    return min(
        missing_cards(rules.by_number[number], held, rules)
        for number in open_phases(rules, view.sheet, board.turn)
    )


def _discard(view: View, board: Board, discards: Sequence[Discard]) -> Discard:
    skips = [action for action in discards if action.card is SKIP]
    if skips:
        return min(skips, key=lambda skip: _threat(board, skip.target))
    if board.made[board.turn - 1]:
        half = _halves_of_pairs(view, board)
        return max(discards, key=lambda action: (action.card not in half, action.card.points))

    def worth(action: Discard) -> tuple[bool, int, int]:
        rest = list(view.held)
        rest.remove(action.card)
        return action.card is WILD, _missing(view, board, rest), -action.card.points

    return min(discards, key=worth)


def _halves_of_pairs(view: View, board: Board) -> set[Card]:
    """The held cards that would fit a run of pairs if there were a second one of their number."""
    ends = {
        end
        for row in board.melds
        for meld in row
        if meld.group.kind.copies == 2
        for end in open_ends(meld, view.rules.edition)
    }
    return {card for card in view.held if ends and (card is WILD or card.number in ends)}


def _threat(board: Board, target: int | None) -> int:
    """The fewer cards somebody holds, the sooner a Skip is worth it."""
    return board.counts[target - 1] if target is not None else 0
