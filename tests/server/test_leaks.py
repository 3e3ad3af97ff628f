"""The leak law at the wire: exchange cards that a connection may not know, and it receives the same bytes.

The log of a game, cut off somewhere, is kept in one database; in another one the same log, in which
hidden cards have changed places. Two real servers serve the two, and people connect to both; or they
play the rest of the hand at both, move by move.
"""

import asyncio
import json
import random
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pytest

from phaseten.notation.codec import write_action
from phaseten.rules.events import HandDealt, HandScored
from phaseten.server.clock import now
from phaseten.server.http.identity import owner_of
from phaseten.server.store.codec import read_events, write_events
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import Step, Store
from phaseten.server.store.listings import listing_of
from phaseten.table.events import (
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
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import empty_table
from tests.laws.games import RARE, Setup, play
from tests.laws.games import Step as GameStep
from tests.laws.test_leaks import Played, origins, replay
from tests.server.cluster import Cluster
from tests.server.foreseen import token
from tests.server.marathon import Player, play_all, sit_down
from tests.server.service import Client, Data, SecretService, Service, browser, is_over, run

BEGAN = now()
"""Both tables of a pair: what was left long ago expires."""
NOBODY = token("n")
TOKENS = ["", *[token(letter) for letter in "abcdef"]]
Log = list[tuple[TableEvent, ...]]
Logs = Mapping[str, tuple[Log, Log]]
"""For each table what happened there, and the same with other cards."""
BOOK = tuple(
    Setup(edition, "standard", (), 4, 1, seed, "CCER")
    for edition, seed in (("classic", 1), ("deluxe", 2), ("elchavo", 3), ("anniversary", 4))
)


class Twins(NamedTuple):
    """One game twice; one who sits at it, or watches, cannot tell one from the other."""

    code: str
    viewer: int | None
    logs: tuple[Log, Log]


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


def log(setup: Setup, steps: Sequence[GameStep], seed: str) -> Log:
    """The log of a table at which people play so."""
    is_custom = "\n" in setup.edition
    options = Options(
        edition="classic" if is_custom else setup.edition,
        custom=setup.edition if is_custom else "",
        variant=setup.variant,
        house=setup.house,
        seats=setup.seats,
        public=True,
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
    table = empty_table(code)
    for version, step in enumerate(events):
        at = BEGAN + version
        table = apply(table, at, step)
        await store.append(code, version, Step(at, write_events(step)), listing_of(table))


TIMING = re.compile(r'"(at|now|connected|watchers|host_connected)":(\d+|true|false)')
"""When something happened, and who was connected just then."""


def comparable(texts: Sequence[str]) -> list[str]:
    """What was received, less what differs from one time to the next."""
    told = [
        text
        for i, text in enumerate(texts)
        if i < 2 or '"change"' not in text or '"steps":[{' in text
    ]
    return [TIMING.sub(r'"\1":0', text) for text in told]


async def browse(service: Service, paths: Sequence[str], token: str = "") -> list[str]:
    """What these addresses answer."""
    async with browser(service, token or NOBODY) as http:
        answers = [await http.get(path) for path in paths]
    for answer in answers:
        del answer.headers["date"]
        # An old cookie is set again, for the one who sent it.
        if token and token in answer.headers.get("set-cookie", ""):
            del answer.headers["set-cookie"]
    return [f"{answer.status_code} {answer.headers} {answer.text}" for answer in answers]


async def listed(service: Service, path: str, token: str = "") -> list[Data]:
    """The tables of a list; those that changed at the same time have no order."""
    (answer,) = await browse(service, [path], token)
    return sorted(json.loads(answer[answer.index("[{") :]), key=itemgetter("code"))


async def look(service: Service, twin: Twins) -> list[str]:
    """All that the viewer is told: by HTTP, what was missed, refusals, and what others do."""
    token = TOKENS[twin.viewer or 0]
    address = f"/api/tables/{twin.code}"
    told = await browse(service, [address, f"{address}/record"], token)
    viewer = Client(service, twin.code, token)
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
    if twin.viewer is not None:
        assert (await viewer.ask("need", at=viewer.update["version"]))["type"] == "need"
    turn = viewer.update["game"]["board"]["turn"]
    if twin.viewer != turn:
        other = Client(service, twin.code, TOKENS[turn])
        await other.connect()
        dos = [action["do"] for action in other.update["actions"]]
        if "draw" in dos:
            version = viewer.update["version"]
            await other.ask("draw", at=version)
            await viewer.until(lambda update: update["version"] > version)
        await other.close()
    else:
        await viewer.ask("explain", action=viewer.update["actions"][0], at=viewer.update["version"])
    await viewer.close()
    await viewer.connect(f"?after={viewer.update['version'] - 3}&language=pt")
    assert len(viewer.update["steps"]) == 3
    await viewer.close()
    return told + comparable(viewer.received)


@contextmanager
def two_servers(databases: Sequence[str], logs: Logs) -> Generator[tuple[Service, Service]]:
    """A server for each of the two databases, which hold these logs; they fail nowhere."""

    async def fill() -> None:
        for which, database in enumerate(databases):
            store = await open_store(database)
            await asyncio.gather(*[keep(store, code, both[which]) for code, both in logs.items()])
            await store.close()

    asyncio.run(fill())
    with Service(databases[0]) as one, Service(databases[1]) as two:
        yield one, two
        for service in (one, two):
            text = service.stop()
            assert "failed" not in text
            assert not re.search(r"[RBYGO]\d|11111|22222", text.replace("started", ""))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    if request.param == "sqlite":
        return str(tmp_path / "one.sqlite"), str(tmp_path / "two.sqlite")
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database(), cluster.new_database()


def test_exchanging_hidden_cards_changes_no_byte_on_the_wire(databases: tuple[str, str]) -> None:
    pairs = list(twins())
    assert len(pairs) > 15
    assert all(pair.logs[0] != pair.logs[1] for pair in pairs)
    assert {pair.viewer for pair in pairs} >= {None, 1, 2, 3, 4}
    with two_servers(databases, {pair.code: pair.logs for pair in pairs}) as (one, two):

        async def main() -> None:
            everything = await listed(one, "/api/tables")
            assert everything == await listed(two, "/api/tables")
            assert {table["code"] for table in everything} == {pair.code for pair in pairs}
            for token in TOKENS[1:5]:
                mine = await listed(one, "/api/mine", token)
                assert mine == await listed(two, "/api/mine", token)
            drawn = explained = 0
            for pair in pairs:
                first, second = await look(one, pair), await look(two, pair)
                assert first == second
                drawn += '"DrawSeen"' in first[-3]
                explained += '"type":"hint"' in first[-3]
            assert drawn, "nobody ever saw somebody else draw"
            assert explained, "nobody ever got an explanation"

        run(main)


# -- a hand that is played at both servers, move by move ------------------------------------------


def lived() -> Iterator[tuple[str, int, Logs, list[GameStep]]]:
    """Hands whose deals differ in what one seat never gets to see; and what was done in them."""
    rng = random.Random(8)
    for number, setup in enumerate(BOOK):
        steps = list(play(setup, 90))
        ends = [i for i, s in enumerate(steps) if any(isinstance(e, HandScored) for e in s.events)]
        before, hand = last_hand(steps[: ends[0]] if ends else steps)
        assert hand is not None
        if len(hand.decks) > 1:
            continue  # the servers would shuffle with their own seeds
        for viewer in range(1, setup.seats + 1):
            again = exchanged(hand, viewer, rng)
            if again is not None:
                first = log(setup, [*before, hand.steps[0]], "11" * 32)
                second = log(setup, [*before, again[0]], "22" * 32)
                code = f"HAND{number + 2}{viewer + 1}AA"
                yield code, viewer, {code: (first, second)}, hand.steps[1:]
                break


def all_are_there(update: Data) -> bool:
    table = update["table"]
    return table["watchers"] == 1 and all(seat["connected"] for seat in table["seats"])


async def live_through(
    service: Service, code: str, viewer: int, steps: Sequence[GameStep]
) -> dict[str, list[str]]:
    """Play these moves; all that the seat, and a watcher, were told."""
    seats = [Client(service, code, token) for token in TOKENS[1:5]]
    watcher = Client(service, code)
    everybody = (*seats, watcher)
    for client in everybody:
        await client.connect("?after=0")
    for client in everybody:  # or who is there would be told now with one move and now with another
        while not all_are_there(client.update):
            await client.receive_any()
    for step in steps:
        assert step.action is not None
        assert step.seat is not None
        version = watcher.update["version"]
        message: Data = {**write_action(step.action), "at": version}
        await seats[step.seat - 1].send(**message)
        for client in everybody:
            await client.until(lambda update, past=version: update["version"] > past)
    record = await browse(service, [f"/api/tables/{code}/record"], TOKENS[viewer])
    for client in everybody:
        await client.close()
    told = {"seat": seats[viewer - 1].received, "watcher": watcher.received}
    return {who: comparable(texts) for who, texts in told.items()} | {"record": record}


def test_a_hand_played_move_by_move_looks_the_same(tmp_path: Path) -> None:
    hands = list(lived())
    assert len(hands) >= 3
    logs = {code: pair for _, _, both, _ in hands for code, pair in both.items()}
    assert all(one != two for one, two in logs.values())
    databases = str(tmp_path / "one.sqlite"), str(tmp_path / "two.sqlite")
    with two_servers(databases, logs) as (one, two):

        async def main() -> None:
            for code, viewer, _, steps in hands:
                first = await live_through(one, code, viewer, steps)
                assert len(first["watcher"]) > len(steps) > 20
                assert first == await live_through(two, code, viewer, steps)

        run(main)


# -- nothing secret anywhere ----------------------------------------------------------------------

CARD = re.compile(r"\b[RBYGO]1?\d\b|\bW=\d")


async def secrets_of(database: str, code: str) -> tuple[list[str], set[str]]:
    """The seeds of the table's games, and by what its people are known."""
    store = await open_store(database)
    steps = [read_events(kept.step.events) for kept in await store.read(code)]
    await store.close()
    events = [event for step in steps for event in step]
    seeds = [event.seed for event in events if isinstance(event, SeedDrawn)]
    return seeds, {event.owner for event in events if isinstance(event, SeatOwned | HostOwned)}


def test_no_message_log_line_or_measure_has_a_secret(database: str) -> None:
    with SecretService(database) as service:
        read: list[str] = []
        measured: list[str] = []

        async def look_around(code: str, players: Sequence[Player]) -> None:
            addresses = [f"/api/tables/{code}", "/api/tables", "/api/mine"]
            while not any(player.is_over for player in players):
                for token in ("", players[0].token):
                    answers = await browse(service, addresses, token)
                    read.extend(text for text in answers if '"stage":"finished"' not in text)
                record = (await browse(service, [f"/api/tables/{code}/record"], players[1].token))[
                    0
                ]
                if '[Seen "2"]' in record:
                    read.append(record)
                measured.extend(await browse(service, ["/metrics", "/healthz", "/readyz"]))
                await asyncio.sleep(0.05)

        async def main() -> None:
            players = await sit_down([service], 2, seats=3, variant="phases=2", public=True)
            code = players[0].client.code
            watcher = Client(service, code, token("z"))
            await watcher.connect("?after=0")
            for text in ("{", '{"do":"draw","at":1}', '{"do":"sit","seat":1,"name":"R7"}'):
                await watcher.send_text(text)
            await play_all([players], watcher.until(is_over), look_around(code, players))
            clients = [watcher, *[player.client for player in players]]
            ends = [len(client.received) for client in clients]
            await players[0].client.send("rematch")
            await players[0].client.until(lambda update: update["table"]["stage"] == "waiting")
            await watcher.until(lambda update: update["table"]["stage"] == "waiting")
            (first, second), owners = await secrets_of(database, code)
            tokens = {TOKENS[1], TOKENS[2], token("z")}
            told = [text for client in clients for text in client.received]
            for text in (*told, *read):
                assert second not in text
                assert not [secret for secret in (*owners, *tokens) if secret in text]
            before = [
                text
                for client, end in zip(clients, ends, strict=True)
                for text in client.received[: end - 1]
            ]
            assert any(first in text for text in told), "it is revealed at the end"
            assert not [text for text in (*before, *read) if first in text]
            for text in watcher.received:
                assert '"held":["' not in text
                assert not re.search(r'"DrawSeen","seat":\d,"card":"', text)
            logged = service.stop()
            assert logged
            for text in (logged, *measured):
                assert not CARD.search(text), CARD.search(text)
                for secret in (first, second, code, *owners, *tokens, "Player 1"):
                    assert secret not in text

        run(main)
