"""What lists of tables show of one."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import Struct

from phaseten.server.store.games import finished_game
from phaseten.server.store.interface import Listed, Listing
from phaseten.table.duties import next_duty
from phaseten.table.options import Options
from phaseten.table.state import Place, Table


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
    joinable: int = 0
    """Seats of bots that can be taken while the game is going on."""


class ListedTable(Struct, frozen=True):
    """A table in a list, with its code."""

    code: str
    stage: str
    changed: int
    about: About


class MyTable(ListedTable, frozen=True):
    """A table in the list of somebody who sits there."""

    turn: str
    """Who is on turn; empty where nobody is, or where there are too many tables to look at."""
    yours: bool
    """Whether it is the turn of the one who asks."""


def listing_of(table: Table, before: Table | None = None) -> Listing:
    """The table's entry in the store's lists, with what is new in it since the table ``before``."""
    duty = next_duty(table)
    rules, places = table.rules, table.places
    is_seated_anew = before is None or (places, table.host) != (before.places, before.host)
    return Listing(
        table.stage,
        table.options.public,
        duty.at if duty is not None else None,
        _about(rules.edition.title, rules.variant.text, table.host_name, places, table.options),
        table.owners if is_seated_anew else (),
        finished_game(table, before) if before is not None else None,
        table.is_among_bots,
    )


@lru_cache(maxsize=4_096)  # it stays the same while people play
def _about(title: str, variant: str, host: str, places: tuple[Place, ...], options: Options) -> str:
    about = About(
        title,
        variant,
        host,
        tuple([place.name for place in places if not place.is_empty]),
        len(places),
        sum(place.is_empty for place in places),
        options.timer,
        sum(bool(place.bot) for place in places) if options.join else 0,
    )
    return msgspec.json.encode(about).decode()


def listed_table(listed: Listed) -> ListedTable:
    """An entry as it is sent."""
    about = msgspec.json.decode(listed.about, type=About)
    return ListedTable(listed.table, listed.stage, listed.changed, about)
