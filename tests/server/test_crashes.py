"""Nothing lost: processes are killed in the middle of games, and people come back."""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from phaseten.server.opening import open_store
from phaseten.server.saved import read_events
from phaseten.server.showing import TableStep, step_form
from phaseten.server.wire import StepForm
from tests.server.service import Client, Data, Service, cautious, is_over, open_table, run
from tests.server.test_play import ANA, BETO, told_like_it_is

LOST = (ConnectionClosed, InvalidHandshake, OSError, EOFError)


async def play_on(client: Client) -> int:
    """Play to the end, whatever happens to the server; how often the connection was lost."""
    lost = 0
    while True:
        try:
            while not is_over(client.update):
                await asyncio.sleep(0.01)  # so that the game lasts
                await client.play(cautious, once_more(client))
        except LOST:
            lost += 1
            await come_back(client)
        else:
            return lost


def once_more(client: Client) -> Callable[[Data], bool]:
    """Until the next update."""
    version = client.update["version"]
    return lambda update: update["version"] != version or is_over(update)


async def come_back(client: Client) -> None:
    while True:
        try:
            await client.reconnect()
        except LOST:
            await asyncio.sleep(0.1)
        else:
            return


async def seated(ana: Client, beto: Client) -> None:
    await ana.connect()
    await beto.connect()
    await ana.ask("sit", seat=1, name="Ana")
    await beto.until(lambda update: update["version"] == 2)
    await beto.ask("sit", seat=2, name="Beto")
    await ana.until(lambda update: update["version"] == 3)
    await ana.ask("start")


async def check_told(database: str, code: str, clients: dict[int, Client]) -> None:
    """What anybody was told at any time is what is kept: nothing lost, nothing twice, nothing else."""
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
                assert step == as_sent(form)


def as_sent(form: StepForm) -> Data:
    return json.loads(msgspec.json.encode(form))


async def check_record(service: Service, code: str, update: Data) -> None:
    async with httpx.AsyncClient(base_url=service.url) as http:
        record = (await http.get(f"/api/tables/{code}/record")).text
    verdict = judge(parse_record(record))
    assert verdict["ok"], verdict
    assert verdict["winner"] == update["game"]["winner"]


def test_a_server_is_killed_again_and_again(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    rng = random.Random(5)
    with Service(database) as service:

        async def kill_now_and_then() -> int:
            for kills in range(4):
                await asyncio.sleep(rng.uniform(0.2, 0.9))
                if is_over(ana.update):
                    return kills
                await asyncio.to_thread(service.kill)
                await asyncio.to_thread(service.start)
            return 4

        async def main() -> None:
            nonlocal ana
            code = await open_table(service, ANA, seats=3, variant="phases=4", pace=0)
            ana, beto = Client(service, code, ANA), Client(service, code, BETO)
            await seated(ana, beto)
            lost, _, kills = await asyncio.gather(play_on(ana), play_on(beto), kill_now_and_then())
            assert kills >= 2
            assert lost >= kills - 1
            await check_record(service, code, ana.update)
            await check_told(database, code, {1: ana, 2: beto})

        ana = Client(service, "")
        run(main)


def test_one_of_two_nodes_is_killed(new_database: Callable[[], str]) -> None:
    """People at both nodes; Ana's dies for good. She goes on at the other one, and so do the bots."""
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def kill_one() -> None:
            await asyncio.sleep(0.5)
            await asyncio.to_thread(one.kill)
            ana.service = two

        async def main() -> None:
            nonlocal ana
            code = await open_table(one, ANA, variant="phases=3", pace=0)
            ana, beto = Client(one, code, ANA), Client(two, code, BETO)
            await seated(ana, beto)
            lost, never, _ = await asyncio.gather(play_on(ana), play_on(beto), kill_one())
            assert (lost > 0, never) == (True, 0)
            await check_record(two, code, ana.update)
            await check_told(url, code, {1: ana, 2: beto})

        ana = Client(one, "")
        run(main)
