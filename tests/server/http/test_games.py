"""Finished games over real sockets: listed, downloaded, judged, watched, deleted."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from phaseten import Game, judge
from phaseten.notation.recording import record_game
from phaseten.notation.records import format_record, parse_record
from phaseten.notation.replay import follow
from phaseten.rules.editions import read_edition
from phaseten.rules.views import seen_by
from tests.patience import PATIENCE
from tests.server.finished import games_of, play_out, played
from tests.server.service import Client, Service, browser, cautious, is_over, open_table, run
from tests.server.test_play import ANA, BETO, CLEO

CUSTOM = 'based_on = "express"\nname = "ours"\ntitle = "Ours"\n'


async def rematch(player: Client) -> None:
    await player.send("rematch")
    await player.until(lambda update: update["table"]["stage"] == "waiting")
    await play_out(player)


class Finished(NamedTuple):
    """A server with a game that Ana has played to its end, and left as it is."""

    service: Service
    game: dict[str, Any]
    """How it is listed to her."""
    update: dict[str, Any]
    """What she was told last."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    with Service(str(tmp_path_factory.mktemp("tables") / "tables.sqlite")) as service:
        found: list[Finished] = []

        async def main() -> None:
            _, ana = await played(service, ANA)
            (game,) = await games_of(service, ANA)
            found.append(Finished(service, game, ana.update))

        run(main)
        yield found[0]


def test_every_game_is_listed_to_its_players(usual_database: str) -> None:
    with Service(usual_database) as service:

        async def first() -> None:
            code, ana = await played(service, ANA)
            await ana.ask("say", text="good game")
            await rematch(ana)
            games = await games_of(service, ANA)
            assert [game["code"] for game in games] == [code, code]
            assert games[0]["id"] != games[1]["id"]
            assert games[0]["ended"] >= games[1]["ended"]
            last = games[0]
            assert (last["seat"], last["host"]) == (1, True)
            game = ana.update["game"]
            assert last["about"] == {
                "title": "Express",
                "variant": "phases=1",
                "names": [seat["name"] for seat in ana.update["table"]["seats"]],
                "winner": game["winner"],
                "phases": [1 - len(left) for left in game["left"]],
                "totals": game["totals"],
                "hands": len(game["hands"]),
                "custom": False,
            }
            assert await games_of(service, BETO) == []
            async with browser(service, BETO) as http:
                shown = (await http.get(f"/api/games/{last['id']}")).json()
                assert shown["about"] == last["about"]
                assert not shown["host"]
                assert code not in json.dumps(shown), "a link to a game is none to its table"
                unknown = await http.get(f"/api/games/{'a' * 26}")
                assert (unknown.status_code, unknown.json()["reason"]) == (404, "no-finished-game")

        run(first)
        service.stop()
        service.start()

        async def again() -> None:
            assert len(await games_of(service, ANA)) == 2

        run(again)


