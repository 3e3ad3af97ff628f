"""What keeps the tables fails under a running server: a clear refusal, and then it goes on."""

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.cluster import Cluster
from tests.server.service import Client, Data, Service, cautious, is_over, open_table, run
from tests.server.test_crashes import check_told
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
    async with httpx.AsyncClient(base_url=service.url) as http:
        return (await http.get("/readyz")).status_code == 200


def test_a_full_disk(small_disk: Path) -> None:
    database = str(small_disk / "tables.sqlite")
    with Service(database) as service:

        async def main() -> None:
            code = await open_table(service, ANA, seats=2, edition="express", pace=0)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            assert (await act(ana))["type"] == "update"
            await ana.until(lambda update: bool(update["actions"]))
            fill = small_disk / "fill"
            with pytest.raises(OSError, match="No space left"):
                fill.write_bytes(bytes(2_000_000))
            answer = ana.update
            while answer["type"] == "update":  # what was set aside before is used up first
                answer = await ana.ask("say", text="x" * 300)
            assert answer["reason"] == "unavailable"
            kept = ana.update["version"]
            answer = await ana.ask(**cautious(ana.update), at=kept)
            assert (answer["reason"], answer["version"]) == ("unavailable", kept)
            fill.unlink()
            answer = await ana.ask(**cautious(ana.update), at=kept)
            assert (answer["type"], answer["version"]) == ("update", kept + 1)
            await check_told(database, code, {1: ana})

        run(main)
        assert "The disk is full" in service.stop()


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
                assert answer["reason"] == "unavailable"
            finally:
                await asyncio.to_thread(cluster.start)
            assert await is_ready(service)
            await ana.play(cautious, is_over)  # the bots play on as well
            await check_told(url, code, {1: ana})

        run(main)
