"""How many people one server process serves: tables of four, everybody acting every few seconds.

    python benchmarks/server.py                        200 people for 15 seconds, SQLite
    python benchmarks/server.py --people 1000 --every 3 --seconds 30
    python benchmarks/server.py --database postgresql://...

The server runs in a process of its own (``phaseten serve``) and the people in this one, over real
sockets. A latency is the time from sending an action until all four at the table have been told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

SEATS = 4
NO_LIMITS = [
    f"--limit={name}=1000000/100000" for name in ("requests", "tables", "messages", "guesses")
] + ["--limit=connections_of_address=1000000", "--limit=connections=1000000"]
ORDER = ("lay", "hit", "draw", "take", "nothing", "discard")


class Running(NamedTuple):
    process: int
    port: int


@contextmanager
def serving(database: str) -> Generator[Running]:
    command = [sys.executable, "-m", "phaseten", "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", database, "--bots", "1", *NO_LIMITS],
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        found = re.search(r"port (\d+)", server.stdout.readline())
        assert found
        try:
            yield Running(server.pid, int(found[1]))
        finally:
            server.terminate()


class Table:
    """Four people at a table."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._tokens = [f"{number:040d}{seat:03d}" for seat in range(1, SEATS + 1)]
        self._sockets: list[ClientConnection] = []
        self._updates: list[dict[str, Any]] = [{} for _ in range(SEATS)]
        self.latencies: list[float] = []
        self.bytes = 0

    async def open(self) -> None:
        body = json.dumps({"name": "Host", "options": {"pace": 0, "seats": SEATS}}).encode()
        headers = {"content-type": "application/json", "cookie": f"phaseten={self._tokens[0]}"}
        request = Request(f"http://127.0.0.1:{self._port}/api/tables", body, headers)
        code = json.load(await asyncio.to_thread(urlopen, request))["code"]
        for token in self._tokens:
            self._sockets.append(
                await connect(
                    f"ws://127.0.0.1:{self._port}/api/tables/{code}/play",
                    additional_headers={"cookie": f"phaseten={token}"},
                    compression=None,
                    ping_interval=None,
                )
            )
        for seat, socket in enumerate(self._sockets, 1):
            await socket.recv()
            self._updates[seat - 1] = json.loads(await socket.recv())
        for seat in range(1, SEATS + 1):
            await self._do(seat, {"do": "sit", "seat": seat, "name": f"Player {seat}"})
        await self._do(1, {"do": "start"})

    async def _do(self, seat: int, message: dict[str, Any]) -> None:
        """Do something, and wait until everybody has been told."""
        target = self._updates[seat - 1]["version"] + 1
        await self._sockets[seat - 1].send(json.dumps(message))
        await asyncio.gather(*[self._hear(other, target) for other in range(SEATS)])

    async def _hear(self, index: int, version: int) -> None:
        while self._updates[index]["version"] < version:
            text = await self._sockets[index].recv()
            self.bytes += len(text)
            self._updates[index] = json.loads(text)

    async def play(self, every: float, until: float) -> None:
        """One action at a time: each of the four acts every so many seconds."""
        pause = every / SEATS
        due = time.perf_counter() + pause * hash(self._tokens[0]) % 1000 / 1000
        while (now := time.perf_counter()) < until:
            if due > now:
                await asyncio.sleep(due - now)
            due = max(due + pause, time.perf_counter())
            update = next((one for one in self._updates if one["actions"]), None)
            if update is None:
                return  # the game is over
            action = min(update["actions"], key=lambda one: ORDER.index(one["do"]))
            began = time.perf_counter()
            await self._do(update["you"]["seat"], {**action, "at": update["version"]})
            self.latencies.append(time.perf_counter() - began)

    async def close(self) -> None:
        for socket in self._sockets:
            await socket.close()


def used(process: int) -> tuple[float, float]:
    """Seconds of the processor, and megabytes of memory."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    pages = int(fields[21])
    return ticks / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize() / 1e6


async def measure(server: Running, people: int, every: float, seconds: float) -> None:
    memory_before = used(server.process)[1]
    tables = [Table(server.port, number) for number in range(people // SEATS)]
    for start in range(0, len(tables), 20):
        await asyncio.gather(*[table.open() for table in tables[start : start + 20]])
    memory = used(server.process)[1] - memory_before
    before, began, own = used(server.process)[0], time.perf_counter(), time.process_time()
    await asyncio.gather(*[table.play(every, began + seconds) for table in tables])
    elapsed = time.perf_counter() - began
    busy = (used(server.process)[0] - before) / elapsed
    clients = (time.process_time() - own) / elapsed
    latencies = sorted(one for table in tables for one in table.latencies)
    middle, most = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    print(
        f"{people} people, {len(latencies) / elapsed:.0f} actions/s: "
        f"median {middle * 1000:.1f} ms, 99% within {most * 1000:.1f} ms; "
        f"server {busy:.0%} of a core, clients {clients:.0%}; "
        f"{memory * 1000 / people:.0f} kB a person"
    )
    for table in tables:
        await table.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two actions")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--database", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or str(Path(folder) / "tables.sqlite")
        with serving(database) as server:
            asyncio.run(measure(server, options.people, options.every, options.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
