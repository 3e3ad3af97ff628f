"""What people ask bots, and what they do not want to hear, over real sockets."""

import json
from collections import Counter
from pathlib import Path

import httpx

from phaseten.language import LANGUAGES
from phaseten.notation.records import parse_record
from phaseten.notation.verdict import judge
from tests.patience import PATIENCE
from tests.server.service import FAST, Client, Data, Service, open_table, run
from tests.server.test_play import ANA, BETO


async def seated(
    service: Service, language: str = "en", **options: object
) -> tuple[Client, Client]:
    """Two at a table, the host first."""
    code = await open_table(service, ANA, seats=2, pace=0, **options)
    ana, beto = Client(service, code, ANA), Client(service, code, BETO)
    await ana.connect(f"?language={language}")
    await beto.connect(f"?language={language}")
    await ana.ask("sit", seat=1, name="Ana")
    await beto.until(lambda update: update["version"] == 2)
    await beto.ask("sit", seat=2, name="Beto")
    await ana.until(lambda update: update["version"] == 3)
    return ana, beto


async def playing(ana: Client, beto: Client) -> tuple[Client, Client]:
    """Start; the one who begins, which a Skip may change, and the other."""
    await ana.ask("start")
    await beto.until(lambda update: update["version"] == ana.update["version"])
    return (ana, beto) if ana.update["actions"] else (beto, ana)


async def hint(client: Client, do: str, **more: object) -> Data:
    answer = await client.ask(do, at=client.update["version"], id=9, **more)
    assert (answer["type"], answer["id"]) == ("hint", 9), answer
    return answer


def test_bots_give_hints_and_explain(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), *FAST, "--limit=hints=100/100") as service:

        async def main() -> None:
            found: list[str] = []
            for code in LANGUAGES:
                player, other = await playing(*await seated(service, code))
                answer = await hint(player, "hint")
                assert answer["level"] == "master"
                assert answer["action"] in player.update["actions"]
                assert answer["version"] == player.update["version"]
                assert 1 <= len(answer["reasons"]) <= 2
                for level in ("rookie", "sharp"):
                    assert (await hint(player, "hint", level=level))["level"] == level
                answer = await hint(player, "explain", action={"do": "draw"})
                assert (answer["level"], answer["action"]) == (None, {"do": "draw"})
                found.append(answer["reasons"][0].split()[0])
                refused = await other.ask("hint", at=player.update["version"])
                assert refused["reason"] == "not-your-turn"
                skip = {"do": "discard", "card": "S"}
                version = player.update["version"]
                refused = await player.ask("explain", at=version, action=skip, id=4)
                assert (refused["rule"], refused["id"]) == ("T-DRAW", 4)
                assert "hint" not in {json.loads(text)["type"] for text in other.received}
            assert len(set(found)) > 1

        run(main)
        assert '"failed"' not in service.stop()


def test_everybody_can_ask_what_the_own_cards_lack(service: Service) -> None:
    async def main() -> None:
        ana, beto = await seated(service)
        assert (await ana.ask("need", at=ana.update["version"]))["reason"] == "no-game"
        for client in await playing(ana, beto):  # also who is not on turn
            held: list[str] = client.update["game"]["held"]
            answer = await client.ask("need", at=client.update["version"], id=3)
            assert (answer["type"], answer["id"]) == ("need", 3)
            (aim,) = answer["aims"]
            assert aim["phase"] == 1
            slots = [slot for row in aim["rows"] for slot in row]
            assert len(slots) >= 6  # two sets of three, or more where a fourth card is held
            filled = [slot["card"].partition("=")[0] for slot in slots if slot["filled"]]
            assert len(slots) - len(filled) == aim["missing"]
            assert not Counter(filled) - Counter(held)
        assert (await ana.ask("need", at=1))["reason"] == "stale"

    run(main)
    assert '"failed"' not in service.logged


def test_who_comes_back_is_told_what_happened_before(service: Service) -> None:
    async def main() -> None:
        ana, beto = await seated(service)
        await ana.ask("say", text="Hello, Beto!")
        player, other = await playing(ana, beto)
        await player.ask("draw", at=player.update["version"])
        await other.close()
        await other.connect()
        answer = await other.ask("past", id=5)
        assert (answer["type"], answer["id"]) == ("past", 5)
        assert answer["version"] == other.update["version"]
        versions = [step["version"] for step in answer["steps"]]
        assert versions == list(range(1, answer["version"] + 1))
        events = [event for step in answer["steps"] for event in step["events"]]
        assert {"event": "Said", "seat": 1, "text": "Hello, Beto!"} in events
        (deal,) = [event for event in events if event["event"] == "DealSeen"]
        assert sorted(deal["cards"]) == sorted(other.update["game"]["held"])
        (drawn,) = [event for event in events if event["event"] == "DrawSeen"]
        assert drawn["card"] is None, "it is another one's"
        assert (await other.ask("past"))["reason"] == "too-fast", "once is enough"

    run(main)
    assert '"failed"' not in service.logged


def test_an_answer_that_comes_too_late_is_stale_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            player, _ = await playing(*await seated(service))
            version = player.update["version"]
            await player.send("hint", at=version, id=1)  # the adviser's process has yet to start
            await player.send("hint", at=version, id=2)
            await player.send("draw", at=version)
            answers = [await player.receive() for _ in range(3)]
            assert [answer.get("id") for answer in answers] == [2, None, 1]
            assert [answer.get("reason") for answer in answers] == ["too-fast", None, "stale"]
            assert player.update["version"] == version + 1
            assert (await player.ask("hint", at=version))["reason"] == "stale"

        run(main)


