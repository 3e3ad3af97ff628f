"""Games that go on whatever happens to the servers, and then the question what is kept of them."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from phaseten.server.socket.updates import step_form
from phaseten.server.store.codec import read_events
from phaseten.server.store.database import open_store
from phaseten.table.viewers import TableStep
from tests.server.foreseen import token
from tests.server.service import Client, Data, Node, browser, cautious, is_over, open_table
from tests.server.test_play import told_like_it_is

LOST = (ConnectionClosed, InvalidHandshake, OSError, EOFError)
MOVES = frozenset(
    {"DrawSeen", "DiscardTaken", "NothingDrawn", "PhaseLaid", "MeldHit", "CardDiscarded"}
)


class Player:
    """Plays as fast as it can. What was not answered is sent again as it was, at whatever node answers."""

    def __init__(self, nodes: Sequence[Node], code: str, seat: int) -> None:
        self.nodes: Sequence[Node] = nodes
        self.seat = seat
        self.token = token("abcdef"[seat - 1])
        self.client = Client(self.nodes[0], code, self.token)
        self.sent = 0
        """Different actions that were not refused."""
        self._chosen = 0
        self.lost: list[int | None] = []
        """With which codes connections ended; None where there was none."""
        self.returns = 0
        """How often there was a new connection after that."""
        self.refused: list[str] = []
        """The reasons of all refusals."""
        self.may_act = asyncio.Event()
        self.may_act.set()
        self._pending: Data | None = None
        self._rng = random.Random(seat)

    @property
    def is_over(self) -> bool:
        return is_over(self.client.update)

    def __str__(self) -> str:
        update = self.client.update
        turn = (update["game"] or {}).get("board") or {}
        return (
            f"seat {self.seat}: version {update['version']}, turn {turn.get('turn')}, due "
            f"{update['table']['due']}, {len(update['actions'])} actions, waits for {self._pending}, "
            f"lost {self.lost[-3:]}, refused {self.refused[-3:]}"
        )

    async def play(self) -> None:
        """Play to the end."""
        while not self.is_over:
            try:
                await self._play()
            except LOST as error:
                self.lost.append(close_code(error))
                await self._come_back()
                self.returns += 1

    async def _play(self) -> None:
        if self._pending is not None:
            await self._send()  # again: it may be new to the server, or not
        while not self.is_over:
            update = self.client.update
            if self._pending is None and update["actions"]:
                await self.may_act.wait()
                self.sent += 1
                self._chosen += 1
                self._pending = {**cautious(update), "at": update["version"], "id": self._chosen}
                await self._send()
                if self._rng.random() < 0.1:
                    await self._send()  # a finger that taps twice
            await self._hear(await self.client.receive())

    async def _send(self) -> None:
        assert self._pending is not None
        await self.client.send(**self._pending)

    async def _hear(self, message: Data) -> None:
        if message["type"] == "update":
            self._look(message)
            return
        if message["type"] == "done":  # an update has said so, or does when one is back
            return
        self.refused.append(message["reason"])
        if self._pending is not None and message["id"] == self._pending["id"]:
            if message["reason"] == "stale":  # something else has happened: look, and choose again
                self._pending = None
                self.sent -= 1
                return
            assert message["reason"] in ("unavailable", "unknown"), message
            await asyncio.sleep(0.05)
            await self._send()

    def _look(self, update: Data) -> None:
        """Whether the own action is among what has happened."""
        if self._pending is None:
            return
        for step in update["steps"]:
            if step["version"] > self._pending["at"] and any(
                event["event"] in MOVES and event["seat"] == self.seat for event in step["events"]
            ):
                self._pending = None
                return

    async def _come_back(self) -> None:
        while True:
            self.nodes = (*self.nodes[1:], self.nodes[0])
            self.client.service = self.nodes[0]
            try:
                await self.client.reconnect()
            except LOST:
                await asyncio.sleep(0.05)
            else:
                self._look(self.client.update)
                return


def close_code(error: BaseException) -> int | None:
    """The code with which the other side closed, if it said one."""
    if isinstance(error, ConnectionClosed) and error.rcvd is not None:
        return error.rcvd.code
    return None


async def sit_down(nodes: Sequence[Node], people: int, **options: object) -> list[Player]:
    """A table in the middle of a game; person n is at node n, bots fill the other seats."""
    code = await open_table(nodes[0], token("a"), **{"pace": 0, **options})
    players = [
        Player((*nodes[i % len(nodes) :], *nodes[: i % len(nodes)]), code, i + 1)
        for i in range(people)
    ]
    for player in players:
        await player.client.connect()
        await player.client.send("sit", seat=player.seat, name=f"Player {player.seat}")
        await player.client.until(lambda update: update["you"]["seat"] is not None)
    await players[0].client.send("start")
    for player in players:
        await player.client.until(lambda update: update["table"]["stage"] == "playing")
    return players


async def play_all(tables: Sequence[Sequence[Player]], *meanwhile: Awaitable[object]) -> None:
    """Everybody plays to the end, while this happens."""
    everybody = [player.play() for players in tables for player in players]
    await asyncio.gather(*everybody, *meanwhile)


@asynccontextmanager
async def held_up(tables: Sequence[Sequence[Player]]) -> AsyncGenerator[None]:
    """Nobody begins anything new meanwhile."""
    everybody = [player for players in tables for player in players]
    for player in everybody:
        player.may_act.clear()
    yield
    for player in everybody:
        player.may_act.set()


@asynccontextmanager
async def slowed_down(tables: Sequence[Sequence[Player]], moves: int) -> AsyncGenerator[None]:
    """Meanwhile they make about so many moves and wait then: what takes long must not outlast their games."""

    everybody = [player for players in tables for player in players]

    async def wait() -> None:
        await play_for(tables, moves)
        for player in everybody:
            player.may_act.clear()

    waiting = asyncio.create_task(wait())
    try:
        yield
    finally:
        waiting.cancel()
        await asyncio.wait([waiting])
        for player in everybody:
            player.may_act.set()


def moves_of(tables: Sequence[Sequence[Player]]) -> int:
    return sum(players[0].client.update["version"] for players in tables)


async def play_for(tables: Sequence[Sequence[Player]], moves: int) -> None:
    """Until so many more moves have been made."""
    after = moves_of(tables) + moves
    while moves_of(tables) < after:
        assert not all(player.is_over for players in tables for player in players)
        await asyncio.sleep(0.002)


async def all_back(tables: Sequence[Sequence[Player]], times: int) -> None:
    """Until everybody has lost the connection so many times, and has one again."""
    everybody = [player for players in tables for player in players]
    while any(player.returns < max(times, len(player.lost)) for player in everybody):
        assert not any(player.is_over for player in everybody), "a game was over too soon"
        await asyncio.sleep(0.002)


async def strike(
    tables: Sequence[Sequence[Player]],
    times: int,
    rng: random.Random,
    blow: Callable[[], Awaitable[None]],
) -> None:
    """Do it so many times, each at some moment of the games."""
    for _ in range(times):
        await play_for(tables, rng.randint(30, 120))
        await asyncio.sleep(rng.uniform(0, 0.02))
        await blow()


async def check_all(database: str, tables: Sequence[Sequence[Player]]) -> None:
    """Nothing lost, nothing twice, nothing else than was told; and every game is a lawful one."""
    for players in tables:
        code = players[0].client.code
        await check_told(database, code, {player.seat: player.client for player in players})
        moves = await kept_moves(database, code)
        for player in players:
            assert moves.count(player.seat) == player.sent
        await check_record(players[-1].nodes[0], code, players[0].client.update)


async def kept_moves(database: str, code: str) -> list[int]:
    """The seat of every move in the log."""
    store = await open_store(database)
    kept = await store.read(code)
    await store.close()
    assert [one.version for one in kept] == list(range(1, len(kept) + 1))
    steps = [
        step_form(TableStep(one.version, one.step.at, read_events(one.step.events)), None)
        for one in kept
    ]
    events = [as_sent(step)["events"] for step in steps]
    return [event["seat"] for step in events for event in step if event["event"] in MOVES]


async def check_told(database: str, code: str, clients: dict[int, Client]) -> None:
    """What anybody was told at any time is what is kept."""
    store = await open_store(database)
    kept = dict(await store.read(code))
    await store.close()
    for seat, client in clients.items():
        told_like_it_is(client)
        for text in client.received:
            message = json.loads(text)
            for step in message.get("steps", ()):
                true = kept[step["version"]]
                events = read_events(true.events)
                form = step_form(TableStep(step["version"], true.at, events), seat)
                assert step | {"words": []} == as_sent(form)  # the words are tested elsewhere


def as_sent(form: msgspec.Struct) -> Data:
    return json.loads(msgspec.json.encode(form))


async def check_record(service: Node, code: str, update: Data) -> None:
    async with browser(service) as http:
        record = (await http.get(f"/api/tables/{code}/record")).text
    verdict = judge(parse_record(record))
    assert verdict["ok"], verdict
    assert verdict["winner"] == update["game"]["winner"]
