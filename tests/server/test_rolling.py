"""Servers that are told to end, and started again, while people play: they see nothing but a reconnect."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.server.marathon import (
    Player,
    all_back,
    check_all,
    held_up,
    play_all,
    play_for,
    sit_down,
    slowed_down,
    strike,
)
from tests.server.release import ReleasedService, build_release
from tests.server.service import Service, browser, run

COME_BACK = 1012
"""The close code of a server that restarts."""


def check_calm(tables: list[list[Player]], *services: Service) -> None:
    """Nobody saw anything but 'come back', and nothing but that was logged."""
    for players in tables:
        for player in players:
            assert set(player.lost) <= {COME_BACK}
            assert set(player.refused) <= {"stale"}  # the second tap of two
    for service in services:
        logged = service.logged.splitlines()
        assert [line for line in logged if '"level": "info"' not in line] == []


def restart_one_after_the_other(url: str, tables: int, restarts: int, variant: str) -> None:
    with Service(url) as one, Service(url) as two:
        order = [(one, two)[i % 2] for i in range(restarts)]
        statuses: set[int] = set()

        async def restart() -> None:
            node = order.pop()
            async with slowed_down(playing, 20):
                await asyncio.to_thread(node.stop)
            await play_for(playing, 10)  # at the other one
            async with held_up(playing):  # or they would be done before the node is back
                await asyncio.to_thread(node.start)

        async def look_around() -> None:
            """What a proxy in front of both would get from the node that is up."""
            while order:
                for node in (one, two):
                    try:
                        async with browser(node) as http:
                            statuses.add((await http.get("/readyz")).status_code)
                            statuses.add((await http.get("/api/tables")).status_code)
                    except httpx.TransportError:
                        continue
                await asyncio.sleep(0.05)

        playing: list[list[Player]] = []

        async def main() -> None:
            playing[:] = [await sit_down([one, two], 2, variant=variant) for _ in range(tables)]
            blows = strike(playing, restarts, random.Random(3), restart)
            await play_all(playing, blows, look_around())
            assert all(player.lost for players in playing for player in players)
            await check_all(url, playing)
            check_calm(playing, one, two)
            assert statuses == {200}

        run(main)


def test_nodes_are_restarted_one_after_the_other(new_database: Callable[[], str]) -> None:
    restart_one_after_the_other(new_database(), tables=1, restarts=2, variant="phases=7")


@pytest.mark.long
def test_nodes_are_restarted_again_and_again(new_database: Callable[[], str]) -> None:
    restart_one_after_the_other(new_database(), tables=8, restarts=10, variant="standard")


def test_a_server_is_told_to_end_and_started_again(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    with Service(database) as service:
        restarts = 0

        async def restart() -> None:
            nonlocal restarts
            restarts += 1
            async with slowed_down(playing, 20):
                await asyncio.to_thread(service.stop)
            async with held_up(playing):  # who is not back yet cannot lose the connection again
                await asyncio.to_thread(service.start)
                await all_back(playing, restarts)

        playing: list[list[Player]] = []

        async def main() -> None:
            playing[:] = [
                await sit_down([service], 2, variant="phases=4", seats=3) for _ in range(2)
            ]
            await play_all(playing, strike(playing, 2, random.Random(4), restart))
            assert all(len(player.lost) >= 2 for players in playing for player in players)
            await check_all(database, playing)
            check_calm(playing, service)

        run(main)


@pytest.mark.long
def test_the_last_release_is_replaced_node_by_node(
    new_database: Callable[[], str], tmp_path: Path
) -> None:
    """Old and new together serve the same tables, and the database is brought up to date under the old ones."""
    url, release = new_database(), build_release(tmp_path)
    with ReleasedService(url, release) as one, ReleasedService(url, release) as two:
        still_old = [one, two]

        async def replace() -> None:
            node = still_old.pop()
            async with held_up(playing):  # or they would be done before the node is back
                await asyncio.to_thread(node.upgrade)
            if still_old:
                await play_for(playing, 40)  # at both
                async with held_up(playing):  # an old node that dies comes back to a new database
                    await asyncio.to_thread(one.kill)
                    await asyncio.to_thread(one.start)

        playing: list[list[Player]] = []

        async def main() -> None:
            playing[:] = [await sit_down([one, two], 2, stand_in="rookie") for _ in range(2)]
            await play_all(playing, strike(playing, 2, random.Random(5), replace))
            assert not still_old
            await check_all(url, playing)

        run(main)
        for service in (one, two):
            assert '"level": "error"' not in service.logged
