"""Tables of four people who play whole games, one after the other."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from phaseten.server.app import GUEST_KEY
from phaseten.server.http.identity import Tokens
from phaseten.server.running.chance import KEY_BYTES
from phaseten.server.store.database import open_store
from serving.sockets import Socket

SEATS = 4
OPTIONS = {"pace": 0, "seats": SEATS}
TIMER = 600
TOGETHER = 100
"""Tables that are opened at the same time."""
NOTHING = Raw(b"[]")
UNSAID = Raw(b"")
FIRST = ("lay", "hit")
"""What is done wherever it can be: nobody would finish otherwise."""
PATIENCE = 60.0


class Around(Struct, frozen=True):
    stage: str | None = None


class Told(Struct):
    """What a player looks at in an update or a change; what a change leaves out is as it was."""

    type: str
    version: int = 0
    table: Around = Around()
    actions: Raw = UNSAID


class Chosen(Struct):
    do: str


TOLD = msgspec.json.Decoder(Told)
ACTIONS = msgspec.json.Decoder(list[Raw])
CHOSEN = msgspec.json.Decoder(Chosen)

KEY = bytes(KEY_BYTES)
"""With which the servers sign tokens, so that guests can be made here."""


async def keep_key(database: str) -> None:
    """Let the servers of a new database know the guests of this benchmark."""
    store = await open_store(database)
    await store.keep_key(GUEST_KEY, KEY.hex())
    await store.close()


def token(number: int) -> str:
    """The token of that guest."""
    return Tokens(KEY).sign(0, number.to_bytes(14)).token


class Address(NamedTuple):
    """Where a server, or the peer it is compared with, is found."""

    port: int
    path: str = "/api/tables/{}/play"

    async def connect(self, code: str, token: str, heard: Player) -> Socket:
        path = self.path.format(code)
        return await Socket.open(self.port, path, f"phaseten={token}", heard.hear)


class Player:
    """What somebody at a table was told last."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.version = 0
        self.actions = NOTHING
        self.stage = ""
        self.socket: Socket

    def hear(self, data: bytes) -> None:
        told = TOLD.decode(data)
        self._table.bytes += len(data)
        self._table.remarks += told.type == "remark"
        if told.type == "refused":
            raise RuntimeError(data.decode())
        if told.type in ("update", "change"):
            before, self.version = self.version, told.version
            if told.actions != UNSAID:
                self.actions = told.actions
            if told.table.stage is not None:
                self.stage = told.table.stage
            self._table.told(before, told.version)


class Table:
    """Four people. Something is done, and when all have heard of it, the next thing."""

    def __init__(self, code: str, tokens: Sequence[str], chance: random.Random) -> None:
        self.code = code
        self._tokens = tokens
        self._chance = chance
        self.players = [Player(self) for _ in tokens]
        self.latencies: list[float] = []
        self.games = 0
        self.bytes = 0
        self.remarks = 0
        self._coached = False
        self._target = 0
        self._missing = 0
        self._done: asyncio.Future[float] | None = None

    async def sit_down(self, nodes: Sequence[Address]) -> None:
        """Connect, each to one of the nodes in turn, and start a game."""
        self._expect(1)
        for index, player in enumerate(self.players):
            node = nodes[index % len(nodes)]
            player.socket = await node.connect(self.code, self._tokens[index], player)
        await self._everybody()
        for seat, player in enumerate(self.players, 1):
            await self._do(player, {"do": "sit", "seat": seat, "name": f"Player {seat}"})
        await self._do(self.players[0], {"do": "start"})

    def _expect(self, version: int) -> None:
        self._target = version
        self._missing = len(self.players)
        self._done = asyncio.get_running_loop().create_future()

    def told(self, before: int, version: int) -> None:
        """One of the players, who knew the version before, was told of this one."""
        if before < self._target <= version:
            self._missing -= 1
            if not self._missing and self._done is not None:
                self._done.set_result(time.perf_counter())

    async def _everybody(self) -> float:
        """When the last one was told."""
        assert self._done is not None
        return await asyncio.wait_for(self._done, PATIENCE)

    async def _do(self, player: Player, message: dict[str, object]) -> None:
        self._expect(player.version + 1)
        player.socket.send(json.dumps(message).encode())
        await self._everybody()

    async def play(self, pause: float, until: float) -> None:
        """Act after each pause, or as fast as can be where there is none."""
        due = time.perf_counter() + pause * self._chance.random()
        while (now := time.perf_counter()) < until:
            if due > now:
                await asyncio.sleep(due - now)
            due = max(due + pause, time.perf_counter())
            player = next((one for one in self.players if one.actions != NOTHING), None)
            if player is None:
                await self._play_again()
                continue
            version = player.version
            action = bytes(self._choose(player.actions))
            self._expect(version + 1)
            began = time.perf_counter()
            player.socket.send(b'%b,"at":%d}' % (action[:-1], version))
            self.latencies.append(await self._everybody() - began)

    def _choose(self, listed: Raw) -> Raw:
        actions = ACTIONS.decode(listed)
        if CHOSEN.decode(actions[0]).do in FIRST:  # these are listed first
            return actions[0]
        return self._chance.choice(actions)

    async def _play_again(self) -> None:
        host = self.players[0]
        if host.stage != "finished":
            raise RuntimeError(f"nobody can act: {host.version} {host.stage}")
        self.games += 1
        await self._do(host, {"do": "rematch"})
        await self._do(host, {"do": "start"})

    async def want_coach(self, *, on: bool) -> None:
        """All of them want the coach to speak up, or none."""
        if on != self._coached:
            self._coached = on
            for player in self.players:
                await self._do(player, {"do": "coach", "on": on})

    def forget(self) -> None:
        """Begin to measure."""
        self.latencies.clear()
        self.games = 0
        self.bytes = 0

    def leave(self) -> None:
        for player in self.players:
            player.socket.close()


