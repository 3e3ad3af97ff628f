"""What both stores read, in the same words of SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from phaseten.server.store.interface import KeptGame, KeptStep, Listed, PlayedGame, Step
from phaseten.server.store.sql import (
    READ_GAME,
    READ_GAMES_AT,
    READ_OWNED,
    READ_PLAYED,
    READ_PUBLIC,
    READ_SCHEMA,
    READ_STEPS,
    Value,
)


class Queries(ABC):
    """The reading half of a Store."""

    @abstractmethod
    async def _fetch(self, sql: str, *values: Value) -> list[Any]:
        """The rows of a query; a StoreUnavailableError where there is no answer."""

    async def game(self, game: str) -> KeptGame | None:
        """A finished game, or None where there is none."""
        rows = await self._fetch(READ_GAME, game)
        return KeptGame(*rows[0]) if rows else None

    async def games_of(self, owner: str, most: int) -> Sequence[PlayedGame]:
        """The finished games that somebody played, the last one first."""
        rows = await self._fetch(READ_PLAYED, owner, most)
        return [PlayedGame(KeptGame(*game), seat) for *game, seat in rows]

    async def games_at(self, table: str) -> Sequence[KeptGame]:
        """The finished games of a table."""
        return [KeptGame(*row) for row in await self._fetch(READ_GAMES_AT, table)]

    async def read(self, table: str, after: int = 0) -> Sequence[KeptStep]:
        """The steps of a table after that version, in order."""
        rows = await self._fetch(READ_STEPS, table, after)
        return [KeptStep(version, Step(at, events)) for version, at, events in rows]

    async def public_tables(self, most: int) -> Sequence[Listed]:
        """The public tables that are not finished."""
        return [Listed(*row) for row in await self._fetch(READ_PUBLIC, most)]

    async def tables_of(self, owner: str, most: int) -> Sequence[Listed]:
        """The tables at which somebody sat."""
        return [Listed(*row) for row in await self._fetch(READ_OWNED, owner, most)]

    async def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read."""
        await self._fetch(READ_SCHEMA)
