"""How a game ended: who won, and why."""

from __future__ import annotations

from typing import Literal, NamedTuple

from phaseten.rules.state import ScoreSheet, State

Why = Literal["phases", "points", "ten-hands", "tie-break"]

_RULES = {"phases": "G-WIN", "points": "G-WIN", "ten-hands": "V1", "tie-break": "G-TIE"}
_SENTENCES = {
    "phases": "made the last Phase",
    "points": "has the fewest points of those who made the last Phase",
    "ten-hands": "has the fewest points after the last hand",
    "tie-break": "went out first in the tie-break hand",
}


class Outcome(NamedTuple):
    """The end of a game."""

    winner: int
    """The seat."""
    why: Why
    """``phases``: nobody else made the last Phase; ``points``: others did, with more points;
    ``ten-hands``: the fewest points in a game of one hand for each Phase; ``tie-break``."""
    totals: tuple[int, ...]

    @property
    def rule(self) -> str:
        """The id of the rule that says so."""
        return _RULES[self.why]

    def __str__(self) -> str:
        return f"Seat {self.winner} has won: it {_SENTENCES[self.why]}. ({self.rule})"


def outcome_of(state: State) -> Outcome | None:
    """How the game ended, or None while it is going on."""
    sheet = state.sheet
    if sheet.winner is None:
        return None
    return Outcome(sheet.winner, _why(state, sheet), sheet.totals)


def _why(state: State, sheet: ScoreSheet) -> Why:
    if sheet.hands and sheet.hands[-1].tiebreak:
        return "tie-break"
    if state.rules.variant.ten_hands:
        return "ten-hands"
    return "points" if sum(not left for left in sheet.left) > 1 else "phases"
