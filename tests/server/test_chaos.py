"""Two nodes and their database, of which something is killed, stopped, filled or confused all the time while people
and bots play: no move is lost, none is made twice, and every game can be judged.

``PHASETEN_BLOWS=10 pytest -m long tests/server/test_chaos.py`` is the short form.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.server.cluster import Cluster, programs
from tests.server.marathon import Player, check_all, moves_of, play_all, sit_down
from tests.server.service import Service, browser, run

BLOWS = int(os.environ.get("PHASETEN_BLOWS", "1000"))
SEED = int(os.environ.get("PHASETEN_CHAOS_SEED", "1"))
TABLES = 4
DISK = "160m"
LONGEST = 60.0
"""Seconds without a move at a table, when the last blow is healed, after which that table is thought dead."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="stops processes as Linux does"),
]


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk for the database, which can be filled; not in pytest's folders, which it keeps for root."""
    place = Path(tempfile.mkdtemp(prefix="phaseten-disk-"))
    place.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("a disk can be mounted only by root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
    place.rmdir()


@pytest.fixture
def own_cluster(disk: Path) -> Iterator[Cluster]:
    folder = programs()
    if folder is None:
        pytest.skip("PostgreSQL is not installed: .ci/services says how")
    place = disk / "postgres"
    place.mkdir()
    own = Cluster(folder, folder=place)
    yield own
    own.remove()


class Chaos:
    """Does something bad, chosen by chance, and mends it a little later."""

    def __init__(self, cluster: Cluster, url: str, nodes: list[Service], disk: Path) -> None:
        self._cluster = cluster
        self._url = url
        self._nodes = nodes
        self._disk = disk
        self._rng = random.Random(SEED)
        self.done: Counter[str] = Counter()
        self.last = "nothing"

    async def strike(self) -> None:
        blows = (
            self.kill_node, self.kill_node, self.restart_node, self.freeze_node, self.kill_backend,
            self.kill_database, self.freeze_database, self.fill_disk, self.poison,
        )  # fmt: skip
        blow = self._rng.choice(blows)
        self.last = blow.__name__
        await blow()
        self.done[blow.__name__] += 1

    async def _wait(self, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(0, most))

    async def kill_node(self) -> None:
        node = self._rng.choice(self._nodes)
        await asyncio.to_thread(node.kill)
        await self._wait(0.5)
        await asyncio.to_thread(node.start)

    async def restart_node(self) -> None:
        node = self._rng.choice(self._nodes)
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)

    async def freeze_node(self) -> None:
        """As long as a disk, a virtual machine or a network may take."""
        node = self._rng.choice(self._nodes)
        os.kill(node.pid, signal.SIGSTOP)
        await self._wait(2.0)
        os.kill(node.pid, signal.SIGCONT)

    async def kill_backend(self) -> None:
        """The database gives up all its connections and starts anew by itself."""
        _, *others = self._cluster.processes()
        with suppress(ProcessLookupError):
            os.kill(self._rng.choice(others), signal.SIGKILL)

    async def kill_database(self) -> None:
        await asyncio.to_thread(self._cluster.stop)
        await self._wait(0.5)
        await asyncio.to_thread(self._cluster.start)

    async def freeze_database(self) -> None:
        processes = self._cluster.processes()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        await self._wait(2.0)
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    async def fill_disk(self) -> None:
        """Until nothing fits any more; the database may give up for that."""
        filling = self._disk / "filling"
        with suppress(OSError):
            filling.write_bytes(bytes(256 * 2**20))
        await self._wait(1.0)
        filling.unlink()
        await asyncio.to_thread(self._cluster.ensure)

    async def poison(self) -> None:
        """Somebody says nonsense to the nodes."""
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            connection = await asyncpg.connect(self._url, timeout=5)
            try:
                for channel in ("phaseten", "phaseten_notices"):
                    text = self._rng.choice(("nonsense", "CODE many", "CODE node x/y/z", ""))
                    await connection.execute("SELECT pg_notify($1, $2)", channel, text)
            finally:
                await connection.close(timeout=5)


