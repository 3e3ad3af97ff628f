"""Finished games: their names, what lists show of them, and how they are told from the log."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from phaseten.rules.events import HandScored
from phaseten.server.store.interface import FinishedGame, KeptGame, KeptStep, PlayedGame, Store
from phaseten.server.store.records import read_step, record_of
from phaseten.server.store.snapshots import FORM, DamagedSnapshotError, read_table
from phaseten.table.fold import apply
from phaseten.table.state import FINISHED, PLAYING, Table, empty_table

ID_LENGTH: Final = 26
ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
"""130 bits of base32: who has not been given the name of a game does not find it."""


class GameAbout(Struct, frozen=True):
    """A finished game. Lists by seat begin with seat 1."""

    title: Annotated[str, Meta(description="The edition.")]
    variant: str
    names: Annotated[tuple[str, ...], Meta(description="Who sat where when it began.")]
    winner: Annotated[int | None, Meta(description="A seat; null where it was called off.")]
    phases: Annotated[tuple[int, ...], Meta(description="How many Phases each seat has made.")]
    totals: Annotated[tuple[int, ...], Meta(description="The points of each seat.")]
    hands: Annotated[int, Meta(description="How many hands were played to their end.")]
    custom: Annotated[bool, Meta(description="Whether it was played by an edition of its own.")]


class HandAbout(Struct, frozen=True):
    """A hand of a finished game. Lists by seat begin with seat 1."""

    out: int | None
    points: tuple[int, ...]
    made: tuple[int, ...]
    """The number of the Phase that each seat has made; 0: none."""


class KeptAbout(GameAbout, frozen=True):
    """What is kept of a finished game beside its record: for lists, and for statistics."""

    bots: tuple[str, ...] = ()
    """The level of the bot in each seat; empty for a person."""
    course: tuple[HandAbout, ...] = ()
    """Its hands, less those of a tie; games of older versions have none."""


class ListedGame(Struct, frozen=True):
    """A finished game in the list of somebody who played it."""

    id: str
    code: Annotated[str, Meta(description="The table's.")]
    ended: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    seat: Annotated[int | None, Meta(description="Where the one who asks sat.")]
    host: Annotated[bool, Meta(description="Whether the one who asks may delete it.")]
    about: GameAbout


class ShownGame(Struct, frozen=True):
    """A finished game, for whoever has its link."""

    id: str
    ended: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    host: Annotated[bool, Meta(description="Whether the one who asks may delete it.")]
    about: GameAbout


def finished_game(table: Table, before: Table) -> FinishedGame | None:
    """The game that was going on before the step and is over after it."""
    if before.stage != PLAYING or table.stage != FINISHED or table.game is None:
        return None
    sheet = table.game.sheet
    about = KeptAbout(
        table.rules.edition.title,
        table.rules.variant.text,
        table.names,
        sheet.winner,
        tuple([len(table.rules.phases) - len(left) for left in sheet.left]),
        sheet.totals,
        len(sheet.hands),
        bool(table.options.custom),
        tuple([place.bot for place in table.places]),
        _course(sheet.hands, len(table.places)),
    )
    seats = {place.owner: seat for seat, place in table.seated if place.owner}
    return FinishedGame(
        _game_id(table),
        table.games,
        table.since + 1,
        table.host,
        msgspec.json.encode(about).decode(),
        tuple(({table.host: 0} | seats).items()),
    )


def _course(hands: Sequence[HandScored], seats: int) -> tuple[HandAbout, ...]:
    return tuple(
        [
            HandAbout(
                hand.out,
                tuple([dict(hand.points).get(seat, 0) for seat in range(1, seats + 1)]),
                tuple([dict(hand.made).get(seat, 0) for seat in range(1, seats + 1)]),
            )
            for hand in hands
            if not hand.tiebreak
        ]
    )


def _game_id(table: Table) -> str:
    """The same on every node, and unknown to everybody until the seed is revealed."""
    text = f"phaseten game {table.server_seed} {table.code} {table.games}"
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:ID_LENGTH]


def is_game_id(text: str) -> bool:
    """Whether a game could have that name."""
    return len(text) == ID_LENGTH and not set(text) - set(ID_LETTERS)


def listed_game(played: PlayedGame, owner: str) -> ListedGame:
    """An entry of somebody's list as it is sent."""
    game = played.game
    seat = played.seat or None
    return ListedGame(game.game, game.table, game.ended, seat, game.host == owner, _about(game))


def shown_game(game: KeptGame, owner: str) -> ShownGame:
    """A game as it is sent to whoever has its link."""
    return ShownGame(game.game, game.ended, game.host == owner, _about(game))


def _about(game: KeptGame) -> GameAbout:
    return msgspec.json.decode(game.about, type=GameAbout)


class LoadedGame(NamedTuple):
    """A finished game, read from the log."""

    game: KeptGame
    table: Table
    """As it stood when the game ended."""
    record: str
    """The whole record, with the seeds."""

    @property
    def edition(self) -> str:
        """The TOML of its own edition, or nothing where it was played by one of the book."""
        return self.table.options.custom


async def read_game(store: Store, game: KeptGame) -> tuple[Table, Sequence[KeptStep]]:
    """The table as the game began, or before, and the steps from there to the game's end."""
    base = await store.base(game.table, FORM, game.first)
    table = empty_table(game.table)
    if base is not None and base.version:
        with suppress(DamagedSnapshotError):
            table = read_table(base.state)
    log = await store.read(game.table, table.version, game.last - table.version)
    return table, log


def load_game(game: KeptGame, table: Table, log: Sequence[KeptStep]) -> LoadedGame | None:
    """The game at a table that stood so before these steps; None where it is not there any more."""
    mine = [read_step(kept) for kept in log if kept.version <= game.last]
    for step in mine:
        table = apply(table, step.at, step.events)
    record = record_of(table, mine, None, f"{game.game}.toml")
    return LoadedGame(game, table, record) if record is not None else None
