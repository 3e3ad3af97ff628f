"""How much one server process serves: whole games at tables of four, over real sockets.

    python benchmarks/server.py                                 a little of everything
    python benchmarks/server.py pace --people 5000 --every 3 --seconds 30
    python benchmarks/server.py most --people 2000              more and more people
    python benchmarks/server.py fast --people 200               nobody pauses; SQLite and PostgreSQL
    python benchmarks/server.py memory --people 2000
    python benchmarks/server.py left --people 8000 --rounds 3    what stays when all of them have left
    python benchmarks/server.py coached --people 400 --rounds 8  the same play without the coach and beside it

The server is a process of its own (``phaseten serve``) with a core of its own; the people are in this
one. A latency is the time from sending an action until all four at the table have been told. Where the
people's core is busy the figures are what they can do, and the server could do more: then they are
called a lower bound. The peer is bare Starlette, which sends 2 kB to four people for each message.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import uvloop
from serving.analyses import Readers, long_game
from serving.nodes import (
    CORES,
    IdleProgram,
    Node,
    allow_many_connections,
    keep_off_the_servers_core,
    seconds_stolen,
    serving,
    serving_bare,
)
from serving.people import SEATS, Crowd

sys.path.append(str(Path(__file__).parents[1]))
from tests.server.cluster import Cluster, programs

SLOW = 0.1
"""Seconds: more than this for the 99th percentile is too slow."""
BUSY = 0.9
"""Of the people's core: then they are what is measured."""
WARM_UP = 3.0
SETTLE = 0.25
"""Seconds of play before each measurement that takes turns with another."""
SLOWER = 1.1
"""Times: by more than this the coach must not make play slower, half of it or nearly all of it."""
STOLEN = 0.05
"""Seconds of a round that another's machine on the same host may take from our cores; else it is played again."""
AGAIN = 5
"""Times at most, one after the other: on such a machine nothing can be measured."""
ALONE, BESIDE_IDLE, BESIDE_COACH = "alone", "beside an idle program", "beside the coach"
WAYS = (ALONE, BESIDE_IDLE, BESIDE_COACH)
GROWTH = 1.25
FEW = 40
"""People who come first, so that the server has done everything once."""
SETTLED = 15.0
"""Seconds after which a server that has let go of its tables has cleared up."""
KEPT = 1.1
"""Times the memory at the start: no more than this is left when everybody has gone."""


class Figures(NamedTuple):
    """What came of some seconds of play."""

    people: int
    actions: int
    games: int
    bytes: int
    elapsed: float
    latencies: Sequence[float]
    servers: Sequence[float]
    """Seconds of the processor, of each node."""
    clients: float

    @property
    def rate(self) -> float:
        return self.actions / self.elapsed

    @property
    def cost(self) -> float:
        """Seconds of the servers' processor for an action that four are told of."""
        return sum(self.servers) / self.actions

    @property
    def is_lower_bound(self) -> bool:
        return self.clients / self.elapsed > BUSY

    def within(self, share: float) -> float:
        """Seconds in which this share of the actions had reached everybody."""
        return self.latencies[min(int(len(self.latencies) * share), len(self.latencies) - 1)]

    def __str__(self) -> str:
        shares = " and ".join(f"{seconds / self.elapsed:.0%}" for seconds in self.servers)
        size = self.bytes / self.actions / SEATS / 1000
        middle, most, longest = [1000 * self.within(share) for share in (0.5, 0.99, 1)]
        bound = "; A LOWER BOUND: the people are busy" if self.is_lower_bound else ""
        return (
            f"  {self.people} people, {self.rate:.0f} actions/s, {self.rate * SEATS:.0f} messages/s "
            f"of {size:.1f} kB, {self.games} games finished\n"
            f"  latency: median {middle:.1f} ms, 99% within {most:.1f} ms, all within {longest:.1f} ms\n"
            f"  server {shares} of a core, {self.cost * 1e6:.0f} µs an action; "
            f"people {self.clients / self.elapsed:.0%} of theirs{bound}"
        )


async def play(crowd: Crowd, nodes: Sequence[Node], every: float, seconds: float) -> Figures:
    await crowd.play(every, WARM_UP)
    before, own = [node.seconds for node in nodes], time.process_time()
    elapsed = await crowd.play(every, seconds)
    clients = time.process_time() - own
    servers = [node.seconds - used for node, used in zip(nodes, before, strict=True)]
    latencies = sorted([one for table in crowd.tables for one in table.latencies])
    return Figures(
        len(crowd.tables) * SEATS,
        len(latencies),
        sum(table.games for table in crowd.tables),
        sum(table.bytes for table in crowd.tables),
        elapsed,
        latencies,
        servers,
        clients,
    )


@contextmanager
def databases() -> Generator[tuple[str, Cluster | None]]:
    """A file for SQLite, and a PostgreSQL that keeps what it says it has kept, where one is installed."""
    found = programs()
    cluster = Cluster(found, durable=True) if found is not None else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "tables.sqlite"), cluster
    finally:
        if cluster is not None:
            cluster.remove()


