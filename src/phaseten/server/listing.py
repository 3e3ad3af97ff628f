"""What lists of tables show of one."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from phaseten.server.games import finished_game
from phaseten.server.store import Listed, Listing
from phaseten.server.table import Table, next_duty


class About(Struct, frozen=True):
    """A table in a list."""

    title: str
    """The edition."""
    variant: str
    host: str
    names: tuple[str, ...]
    """Who sits there."""
    seats: int
    free: int
    timer: int | None


class ListedTable(Struct, frozen=True):
    """A table in a list, with its code."""

    code: str
    stage: str
    changed: int
    about: About


def listing_of(table: Table, before: Table | None = None) -> Listing:
    """The table's entry in the store's lists, and the game that ended since the table ``before``."""
    duty = next_duty(table)
    about = About(
        table.rules.edition.title,
        table.rules.variant.text,
        table.host_name,
        tuple([place.name for place in table.places if not place.is_empty]),
        len(table.places),
        sum(place.is_empty for place in table.places),
        table.options.timer,
    )
    return Listing(
        table.stage,
        table.options.public,
        duty.at if duty is not None else None,
        msgspec.json.encode(about).decode(),
        table.owners,
        finished_game(table, before) if before is not None else None,
    )


def listed_table(listed: Listed) -> ListedTable:
    """An entry as it is sent."""
    about = msgspec.json.decode(listed.about, type=About)
    return ListedTable(listed.table, listed.stage, listed.changed, about)
