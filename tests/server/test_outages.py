"""What keeps the tables fails under a running server: a clear refusal, and then it goes on."""

import asyncio
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.types import Message

from phaseten.server.app import Server
from phaseten.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.cluster import Cluster
from tests.server.marathon import check_all, check_told, play_all, sit_down, strike
from tests.server.service import Client, Data, Service, browser, cautious, is_over, open_table, run
from tests.server.test_play import ANA


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, check=False, capture_output=True).returncode
    ):
        pytest.skip("a disk can be mounted only by root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


async def act(client: Client) -> Data:
    """Do something, once it is this client's turn."""
    await client.until(lambda update: bool(update["actions"]) or is_over(update))
    return await client.ask(**cautious(client.update), at=client.update["version"])


async def is_ready(service: Service) -> bool:
    async with browser(service) as http:
        return (await http.get("/readyz")).status_code == 200


async def full(
    service: Service, database: str, fill: Callable[[], None], free: Callable[[], None]
) -> None:
    """In the middle of a game there is no room any more, and later there is some again."""
    code = await open_table(service, ANA, seats=2, edition="express", pace=0)
    ana = Client(service, code, ANA)
    await ana.connect()
    await ana.ask("sit", seat=1, name="Ana")
    await ana.ask("start")
    assert (await act(ana))["type"] == "update"
    await ana.until(lambda update: bool(update["actions"]))
    fill()
    answer = ana.update
    while answer["type"] == "update":  # what was set aside before is used up first
        answer = await ana.ask("say", text="x" * 300)
    assert answer["reason"] == "unavailable"
    assert answer["sentence"]
    kept = ana.update["version"]
    answer = await ana.ask(**cautious(ana.update), at=kept)
    assert (answer["reason"], answer["version"]) == ("unavailable", kept)
    async with browser(service) as http:
        answers = [
            await http.post("/api/tables", json={"name": "Ana"}, headers={"accept-language": "fr"}),
            await http.get(f"/api/tables/{code}"),  # reading works
        ]
    assert [answer.status_code for answer in answers] == [503, 200]
    assert answers[0].json()["reason"] == "unavailable"
    free()
    answer = await ana.ask(**cautious(ana.update), at=kept)
    assert (answer["type"], answer["version"]) == ("update", kept + 1)
    await open_table(service, ANA)
    await check_told(database, code, {1: ana})


def test_a_node_whose_database_goes_while_it_starts_waits_for_it(cluster: Cluster) -> None:
    server = Server(Settings(cluster.new_database(), 1))
    sent: list[str] = []
    over = asyncio.Event()

    async def receive() -> Message:
        if sent:
            await over.wait()
        return {"type": "lifespan.shutdown" if sent else "lifespan.startup"}

    async def send(message: Message) -> None:
        sent.append(message["type"])

    async def until(condition: Callable[[], bool]) -> None:
        while not condition():
            assert not living.done(), sent
            await asyncio.sleep(0.01)

    async def main() -> None:
        nonlocal living
        await asyncio.to_thread(cluster.stop)
        living = asyncio.ensure_future(server.app({"type": "lifespan", "state": {}}, receive, send))
        try:
            await until(lambda: b'failures_total{what="store"}' in server.metrics.text())
        finally:
            await asyncio.to_thread(cluster.start)
        await until(lambda: bool(sent))
        over.set()
        await living

    living: asyncio.Future[None]
    run(main, PATIENCE)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


FAST_TALK = ("--limit=talk=10000/10000", "--limit=messages=10000/10000")


def test_a_full_disk(small_disk: Path) -> None:
    database = str(small_disk / "tables.sqlite")
    filling = small_disk / "fill"

    def fill() -> None:
        with pytest.raises(OSError, match="No space left"):
            filling.write_bytes(bytes(2_000_000))

    with Service(database, *FAST_TALK) as service:
        run(lambda: full(service, database, fill, filling.unlink))
        assert "The disk is full" in service.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a running process")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """Like a full disk, of which root is not needed."""
    database = tmp_path / "tables.sqlite"
    with Service(str(database), *FAST_TALK) as service:

        def limit(size: int) -> None:
            resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        def fill() -> None:
            limit(max(path.stat().st_size for path in tmp_path.glob("tables.sqlite*")))

        run(lambda: full(service, str(database), fill, lambda: limit(resource.RLIM_INFINITY)))
        assert "cannot be used" in service.stop()


def test_a_database_that_is_restarted(cluster: Cluster, new_database: Callable[[], str]) -> None:
    url = new_database()
    with Service(url) as service:

        async def main() -> None:
            code = await open_table(service, ANA, edition="express", variant="phases=1", pace=0)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            assert (await act(ana))["type"] == "update"
            await ana.until(lambda update: bool(update["actions"]))
            await asyncio.to_thread(cluster.stop)
            try:
                assert not await is_ready(service)
                answer = await ana.ask(**cautious(ana.update), at=ana.update["version"])
                assert answer["reason"] in ("unavailable", "unknown")
            finally:
                await asyncio.to_thread(cluster.start)
            assert await is_ready(service)
            await ana.play(cautious, is_over)  # the bots play on as well
            await check_told(url, code, {1: ana})

        run(main)


def test_a_database_that_is_restarted_under_two_nodes(
    cluster: Cluster, new_database: Callable[[], str]
) -> None:
    """It is stopped at once, whatever it was doing; nobody loses a connection or a move."""
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def restart() -> None:
            await asyncio.to_thread(cluster.stop)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(cluster.start)

        async def main() -> None:
            tables = [await sit_down([one, two], 2, variant="phases=4") for _ in range(2)]
            await play_all(tables, strike(tables, 2, random.Random(2), restart))
            everybody = [player for players in tables for player in players]
            assert [player.lost for player in everybody] == [[]] * 4
            refusals = {reason for player in everybody for reason in player.refused}
            assert refusals <= {
                "unavailable",
                "unknown",
                "stale",
            }  # or none, where nobody acted just then
            await check_all(url, tables)

        run(main)
        for service in (one, two):
            assert '"level": "error"' not in service.stop()
