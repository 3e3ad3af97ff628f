"""An old table comes into memory as fast as a new one, and nobody waits for it."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from phaseten.server.metrics import Metrics
from phaseten.server.running.audience import Audience
from phaseten.server.running.bus import Bus
from phaseten.server.running.loading import Loader
from phaseten.server.running.registry import Registry
from phaseten.server.running.tasks import Tasks
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.codec import write_events
from phaseten.server.store.interface import Step, Store, UnknownEventsError
from phaseten.server.store.records import read_step
from phaseten.server.store.snapshots import EVERY, FORM
from phaseten.table.commands import CallOff, CallRematch, Play, Say, StartGame, TakeSeat
from phaseten.table.decisions import TableRefusal
from phaseten.table.events import PlayerRenamed, TableEvent
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table
from tests.server.running.test_node import Ear
from tests.server.store.keeping import LISTING, execute, opened

STEPS = 20_000
ENOUGH = 5
"""Steps of others while a table loads: it takes a hundred times as long as one of them."""


def registry_of(store: Store) -> Registry:
    return Registry(store, MessageSpeaker(), Metrics(), Tasks(Metrics()))


async def opened_table(registry: Registry, **options: object) -> str:
    chosen = Options(seats=2, pace=0, **options)  # pyright: ignore[reportArgumentType]
    code = await registry.open("ana", "Ana", chosen)
    assert isinstance(code, str)
    for seat, owner in enumerate(("ana", "beto"), 1):
        assert await registry.ask(code, owner, TakeSeat(seat, owner.title())) is None
    return code


async def play_on(registry: Registry, code: str, rng: random.Random, steps: int) -> None:
    for _ in range(steps):
        table = await registry.table(code)
        assert table is not None
        turn = table.turn
        if table.stage != "playing" or turn is None:
            return
        action = rng.choice(table.legal(turn))
        owner = table.places[turn - 1].owner
        assert await registry.ask(code, owner, Play(action, table.version)) is None


async def folded(store: Store, code: str) -> Table:
    """The table from its whole log."""
    table = empty_table(code)
    for step in map(read_step, await store.read(code)):
        table = apply(table, step.at, step.events)
    return table


def test_a_table_loads_from_its_last_snapshot(database: str) -> None:
    async def main() -> None:
        rng = random.Random(5)
        async with opened(database) as store:
            registry = registry_of(store)
            code = await opened_table(registry, edition="express")
            for game in range(3):
                assert await registry.ask(code, "ana", StartGame()) is None
                await play_on(registry, code, rng, 40)
                assert await registry.ask(code, "beto", Say("well")) is None
                loaded = await Loader(store).load(code)
                assert loaded is not None
                assert loaded.table == await registry.table(code) == await folded(store, code)
                assert loaded.folded < EVERY
                table = loaded.table
                if table.stage == "playing":
                    assert await registry.ask(code, "ana", CallOff()) is None
                seed = bytes([game]) * 32
                assert await registry.ask(code, "ana", CallRematch(seed)) is None
                again = await Loader(store).load(code)
                assert again is not None
                assert (again.folded, again.table.games) == (0, game + 1), "a rematch has its own"
            assert await Loader(store).load("NOBODY23") is None

    asyncio.run(main())


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE snapshots SET form = 'of tomorrow'",
        "UPDATE snapshots SET state = 'damaged'",
        "UPDATE snapshots SET state = replace(state, '\"version\":', '\"version\":1')",
        "DELETE FROM snapshots",
    ],
)
def test_without_a_snapshot_that_can_be_used_the_log_is_folded(database: str, harm: str) -> None:
    async def main() -> None:
        async with opened(database) as store:
            registry = registry_of(store)
            code = await opened_table(registry, edition="express")
            assert await registry.ask(code, "ana", StartGame()) is None
            await play_on(registry, code, random.Random(3), 100)
            table = await registry.table(code)
        await execute(database, harm)
        async with opened(database) as store:
            loader = Loader(store)
            loaded = await loader.load(code)
            assert loaded is not None
            assert loaded.table == table
            assert loaded.folded == loaded.table.version > 2 * EVERY
            await loader.mend(loaded)
            again = await loader.load(code)
            assert again is not None
            assert (again.table, again.folded) == (table, 0), "and kept anew"

    asyncio.run(main())


async def rename_often(store: Store, database: str, code: str, steps: int) -> None:
    """What one guest could do to a table before there was an end to it."""
    (*_, last) = await store.read(code)
    text = write_events((PlayerRenamed(1, "Ana N"),)).replace("'", "''")
    versions = range(last.version + 1, steps + 1)
    rows = [f"('{code}', {v}, 5, '{text.replace('Ana N', f'Ana {v}')}')" for v in versions]
    chunks = [rows[begin : begin + 500] for begin in range(0, len(rows), 500)]
    await execute(
        database,
        *[
            f"INSERT INTO steps (table_id, version, at, events) VALUES {','.join(c)}"
            for c in chunks
        ],
        f"UPDATE tables SET version = {steps} WHERE table_id = '{code}'",
    )


def test_a_table_of_twenty_thousand_steps_loads_while_others_play(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")

    async def main() -> None:
        async with opened(database) as store:
            registry = registry_of(store)
            old, other = await opened_table(registry), await opened_table(registry)
            await rename_often(store, database, old, STEPS)
            elsewhere = registry_of(store)  # another node, which has seen neither
            assert await elsewhere.ask(other, "ana", Say("hello")) is None
            loading = asyncio.create_task(elsewhere.table(old))
            said = 0
            while not loading.done() and said < ENOUGH:
                assert await elsewhere.ask(other, "ana", Say("still here")) is None
                said += 1
            table = await loading
            assert table is not None
            assert (table.version, table.places[0].name) == (STEPS, f"Ana {STEPS}")
            assert said == ENOUGH, "nobody had to wait for it"
            refusal = await elsewhere.ask(old, "ana", TakeSeat(1, "Anna"))
            assert isinstance(refusal, TableRefusal)
            assert refusal.reason == "enough-changes"
            await until_kept(store, old, STEPS)
            again = await Loader(store).load(old)
            assert again is not None
            assert (again.table, again.folded) == (table, 0), "the next one loads it at once"

    asyncio.run(main())


async def until_kept(store: Store, code: str, version: int) -> None:
    """Until there is a snapshot of the table at that version."""
    while not (base := await store.base(code, FORM)) or base.version != version:
        await asyncio.sleep(0.01)


# -- what this program does not know ---------------------------------------------------------------


async def append_raw(store: Store, table: Table, step: Step) -> None:
    await store.append(table.code, table.version, step, LISTING)


@pytest.mark.parametrize(
    "step",
    [
        Step(1, "[]", 99),
        Step(1, '[{"event": "CardsEaten", "seat": 1}]'),
        Step(1, '[{"event": "Said", "seat": 1, "text": "hi", "loud": true}]'),
        Step(1, '[{"event": "CardDrawn", "seat": 1, "card": "R1"}]'),
    ],
    ids=["form", "event", "field", "order"],
)
def test_what_is_not_known_makes_one_table_unavailable(database: str, step: Step) -> None:
    async def main() -> None:
        async with opened(database) as store:
            registry = registry_of(store)
            strange, other = await opened_table(registry), await opened_table(registry)
            table = await registry.table(strange)
            assert table is not None
            await append_raw(store, table, step)
            fresh = registry_of(store)
            for _ in range(2):
                with pytest.raises(UnknownEventsError):
                    await fresh.table(strange)
            refusal = await fresh.ask(strange, "ana", Say("hello"))
            assert refusal == TableRefusal("unavailable")
            ear = Ear("beto")
            audience = Audience(registry, Bus(store, Metrics()), Tasks(Metrics()))
            assert await audience.join(strange, ear, None) is None
            # A node that has it in memory learns of it when it wants to change something.
            assert await registry.ask(strange, "ana", Say("hello")) == TableRefusal("unavailable")
            refused, parted = ear.heard[-2:]
            assert refused["reason"] == "unavailable"
            assert parted == "come back", "perhaps to a newer node"
            for node in (registry, fresh):
                assert await node.ask(other, "ana", Say("hello")) is None
            kept: Sequence[TableEvent] = read_step((await store.read(other))[-1]).events
            assert len(kept) == 1

    asyncio.run(main())
