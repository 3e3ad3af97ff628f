"""A word on one move while the game goes on: from what its player knew, and from nothing else.

>>> import phaseten
>>> from phaseten.rules.actions import Discard, DrawDeck
>>> from phaseten.rules.cards import WILD
>>> game = phaseten.Game("classic", ["Ana", "Beto"], seed=5)
>>> _ = game.play(DrawDeck())
>>> view = game.view()
>>> (event, *_) = game.play(Discard(WILD))
>>> remark_on(view, event).better.text
'-Y10'
"""

from __future__ import annotations

from typing import Final

from phaseten.analysis.coach import EFFORTS
from phaseten.analysis.stakes import stakes_for
from phaseten.analysis.trials import STUCK, HandStudy, ask_about
from phaseten.bots.reasons import recommend
from phaseten.notation.recording import action_of
from phaseten.rules.actions import DrawDeck
from phaseten.rules.events import Seen
from phaseten.rules.views import View
from phaseten.table.advice import Remark
from phaseten.table.coaching import LEAST_REMARK

SURE: Final = 3.0
"""By so many standard errors a move must have given that away, or at least something."""


def remark_on(view: View, event: Seen, seed: int = 0) -> Remark | None:
    """What to say to the player of that view about the move of which this was the first event; None: nothing.

    Most moves are seen to be good enough at once. Where one seems bad, it is looked at as closely as in a full
    analysis before anything is said.
    """
    board = view.board
    if board is None or board.reshuffles >= STUCK:
        return None
    rules, seats = view.rules, view.sheet.seats
    study = HandStudy(rules, seats, stakes_for(rules, seats).prices(view.sheet), seed)
    action = action_of(event, rules.house) or DrawDeck()  # a reshuffle comes before the card
    question = ask_about(view, action, event, study)
    if question is None:
        return None
    verdict = None
    for worlds in EFFORTS.values():
        study.settle(question, worlds)
        verdict = question.verdict
        if verdict is None or verdict.loss + SURE * verdict.error < LEAST_REMARK:
            return None
    if verdict is None or verdict.loss < max(LEAST_REMARK, SURE * verdict.error):
        return None
    better = question.actions[verdict.best]
    return Remark(action, better, verdict.loss, recommend(view, better))
