"""What both stores read, in the same words of SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from phaseten.server.store.interface import (
    ALL,
    Base,
    KeptGame,
    KeptStep,
    Listed,
    PlayedGame,
    Step,
    Subscription,
)
from phaseten.server.store.sql import (
    READ_ABANDONED,
    READ_ANALYSIS,
    READ_BASE,
    READ_GAME,
    READ_GAMES_AT,
    READ_OWNED,
    READ_PLAYED,
    READ_PUBLIC,
    READ_SCHEMA,
    READ_STEPS,
    READ_SUBSCRIPTIONS,
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

    async def analysis(self, game: str, language: str) -> str | None:
        """What the coach said about a finished game, if it was asked."""
        rows = await self._fetch(READ_ANALYSIS, game, language)
        return rows[0][0] if rows else None

    async def games_of(self, owner: str, most: int) -> Sequence[PlayedGame]:
        """The finished games that somebody played, the last one first."""
        rows = await self._fetch(READ_PLAYED, owner, most)
        return [PlayedGame(KeptGame(*game), seat) for *game, seat in rows]

    async def games_at(self, table: str) -> Sequence[KeptGame]:
        """The finished games of a table."""
        return [KeptGame(*row) for row in await self._fetch(READ_GAMES_AT, table)]

    async def read(self, table: str, after: int = 0, most: int = ALL) -> Sequence[KeptStep]:
        """The steps of a table after that version, in order; no more than so many."""
        rows = await self._fetch(READ_STEPS, table, after, most)
        return [KeptStep(version, Step(at, events, form)) for version, at, events, form in rows]

    async def base(self, table: str, form: str, until: int = ALL) -> Base | None:
        """The last snapshot of that form, up to that version; None where there is no such table."""
        rows = await self._fetch(READ_BASE, table, form, until)
        return Base(*rows[0]) if rows else None

    async def public_tables(self, most: int) -> Sequence[Listed]:
        """The public tables that are not finished."""
        return [Listed(*row) for row in await self._fetch(READ_PUBLIC, most)]

    async def tables_of(self, owner: str, most: int) -> Sequence[Listed]:
        """The tables at which somebody sat."""
        return [Listed(*row) for row in await self._fetch(READ_OWNED, owner, most)]

    async def abandoned(self, before: int, most: int) -> Sequence[tuple[str, int]]:
        """Tables at which nothing has happened since that time, and their versions."""
        rows = await self._fetch(READ_ABANDONED, before, most)
        return [(table, version) for table, version in rows]

    async def subscriptions_of(self, owner: str) -> Sequence[Subscription]:
        """Where somebody wants to hear of turns."""
        return [Subscription(*row) for row in await self._fetch(READ_SUBSCRIPTIONS, owner)]

    async def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read."""
        await self._fetch(READ_SCHEMA)
