"""Coming back on another device."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import httpx

from phaseten.server.http.transfers import new_ticket, seal, ticket_name, unseal
from phaseten.server.store.database import open_store
from tests.patience import PATIENCE
from tests.server.service import FAST, Service, open_table, run
from tests.server.test_play import ANA


def test_a_ticket_opens_what_it_has_sealed() -> None:
    one, two = new_ticket(), new_ticket()
    sealed = seal(one, ANA)
    assert unseal(one, sealed.token) == ANA
    assert sealed.name == ticket_name(one)
    assert seal(two, ANA) != sealed
    assert ANA.encode().hex() not in sealed.token
    assert one not in sealed.name + sealed.token


def ticket_of(link: str) -> str:
    return link.rpartition("/move/")[2]


def test_another_device_becomes_the_same_guest_once(database: str) -> None:
    with Service(database) as service, ExitStack() as more:
        shared = database.startswith("postgresql")
        second = more.enter_context(Service(database)) if shared else service

        async def main() -> None:
            code = await open_table(service, ANA)
            async with httpx.AsyncClient(
                base_url=service.url, cookies={"phaseten": ANA}, verify=False, timeout=PATIENCE
            ) as http:
                made = await http.post("/api/moves", headers={"host": "cards.local"})
                assert made.status_code == 201
                assert made.json()["link"].startswith("http://cards.local/move/")
                assert ANA not in made.text
            ticket = ticket_of(made.json()["link"])
            async with httpx.AsyncClient(
                base_url=second.url, verify=False, timeout=PATIENCE
            ) as phone:
                assert (await phone.get(f"/api/moves/{ticket}")).status_code == 405
                taken = await phone.post(f"/api/moves/{ticket}")
                assert taken.status_code == 204
                assert "HttpOnly" in taken.headers["set-cookie"]
                mine = (await phone.get("/api/mine")).json()
                assert [table["code"] for table in mine] == [code]
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as thief:
                again = await thief.post(f"/api/moves/{ticket}", headers={"accept-language": "fr"})
                assert again.status_code == 404
                assert again.json()["sentence"].startswith("Ce lien a déjà servi")
                assert "set-cookie" not in again.headers

        run(main)


def test_of_many_at_once_one_gets_in(database: str) -> None:
    with Service(database) as service:

        async def main() -> None:
            async with httpx.AsyncClient(
                base_url=service.url, cookies={"phaseten": ANA}, verify=False, timeout=PATIENCE
            ) as http:
                ticket = ticket_of((await http.post("/api/moves")).json()["link"])
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as phone:
                answers = await asyncio.gather(
                    *[phone.post(f"/api/moves/{ticket}") for _ in range(8)]
                )
            assert sorted(answer.status_code for answer in answers) == [204] + [404] * 7

        run(main)


def test_who_may_not(tmp_path: Path) -> None:
    limits = (*FAST, "--limit=guesses=3/0.001")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as service:

        async def main() -> None:
            evil = {"origin": "https://evil.example"}
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as http:
                nobody = await http.post("/api/moves")
                assert (nobody.status_code, nobody.json()["reason"]) == (401, "nothing-to-move")
            async with httpx.AsyncClient(
                base_url=service.url, cookies={"phaseten": ANA}, verify=False, timeout=PATIENCE
            ) as http:
                assert (await http.post("/api/moves", headers=evil)).status_code == 403
                ticket = ticket_of((await http.post("/api/moves")).json()["link"])
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as http:
                path = f"/api/moves/{ticket}"
                assert (await http.post(path, headers=evil)).status_code == 403
                for guess in ("x", "x" * 22, ticket[:-1] + "?"):
                    assert (await http.post(f"/api/moves/{guess}")).status_code == 404
                assert (await http.post(path)).status_code == 429, "too many guesses"

        run(main)


def test_a_ticket_expires_and_old_ones_are_swept_away(database: str) -> None:
    async def main() -> None:
        store = await open_store(database)
        await store.keep_ticket("one", "sealed", now=0, expires=100)
        assert await store.take_ticket("one", now=100) is None
        assert await store.take_ticket("one", now=99) == "sealed"
        assert await store.take_ticket("one", now=99) is None
        await store.keep_ticket("old", "sealed", now=0, expires=100)
        await store.keep_ticket("new", "sealed", now=100, expires=200)
        assert await store.take_ticket("old", now=50) is None
        assert await store.take_ticket("new", now=150) == "sealed"
        await store.close()

    asyncio.run(main())
