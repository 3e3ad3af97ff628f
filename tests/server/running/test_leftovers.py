"""What many tables leave behind is given back when nearly all of them are gone, and only then."""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import pytest

from phaseten.server.running import leftovers
from phaseten.server.running.leftovers import MANY, QUIET, Leftovers, empty_caches
from tests.patience import PATIENCE
from tests.server.service import FAST, Client, Service, browser, open_table, run

MORE = ("--limit=connections_of_address=10000", "--limit=sockets_of_address=10000")
TABLES = 2 * MANY
WATCHERS = 4
FEW = 20
"""Tables that come first, so that the server has done everything once."""


@pytest.mark.parametrize(
    ("tables", "cleared"),
    [
        ([0] * 30, []),
        ([MANY - 1, *[0] * 30], []),
        ([MANY, *[0] * 30], [1 + QUIET]),
        ([MANY, *[11] * 30], []),
        ([MANY, *[50] * 30, *[9] * QUIET, *[8] * 30], [31 + QUIET + QUIET]),
        ([MANY, *[9] * 30, MANY, *[9] * 30], [1 + QUIET, 32 + QUIET]),
        ([100 * MANY, *[10 * MANY] * 20, *[0] * 20], [1 + QUIET, 21 + QUIET]),
    ],
)
def test_it_is_cleared_up_when_nearly_all_tables_are_gone(
    tables: Sequence[int], cleared: Sequence[int]
) -> None:
    forgotten: list[int] = []

    async def forget() -> None:
        forgotten.append(1)

    async def look() -> list[int]:
        kept = Leftovers(forget)
        return [when for when, number in enumerate(tables) if await kept.look(number)]

    assert asyncio.run(look()) == cleared
    assert len(forgotten) == len(cleared)


@lru_cache(maxsize=8)
def half(number: int) -> float:
    return number / 2


@cache
def double(number: int) -> int:
    return number * 2


def test_caches_that_have_an_end_are_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "half", half, raising=False)
    monkeypatch.setattr(leftovers, "double", double, raising=False)
    half(1)
    double(1)
    empty_caches()
    assert half.cache_info().currsize == 0
    assert double.cache_info().currsize == 1


class HastyService(Service):
    """It forgets tables at once, and has the C library's allocator, which can return single pages.

    It looks often: with the usual second between two looks all of them could come and go unseen.
    """

    PROGRAM = (
        "-c",
        """
from phaseten.server.running import leftovers, live_table, node
live_table.IDLE_SECONDS = 0.0
node.SWEEP_SECONDS = 0.1
leftovers.MANY = 50
leftovers.QUIET = 40
from tests.server.foreseen import main
main()
""",
    )

    @property
    def kilobytes(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    async def tables(self) -> int:
        async with browser(self) as http:
            text = (await http.get("/metrics")).text
        return int(float(text.partition("\nphaseten_tables ")[2].split()[0]))


@pytest.mark.skipif(
    sys.platform != "linux" or "CS_GNU_LIBC_VERSION" not in os.confstr_names,
    reason="only glibc can be asked to return memory",
)
def test_the_memory_of_tables_that_were_left_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONMALLOC", "malloc")

    async def come(service: HastyService, tables: int) -> list[Client]:
        codes = [await open_table(service, "Ana") for _ in range(tables)]
        clients = [Client(service, code, "Ana") for code in codes for _ in range(WATCHERS)]
        for client in clients:
            await client.connect()
        assert await service.tables() == tables
        return clients

    async def go(service: HastyService, clients: Sequence[Client]) -> None:
        for client in clients:
            await client.close()
        while await service.tables():
            await asyncio.sleep(0.2)

    with HastyService(str(tmp_path / "tables.sqlite"), *FAST, *MORE) as service:

        async def main() -> None:
            await go(service, await come(service, FEW))
            start = service.kilobytes
            clients = await come(service, TABLES)
            most = service.kilobytes
            await go(service, clients)
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while service.kilobytes > (start + most) / 2:
                        await asyncio.sleep(0.2)
            left = service.kilobytes
            assert left <= (start + most) / 2, f"{start} kB, {most} kB, then {left} kB"

        run(main)
