"""Whole games over real sockets."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from phaseten.rules.shuffle import commitment
from tests.patience import PATIENCE
from tests.server.foreseen import token
from tests.server.service import (
    Client,
    Service,
    cautious,
    is_over,
    open_table,
    run,
    without_presence,
)

ANA, BETO, CLEO = (token(letter) for letter in "abc")


def told_like_it_is(client: Client) -> None:
    """Every step was told once and in order."""
    assert client.versions == list(range(client.versions[0], client.versions[-1] + 1))


def test_two_people_and_two_bots_play_a_whole_game(usual_database: str) -> None:
    with Service(usual_database) as service:

        async def main() -> None:
            code = await open_table(
                service, ANA, edition="express", variant="phases=3", pace=0, stand_in="sharp"
            )
            ana, beto, watcher = (Client(service, code, token) for token in (ANA, BETO, ""))
            for client in (ana, beto, watcher):
                await client.connect()
            promised = ana.update["table"]["commitment"]
            assert (await ana.ask("sit", seat=1, name="Ana"))["type"] == "update"
            await beto.until(lambda update: update["version"] == 2)
            await beto.ask("sit", seat=3, name="Beto")
            await beto.ask("seed", text="zz")
            await ana.until(lambda update: update["version"] == 4)
            await ana.ask("seed", text="k3")
            await ana.ask("start")
            await asyncio.gather(
                ana.play(cautious, is_over),
                beto.play(cautious, is_over),
                watcher.until(is_over),
            )
            for client in (ana, beto, watcher):
                told_like_it_is(client)
                table = client.update["table"]
                assert table["client_seed"] == "1:k3,3:zz"
                assert commitment(bytes.fromhex(table["server_seed"])) == promised
            assert ana.update["game"]["winner"] == watcher.update["game"]["winner"]
            seed = ana.update["table"]["server_seed"]
            assert all(seed not in text for text in watcher.received[:-1])
            hidden = re.findall(r'"event":"DrawSeen","seat":\d,"card":"', "".join(watcher.received))
            assert not hidden
            assert {text for text in watcher.received if '"held":["' in text} == set()
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as http:
                record = (await http.get(f"/api/tables/{code}/record")).text
            verdict = judge(parse_record(record))
            assert verdict["ok"]
            assert verdict["winner"] == ana.update["game"]["winner"]

        run(main)
        assert '"failed"' not in service.stop()


def test_refusals_come_with_rule_and_sentence_and_change_nothing(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0)
        ana = Client(service, code, ANA)
        await ana.connect("?language=es")
        answer = await ana.ask("start", id=5, more=1)
        assert (answer["rule"], answer["reason"]) == ("TABLE", "malformed")
        await ana.ask("sit", seat=1, name="Ana")
        await ana.ask("start")
        await ana.until(lambda update: bool(update["actions"]))
        before = ana.update
        answer = await ana.ask("discard", card="W", at=before["version"], id=7)
        assert (answer["type"], answer["rule"], answer["id"]) == ("refused", "T-DRAW", 7)
        assert answer["sentence"].startswith("Primero roba una carta")
        answer = await ana.ask("draw", at=before["version"] - 1)
        assert answer["reason"] == "stale"
        assert answer["version"] == before["version"]
        other = Client(service, code, ANA)
        await other.connect()
        assert without_presence(other.update) == without_presence(before)
        nobody = Client(service, code)
        await nobody.connect("?language=fr")
        answer = await nobody.ask("draw", at=before["version"])
        assert answer["sentence"].startswith("Prends")

    run(main)


def test_who_comes_back_gets_exactly_what_was_missed(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0)
        ana, beto = Client(service, code, ANA), Client(service, code, BETO)
        await ana.connect()
        await beto.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await beto.until(lambda update: update["version"] == 2)
        await beto.ask("sit", seat=2, name="Beto")
        known = beto.update["version"]
        await beto.close()
        await ana.until(lambda update: update["version"] == 3)
        await ana.ask("start")
        for text in ("one", "two", "three"):
            await ana.ask("say", text=text)
        await beto.reconnect()
        assert [step["version"] for step in beto.update["steps"]] == list(
            range(known + 1, ana.update["version"] + 1)
        )
        said = [e["text"] for s in beto.update["steps"] for e in s["events"] if "text" in e]
        assert said == ["one", "two", "three"]
        again = Client(service, code, BETO)
        await again.connect(f"?after={ana.update['version']}")
        assert again.update["steps"] == []
        assert again.update["game"] == beto.update["game"]

    run(main)


def test_talk_is_limited_and_messages_too(tmp_path: Path) -> None:
    limits = ("--limit=messages=12/0.001", "--limit=talk=2/0.001", "--limit=requests=100/100")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as service:

        async def main() -> None:
            code = await open_table(service, ANA)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            kinds = [(await ana.ask("say", text="hi"))["type"] for _ in range(4)]
            assert kinds == ["update", "update", "refused", "refused"]
            answers = [await ana.ask("sit", seat=1, name="Ana") for _ in range(12)]
            reasons = [answer["reason"] for answer in answers]
            assert "already-seated" in reasons
            assert reasons[-1] == "too-fast"

        run(main)


def test_nodes_share_tables_through_postgresql(new_database: Callable[[], str]) -> None:
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def main() -> None:
            code = await open_table(one, ANA, edition="express", variant="phases=1", pace=0)
            ana, beto = Client(one, code, ANA), Client(two, code, BETO)
            await ana.connect()
            await beto.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await beto.until(lambda update: update["version"] == 2)
            await beto.ask("sit", seat=2, name="Beto")
            await ana.until(lambda update: update["version"] == 3)
            await ana.ask("start")
            await asyncio.gather(ana.play(cautious, is_over), beto.play(cautious, is_over))
            assert ana.update["game"]["winner"] == beto.update["game"]["winner"]
            told_like_it_is(ana)
            told_like_it_is(beto)

        run(main)
        for service in (one, two):
            assert '"level": "error"' not in service.stop()


def test_clients_are_told_when_the_server_ends(tmp_path: Path) -> None:
    service = Service(str(tmp_path / "tables.sqlite"))

    async def main() -> None:
        code = await open_table(service, ANA)
        ana = Client(service, code, ANA)
        await ana.connect()
        stopped = asyncio.create_task(asyncio.to_thread(service.stop))
        with pytest.raises(Exception, match="1012"):
            await ana.receive()
        lines = [json.loads(line) for line in (await stopped).splitlines()]
        assert {line["level"] for line in lines} == {"info"}

    run(main)