def open_tables(port: int, tokens: Sequence[Sequence[str]], timer: int | None) -> list[str]:
    """The codes of tables that the first of each four has opened."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    codes: list[str] = []
    for first, *_ in tokens:
        headers = {"content-type": "application/json", "cookie": f"phaseten={first}"}
        body = json.dumps({"name": "Host", "options": {**OPTIONS, "timer": timer}})
        connection.request("POST", "/api/tables", body, headers)
        codes.append(json.load(connection.getresponse())["code"])
    connection.close()
    return codes


class Crowd:
    """All the people; more can come."""

    def __init__(
        self,
        nodes: Sequence[Address],
        *,
        tables_exist: bool = False,
        led: bool = False,
        timer: int | None = TIMER,
    ) -> None:
        self._nodes = nodes
        self._timer = timer
        """Seconds for a turn; None: a table that was left stays as it is."""
        self._led = led
        """Whether each table's people are at one node, as behind a proxy that goes by the code."""
        self._tables_exist = tables_exist
        self.tables: list[Table] = []

    async def grow(self, people: int) -> None:
        """Open tables until there are so many people."""
        numbers = range(len(self.tables), people // SEATS)
        tokens = [[token(number * SEATS + seat) for seat in range(SEATS)] for number in numbers]
        if self._tables_exist:
            codes = [str(number) for number in numbers]
        else:
            codes = await asyncio.to_thread(open_tables, self._nodes[0].port, tokens, self._timer)
        new = [
            Table(code, some, random.Random(number))
            for number, code, some in zip(numbers, codes, tokens, strict=True)
        ]
        for start in range(0, len(new), TOGETHER):
            await asyncio.gather(
                *[
                    table.sit_down(self._nodes_of(number))
                    for number, table in enumerate(new[start : start + TOGETHER])
                ]
            )
        self.tables += new

    def _nodes_of(self, number: int) -> Sequence[Address]:
        return [self._nodes[number % len(self._nodes)]] if self._led else self._nodes

    async def play(self, every: float, seconds: float) -> float:
        """Everybody acts every so many seconds (0: at once); how long it took."""
        for table in self.tables:
            table.forget()
        began = time.perf_counter()
        pause = every / SEATS
        await asyncio.gather(*[table.play(pause, began + seconds) for table in self.tables])
        return time.perf_counter() - began

    async def watch(self, tokens: Sequence[str]) -> list[Player]:
        """One more connection at each of the first tables, which only watches."""
        watchers: list[Player] = []
        for table, token in zip(self.tables, tokens, strict=False):
            player = Player(Table(table.code, (), random.Random(0)))
            player.socket = await self._nodes[0].connect(table.code, token, player)
            watchers.append(player)
        return watchers

    async def want_coach(self, *, on: bool) -> None:
        """Everybody at every table wants the coach to speak up, or nobody does."""
        await asyncio.gather(*[table.want_coach(on=on) for table in self.tables])

    @property
    def remarks(self) -> int:
        """What the coach has said about moves."""
        return sum(table.remarks for table in self.tables)

    def leave(self) -> None:
        for table in self.tables:
            table.leave()
