"""Who looks at a table, and what that one may see of what happens there."""

from __future__ import annotations

from typing import Final, NamedTuple

from phaseten.language import LANGUAGES, Language, language
from phaseten.rules.views import seen_by
from phaseten.table.events import Open, Reacted, Said, Secret, TableEvent
from phaseten.table.sentences import Shown
from phaseten.table.state import WAITING, Table

NO_SEATS: Final = frozenset[int]()
MOST_PAST: Final = 300
"""Steps that are told to somebody who asks what happened before."""
FIRST: Final = language(LANGUAGES[0])
"""For whoever has not said which language to use."""


class Viewer(NamedTuple):
    """Who looks: a seat or a watcher, whether it is the host, and how that one wants to be told."""

    seat: int | None
    host: bool
    language: Language = FIRST
    muted: frozenset[int] = NO_SEATS
    """The seats whose talk is not told."""


class TableStep(NamedTuple):
    """A step of a table, read."""

    version: int
    at: int
    events: tuple[TableEvent, ...]


def viewer_of(
    table: Table,
    owner: str,
    language: Language = FIRST,
    muted: frozenset[int] = NO_SEATS,
) -> Viewer:
    """Who the one with that token is at this table."""
    return Viewer(table.seat_of(owner), owner == table.host, language, muted)


def may_look(table: Table, viewer: Viewer) -> bool:
    """Whether the viewer may see what happens: before the game everybody may, to find a seat."""
    watches = viewer.seat is None and not viewer.host
    return not watches or table.options.watchers or table.stage == WAITING


def shown(step: TableStep, seat: int | None, muted: frozenset[int] = NO_SEATS) -> list[Shown]:
    """What that seat, or a watcher, is shown of a step."""
    found: list[Shown] = []
    for event in step.events:
        match event:
            case Said(by) | Reacted(by) if by in muted:
                pass
            case Open():
                found.append(event)
            case Secret():
                pass
            case _:
                found.append(seen_by(event, seat))
    return found
