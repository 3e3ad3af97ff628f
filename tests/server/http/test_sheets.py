"""Score sheets of real tables: who has the link sees them, who has the key writes them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from phaseten.language import LANGUAGES
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import describe, routes
from phaseten.server.http.responses import ProblemError, respond_to_problem
from phaseten.server.http.sheets import MOST_BODY, MOST_VERSIONS, SheetRoutes
from phaseten.server.running.codes import CODE_LENGTH
from phaseten.server.running.services import Services
from phaseten.server.settings import Limits, Rate, Settings
from phaseten.server.store.database import open_store
from tests.patience import PATIENCE
from tests.server.foreseen import TOKENS

Data = dict[str, Any]
GENEROUS = Limits(requests=Rate(100_000, 1), guesses=Rate(100_000, 1), tables=Rate(100_000, 1))

HAND: Data = {
    "entries": [
        {"points": 0, "made": True},
        {"points": 55, "made": False, "cards": {"low": 9, "high": 1, "skip": 0, "wild": 0}},
    ],
    "out": 0,
}
SHEET: Data = {
    "edition": "classic",
    "variant": "ten-hands,phases=5",
    "any_order": False,
    "players": ["Ana", "Bo"],
    "dealer": 1,
    "hands": [HAND],
}


@asynccontextmanager
async def node(database: str, limits: Limits = GENEROUS) -> AsyncGenerator[httpx.AsyncClient]:
    """One process that serves sheets from that database."""
    settings = Settings(database, limits=limits)
    store = await open_store(database)
    services = Services()
    services.store = store
    guard = Guard(settings)
    guard.open(TOKENS)
    operations = SheetRoutes(settings, guard, services).operations
    assert describe(operations)["paths"]
    app = Starlette(
        routes=routes(operations), exception_handlers={ProblemError: respond_to_problem}
    )
    transport = httpx.ASGITransport(app)
    try:
        async with httpx.AsyncClient(
            transport=transport, base_url="http://cards.example", verify=False
        ) as http:
            yield http
    finally:
        await store.close()


def run(main: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_awaited(main), PATIENCE))


async def _awaited(main: Callable[[], Awaitable[None]]) -> None:
    await main()


async def share(http: httpx.AsyncClient, sheet: Data = SHEET) -> Data:
    answer = await http.post("/api/sheets", json={"sheet": sheet})
    assert answer.status_code == 201, answer.text
    return answer.json()


def with_hands(count: int) -> Data:
    return SHEET | {"hands": [HAND] * count}


def test_who_has_the_key_writes_and_all_see_it(database: str) -> None:
    async def main() -> None:
        async with node(database) as http, node(database) as other:
            made = await share(http)
            path = f"/api/sheets/{made['id']}"
            assert made["version"] == 1
            seen = (await other.get(path)).json()
            assert seen == {"version": 1, "sheet": SHEET}
            assert made["key"] not in (await other.get(path)).text
            change = {"key": made["key"], "version": 1, "sheet": with_hands(2)}
            assert (await http.put(path, json=change)).json() == {"version": 2}
            assert (await other.get(path, params={"after": 1})).json()["sheet"] == with_hands(2)
            assert (await other.get(path, params={"after": 2})).status_code == 204
            assert (await http.get(path)).json()["version"] == 2

    run(main)


def test_nobody_else_writes(database: str) -> None:
    async def main() -> None:
        async with node(database) as http:
            made = await share(http)
            path = f"/api/sheets/{made['id']}"
            change = {"key": "x" * len(made["key"]), "version": 1, "sheet": SHEET}
            for language in LANGUAGES:
                answer = await http.put(path, json=change, headers={"accept-language": language})
                assert (answer.status_code, answer.json()["reason"]) == (403, "wrong_key")
            foreign = {"origin": "http://elsewhere.example"}
            good = change | {"key": made["key"]}
            assert (await http.put(path, json=good, headers=foreign)).status_code == 403
            assert (await http.get(path)).json()["version"] == 1

    run(main)


def test_of_two_devices_that_write_at_once_one_is_told(database: str) -> None:
    async def main() -> None:
        async with node(database) as one, node(database) as two:
            made = await share(one)
            path = f"/api/sheets/{made['id']}"
            changes = [
                {"key": made["key"], "version": 1, "sheet": with_hands(count)} for count in (2, 3)
            ]
            answers = await asyncio.gather(
                one.put(path, json=changes[0]), two.put(path, json=changes[1])
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            won = next(n for n, answer in enumerate(answers) if answer.is_success)
            for http in (one, two):
                assert (await http.get(path)).json()["sheet"] == changes[won]["sheet"]
            late = await two.put(path, json=changes[1])
            assert (late.status_code, late.json()["reason"]) == (409, "moved_on")

    run(main)


WRONG: list[Data] = [
    SHEET | {"edition": "poker"},
    SHEET | {"variant": "phases=0"},
    SHEET | {"variant": "nonsense"},
    SHEET | {"dealer": 2},
    SHEET | {"dealer": -1},
    SHEET | {"players": ["Ana"]},
    SHEET | {"players": ["Ana", ""]},
    SHEET | {"players": ["Ana", "B\u0007"]},
    SHEET | {"players": ["Ana", "x" * 41]},
    SHEET | {"players": [f"P{n}" for n in range(7)]},
    SHEET | {"hands": [HAND | {"out": 2}]},
    SHEET | {"hands": [HAND | {"entries": [None]}]},
    SHEET | {"hands": [HAND | {"entries": [None, None, None]}]},
    SHEET | {"hands": [HAND | {"entries": [{"points": -5, "made": True}, None]}]},
    SHEET | {"hands": [HAND | {"entries": [{"points": 10_000, "made": True}, None]}]},
    SHEET | {"hands": [HAND | {"entries": [{"points": 5.5, "made": True}, None]}]},
    SHEET | {"hands": [HAND] * 201},
    SHEET | {"more": 1},
    {},
]


@pytest.mark.parametrize("sheet", WRONG)
def test_what_is_no_sheet_is_refused(sheet: Data, tmp_path_factory: pytest.TempPathFactory) -> None:
    async def main() -> None:
        async with node(str(tmp_path_factory.mktemp("sheets") / "s.sqlite")) as http:
            answer = await http.post("/api/sheets", json={"sheet": sheet})
            assert answer.status_code == 422
            assert answer.json()["sentence"]

    run(main)


def test_what_is_too_long_is_refused(database: str) -> None:
    async def main() -> None:
        async with node(database) as http:
            answer = await http.post("/api/sheets", json={"sheet": SHEET, "x": "y" * MOST_BODY})
            assert answer.status_code == 413

    run(main)


def test_sheets_that_are_not_there(database: str) -> None:
    async def main() -> None:
        limits = GENEROUS._replace(guesses=Rate(3, 0.001))
        async with node(database, limits) as http:
            made = await share(http)
            for name in ("nonsense", "a" * 26, "A" * CODE_LENGTH):
                answer = await http.get(f"/api/sheets/{name}", headers={"accept-language": "fr"})
                assert answer.status_code == 404
                assert answer.json()["sentence"].startswith("Cette feuille n'existe pas")
            assert (await http.get(f"/api/sheets/{made['id']}")).status_code == 429

    run(main)


def test_sharing_has_a_limit(database: str) -> None:
    async def main() -> None:
        async with node(database, GENEROUS._replace(tables=Rate(2, 0.001))) as http:
            await share(http)
            await share(http)
            answer = await http.post("/api/sheets", json={"sheet": SHEET})
            assert (answer.status_code, answer.json()["reason"]) == (429, "too-fast")

    run(main)


def test_changes_have_a_limit(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_VERSIONS >= 1000
    monkeypatch.setattr("phaseten.server.http.sheets.MOST_VERSIONS", 3)

    async def main() -> None:
        async with node(database) as http:
            made = await share(http)
            answers = [
                await http.put(
                    f"/api/sheets/{made['id']}",
                    json={"key": made["key"], "version": version, "sheet": SHEET},
                )
                for version in (1, 2, 3)
            ]
            assert [answer.status_code for answer in answers] == [200, 200, 403]

    run(main)


def test_sheets_are_in_no_list_of_tables(database: str) -> None:
    async def main() -> None:
        async with node(database) as http:
            await share(http)
        store = await open_store(database)
        try:
            assert await store.public_tables(9) == []
            assert await store.claim_due(2**60, 1, 1, 9) == []
        finally:
            await store.close()

    run(main)


def test_memory_is_for_the_latest_sheets(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phaseten.server.http.sheets.MOST_KNOWN", 2)

    async def main() -> None:
        async with node(database) as http:
            made = [await share(http, with_hands(count)) for count in range(5)]
            for count, one in enumerate(made):
                seen = (await http.get(f"/api/sheets/{one['id']}")).json()
                assert seen["sheet"] == with_hands(count)

    run(main)


def test_the_link_and_its_qr_code(database: str) -> None:
    async def main() -> None:
        async with node(database) as http:
            made = await share(http)
            found = (await http.get(f"/api/sheets/{made['id']}/invitation")).json()
            assert found["link"] == f"http://cards.example/scores/live/{made['id']}"
            assert found["qr"]["path"].startswith("M")
            assert found["warning"] == ""
            assert made["key"] not in str(found)

    run(main)
