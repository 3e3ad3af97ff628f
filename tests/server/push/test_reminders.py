"""Who is on turn and has closed the page is told so: once a turn, sealed, and without a card."""

import asyncio
import json
import re
from contextlib import ExitStack

import pytest

from phaseten.server.http.identity import owner_of
from phaseten.server.push.offer import PUSH_KEY
from phaseten.server.running.reminders import is_slow, turn_begun
from phaseten.server.store.database import open_store
from phaseten.table.options import Options, rules_of
from phaseten.table.state import PLAYING, Place, Table, empty_table
from tests.server.push.push_service import Browser, push_service, signed_claims
from tests.server.service import FAST, Client, Data, Service, browser, cautious, open_table, run
from tests.server.test_play import ANA, BETO

DAY = 86_400


def is_mine(update: Data) -> bool:
    return bool(update["actions"])


async def play_turn(client: Client) -> None:
    """Play until it is somebody else's turn."""
    await client.until(is_mine)
    await client.play(cautious, lambda update: not update["actions"])


async def start(service: Service, **options: object) -> tuple[Client, Client]:
    """Ana and Beto at a table, the game going on."""
    code = await open_table(service, ANA, seats=2, pace=0, **options)
    ana, beto = Client(service, code, ANA), Client(service, code, BETO)
    for client, seat, name in ((ana, 1, "Ana"), (beto, 2, "Beto")):
        await client.connect()
        await client.ask("sit", seat=seat, name=name)
    await ana.until(lambda update: update["version"] == 3)
    await ana.ask("start")
    await beto.until(lambda update: update["table"]["stage"] == "playing")
    return ana, beto


async def bring_on_turn(client: Client, other: Client) -> None:
    """Let the other one come to the turn, who then is away."""
    await client.until(lambda update: bool(update["game"] and update["game"]["board"]))
    if not client.update["actions"]:
        await play_turn(other)
        await client.until(is_mine)


def test_who_is_away_is_told_once_a_turn(usual_database: str) -> None:
    async def main() -> None:
        async with push_service() as pushing:
            options = (*FAST, f"--push-service={pushing.origin}")
            with ExitStack() as stack:
                service = await asyncio.to_thread(
                    lambda: stack.enter_context(Service(usual_database, *options))
                )
                ana, beto = await start(service, timer=DAY)
                phone = Browser()
                async with browser(service, BETO) as http:
                    key = (await http.get("/api/push")).json()["key"]
                    kept = await http.post(
                        "/api/push",
                        json=phone.subscribed(f"{pushing.origin}/beto"),
                        headers={"accept-language": "es"},
                    )
                    assert kept.status_code == 204, kept.text
                await bring_on_turn(ana, beto)
                await beto.close()
                await play_turn(ana)

                pushed = await pushing.next()
                assert pushed.path == "/beto"
                told = json.loads(phone.read(pushed.body))
                assert told == {"title": f"Te toca en la mesa {ana.code}", "code": ana.code}
                assert pushed.headers["content-encoding"] == "aes128gcm"
                assert re.fullmatch(r"[\w-]{32}", pushed.headers["topic"])
                assert ana.code not in str(pushed.headers)  # who has a code comes in
                assert DAY - 900 < int(pushed.headers["ttl"]) <= DAY
                claims = signed_claims(pushed.headers["authorization"], key)
                assert claims["aud"] == pushing.origin
                assert claims["sub"].startswith("https://")

                # Whatever else happens at the table, that turn has been told of.
                await ana.ask("say", text="hello?")
                await beto.connect()
                await play_turn(beto)  # there: nobody has to be told
                await ana.until(is_mine)
                await beto.close()
                pushing.status = 410
                await play_turn(ana)
                again = await pushing.next()
                assert json.loads(phone.read(again.body))["code"] == ana.code
                assert again.headers["topic"] == pushed.headers["topic"]
                async with browser(service) as http:
                    while 'outcome="gone"} 1.0' not in (await http.get("/metrics")).text:
                        await asyncio.sleep(0.05)
                await asyncio.to_thread(stack.close)
                assert pushing.is_empty
                store = await open_store(usual_database)
                assert await store.keep_key(PUSH_KEY, "") != ""
                assert await store.subscriptions_of(owner_of(BETO)) == []  # since it is gone
                await store.close()

    run(main)


def test_a_browser_can_be_forgotten_and_nonsense_is_refused(service: Service) -> None:
    async def main() -> None:
        good = Browser().subscribed("https://push.example.org/abc")
        async with browser(service) as http:
            assert (await http.post("/api/push", json=good)).status_code == 401
        async with browser(service, ANA) as http:
            assert re.fullmatch(r"[\w-]{87}", (await http.get("/api/push")).json()["key"])
            for bad in (
                {**good, "endpoint": "http://127.0.0.1:1/metrics"},
                {**good, "p256dh": good["auth"]},
                {**good, "auth": ""},
                {**good, "more": 1},
            ):
                answer = await http.post("/api/push", json=bad)
                assert answer.status_code == 422, bad
            foreign = await http.post(
                "/api/push", json=good, headers={"origin": "https://evil.example"}
            )
            assert foreign.status_code == 403
            assert (await http.post("/api/push", json=good)).status_code == 204
            where = {"endpoint": good["endpoint"]}
            assert (await http.request("DELETE", "/api/push", json=where)).status_code == 204
            assert (await http.request("DELETE", "/api/push", json=where)).status_code == 204

    run(main)


def seated(options: Options, *places: Place) -> Table:
    return empty_table("ABCD")._replace(
        options=options, rules=rules_of(options), places=places, stage=PLAYING
    )


@pytest.mark.parametrize(
    ("timer", "people", "slow"),
    [(DAY, 1, True), (3_600, 2, True), (120, 2, False), (None, 2, True), (None, 1, False)],
)
def test_where_people_come_and_go(timer: int | None, people: int, slow: bool) -> None:
    places = [Place("P", owner=str(number)) for number in range(people)]
    bots = [Place("B", bot="casual")] * (3 - people)
    assert is_slow(seated(Options(timer=timer, seats=3), *places, *bots)) is slow


def test_a_break_begins_no_turn() -> None:
    table = seated(Options(), Place("P", owner="x"), Place("Q", owner="y"))
    assert turn_begun(table._replace(paused=True), table._replace(turn_at=5)) is None
    assert turn_begun(table, table._replace(turn_at=5)) is None  # nobody acts: no hand is dealt
