"""What the server does by itself, and when, over real sockets."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from tests.server.service import Client, Data, Service, open_table, run
from tests.server.test_play import ANA, BETO, told_like_it_is


def events_of(client: Client) -> list[tuple[int, Data]]:
    """All events of the last update, with the time of each."""
    return [(step["at"], event) for step in client.update["steps"] for event in step["events"]]


def test_a_bot_plays_for_who_is_away_at_its_pace_until_the_person_is_back(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(service, ANA, seats=2, timer=5, pace=600)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            started = ana.update["version"]
            await ana.until(lambda update: bool(update["actions"]))
            assert ana.update["table"]["due"] - ana.update["steps"][-1]["at"] == 5_000
            await ana.until(lambda update: bool(update["table"]["seats"][0]["stand_in"]))
            assert ana.update["actions"] == []
            for _ in range(4):
                await ana.receive()
            assert ana.update["version"] > started + 4
            await ana.send("back")
            await ana.until(lambda update: bool(update["actions"]))
            assert ana.update["table"]["seats"][0]["stand_in"] == ""
            again = Client(service, code, ANA)
            await again.connect("?after=0")
            told = events_of(again)
            kinds = [event["event"] for _, event in told]
            away = kinds.index("StandInSeated")
            assert told[away][0] - told[away - 1][0] >= 5_000
            acts = [
                at for at, event in told[away:] if event["event"] in ("DrawSeen", "DiscardTaken")
            ]
            ends = [at for at, event in told[away:] if event["event"] == "CardDiscarded"]
            assert acts
            assert ends
            assert ends[0] - acts[0] >= 150, "a bot takes its time, though less among bots"

        run(main)


def test_two_nodes_write_to_one_table_at_the_same_time(new_database: Callable[[], str]) -> None:
    url = new_database()
    limits = ("--limit=talk=1000/100", "--limit=messages=1000/100")
    with Service(url, *limits) as one, Service(url, *limits) as two:

        async def say(client: Client, texts: list[str]) -> None:
            for text in texts:
                await client.send("say", text=text)
            while len(client.versions) < 60 + start:
                message = await client.receive()
                assert message["type"] == "update", message

        start = 2

        async def main() -> None:
            code = await open_table(one, ANA)
            ana, beto = Client(one, code, ANA), Client(two, code, BETO)
            await ana.connect()
            await beto.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await beto.until(lambda update: update["version"] == 2)
            await beto.ask("sit", seat=2, name="Beto")
            await ana.until(lambda update: update["version"] == 3)
            texts = [[f"{name} {i}" for i in range(30)] for name in ("ana", "beto")]
            await asyncio.gather(say(ana, texts[0]), say(beto, texts[1]))
            told_like_it_is(ana)
            told_like_it_is(beto)
            later = Client(two, code)
            await later.connect("?after=3")
            said = [event["text"] for _, event in events_of(later)]
            assert sorted(said) == sorted(texts[0] + texts[1])
            assert [text for text in said if text[0] == "a"] == texts[0], "in the order of sending"

        run(main)