@contextmanager
def sqlite() -> Generator[Node]:
    with tempfile.TemporaryDirectory() as folder, serving(f"{folder}/tables.sqlite") as node:
        yield node


async def pace(people: int, every: float, seconds: float) -> None:
    with sqlite() as node:
        crowd = Crowd([node.address])
        began = time.perf_counter()
        await crowd.grow(people)
        print(f"{people} people sat down in {time.perf_counter() - began:.0f} s; SQLite")
        print(await play(crowd, [node], every, seconds))
        crowd.leave()


async def most(people: int, every: float, seconds: float) -> None:
    """More and more people, until it is too slow."""
    with sqlite() as node:
        crowd = Crowd([node.address])
        held = 0
        while True:
            await crowd.grow(people)
            figures = await play(crowd, [node], every, seconds)
            print(f"{people} people, SQLite")
            print(figures)
            if figures.within(0.99) > SLOW:
                break
            held = people
            people = int(people * GROWTH) // SEATS * SEATS
        crowd.leave()
    print(f"{held} people, each acting every {every:g} s, within {SLOW * 1000:.0f} ms at 99%")


async def fast(people: int, seconds: float) -> None:
    """Nobody pauses."""

    async def measure(
        title: str, nodes: Sequence[Node], *, bare: bool = False, led: bool = False
    ) -> Figures:
        crowd = Crowd([node.address for node in nodes], tables_exist=bare, led=led)
        await crowd.grow(people)
        figures = await play(crowd, nodes, 0, seconds)
        print(title)
        print(figures)
        crowd.leave()
        return figures

    with serving_bare() as node:
        peer = await measure("bare Starlette", [node], bare=True)
    with databases() as (file, cluster):
        with serving(file) as node:
            ours = await measure("SQLite, one node", [node])
        print(
            f"of bare Starlette's messages: {ours.rate / peer.rate:.0%} a second, "
            f"{peer.cost / ours.cost:.0%} for the same time of the processor"
        )
        if cluster is None:
            print("PostgreSQL is not installed")
            return
        kinds = (
            ("one node", [CORES[:1]], False),
            ("two nodes, each with its own tables", [CORES, CORES], True),
            ("two nodes that share every table", [CORES, CORES], False),
        )
        for title, cores, led in kinds:
            database = cluster.new_database()
            with ExitStack() as stack:
                nodes = [stack.enter_context(serving(database, some)) for some in cores]
                await measure(f"PostgreSQL on the same machine, {title}", nodes, led=led)


async def memory(people: int, seconds: float) -> None:
    """What a connection more takes, and what is left for a table of four."""
    with sqlite() as node:
        crowd = Crowd([node.address])
        at_first = node.kilobytes
        await crowd.grow(people)
        await crowd.play(0, seconds)
        seated = node.kilobytes - at_first
        number = len(crowd.tables)
        watchers = await crowd.watch([f"{token:043d}" for token in range(10**9, 10**9 + number)])
        await crowd.play(0, seconds)
        connection = (node.kilobytes - at_first - seated) / number
        table = seated / number - SEATS * connection
        print(
            f"memory: {at_first / 1000:.0f} MB at first, {connection:.0f} kB a connection, "
            f"{table:.0f} kB a table in play ({people} people, {number} watchers)"
        )
        for watcher in watchers:
            watcher.socket.close()
        crowd.leave()


async def left(people: int, seconds: float, rounds: int) -> bool:
    """What the server holds when everybody has left, again and again; whether that is KEPT times the start or less.

    The start is a server that has served: a few tables have been played at and left. What it has before anybody
    came is told as well.
    """
    with sqlite() as node:
        print(
            f"memory, {os.environ.get('PYTHONMALLOC') or 'pymalloc'}: {_megabytes(node)} before anybody came"
        )
        _, start = await _come_and_go(node, FEW, seconds)
        print(f"  {_megabytes(node)} at the start: {FEW // SEATS} tables were left")
        ratio = 0.0
        for number in range(1, rounds + 1):
            in_play, after = await _come_and_go(node, people, seconds)
            ratio = after / start
            print(
                f"  round {number}: {in_play / 1000:.0f} MB with {people // SEATS} tables in play, "
                f"{after / 1000:.0f} MB when all were left: {ratio:.2f} times the start"
            )
    return ratio <= KEPT


def _megabytes(node: Node) -> str:
    return f"{node.kilobytes / 1000:.0f} MB"


async def _come_and_go(node: Node, people: int, seconds: float) -> tuple[float, float]:
    """Kilobytes while so many play, and when the server has let go of their tables."""
    crowd = Crowd([node.address], timer=None)
    await crowd.grow(people)
    await crowd.play(0, seconds)
    in_play = node.kilobytes
    crowd.leave()
    while await asyncio.to_thread(node.measure, "phaseten_tables"):
        await asyncio.sleep(1)
    await asyncio.sleep(SETTLED)
    return in_play, node.kilobytes


