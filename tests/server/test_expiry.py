"""Tables that everybody has left expire; the games that were finished there stay."""

import httpx

from tests.patience import PATIENCE, wait_until
from tests.server.finished import games_of, play_out, played
from tests.server.foreseen import token
from tests.server.http.test_sheets import SHEET
from tests.server.service import Service, browser, open_table, run
from tests.server.store.keeping import execute

ANA = token("a" * 43)
LONG_AGO = "UPDATE tables SET changed = 1 WHERE table_id <> '{}'"


def test_abandoned_tables_expire_and_finished_games_stay(usual_database: str) -> None:
    service = Service(usual_database)
    codes: dict[str, str] = {}

    async def before() -> None:
        codes["empty"] = await open_table(service, ANA)
        codes["kept"] = await open_table(service, ANA)
        async with browser(service) as http:
            made = await http.post("/api/sheets", json={"sheet": SHEET})
        codes["sheet"] = made.json()["id"]
        codes["played"], ana = await played(service, ANA)
        await ana.send("rematch")
        await ana.until(lambda update: update["table"]["stage"] == "waiting")
        await play_out(ana)
        await ana.send("rematch")
        await ana.until(lambda update: update["table"]["stage"] == "waiting")
        await ana.send("start")
        await ana.until(lambda update: update["table"]["stage"] == "playing")
        await execute(usual_database, LONG_AGO.format(codes["kept"]))

    run(before)
    service.stop()
    service.start()

    def status(path: str, method: str = "GET") -> int:
        cookies = {"phaseten": ANA}
        url = f"{service.url}{path}"
        return httpx.request(
            method, url, cookies=cookies, verify=False, timeout=PATIENCE
        ).status_code

    wait_until(lambda: status(f"/api/tables/{codes['played']}") == 404, "the table to expire")
    assert status(f"/api/tables/{codes['empty']}") == 404
    assert status(f"/api/tables/{codes['kept']}") == 200
    assert status(f"/api/sheets/{codes['sheet']}") == 200

    async def after() -> None:
        games = await games_of(service, ANA)
        assert [game["code"] for game in games] == [codes["played"]] * 2
        records = [f"/api/games/{game['id']}/record" for game in games]
        assert [status(record) for record in records] == [200, 200]
        assert status(f"/api/games/{games[0]['id']}", "DELETE") == 204
        assert [status(record) for record in records] == [404, 200], "one is deleted, one is there"
        assert status(f"/api/games/{games[1]['id']}", "DELETE") == 204
        assert await games_of(service, ANA) == []

    run(after)
    assert '"level": "error"' not in service.stop()
