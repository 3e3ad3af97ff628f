"""Nothing lost: processes are killed in the middle of games, and people come back."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.marathon import Player, check_all, held_up, play_all, play_for, sit_down, strike
from tests.server.service import Client, Service, open_table, run


def check_killed(tables: list[list[Player]], kills: int) -> None:
    """Connections broke off, and nobody was refused anything but the second tap of two."""
    everybody = [player for players in tables for player in players]
    assert {code for player in everybody for code in player.lost} == {None}
    assert sum(len(player.lost) for player in everybody) >= kills
    assert {reason for player in everybody for reason in player.refused} <= {"stale"}


def kill_again_and_again(
    database: str, tables: int, kills: int, seed: int, variant: str = "standard"
) -> None:
    """One server, people at several tables; it is killed in the middle of what they do."""
    rng = random.Random(seed)
    with Service(database) as service:

        async def kill() -> None:
            await asyncio.to_thread(service.kill)
            await asyncio.to_thread(service.start)

        async def main() -> None:
            playing = [
                await sit_down([service], 2 + i % 2, seats=3, variant=variant)
                for i in range(tables)
            ]
            await play_all(playing, strike(playing, kills, rng, kill))
            check_killed(playing, kills)
            await check_all(database, playing)

        run(main, 300)
        assert '"level": "error"' not in service.logged


def kill_one_of_two(
    url: str, tables: int, kills: int, seed: int, variant: str = "standard"
) -> None:
    """Two nodes, people of each table at both; now one is killed and now the other."""
    rng = random.Random(seed)
    with Service(url) as one, Service(url) as two:

        async def kill() -> None:
            anybody = rng.choice([player for players in playing for player in players])
            node = one if anybody.nodes[0] is one else two
            await asyncio.to_thread(node.kill)
            await play_for(playing, rng.randint(0, 20))
            async with held_up(playing):  # or they would be done before the node is back
                await asyncio.to_thread(node.start)

        playing: list[list[Player]] = []

        async def main() -> None:
            playing[:] = [
                await sit_down([one, two], 2 + i % 2, variant=variant) for i in range(tables)
            ]
            await play_all(playing, strike(playing, kills, rng, kill))
            check_killed(playing, kills)
            await check_all(url, playing)

        run(main, 300)
        for node in (one, two):
            assert '"level": "error"' not in node.logged


def test_a_server_is_killed_again_and_again(tmp_path: Path) -> None:
    kill_again_and_again(
        str(tmp_path / "tables.sqlite"), tables=2, kills=2, seed=5, variant="phases=5"
    )


def test_one_of_two_nodes_is_killed_again_and_again(new_database: Callable[[], str]) -> None:
    kill_one_of_two(new_database(), tables=2, kills=2, seed=6, variant="phases=6")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_many_games_of_a_server_that_is_killed_all_the_time(database: str, seed: int) -> None:
    kill_again_and_again(database, tables=8, kills=12, seed=seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_many_games_of_two_nodes_that_are_killed_all_the_time(
    new_database: Callable[[], str], seed: int
) -> None:
    kill_one_of_two(new_database(), tables=6, kills=10, seed=seed)


def test_one_of_two_nodes_dies_for_good(new_database: Callable[[], str]) -> None:
    """People at both nodes; the host's dies. She goes on at the other one, and so do the bots."""
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def kill() -> None:
            await asyncio.to_thread(one.kill)

        async def main() -> None:
            players = await sit_down([one, two], 2, variant="phases=5")
            ana, beto = players
            beto.nodes = [two]
            await play_all([players], strike([players], 1, random.Random(1), kill))
            assert (ana.lost != [], beto.lost) == (True, [])
            await check_all(url, [players])

        run(main)


def test_a_turn_of_a_node_that_died_ends_in_time(new_database: Callable[[], str]) -> None:
    """The node that watched the clock is gone; another one lets a bot play for who does not act."""
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def main() -> None:
            code = await open_table(one, "a" * 43, seats=2, timer=5, pace=0)
            ana, watcher = Client(one, code, "a" * 43), Client(two, code)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            await ana.until(lambda update: bool(update["actions"]))
            await watcher.connect()
            await asyncio.to_thread(one.kill)
            version = watcher.update["version"]
            await watcher.until(lambda update: bool(update["table"]["seats"][0]["stand_in"]))
            await watcher.until(lambda update: update["version"] > version + 10)

        run(main)