class Rounds:
    """Play in turns: alone, beside an idle program, and beside the coach at work.

    A round in which the host took the cores away is played again, whichever it was: that time was nobody's here.
    """

    def __init__(self, node: Node, crowd: Crowd, idle: IdleProgram) -> None:
        self._node, self._crowd, self._idle = node, crowd, idle
        self.latencies: dict[str, list[float]] = {way: [] for way in WAYS}
        self.stolen = dict.fromkeys(WAYS, 0)
        """How many rounds of each were played again."""
        self.coachs_share = 0.0
        """Of the server's core, in all rounds beside it."""

    async def play(self, every: float, seconds: float, rounds: int) -> None:
        used = elapsed = 0.0
        for way in WAYS * rounds:
            await self._crowd.want_coach(on=way == BESIDE_COACH)
            self._node.let_the_coach_work(on=way == BESIDE_COACH)
            self._idle.let_it_work(on=way == BESIDE_IDLE)
            for _ in range(AGAIN):
                await self._crowd.play(every, SETTLE)
                before, stolen = self._node.seconds_of_the_coach, seconds_stolen()
                took = await self._crowd.play(every, seconds)
                if seconds_stolen() - stolen <= STOLEN:
                    break
                self.stolen[way] += 1
            else:
                raise SystemExit("the host takes the cores away all the time: measure elsewhere")
            if way == BESIDE_COACH:
                used += self._node.seconds_of_the_coach - before
                elapsed += took
            tables = self._crowd.tables
            self.latencies[way] += [one for table in tables for one in table.latencies]
        self._node.let_the_coach_work(on=True)
        self.coachs_share = used / elapsed

    def within(self, way: str, share: float) -> float:
        """Milliseconds in which this share (%) of the actions had reached everybody."""
        return float(np.percentile(self.latencies[way], share)) * 1000


async def coached(people: int, every: float, seconds: float, number: int) -> bool:
    """The same play in turns: without the coach, beside an idle program, and beside the coach at work.

    The coach reads games and judges every move at every table. All that the server does, the coach included,
    has one core. The idle program keeps that core as busy and does nothing: it shows how much of a difference
    is the machine's doing, and is not part of the verdict. Whether play gets no slower than SLOWER times beside the coach.
    """
    with sqlite() as node, IdleProgram() as idle:
        crowd = Crowd([node.address])
        await crowd.grow(people)
        rounds = Rounds(node, crowd, idle)
        readers = Readers(node.address.port, long_game())
        async with readers.reading():
            await crowd.want_coach(on=True)
            while not (
                crowd.remarks and readers.bytes
            ):  # its processes start, and take a second each
                await crowd.play(every, WARM_UP)
            await rounds.play(every, seconds, number)
        crowd.leave()
    print(
        f"{people} people who act every {every:g} s; {number} times {seconds:g} s each way; SQLite"
    )
    print(
        f"  the coach had {rounds.coachs_share:.0%} of the server's core: "
        f"{readers.bytes / 1000:.0f} kB about games, {crowd.remarks} words about moves"
    )
    again = ", ".join(f"{count} {way}" for way, count in rounds.stolen.items())
    print(f"  played again because the host took more than {STOLEN:g} s of our cores: {again}")
    good = True
    for share in (50, 95, 99):
        alone, idle_too, those = (rounds.within(way, share) for way in WAYS)
        ratio = those / alone
        good &= ratio <= SLOWER
        print(
            f"  {share}% within {alone:.2f} ms; beside an idle program {idle_too:.2f} ms; "
            f"beside the coach {those:.2f} ms: {ratio:.2f} times"
        )
    return good


async def everything(people: int, every: float, seconds: float) -> None:
    await pace(people, every, seconds)
    await fast(people // 4, seconds / 2)
    await memory(people, seconds / 4)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what",
        nargs="?",
        default="all",
        choices=("all", "pace", "most", "fast", "memory", "left", "coached"),
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=8,
        help="of what is compared (coached), or of coming and going (left)",
    )
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two actions")
    parser.add_argument("--seconds", type=float, default=6.0)
    options = parser.parse_args()
    people, every, seconds = options.people, options.every, options.seconds
    allow_many_connections()
    keep_off_the_servers_core()
    measures = {
        "all": lambda: everything(people, every, seconds),
        "pace": lambda: pace(people, every, seconds),
        "most": lambda: most(people, every, seconds),
        "fast": lambda: fast(people, seconds),
        "memory": lambda: memory(people, seconds),
    }
    if options.what == "left":
        return 0 if uvloop.run(left(people, seconds, options.rounds)) else 1
    if options.what == "coached":
        return 0 if uvloop.run(coached(people, every, seconds, options.rounds)) else 1
    uvloop.run(measures[options.what]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
