"""When the coach speaks up at a table, and to whom: it does while all people there have agreed.

What it judges is a View and what its player saw of the move: neither has a place for what that one could not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from phaseten.language import CardText, Language
from phaseten.language.speech import capital
from phaseten.rules.events import Seen
from phaseten.rules.views import View, seen_by
from phaseten.table.advice import Remark
from phaseten.table.events import Open, Secret, StepUndone, TableEvent
from phaseten.table.state import Table

LEAST_REMARK: Final = 0.01
"""What gives away less, in parts of a game, is not worth a word while people play."""


class JudgedMove(NamedTuple):
    """A person's move, as that one knows it."""

    seat: int
    owner: str
    """Secret: the hash of the token that owned the seat then. Nobody else is told."""
    turn: int
    """Since when the player had that turn: moves of the same turn have the same."""
    view: View
    """What the player knew before."""
    event: Seen
    """What followed first, as the player saw it."""


def move_to_judge(before: Table, events: Sequence[TableEvent]) -> JudgedMove | None:
    """The move that this step was, if it is one that the coach is to judge."""
    seat = before.acting
    first = events[0]
    if seat is None or isinstance(first, Open | Secret) or not before.is_coached:
        return None
    view = before.view(seat)
    assert view is not None, "there is a game where somebody may act"
    owner = before.places[seat - 1].owner
    return JudgedMove(seat, owner, before.turn_at, view, seen_by(first, seat))


def takes_back(events: Sequence[TableEvent]) -> int | None:
    """Who has taken back a move in this step, of which nothing is to be said any more."""
    first = events[0]
    return first.seat if isinstance(first, StepUndone) else None


def may_be_told(table: Table, move: JudgedMove) -> bool:
    """Whether the player of that move still wants to hear of it, and so do all others."""
    return table.is_coached and table.places[move.seat - 1].owner == move.owner


def percent_of(remark: Remark) -> int:
    """About how much was given away, in percent of a game."""
    return round(100 * remark.loss)


def remark_words(
    remark: Remark,
    view: View,
    names: Sequence[str],
    language: Language,
    card_text: CardText | None = None,
) -> tuple[str, ...]:
    """What the coach says to the player of that view: what was done and what was better, and why."""
    sentence = language.say(
        "coach.live",
        played=language.action(remark.played, view, names, card_text),
        better=language.action(remark.better, view, names, card_text),
        loss=percent_of(remark),
    )
    reasons = [language.reason(reason, names, card_text) for reason in remark.reasons]
    return (capital(sentence), *reasons)
