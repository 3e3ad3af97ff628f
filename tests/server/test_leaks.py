"""The leak law at the wire: exchange cards that a connection may not know, and it receives the same bytes.

The log of a game, cut off somewhere, is kept in one database; in another one the same log, in which
hidden cards have changed places. Two real servers serve the two, and people connect to both.
"""

import asyncio
import json
import random
import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from phaseten.rules.events import HandDealt, HandScored
from phaseten.server.events import (
    GameStarted,
    HostChanged,
    HostOwned,
    SeatOwned,
    SeatTaken,
    SeedDrawn,
    SeedPromised,
    TableEvent,
    TableOpened,
)
from phaseten.server.guests import owner_of
from phaseten.server.listing import listing_of
from phaseten.server.opening import open_store
from phaseten.server.options import Options
from phaseten.server.saved import write_events
from phaseten.server.store import Step, Store
from phaseten.server.table import apply, nobody_yet
from tests.laws.games import RARE, Setup, play
from tests.laws.games import Step as GameStep
from tests.laws.test_leaks import Played, origins, replay
from tests.server.service import Client, Service, run

TOKENS = ["", *[letter * 43 for letter in "abcdef"]]
BOOK = tuple(
    Setup(edition, "standard", (), 4, 1, seed, "CCER")
    for edition, seed in (("classic", 1), ("deluxe", 2), ("elchavo", 3), ("anniversary", 4))
)


class Twins(NamedTuple):
    """One game twice; one who sits at it, or watches, cannot tell one from the other."""

    code: str
    viewer: int | None
    logs: tuple[list[tuple[TableEvent, ...]], list[tuple[TableEvent, ...]]]


def twins() -> Iterator[Twins]:
    codes = ("TEST" + "".join(letters) for letters in product("ABCDEFGHJK", repeat=4))
    rng = random.Random(3)
    for setup in (*BOOK, *RARE):
        before, hand = last_hand(list(play(setup, rng.randint(20, 120))))
        if hand is None:
            continue
        for viewer in (None, *range(1, setup.seats + 1)):
            again = exchanged(hand, viewer, rng)
            if again is not None:
                first = log(setup, [*before, *hand.steps], "11" * 32)
                second = log(setup, [*before, *again], "22" * 32)
                yield Twins(next(codes), viewer, (first, second))


def last_hand(steps: list[GameStep]) -> tuple[list[GameStep], Played | None]:
    """What was before the last hand that goes on, and that hand."""
    ends = [i for i, s in enumerate(steps) if any(isinstance(e, HandScored) for e in s.events)]
    if ends and ends[-1] == len(steps) - 1:
        steps = steps[:-1]
    deals = [i for i, step in enumerate(steps) if isinstance(step.events[0], HandDealt)]
    start = deals[-1]
    if any(isinstance(e, HandScored) for step in steps[start:] for e in step.events):
        return steps, None
    return steps[:start], Played(steps[start].before, steps[start:])


def exchanged(hand: Played, viewer: int | None, rng: random.Random) -> list[GameStep] | None:
    """The hand with cards exchanged that the viewer has not seen; None if it cannot be played so."""
    decks = [list(deck) for deck in hand.decks]
    changed = False
    for which, places in origins(hand, viewer).items():
        for _ in range(10):
            one, other = rng.choice(places), rng.choice(places)
            deck = decks[which]
            changed = changed or deck[one] is not deck[other]
            deck[one], deck[other] = deck[other], deck[one]
    return replay(hand, [tuple(deck) for deck in decks]) if changed else None


def log(setup: Setup, steps: Sequence[GameStep], seed: str) -> list[tuple[TableEvent, ...]]:
    """The log of a table at which people play so."""
    is_custom = "\n" in setup.edition
    options = Options(
        edition="classic" if is_custom else setup.edition,
        custom=setup.edition if is_custom else "",
        variant=setup.variant,
        house=setup.house,
        seats=setup.seats,
    )
    opened = (
        TableOpened(options),
        HostOwned("nobody"),
        HostChanged("Host", None),
        SeedDrawn(seed),
        SeedPromised("00" * 32),  # the same for both: it is the seed that must not show
    )
    seated = [
        (SeatTaken(seat, f"Player {seat}"), SeatOwned(seat, owner_of(TOKENS[seat])))
        for seat in range(1, setup.seats + 1)
    ]
    started = (GameStarted(setup.dealer, ""), *steps[0].events)
    return [opened, *seated, started, *[step.events for step in steps[1:]]]


async def keep(store: Store, code: str, events: Sequence[tuple[TableEvent, ...]]) -> None:
    table = nobody_yet(code)
    for at, step in enumerate(events, 1):
        table = apply(table, at, step)
        await store.append(code, at - 1, Step(at, write_events(step)), listing_of(table))


def without_times(texts: Sequence[str]) -> list[str]:
    return [re.sub(r'"at":\d+', '"at":0', text) for text in texts]


async def look(service: Service, twin: Twins) -> list[str]:
    """All that the viewer receives: what was missed, refusals, and what others do."""
    viewer = Client(service, twin.code, TOKENS[twin.viewer or 0])
    await viewer.connect("?after=0")
    assert len(viewer.update["steps"]) == viewer.update["version"]
    for do, more in (
        ("draw", {"at": 0}),
        ("discard", {"card": "W", "at": viewer.update["version"] - 1}),
        ("lay", {"melds": [["W"]], "at": viewer.update["version"]}),
        ("undo", {"at": viewer.update["version"]}),
    ):
        if twin.viewer != viewer.update["game"]["board"]["turn"] or do in ("draw", "discard"):
            assert (await viewer.ask(do, **more))["type"] == "refused"
    turn = viewer.update["game"]["board"]["turn"]
    if twin.viewer != turn:
        other = Client(service, twin.code, TOKENS[turn])
        await other.connect()
        dos = [action["do"] for action in other.update["actions"]]
        if "draw" in dos:
            await other.ask("draw", at=other.update["version"])
            await viewer.receive()
        await other.close()
    await viewer.close()
    return without_times(viewer.received)


def test_exchanging_hidden_cards_changes_no_byte_on_the_wire(tmp_path: Path) -> None:
    databases = [str(tmp_path / name) for name in ("one.sqlite", "two.sqlite")]
    pairs = list(twins())
    assert len(pairs) > 20
    assert all(pair.logs[0] != pair.logs[1] for pair in pairs)
    assert {pair.viewer for pair in pairs} >= {None, 1, 2, 3, 4}

    async def fill() -> None:
        for which, database in enumerate(databases):
            store = await open_store(database)
            await asyncio.gather(*[keep(store, pair.code, pair.logs[which]) for pair in pairs])
            await store.close()

    asyncio.run(fill())
    with Service(databases[0]) as one, Service(databases[1]) as two:

        async def main() -> None:
            drawn = 0
            for pair in pairs:
                first, second = await look(one, pair), await look(two, pair)
                assert first == second
                drawn += len(json.loads(first[-1]).get("steps", ())) == 1
            assert drawn, "nobody ever saw somebody else draw"

        run(main)
        for service in (one, two):
            text = service.stop()
            assert "failed" not in text
            assert not re.search(r"[RBYGO]\d|11111|22222", text.replace("started", ""))
