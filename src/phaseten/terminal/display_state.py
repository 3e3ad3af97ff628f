"""What there is to show: the game as one seat knows it, and the words to show it in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from phaseten.language import Language
from phaseten.rules.cards import Card
from phaseten.rules.editions import Phase
from phaseten.rules.state import Board, open_phases
from phaseten.rules.views import View


class DisplayState(NamedTuple):
    """One moment of a game, for one pair of eyes."""

    view: View
    names: tuple[str, ...]
    language: Language
    told: Sequence[str] = ()
    """What happened in this hand, in sentences, the latest last."""
    now: str = ""
    """Whose turn it is, in words."""
    open_hands: tuple[tuple[Card, ...], ...] = ()
    """Everybody's cards, where they may be seen: in the replay of a full record."""

    @property
    def board(self) -> Board | None:
        return self.view.board

    def phase_of(self, seat: int) -> Phase | None:
        """The Phase that a seat works on or has laid; the lowest of several; None without one."""
        rules = self.view.rules
        made = self.board.made[seat - 1] if self.board else 0
        numbers = (made,) if made else open_phases(rules, self.view.sheet, seat)
        return rules.by_number[numbers[0]] if numbers else None