class Progress:
    """When each table moved last, since the last blow was healed."""

    def __init__(self, tables: list[list[Player]]) -> None:
        self._tables = tables
        self._versions = [version_of(players) for players in tables]
        self._moved = [time.monotonic()] * len(tables)

    @property
    def stalled(self) -> list[list[Player]]:
        """The tables at which nothing has happened for too long."""
        for number, players in enumerate(self._tables):
            version = version_of(players)
            if version > self._versions[number] or all(player.is_over for player in players):
                self._versions[number] = version
                self._moved[number] = time.monotonic()
        since = time.monotonic() - LONGEST
        return [
            players for players, at in zip(self._tables, self._moved, strict=True) if at < since
        ]


def version_of(players: list[Player]) -> int:
    """The latest version of a table that anybody there was told of."""
    return max(player.client.update["version"] for player in players)


async def go_on(
    tables: list[list[Player]], moves: int, explain: Callable[[list[Player]], Awaitable[str]]
) -> bool:
    """Until so many more moves were made; whether anybody still plays."""
    after = moves_of(tables) + moves
    progress = Progress(tables)
    while moves_of(tables) < after:
        if all(player.is_over for players in tables for player in players):
            return False
        stalled = progress.stalled
        if stalled:
            said = [await explain(players) for players in stalled]
            raise AssertionError("Nobody gets on any more:\n" + "\n".join(said))
        await asyncio.sleep(0.01)
    return True


async def whereabouts(url: str, nodes: list[Service], players: list[Player]) -> str:
    """What a table waits for: what its people know, what is kept of it, and what the nodes say."""
    code = players[0].client.code
    said = [f"table {code}", *[str(player) for player in players]]
    try:
        connection = await asyncpg.connect(url, timeout=5)
        try:
            for sql in (
                "SELECT version, due, alone, listeners FROM tables WHERE table_id = $1",
                "SELECT version, until, tries FROM leases WHERE table_id = $1",
                "SELECT version, at, events FROM steps WHERE table_id = $1 ORDER BY version DESC LIMIT 2",
            ):
                said += [str(row) for row in await connection.fetch(sql, code, timeout=5)]
            sql = "SELECT extract(epoch FROM clock_timestamp()) * 1000, count(*) FROM pg_stat_activity"
            said.append(f"now, connections: {await connection.fetchrow(sql)}")
        finally:
            await connection.close(timeout=5)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        said.append(f"the database: {error!r}")
    for number, node in enumerate(nodes, 1):
        try:
            async with browser(node) as http:
                ready = await http.get("/readyz", timeout=5)
            said.append(f"node {number}: {ready.status_code} {ready.text}")
        except httpx.HTTPError as error:
            said.append(f"node {number}: {error!r}")
        said.append(f"node {number} is alive: {node.is_alive}")
        said.append("\n".join(node.logged.splitlines()[-20:]))
    return "\n".join(said)


def test_nothing_is_lost_or_done_twice_whatever_is_killed_stopped_or_filled(
    own_cluster: Cluster, disk: Path
) -> None:
    url = own_cluster.new_database()
    with Service(url) as one, Service(url) as two:
        chaos = Chaos(own_cluster, url, [one, two], disk)
        rng = random.Random(SEED)
        games = 0

        async def explain(players: list[Player]) -> str:
            return f"after {chaos.last}: {await whereabouts(url, [one, two], players)}"

        async def blows(tables: list[list[Player]]) -> None:
            while sum(chaos.done.values()) < BLOWS:
                if not await go_on(tables, rng.randint(5, 60), explain):
                    return
                await chaos.strike()
            while await go_on(tables, 1, explain):
                pass

        async def main() -> None:
            nonlocal games
            while sum(chaos.done.values()) < BLOWS:
                tables = [
                    await sit_down([one, two], 2 + i % 2, variant="phases=6") for i in range(TABLES)
                ]
                await play_all(tables, blows(tables))
                for node in (one, two):  # nobody but this test ends them
                    assert node.is_alive, node.logged[-3_000:]
                await check_all(url, tables)
                games += len(tables)
                print(f"{sum(chaos.done.values())} blows, {games} games: {dict(chaos.done)}")

        run(main, 24 * 3_600)
        assert sum(chaos.done.values()) >= BLOWS
