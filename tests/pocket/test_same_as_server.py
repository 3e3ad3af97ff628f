"""The law of the pocket: the same chances, options and requests give the same bytes as a server's table."""

import json
import random
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from phaseten.language import language
from phaseten.pocket.people import Person
from phaseten.pocket.table import Chance, PocketTable
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.server.http.identity import Tokens
from phaseten.table.commands import OpenTable
from phaseten.table.decisions import open_table
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import empty_table
from phaseten.table.viewers import TableStep
from tests.server import foreseen, service
from tests.server.service import FAST, Client, Data, Service, is_over, run

NAMES = ("ana", "beto")
FEW = 40
MANY = 2_000


class Heard:
    """What was asked of a server's table, and what everybody there was told."""

    def __init__(self, code: str, options: Data) -> None:
        self.code = code
        self.options = options
        self.requests: list[tuple[int, str]] = []
        """Who asked, and for what; the answers to the first request are the first row of ``told``."""
        self.told: list[list[list[str]]] = []
        """After each request, what each of them was told."""
        self.times: dict[int, int] = {}
        """When each step happened."""


async def play(server: Service, options: Data, seed: int, most: int) -> Heard:
    """People who ask for anything, in their turn and out of it."""
    rng = random.Random(seed)
    heard = Heard(await service.open_table(server, NAMES[0], **options), options)
    clients = [Client(server, heard.code, name) for name in NAMES]
    for client in clients:
        await client.connect()
    await clients[0].receive_any()  # that somebody else has come
    for client in clients:
        heard.times |= {step["version"]: step["at"] for step in client.update["steps"]}
        client.received.clear()

    async def ask(number: int, request: Data) -> None:
        heard.requests.append((number, json.dumps(request)))
        await clients[number].send_text(json.dumps(request))
        while json.loads(message := await _next(clients[number])).get("id") != request["id"]:
            assert message  # what happened comes before the answer
        for client in clients:
            await client.until(_waits_for_people)
        version = max(client.update["version"] for client in clients)
        for client in clients:
            await client.until(lambda update: update["version"] == version)
        heard.told.append([list(client.received) for client in clients])
        for client in clients:
            for text in client.received:
                found = json.loads(text).get("steps", ())
                heard.times |= {step["version"]: step["at"] for step in found}
            client.received.clear()

    for number, name in enumerate(NAMES):
        await ask(number, {"do": "sit", "seat": number + 1, "name": name.title(), "id": 1})
    await ask(0, {"do": "start", "id": 2})
    for turn in range(most):
        if is_over(clients[0].update):
            break
        number = rng.randrange(len(clients))
        update = clients[number].update
        request = _request(rng, update)
        await ask(number, {**request, "id": turn + 10})
    for client in clients:
        await client.close()
    return heard


async def _next(client: Client) -> str:
    await client.receive_any()
    return client.received[-1]


def _waits_for_people(update: Data) -> bool:
    table, game = update["table"], update["game"]
    if table["stage"] != "playing":
        return True
    board = game["board"]
    return board is not None and not table["seats"][board["turn"] - 1]["bot"]


def _request(rng: random.Random, update: Data) -> Data:
    at = update["version"]
    chance = rng.random()
    if chance < 0.1:
        return {"do": rng.choice(("undo", "need")), "at": at}
    if chance < 0.15:
        return {"do": "hint", "at": at, "level": "sharp"}
    if chance < 0.2:
        return rng.choice(
            (
                {"do": "say", "text": "hello"},
                {"do": "mute", "seat": 2, "on": rng.random() < 0.5},
                {"do": "pause"} if rng.random() < 0.3 else {"do": "resume"},
                {"do": "react", "reaction": "wow"},
                {"do": "past"},
                {"do": "discard", "card": "R1", "at": at - 1},
            )
        )
    if not update["actions"]:
        return {"do": "discard", "card": "R5", "at": at}
    kinds = list(dict.fromkeys(action["do"] for action in update["actions"]))
    kind = min(kinds, key=("lay", "hit", "draw", "take", "nothing", "discard").index)
    action = rng.choice([action for action in update["actions"] if action["do"] == kind])
    if action["do"] == "hit" or chance > 0.3:
        return {**action, "at": at}
    return {"do": "explain", "action": action, "at": at}


def told_in_the_pocket(heard: Heard) -> list[list[list[str]]]:
    """What the same people are told of the same requests by a table on one device."""
    owners = [_owner(name) for name in NAMES]
    options = msgspec.convert(json.loads(json.dumps(heard.options)), Options)  # as they are sent
    opened = open_table(owners[0], OpenTable(options, "Host", foreseen.SEED))
    assert isinstance(opened, tuple)
    began = heard.times.get(1, 0)
    table = apply(empty_table(heard.code), began, opened)
    chance = Chance(lambda: foreseen.SEED, lambda: 0, lambda: heard.times[_next_version()])

    def _next_version() -> int:
        # The last step has happened: nothing that is due is done before the next request.
        version = pocket.table.version + 1
        return version if version in heard.times else max(heard.times)

    pocket = PocketTable(table, chance, [TableStep(1, began, opened)])
    heard.times.setdefault(1, began)
    people = [Person(owner, language("en")) for owner in owners]
    for person in people:
        pocket.join(person)
        person.take_messages()
    told: list[list[list[str]]] = []
    for number, request in heard.requests:
        if pocket.hear(people[number], request) is not None:
            pocket.kept()
        while pocket.due is not None and pocket.act() is not None:
            pocket.kept()
        told.append([[text.decode() for text in person.take_messages()] for person in people])
    return told


def _owner(name: str) -> str:
    guest = Tokens(foreseen.KEY).find(foreseen.token(name))
    assert guest is not None
    return guest.owner


def check(tmp_path: Path, games: list[tuple[str, int]], most: int) -> None:
    async def main() -> None:
        for edition, seed in games:
            options = {"edition": edition, "seats": 3, "pace": 0, "variant": "phases=2"}
            options |= {"stand_in": ("rookie", "casual", "sharp")[seed % 3]}
            heard = await play(server, options, seed, most)
            told = told_in_the_pocket(heard)
            for request, ours, theirs in zip(heard.requests, told, heard.told, strict=True):
                assert ours == theirs, (edition, seed, request, _first_difference(ours, theirs))

    unlimited = [f"--limit={name}=100000/100000" for name in ("hints", "needs", "talk")]
    with Service(str(tmp_path / "tables.sqlite"), *FAST, *unlimited) as server:
        run(main)


def _first_difference(ours: list[list[str]], theirs: list[list[str]]) -> str:
    for mine, other in zip(chain(*ours), chain(*theirs), strict=False):
        for place, (one, two) in enumerate(zip(mine, other, strict=False)):
            if one != two:
                return f"{mine[max(0, place - 80) :][:160]} / {other[max(0, place - 80) :][:160]}"
    return "one of them was told more"


def test_a_pocket_table_tells_the_same_bytes_as_a_server(tmp_path: Path) -> None:
    check(tmp_path, [(name, number) for number, name in enumerate(BOOK_EDITIONS)], FEW)


@pytest.mark.long
def test_the_same_in_whole_games(tmp_path: Path) -> None:
    games = [(name, seed) for name in BOOK_EDITIONS for seed in range(10, 14)]
    check(tmp_path, games, MANY)