def test_a_game_that_was_called_off_is_finished_too(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(service, ANA, seats=2, pace=0)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            await ana.until(lambda update: bool(update["actions"]))
            await ana.ask("call_off")
            await ana.until(lambda update: update["table"]["stage"] == "finished")
            (game,) = await games_of(service, ANA)
            assert game["about"]["winner"] is None
            async with browser(service) as http:
                record = (await http.get(f"/api/games/{game['id']}/record")).text
                film = (await http.get(f"/api/games/{game['id']}/replay")).json()
            assert list(follow(parse_record(record)))
            assert film["frames"][-1]["game"]["winner"] is None

        run(main)


def phaseten(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "phaseten", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


async def download(http: httpx.AsyncClient, path: str, folder: Path) -> Path:
    """Keep the file under the name that the server gives it."""
    answer = await http.get(path)
    assert answer.status_code == 200
    file = folder / answer.headers["content-disposition"].split('"')[1]
    file.write_text(answer.text)
    return file


def test_downloaded_records_are_judged_and_verified(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            _, ana = await played(service, ANA, edition="classic", custom=CUSTOM)
            promised = ana.update["table"]["commitment"]
            await rematch(ana)
            async with browser(service) as http:
                for number, game in enumerate(reversed(await games_of(service, ANA))):
                    path = f"/api/games/{game['id']}"
                    folder = tmp_path / str(number)
                    folder.mkdir()
                    record = await download(http, f"{path}/record", folder)
                    edition = await http.get(f"{path}/edition")
                    assert edition.text == CUSTOM  # which the record does not need
                    film = await http.get(f"{path}/replay")
                    text = {"content-type": "text/plain; charset=utf-8"}
                    sent = await http.post("/api/replay", content=record.read_bytes(), headers=text)
                    assert sent.json() == film.json()
                    judged = phaseten("referee", str(record))
                    assert judged.returncode == 0, judged.stdout
                    verdict = json.loads(judged.stdout)
                    assert verdict["winner"] == game["about"]["winner"]
                    assert [*verdict["totals"].values()] == game["about"]["totals"]
                    options = ("--commitment", promised) if not number else ()
                    verified = phaseten("verify", str(record), *options)
                    assert verified.returncode == 0, verified.stdout
                    assert "as promised" in verified.stdout or number

        run(main)


def test_a_game_of_the_book_has_no_edition_of_its_own(finished: Finished) -> None:
    service, game, _ = finished

    async def main() -> None:
        async with browser(service) as http:
            answer = await http.get(f"/api/games/{game['id']}/edition")
        assert (answer.status_code, answer.json()["reason"]) == (404, "own-edition")

    run(main)


# -- films -------------------------------------------------------------------------------------


def test_a_game_is_watched_step_by_step(finished: Finished) -> None:
    service, game, _ = finished

    async def main() -> None:
        path = f"/api/games/{game['id']}/replay"
        async with browser(service) as http:
            answer = await http.get(path, headers={"accept-encoding": "gzip"})
            assert answer.headers["content-encoding"] == "gzip"
            film: dict[str, Any] = answer.json()
            mine = (await http.get(f"{path}?seat=1&language=es")).json()
            plain = await http.get(path, headers={"accept-encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.json() == film
            for wrong in ("0", "3", "7", "x", "", "11"):
                bad = await http.get(f"{path}?seat={wrong}")
                assert (bad.status_code, bad.json()["reason"]) == (422, "no-such-view")
        assert film["seat"] is None
        assert film["frames"][-1]["game"] == {**finished.update["game"], "seat": None, "held": []}
        assert all(len(frame["held"]) in (0, 2) for frame in film["frames"])
        assert (mine["seat"], mine["language"]) == (1, "es")
        assert len(mine["frames"]) == len(film["frames"])
        for frame, full in zip(mine["frames"], film["frames"], strict=True):
            assert frame["held"] == []
            held = (full["held"] or [[]])[0]
            assert frame["game"] == {**full["game"], "seat": 1, "held": held}
        assert mine["frames"][1]["sentences"][0] != film["frames"][1]["sentences"][0]

    run(main)


def test_a_record_that_is_sent_is_watched(finished: Finished) -> None:
    service, game, _ = finished

    async def main() -> None:
        text = {"content-type": "text/plain; charset=utf-8"}
        async with browser(service) as http:
            record = (await http.get(f"/api/games/{game['id']}/record")).text
            film = (await http.get(f"/api/games/{game['id']}/replay")).json()
            sent = await http.post("/api/replay", content=record, headers=text)
            assert sent.json() == film
            view = as_seen(record, 2)
            seen = await http.post("/api/replay", content=view, headers=text)
            wanted = (await http.get(f"/api/games/{game['id']}/replay?seat=2")).json()
            told = [frame["game"] for frame in seen.json()["frames"]]
            assert told == [frame["game"] for frame in wanted["frames"]]
            other = await http.post("/api/replay?seat=1", content=view, headers=text)
            assert other.json()["reason"] == "no-such-view"
            for content, line, why in (
                ("", 1, "Un enregistrement commence par des étiquettes"),
                ("no record", 1, "Un enregistrement commence par des étiquettes"),
                (record.replace('"express"', '"../../x.toml"'), 1, "Cet enregistrement nomme"),
                (record.replace("End 1:", "End 1:9", 1), None, "La place 1 marque"),
            ):
                bad = await http.post(
                    "/api/replay", content=content, headers=text | {"accept-language": "fr"}
                )
                assert (bad.status_code, bad.json()["reason"]) == (422, "bad-record")
                number = line or 1 + record.split("\n").index(
                    next(row for row in record.split("\n") if row.startswith("End"))
                )
                said = bad.json()["sentence"]
                assert said.startswith(
                    f"Ligne {number} de l'enregistrement\N{NO-BREAK SPACE}: {why}"
                )
            long = await http.post("/api/replay", content="x" * 200_000, headers=text)
            assert (long.status_code, long.json()["reason"]) == (413, "too-long")
            kind = await http.post("/api/replay", json=record)
            assert kind.status_code == 415

    run(main)


def as_seen(text: str, seat: int) -> str:
    """The record as that seat knows it."""
    record = parse_record(text)
    header = record.header
    seen = [seen_by(event, seat) for step in follow(record) for event in step.events]
    redacted = type(header)(
        header.edition, header.names, header.dealer, header.variant, header.house, seen=seat
    )
    return format_record(record_game(redacted, seen))


# -- deleting ----------------------------------------------------------------------------------


def kept_bytes(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("tables.sqlite*"))


def test_a_deleted_game_is_gone_and_its_table_with_it(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code, ana = await played(service, ANA)
            await ana.ask("say", text="unrepeatable")
            (game,) = await games_of(service, ANA)
            path = f"/api/games/{game['id']}"
            async with browser(service, BETO) as http:
                refused = await http.delete(path)
                assert (refused.status_code, refused.json()["reason"]) == (403, "not-its-host")
            async with browser(service, ANA) as http:
                evil = {"origin": "https://evil.example"}
                assert (await http.delete(path, headers=evil)).status_code == 403
                assert (await http.delete(path)).status_code == 204
                assert (await ana.receive())["reason"] == "no-table"
                assert (await ana.ask("say", text="hello?"))["reason"] == "no-table"
                assert (await ana.ask("rematch"))["reason"] == "no-table"
                for gone in (path, f"{path}/record", f"{path}/replay", f"/api/tables/{code}"):
                    assert (await http.get(gone)).status_code == 404
                assert (await http.delete(path)).status_code == 404
                assert (await http.get("/api/games")).json() == []
                assert (await http.get("/api/mine")).json() == []

        run(main)
        service.stop()
        assert b"unrepeatable" not in kept_bytes(tmp_path)
        service.start()

        async def again() -> None:
            assert await games_of(service, ANA) == []

        run(again)


def test_a_table_goes_on_without_a_game_that_was_deleted(database: str) -> None:
    with Service(database) as service, ExitStack() as more:
        shared = database.startswith("postgresql")
        other = more.enter_context(Service(database)) if shared else service

        async def first() -> None:
            nonlocal code
            code, ana = await played(service, ANA)
            await ana.ask("say", text="unrepeatable")
            await ana.send("rematch")
            await ana.until(lambda update: update["table"]["stage"] == "waiting")
            beto = Client(other, code, BETO)
            await beto.connect()
            await ana.send("start")
            await ana.until(lambda update: bool(update["actions"]))
            before = ana.update
            await beto.until(lambda update: update["version"] == before["version"])
            (game,) = await games_of(service, ANA)
            async with browser(service, ANA) as http:
                assert (await http.delete(f"/api/games/{game['id']}")).status_code == 204
            for client in (ana, beto):  # who is told to forget is told how things stand
                await client.receive_any()
                assert client.update["version"] == before["version"]
                assert client.update["steps"] == []
            assert ana.update["game"] == before["game"]
            assert ana.update["actions"] == before["actions"]
            await ana.close()
            await ana.reconnect()
            assert ana.update["game"] == before["game"]
            fresh = Client(other, code, ANA)
            await fresh.connect("?after=0")
            assert "unrepeatable" not in "".join(fresh.received)
            assert fresh.update["game"] == before["game"]
            await ana.play(lambda update: update["actions"][0], lambda _: True)
            async with browser(service, ANA) as http:
                record = (await http.get(f"/api/tables/{code}/record")).text
                assert '[Seen "1"]' in record
            last.update(ana.update)

        code, last = "", dict[str, Any]()
        run(first)
        service.stop()
        service.start()

        async def again() -> None:
            ana = Client(service, code, ANA)
            await ana.connect()
            assert ana.update["game"] == last["game"]
            assert ana.update["table"]["seats"] == last["table"]["seats"]
            assert ana.update["table"]["commitment"] == last["table"]["commitment"]
            assert await games_of(service, ANA) == []
            await ana.play(cautious, is_over)
            assert len(await games_of(service, ANA)) == 1

        run(again)


def test_the_last_of_several_games_is_deleted(usual_database: str) -> None:
    with Service(usual_database) as service:

        async def first() -> None:
            nonlocal code
            code, ana = await played(service, ANA)
            await rematch(ana)
            last, before = await games_of(service, ANA)
            async with browser(service, ANA) as http:
                assert (await http.delete(f"/api/games/{last['id']}")).status_code == 204
                assert await games_of(service, ANA) == [before]
                told = await ana.receive()
                assert told["table"]["stage"] == "finished"
                assert told["game"]["hands"] == []
                assert (await http.get(f"/api/tables/{code}/record")).status_code == 404
                record = await http.get(f"/api/games/{before['id']}/record")
                assert list(follow(parse_record(record.text)))

        code = ""
        run(first)
        service.stop()
        service.start()

        async def again() -> None:
            ana = Client(service, code, ANA)
            await ana.connect()
            assert ana.update["table"]["stage"] == "finished"
            await asyncio.sleep(1.5)  # the sweep finds nothing to do there
            await rematch(ana)
            assert len(await games_of(service, ANA)) == 2

        run(again)


def test_only_the_host_at_the_end_may_delete(finished: Finished) -> None:
    service, game, _ = finished

    async def main() -> None:
        async with browser(service, CLEO) as http:
            assert (await http.delete(f"/api/games/{game['id']}")).status_code == 403
        async with browser(service) as http:
            assert (await http.delete(f"/api/games/{game['id']}")).status_code == 403
        assert await games_of(service, ANA) == [game]

    run(main)


def test_a_moment_of_a_game_is_played_on_from(finished: Finished) -> None:
    service, game, _ = finished

    async def main() -> None:
        async with browser(service, BETO) as http:
            film = (await http.get(f"/api/games/{game['id']}/replay?seat=1")).json()
            step = len(film["frames"]) // 2
            shown = film["frames"][step]["game"]
            found = (await http.get(f"/api/games/{game['id']}/moment?seat=1&step={step}")).json()
            record = (await http.get(f"/api/games/{game['id']}/record")).text
            plain = {"content-type": "text/plain"}
            sent = await http.post(f"/api/moment?seat=1&step={step}", content=record, headers=plain)
            assert sent.json() == found
            assert found["seat"] == 1
            wanted = {"name": "Beto", "options": {"pace": 0}, "position": found["position"]}
            code = (await http.post("/api/tables", json=wanted)).json()["code"]
        beto = Client(service, code, BETO)
        await beto.connect()
        await beto.send("sit", seat=1, name="Beto")
        await beto.send("start")
        await beto.until(lambda update: update["game"] is not None)
        mine = beto.update["game"]
        assert (mine["held"], mine["hands"]) == (shown["held"], shown["hands"])
        await beto.close()

    run(main)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("moment?seat=1&step=99999", "no-such-step"),
        ("moment?seat=1&step=-1", "no-such-step"),
        ("moment?seat=6&step=1", "no-such-view"),
    ],
)
def test_a_moment_that_is_not_there(finished: Finished, path: str, reason: str) -> None:
    service, game, _ = finished

    async def main() -> None:
        async with browser(service, ANA) as http:
            answer = await http.get(f"/api/games/{game['id']}/{path}")
            assert (answer.status_code, answer.json()["reason"]) == (422, reason)

    run(main)


def test_a_position_is_played_by_who_sees_it_or_is_on_turn(finished: Finished) -> None:
    service, _, _ = finished
    game = Game(players=3, seed=7)

    async def main() -> None:
        async with browser(service, ANA) as http:
            for line, seat in ((game.position(), game.turn), (game.position(3), 3)):
                answer = await http.post(
                    "/api/position", content=line, headers={"content-type": "text/plain"}
                )
                assert answer.json() == {"position": line, "seat": seat}

    run(main)


ENGLISH = {"accept-language": "en"}
PLAIN = {"content-type": "text/plain", **ENGLISH}
NAMED = (
    "ours | hand 1 dealer 2 turn 1 draw | 1 held R8 G2 | 2 held Y4 B4 | draw rest | discards Y12"
)


def own_game(**changes: int) -> Game:
    box = replace(read_edition(CUSTOM, "x"), **changes)  # pyright: ignore[reportArgumentType]
    return Game(box, ["Ana", "Beto"], seed=7)


def test_a_moment_of_an_edition_of_its_own_is_played_on_from(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            await played(service, ANA, edition="classic", custom=CUSTOM)
            (game,) = await games_of(service, ANA)
            path = f"/api/games/{game['id']}"
            async with browser(service, BETO) as http:
                record = (await http.get(f"{path}/record")).text
                for seat in ("1", "all"):
                    film = (await http.get(f"{path}/replay?seat={seat}")).json()
                    step = len(film["frames"]) // 2
                    asked = f"moment?seat={seat}&step={step}"
                    found = (await http.get(f"{path}/{asked}")).json()
                    sent = await http.post(f"/api/{asked}", content=record, headers=PLAIN)
                    assert sent.json() == found
                    wanted = {"name": "Beto", "options": {"pace": 0}, "position": found["position"]}
                    opened = await http.post("/api/tables", json=wanted)
                    assert opened.is_success, opened.text
                    beto = Client(service, opened.json()["code"], BETO)
                    await beto.connect()
                    await beto.send("sit", seat=found["seat"], name="Beto")
                    await beto.send("start")
                    await beto.until(lambda update: update["game"] is not None)
                    if seat == "1":
                        shown = film["frames"][step]["game"]
                        assert beto.update["game"]["held"] == shown["held"]
                    await beto.play(cautious, is_over)
                    await beto.close()
                for again in await games_of(service, BETO):
                    assert (again["about"]["title"], again["about"]["custom"]) == ("Ours", True)
                    record = (await http.get(f"/api/games/{again['id']}/record")).text
                    assert judge(record)["ok"]
                    film = await http.post("/api/replay?seat=all", content=record, headers=PLAIN)
                    assert film.json()["rules"]["title"] == "Ours"
                    edition = (await http.get(f"/api/games/{again['id']}/edition")).text
                    assert read_edition(edition, "x") == read_edition(CUSTOM, "x")

        run(main)


def test_a_position_of_an_edition_of_ones_own(finished: Finished) -> None:
    """It is written out in the line, or stands below it; otherwise a sentence says what is missing."""
    service, _, _ = finished
    line = own_game().position(1)
    large = own_game(wilds=13)

    async def main() -> None:
        async with browser(service, ANA) as http:

            async def send(text: str) -> httpx.Response:
                return await http.post("/api/position", content=text, headers=PLAIN)

            assert (await send(line)).json() == {"position": line, "seat": 1}
            below = (await send(f"{NAMED}\n{CUSTOM}")).json()
            assert (below["seat"], below["position"][:1]) == (1, "{")
            wanted = {"name": "Ana", "position": below["position"]}
            assert (await http.post("/api/tables", json=wanted)).is_success
            for text, why in (
                (NAMED, "'ours' is none of the editions classic"),
                (
                    f"{NAMED}\n{CUSTOM.replace('ours', 'theirs')}",
                    "the edition below it is 'theirs'",
                ),
                (large.position(), "up to 12 Wilds, not 13"),
            ):
                refused = await send(text)
                assert refused.status_code == 422
                assert why in refused.json()["sentence"]

    run(main)


def test_a_moment_of_an_edition_that_asks_for_too_much_becomes_no_table(finished: Finished) -> None:
    service, _, _ = finished
    record = str(own_game(wilds=13).record())

    async def main() -> None:
        async with browser(service, ANA) as http:
            path = "/api/moment?seat=all&step=0"
            found = (await http.post(path, content=record, headers=PLAIN)).json()
            wanted = {"name": "Ana", "position": found["position"]}
            refused = await http.post("/api/tables", json=wanted, headers=ENGLISH)
            assert (refused.status_code, refused.json()["reason"]) == (422, "bad-options")
            assert "up to 12 Wilds, not 13" in refused.json()["sentence"]

    run(main)


def test_a_table_is_not_opened_at_nonsense(finished: Finished) -> None:
    service, _, _ = finished

    async def main() -> None:
        async with browser(service, ANA) as http:
            wanted = {"name": "Ana", "position": "classic | nonsense"}
            plain = {"content-type": "text/plain"}
            for answer in (
                await http.post("/api/tables", json=wanted),
                await http.post("/api/position", content="classic | nonsense", headers=plain),
            ):
                assert (answer.status_code, answer.json()["reason"]) == (422, "bad-options")

    run(main)
