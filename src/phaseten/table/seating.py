"""Sitting down at a table, standing up, and being sent away."""

from __future__ import annotations

from typing import Final

from phaseten.bots.ladder import LADDER
from phaseten.table.characters import BOT_NAMES, FACES
from phaseten.table.commands import TakeSeat
from phaseten.table.events import (
    BotSeated,
    FaceChosen,
    HostChanged,
    HostOwned,
    OwnerBarred,
    PlayerRemoved,
    PlayerRenamed,
    SeatLeft,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    TableEvent,
)
from phaseten.table.names import MOST_NAME, clean_text, is_visible, look_alike
from phaseten.table.state import PLAYING, WAITING, Place, Table
from phaseten.table.verdicts import Decision, TableRefusal
from phaseten.table.verdicts import no as _no

MOST_REASON: Final = 120
"""Letters of what somebody who is sent away is told."""


def name_of(text: str) -> str | TableRefusal:
    """The name as it is shown, or why nobody can be called that."""
    name = clean_text(text)
    if not 0 < len(name) <= MOST_NAME:
        return _no("bad-name", most=MOST_NAME)
    return name if is_visible(name) else _no("invisible")


def take_seat(table: Table, owner: str, command: TakeSeat) -> Decision:
    """What follows when somebody wants that seat: before the game an empty one, in it perhaps a bot's."""
    place = table.place(command.seat)
    if place is None:
        return _no("no-such-seat", number=command.seat)
    own = table.seat_of(owner)
    refusal = _not_free(table, place, own, owner)
    if refusal is not None:
        return refusal
    name = name_of(command.name)
    if not isinstance(name, str):
        return name
    if command.face and command.face not in FACES:
        return _no("bad-face", names=", ".join(FACES))
    others = [other.name for seat, other in table.seated if seat not in (own, command.seat)]
    found = look_alike(name, others)
    if found is not None:
        is_same = found.casefold() == name.casefold()
        return _no("name-taken") if is_same else _no("look-alike", name=found)
    if own is None:
        face = (FaceChosen(command.seat, command.face),) if command.face else ()
        taken: Decision = (SeatTaken(command.seat, name), SeatOwned(command.seat, owner), *face)
    else:
        taken = _change_seat(table, own, command._replace(name=name))
    if owner != table.host or not isinstance(taken, tuple):
        return taken
    return (*taken, HostChanged(name, command.seat))


def _not_free(table: Table, place: Place, own: int | None, owner: str) -> TableRefusal | None:
    """Why somebody who has that seat of the own, or none, cannot sit there."""
    if owner in table.barred:
        return _no("barred")
    if table.stage == PLAYING and own is None:
        if not table.options.join:
            return _no("no-joining")
        return None if place.bot else _no("seat-taken")
    if table.stage != WAITING:
        return _no("game-going-on")
    return None if place.is_empty or place.owner == owner else _no("seat-taken")


def _change_seat(table: Table, seat: int, wanted: TakeSeat) -> Decision:
    """Another seat, name or face for somebody who sits there."""
    place = table.places[seat - 1]
    renamed = (PlayerRenamed(seat, wanted.name),) if wanted.name != place.name else ()
    faced = (FaceChosen(seat, wanted.face),) if wanted.face not in ("", place.face) else ()
    moved = (SeatMoved(seat, wanted.seat),) if seat != wanted.seat else ()
    return (*renamed, *faced, *moved) or _no("already-seated")


def successors(table: Table, owner: str, seat: int) -> tuple[TableEvent, ...]:
    """What follows when a seat is given up: a bot for it in a game, and another host."""
    events: tuple[TableEvent, ...] = ()
    if table.stage == PLAYING:
        events = (seated_bot(table, seat, table.options.stand_in),)
    others = [other for other, place in table.seated if place.owner and other != seat]
    if owner == table.host and others:
        events = (*events, *made_host(table, others[0]))
    return events


def seated_bot(table: Table, seat: int, level: str) -> BotSeated:
    """That a bot sits down there, by a name that nobody has."""
    names = {place.name for other, place in table.seated if other != seat}
    name = BOT_NAMES[seat - 1]
    return BotSeated(seat, name if name not in names else f"{name} (bot)", level)


def made_host(table: Table, seat: int) -> tuple[TableEvent, ...]:
    """That whoever sits there is the host now."""
    place = table.places[seat - 1]
    return (HostOwned(place.owner), HostChanged(place.name, seat))


def clear_seat(table: Table, seat: int, place: Place, reason: str) -> Decision:
    """What follows when the host sends away whoever sits there, and says why or does not."""
    if place.is_empty:
        return _no("nobody-there")
    if place.bot:
        return (SeatLeft(seat),) if table.stage != PLAYING else _no("game-going-on")
    if place.owner == table.host:
        return _no("not-yourself")
    why = clean_text(reason)
    if len(why) > MOST_REASON:
        return _no("bad-reason", most=MOST_REASON)
    if why and not is_visible(why):
        return _no("invisible")
    gone = (PlayerRemoved(seat, why), OwnerBarred(place.owner))
    return (*gone, *successors(table, place.owner, seat))


def unknown_bot(level: str) -> TableRefusal | None:
    """A refusal where there is no bot of that level."""
    return None if level in LADDER else _no("bad-bot", names=", ".join(LADDER))
