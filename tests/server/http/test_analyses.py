"""The coach of the server: it reads finished games and records that are sent, and says how far it is."""

import json
from pathlib import Path
from typing import Any

import httpx

from phaseten import Game, make_bot
from phaseten.rules.actions import DrawDeck
from phaseten.server.store.database import open_store
from tests.patience import PATIENCE
from tests.server.finished import games_of, played
from tests.server.service import Service, run
from tests.server.test_play import ANA

CUSTOM = 'based_on = "express"\nname = "ours"\ntitle = "Ours"\n'


def lines_of(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def assert_adds_up(report: dict[str, Any]) -> None:
    def numbers(row: list[str]) -> list[float]:
        return [
            float(cell.replace("\N{MINUS SIGN}", "-").rstrip(" %").replace(",", "."))
            for cell in row[1:]
        ]

    start, luck, play, others, result = map(numbers, report["sums"][1:6])
    for seat, parts in enumerate(zip(start, luck, play, others, strict=True)):
        assert abs(sum(parts) - result[seat]) < 0.31  # each was rounded to a tenth


def test_a_finished_game_is_read_once_and_kept_until_it_is_deleted(usual_database: str) -> None:
    with Service(usual_database) as service:

        async def main() -> None:
            await played(service, ANA, custom=CUSTOM)
            (game,) = await games_of(service, ANA)
            address = f"/api/games/{game['id']}/analysis"
            async with httpx.AsyncClient(
                base_url=service.url, cookies={"phaseten": ANA}, timeout=PATIENCE
            ) as http:
                first = lines_of(await http.get(address, params={"language": "en"}))
                assert first[0] == {"progress": 0.0, "report": None, "problem": ""}
                parts = [line["progress"] for line in first]
                assert parts == sorted(parts)
                assert parts[-1] == 1.0
                report = first[-1]["report"]
                assert_adds_up(report)
                assert [player["name"] for player in report["players"]] == game["about"]["names"]
                assert report["curve"][0]["step"] <= 0
                steps = len((await http.get(f"/api/games/{game['id']}/replay")).json()["frames"])
                assert all(point["step"] < steps for point in report["curve"])
                assert report["picture"].startswith("<svg")
                for player in report["players"]:
                    for mistake in player["mistakes"]:
                        best = [each for each in mistake["options"] if each["is_best"]]
                        done = [each for each in mistake["options"] if each["was_played"]]
                        assert (len(best), len(done)) == (1, 1)
                again = lines_of(await http.get(address, params={"language": "en"}))
                assert again == first[-1:]
                (spanish,) = lines_of(await http.get(address, params={"language": "es"}))
                assert spanish["report"]["title"] == "Suerte y juego"
                assert spanish["report"]["curve"] == report["curve"]
                store = await open_store(usual_database)  # as a version that says less has kept it
                await store.keep_analysis(game["id"], {"en": json.dumps({"title": "Luck"})})
                await store.close()
                once_more = lines_of(await http.get(address, params={"language": "en"}))
                assert once_more[-1] == first[-1]
                assert lines_of(await http.get(address, params={"language": "en"})) == first[-1:]
                assert (await http.delete(f"/api/games/{game['id']}")).status_code == 204
                assert (await http.get(address)).status_code == 404

        run(main)


def test_records_that_are_sent(tmp_path: Path) -> None:
    game = Game("express", ["Ana", "Beto"], seed=1, variant="phases=1")
    bot = make_bot("casual")
    while not game.is_over:
        game.play(bot.choose(game.view()))
    whole, redacted = str(game.record()), str(game.record(seat=1))
    with (
        Service(str(tmp_path / "tables.sqlite"), "--limit=analyses=2/0") as service,
        httpx.Client(base_url=service.url, timeout=PATIENCE) as http,
    ):

        def send(text: str) -> httpx.Response:
            headers = {"content-type": "text/plain", "accept-language": "en"}
            return http.post("/api/analysis", content=text, headers=headers)

        for nonsense in ("", "no record", redacted, whole.replace("2 P -R10", "2 P -R11")):
            refused = send(nonsense)
            assert (refused.status_code, refused.json()["reason"]) == (422, "bad-record")
        *_, last = lines_of(send(whole))
        assert_adds_up(last["report"])
        # Somebody who does not wait for the end stops the coach, who is free for others then.
        with http.stream(
            "POST", "/api/analysis", content=whole, headers={"content-type": "text/plain"}
        ) as answer:
            assert next(answer.iter_lines()).startswith('{"progress":0.0')
        assert send(whole).status_code == 429


def test_a_record_that_is_sent_brings_its_own_edition(tmp_path: Path) -> None:
    """From its first deal, or from a position; one that does not carry it is refused, and no file is looked for."""
    file = tmp_path / "ours.toml"
    file.write_text(CUSTOM)
    first = Game(file, ["Ana", "Beto"], seed=1, variant="phases=1")
    first.play(DrawDeck())
    records: list[str] = []
    for game in (first, Game.from_position(first.position(), ["Ana", "Beto"], seed=1)):
        bot = make_bot("casual")
        while not game.is_over:
            game.play(bot.choose(game.view()))
        records.append(str(game.record()))
    file.unlink()
    with (
        Service(str(tmp_path / "tables.sqlite")) as service,
        httpx.Client(base_url=service.url, timeout=PATIENCE) as http,
    ):
        headers = {"content-type": "text/plain", "accept-language": "en"}
        for record in records:
            *_, last = lines_of(http.post("/api/analysis", content=record, headers=headers))
            assert_adds_up(last["report"])
        file.write_text(CUSTOM)
        bare = "\n".join(
            [
                line
                for line in records[0].splitlines()
                if not line.startswith(("[EditionT", "[EditionH"))
            ]
        )
        refused = http.post("/api/analysis", content=bare, headers=headers)
        assert (refused.status_code, refused.json()["reason"]) == (422, "bad-record")
        assert "does not carry it" in refused.json()["sentence"]
