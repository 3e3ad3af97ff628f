"""Of tables that everybody has left nothing is kept but what is shared by all."""

import asyncio
import gc
from pathlib import Path

import pytest

from phaseten.server.running import live_table, presence
from phaseten.server.running.live_table import LiveTable
from phaseten.table.commands import StartGame
from phaseten.table.state import Table
from tests.patience import PATIENCE
from tests.server.running.test_node import Ear, Place, with_node

TABLES = 20


def kept(codes: list[str]) -> int:
    """How many of these tables are still somewhere."""
    gc.collect()
    found = 0
    for thing in gc.get_objects():
        if isinstance(thing, LiveTable):
            found += thing.table.code in codes
        elif isinstance(thing, Table):
            found += thing.code in codes
    return found


def test_nothing_is_kept_of_tables_that_were_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "IDLE_SECONDS", 0.0)
    monkeypatch.setattr(presence, "LINGER", 0.0)

    async def visit(place: Place) -> list[str]:
        codes: list[str] = []
        for number in range(TABLES):
            code = await place.seat_two(pace=0)
            await place.node.registry.ask(code, "ana", StartGame())
            ear = Ear(f"guest {number}")
            await place.node.audience.join(code, ear, None)
            place.node.audience.leave(code, ear)
            codes.append(code)
        return codes

    async def use(place: Place) -> None:
        codes = await visit(place)
        async with asyncio.timeout(PATIENCE):
            while place.node.registry.all or kept(codes):
                await asyncio.sleep(0.1)

    with_node(tmp_path, use)