def test_what_the_cards_lack_is_counted_once_at_a_time_and_not_too_often(tmp_path: Path) -> None:
    limits = ("--limit=needs=4/0.001", "--limit=requests=100/100")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as service:

        async def main() -> None:
            player, _ = await playing(*await seated(service))
            for number in range(6):  # the process that counts has yet to start
                await player.send("need", at=player.update["version"], id=number)
            answers = {(answer := await player.receive())["id"]: answer for _ in range(6)}
            assert answers[0]["type"] == "need"
            assert [answers[number]["reason"] for number in range(1, 6)] == ["too-fast"] * 5
            answer = await player.ask("need", at=player.update["version"], id=9)
            assert answer["reason"] == "too-fast", "four were too many already"

        run(main)


def test_hints_are_limited(tmp_path: Path) -> None:
    limits = ("--limit=hints=2/0.001", "--limit=requests=100/100")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as service:

        async def main() -> None:
            player, _ = await playing(*await seated(service))
            assert player.update["you"]["hint"]
            for _ in range(2):
                await hint(player, "explain", action={"do": "draw"})
            answer = await player.ask("hint", at=player.update["version"])
            assert answer["reason"] == "too-fast"
            code = await open_table(service, BETO, seats=2, pace=0)
            alone = Client(service, code, BETO)
            await alone.connect()
            await alone.ask("sit", seat=1, name="Beto")
            await alone.ask("start")
            await alone.until(lambda update: bool(update["actions"]))
            for _ in range(4):  # nobody waits while one thinks alone
                await hint(alone, "explain", action={"do": "draw"})

        run(main)


def test_hints_can_be_forbidden(service: Service) -> None:
    async def main() -> None:
        player, _ = await playing(*await seated(service, hints=False))
        assert not player.update["you"]["hint"]
        answer = await player.ask("hint", at=player.update["version"])
        assert answer["reason"] == "hints-off"

    run(main)


def test_who_is_muted_is_not_heard_until_unmuted(service: Service) -> None:
    async def main() -> None:
        ana, beto = await seated(service)
        answer = await ana.ask("mute", seat=2, on=True)
        assert (answer["type"], answer["you"]["muted"]) == ("update", [2])
        for do, more in (("say", {"text": "rude"}), ("react", {"reaction": "hurry"})):
            await beto.ask(do, **more)
            await ana.until(lambda _: ana.update["version"] == beto.update["version"])
            assert ana.update["steps"][0]["events"] == []
            assert ana.update["steps"][0]["words"] == []
        assert "rude" not in "".join(ana.received)
        again = Client(service, ana.code, ANA)
        await again.connect("?after=3")
        assert "rude" in again.received[-1], "another connection hears everything"
        assert (await ana.ask("mute", seat=2, on=False))["you"]["muted"] == []
        await beto.ask("say", text="server_problem")
        await ana.until(lambda _: ana.update["version"] == beto.update["version"])
        assert ana.update["steps"][0]["events"][0]["text"] == "server_problem"

    run(main)


def test_new_options_come_with_a_new_welcome(service: Service) -> None:
    async def main() -> None:
        ana, beto = await seated(service)
        custom = 'based_on = "classic"\nwilds = 3\nphases = ["set 2"]\n' + "# " + "x" * 7_000
        wanted = {"custom": custom, "seats": 3}
        welcome = await ana.ask("options", options=wanted)
        assert welcome["type"] == "welcome"
        assert welcome["options"]["seats"] == 3
        assert [phase["groups"] for phase in welcome["rules"]["phases"]] == [["set 2"]]
        colors = ["R", "B", "Y", "G"]
        deck = {"colors": colors, "highest": 12, "copies": 2, "wilds": 3, "skips": 4}
        assert welcome["rules"]["deck"] == deck
        update = await ana.receive()
        assert update["steps"][0]["words"] == ["The host has changed how this table plays."]
        assert len(update["table"]["seats"]) == 3
        assert (await beto.receive())["type"] == "welcome"
        assert (await beto.ask("options", options={}))["type"] == "update"
        assert (await beto.receive())["reason"] == "not-host"
        answer = await ana.ask("options", options={"edition": "none"}, id=3)
        assert (answer["reason"], answer["id"]) == ("bad-options", 3)
        assert "none" in answer["sentence"]
        answer = await ana.ask("options", options={"seats": 9})
        assert answer["reason"] == "malformed"

    run(main)


def test_a_game_that_is_called_off_has_a_record(service: Service) -> None:
    async def main() -> None:
        ana, beto = await seated(service)
        player, other = await playing(ana, beto)
        await player.ask("draw", at=player.update["version"])
        await other.receive()
        await ana.ask("call_off")
        table = ana.update["table"]
        assert (table["stage"], ana.update["game"]["winner"]) == ("finished", None)
        assert table["server_seed"]
        assert ana.update["actions"] == []
        assert await called_off_record_is_right(service, ana.code)
        await ana.ask("rematch")
        await ana.ask("start")
        await beto.until(lambda update: update["version"] == ana.update["version"])
        assert beto.update["table"]["stage"] == "playing"

    run(main)


async def called_off_record_is_right(service: Service, code: str) -> bool:
    """Whether the record of the last game keeps the rules, as ``phaseten verify`` looks at it."""
    async with httpx.AsyncClient(base_url=service.url, verify=False, timeout=PATIENCE) as http:
        text = (await http.get(f"/api/tables/{code}/record")).text
    return bool(judge(parse_record(text))["ok"])
