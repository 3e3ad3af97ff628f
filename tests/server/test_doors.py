"""Nobody gets in who should not, and nothing that is sent breaks anything."""

import asyncio
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.uri import parse_uri

from phaseten.server.http.responses import HEADERS
from phaseten.server.serving import STALLED_SECONDS
from phaseten.server.socket.connection import MOST_REFUSED
from tests.server import foreseen
from tests.server.service import FAST, Client, Service, browser, open_table, run
from tests.server.socket.test_messages import SAMPLES
from tests.server.test_play import ANA, BETO, CLEO


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = (*FAST, "--limit=guesses=1000/1000")
    database = tmp_path_factory.mktemp("doors") / "tables.sqlite"
    with Service(str(database), *limits) as running:
        yield running


# -- HTTP --------------------------------------------------------------------------------------


def test_operation(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, public=False)
        async with browser(service) as http:
            assert (await http.get("/healthz")).text == "ok\n"
            assert (await http.get("/readyz")).status_code == 200
            metrics = (await http.get("/metrics")).text
            assert "phaseten_tables_opened_total" in metrics
            assert code not in metrics

    run(main)


def check_headers(answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/tables", 200),
        ("GET", "/api/mine", 200),
        ("GET", "/nothing", 404),
        ("GET", "/api/tables/NOCODE", 404),
        ("GET", "/api/tables/../../etc/passwd", 404),
        ("DELETE", "/api/tables", 405),
        ("POST", "/api/tables", 415),
    ],
)
def test_every_answer_has_the_headers(
    service: Service, method: str, path: str, status: int
) -> None:
    async def main() -> None:
        async with browser(service) as http:
            check_headers(await http.request(method, path), status)

    run(main)


def test_a_failure_has_the_headers_and_tells_nothing(tmp_path: Path) -> None:
    """A step in the database is damaged: nothing of it is told or logged."""
    database = tmp_path / "tables.sqlite"
    limits = ("--limit=guesses=2/0.001",)
    with Service(str(database), *limits) as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            with closing(sqlite3.connect(database)) as connection, connection:
                damage = (
                    """UPDATE steps SET events = '[{"event":"CardDrawn","seat":1,"card":"R77"}]'"""
                )
                connection.execute(damage)
            own.kill()
            own.start()
            async with browser(own) as http:
                answer = await http.get(f"/api/tables/{code}")
                check_headers(answer, 503)  # that table alone cannot be served
                assert answer.json()["reason"] == "unavailable"
                address = f"ws://127.0.0.1:{own.port}/api/tables/{code}/play"
                with pytest.raises(InvalidStatus) as caught:
                    await connect(address)
                assert caught.value.response.status_code == 503
                for _ in range(2):
                    await http.get("/api/tables/ABCDEFGH")
                check_headers(await http.get("/api/tables/ABCDEFGH"), 429)
                assert "R77" not in answer.text + own.logged
                assert code not in own.logged
                assert "Traceback" not in own.logged

        run(main)


def test_a_refused_socket_has_the_headers(service: Service) -> None:
    async def main() -> None:
        with pytest.raises(InvalidStatus) as caught:
            await connect(f"ws://127.0.0.1:{service.port}/api/tables/ABCDEFGH/play")
        response = caught.value.response
        assert response.status_code == 404
        assert {name: response.headers[name] for name in HEADERS} == HEADERS

    run(main)


def test_my_tables_say_whose_turn_it_is(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, "mona", seats=2, pace=0)
        mona = Client(service, code, "mona")
        await mona.connect()
        async with browser(service) as http:
            http.cookies.set("phaseten", foreseen.token("mona"))
            (listed,) = (await http.get("/api/mine")).json()
            assert (listed["turn"], listed["yours"]) == ("", False)
            await mona.ask("sit", seat=1, name="Mona")
            await mona.ask("start")
            await mona.until(lambda update: bool(update["actions"]))
            answer = await http.get("/api/mine")
            (listed,) = answer.json()
            assert (listed["turn"], listed["yours"]) == ("Mona", True)
            assert "Max-Age=31536000" in answer.headers["set-cookie"], "she has been here for long"

    run(main)


def test_a_guest_gets_a_cookie_once(service: Service) -> None:
    async def main() -> None:
        async with browser(service) as http:
            answer = await http.post("/api/tables", json={"name": "Ana"})
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("phaseten=")
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert "set-cookie" not in (await http.get("/api/mine")).headers
            mine = (await http.get("/api/mine")).json()
            assert [table["code"] for table in mine] == [answer.json()["code"]]
            token = http.cookies["phaseten"]
        for made_up in (token[:-1], "a" * 43, token[::-1]):
            async with browser(service) as http:
                http.cookies.set("phaseten", made_up)
                assert (await http.get("/api/mine")).json() == []
                opened = await http.post("/api/tables", json={"name": "Eva"})
                given = opened.headers["set-cookie"].split(";")[0]
                assert made_up not in given
                assert (await http.post("/api/moves")).status_code == 201

    run(main)


def test_the_cookie_is_renewed_at_every_table(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA)
        address = f"ws://127.0.0.1:{service.port}/api/tables/{code}/play"
        for given in (ANA, "a" * 43):
            headers = {"cookie": f"phaseten={given}"}
            async with connect(address, additional_headers=headers) as socket:
                assert socket.response is not None
                cookie = socket.response.headers["set-cookie"]
            assert cookie.startswith(f"phaseten={given};") == (given == ANA)
            assert "Max-Age=31536000" in cookie

    run(main)


def test_over_https_the_cookie_is_of_this_host_alone(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), *FAST, "--secure") as own:

        async def main() -> None:
            async with browser(own) as http:
                opened = await http.post("/api/tables", json={"name": "Ana"})
                token = opened.headers["set-cookie"].split(";")[0].removeprefix("__Host-phaseten=")
                for name, tables in (("phaseten", 0), ("__Host-phaseten", 1)):
                    headers = {"cookie": f"{name}={token}"}
                    assert len((await http.get("/api/mine", headers=headers)).json()) == tables

        run(main)


@pytest.mark.parametrize("path", ["/", "/api/mine", "/api/games", "/api/tables"])
def test_looking_makes_nobody_a_guest(service: Service, path: str) -> None:
    """Or an answer that comes late would replace the token of whoever has just opened a table."""

    async def main() -> None:
        async with browser(service) as http:
            assert "set-cookie" not in (await http.get(path)).headers

    run(main)


def test_only_public_tables_are_listed(service: Service) -> None:
    async def main() -> None:
        private = await open_table(service, CLEO, public=False)
        public = await open_table(service, CLEO, public=True, edition="deluxe")
        async with browser(service) as http:
            listed = {table["code"]: table for table in (await http.get("/api/tables")).json()}
            assert private not in listed
            about = listed[public]["about"]
            assert (about["title"], about["seats"], about["free"]) == ("Deluxe", 4, 4)
            shown = (await http.get(f"/api/tables/{private}")).json()
            assert shown["stage"] == "waiting"
            assert shown["server_seed"] is None
            assert (await http.get(f"/api/tables/{private}/record")).status_code == 404

    run(main)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"[]", 422),
        (b'{"name":1}', 422),
        (b'{"name":""}', 422),
        (b'{"name":"Ana","more":1}', 422),
        (b'{"name":"Ana","options":{"seats":7}}', 422),
        (b'{"name":"Ana","options":{"seats":"4"}}', 422),
        (b'{"name":"Ana","options":{"edition":"none"}}', 422),
        (b'{"name":"Ana","options":{"edition":"../../x.toml"}}', 422),
        (b'{"name":"Ana","options":{"custom":"x = "}}', 422),
        (b'{"name":"Ana","options":{"timer":1}}', 422),
        (b'{"name":"Ana","options":{"variant":"phases=99"}}', 422),
        (b"[" * 10_000, 422),
        (b'{"name":"' + b"x" * 20_000 + b'"}', 413),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(service: Service, body: bytes, status: int) -> None:
    async def main() -> None:
        headers = {"content-type": "application/json", "accept-language": "pt-BR"}
        async with browser(service) as http:
            answer = await http.post("/api/tables", content=body, headers=headers)
            assert answer.status_code == status
            assert set(answer.json()) == {"reason", "sentence"}
            assert "Traceback" not in answer.text
            wrong = await http.post("/api/tables", content=b'{"name":"Ana"}')
            assert wrong.status_code == 415
            assert wrong.json()["sentence"] != ""

    run(main)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"timer": 1}, "uma vez dura de 5 a 604800 segundos, ou null sem limite"),
        (
            {"stand_in": "genius"},
            "não há bot “genius”: escolha entre rookie, casual, sharp, deep, master",
        ),
        ({"variant": "phases=99"}, "phases=99: Classic tem as Fases 1 a 10"),
        ({"house": ["no_luck"]}, "“no_luck” não é uma regra da casa: escolha entre"),
        ({"edition": "x.toml"}, "dê a sua própria edição como texto"),
        ({"custom": "x = 1"}, "your edition"),  # it is for whoever writes TOML
    ],
)
def test_options_are_refused_in_the_language_of_the_one_who_asks(
    service: Service, options: dict[str, object], problem: str
) -> None:
    async def main() -> None:
        async with browser(service) as http:
            answer = await http.post(
                "/api/tables",
                json={"name": "Ana", "options": options},
                headers={"accept-language": "pt-BR"},
            )
            assert answer.status_code == 422
            assert answer.json()["reason"] == "bad-options"
            assert answer.json()["sentence"].startswith(f"A mesa não pode jogar assim: {problem}")

    run(main)


# -- who is who --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "", "http://127.0.0.1:1", "http://127.0.0.1.evil"]
)
def test_pages_of_other_sites_are_refused(service: Service, origin: str) -> None:
    async def main() -> None:
        code = await open_table(service, ANA)
        evil = {"origin": origin, "cookie": f"phaseten={ANA}"}
        address = f"ws://127.0.0.1:{service.port}/api/tables/{code}/play"
        with pytest.raises(InvalidStatus) as caught:
            await connect(address, additional_headers=evil)
        assert caught.value.response.status_code == 403
        async with browser(service) as http:
            answer = await http.post("/api/tables", json={"name": "Eve"}, headers=evil)
            check_headers(answer, 403)
        own = {"origin": service.url}
        async with connect(address, additional_headers=own):
            pass

    run(main)


def test_a_seat_belongs_to_its_token(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0)
        ana, eve = Client(service, code, ANA), Client(service, code, CLEO)
        await ana.connect()
        await eve.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await eve.receive()
        await ana.ask("start")
        await ana.until(lambda update: bool(update["actions"]))
        await eve.until(lambda update: update["version"] == ana.update["version"])
        before = ana.update
        for do, more in SAMPLES.items():
            answer = await eve.ask(
                do, **{**more, "at": before["version"]} if "at" in more else more
            )
            assert answer["type"] == "refused", do
        you = {**eve.update["you"], "muted": []}
        assert you == {"seat": None, "host": False, "undo": False, "hint": False, "muted": []}
        assert eve.update["game"]["held"] == []
        again = Client(service, code, ANA)
        await again.connect()
        assert {**again.update, "seen": None} == {**before, "steps": [], "seen": None}

    run(main)


async def without_watchers(service: Service) -> tuple[Client, Client]:
    """Ana in her seat at a table that nobody may watch, and Eve, who came before the game."""
    code = await open_table(service, ANA, seats=2, pace=0, watchers=False)
    ana, eve = Client(service, code, ANA), Client(service, code, CLEO)
    await ana.connect()
    await eve.connect()
    await ana.ask("sit", seat=1, name="Ana")
    return ana, eve


def test_a_table_without_watchers(service: Service) -> None:
    async def main() -> None:
        ana, eve = await without_watchers(service)
        await eve.receive()
        await ana.ask("start")
        late = Client(service, ana.code, BETO)
        with pytest.raises(AssertionError, match="no-watchers"):
            await late.connect()
        assert (await eve.receive())["reason"] == "no-watchers"
        with pytest.raises(ConnectionClosed, match="4404"):
            await eve.receive()

    run(main)


def test_nobody_sees_more_by_muting(service: Service) -> None:
    """Whoever came before the game, and is slow to go, asks to be told otherwise."""

    async def main() -> None:
        ana, eve = await without_watchers(service)
        await ana.send("start")
        for _ in range(20):
            await eve.send("mute", seat=1, on=True)
        with suppress(ConnectionClosed):
            while True:
                await eve.receive_any()
        assert not any('"board"' in text for text in eve.received)

    run(main)


def test_the_seed_is_for_those_who_may_look(service: Service) -> None:
    """From it follows the name of the game, and with that one could have its record."""

    async def main() -> None:
        for watchers in (False, True):
            code = await open_table(service, ANA, seats=2, pace=0, watchers=watchers)
            ana = Client(service, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("start")
            await ana.ask("call_off")
            for token, may_look in ((ANA, True), (CLEO, watchers), ("", watchers)):
                async with browser(service, token) as http:
                    seed = (await http.get(f"/api/tables/{code}")).json()["server_seed"]
                    record = (await http.get(f"/api/tables/{code}/record")).status_code
                assert (seed is not None, record) == (may_look, 200 if may_look else 403)

    run(main)


def test_a_request_with_an_id_is_answered_and_done_once(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, seats=2)
        ana = Client(service, code, ANA)
        await ana.connect()
        await ana.ask("sit", seat=1, name="Ana")
        request = {"text": "hi", "id": 2**53, "at": ana.update["version"]}
        await ana.ask("say", **request)
        version = ana.update["version"]
        done = {"type": "done", "version": version, "id": 2**53}
        assert await ana.receive() == done
        await ana.close()
        await ana.connect()
        assert await ana.ask("say", **request) == done, "over another connection"
        await ana.ask("say", text="hi", id=2**53)  # without a version it is a new one
        assert (await ana.receive())["version"] == version + 1
        assert (await ana.ask("say", **request | {"text": "", "id": 4}))["id"] == 4

    run(main)


# -- limits, each with a small one -------------------------------------------------------------


async def status_of_socket(service: Service, code: str) -> int:
    """With which status a socket is refused, or 101."""
    try:
        async with connect(f"ws://127.0.0.1:{service.port}/api/tables/{code}/play"):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


def test_guessing_codes_is_slow(tmp_path: Path) -> None:
    """Over HTTP and by sockets together; and what is wrong with a code is not said."""
    with Service(str(tmp_path / "tables.sqlite"), "--limit=guesses=5/0.001") as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            async with browser(own) as http:
                answers = [
                    await http.get(f"/api/tables/{guess}")
                    for guess in ("ABCDEFGH", "X", code.lower(), code + "A")
                ]
                assert {(answer.status_code, answer.text) for answer in answers} == {
                    (404, answers[0].text)
                }
                assert await status_of_socket(own, code) == 101
                assert await status_of_socket(own, "ABCDEFGH") == 404
                assert await status_of_socket(own, "ABCDEFGH") == 429
                assert (await http.get("/api/tables/ABCDEFGH")).status_code == 429
                # Nor does the right one help any more: it cannot be told from a wrong one.
                assert (await http.get(f"/api/tables/{code}")).status_code == 429
                assert (await http.get(f"/api/tables/{code}/record")).status_code == 429
                assert await status_of_socket(own, code) == 429

        run(main)


def test_who_guesses_locks_out_neither_players_nor_known_guests(tmp_path: Path) -> None:
    """All behind one address: a guesser, the host, somebody who came yesterday and somebody new."""
    with Service(str(tmp_path / "tables.sqlite"), *FAST, "--limit=guesses=3/0.001") as own:

        async def main() -> None:
            async with browser(own) as host, browser(own) as new, browser(own, BETO) as known:
                code = (await host.post("/api/tables", json={"name": "Ana"})).json()["code"]
                for _ in range(3):
                    assert (await new.get("/api/tables/ABCDEFGH")).status_code == 404
                for guest, status in ((new, 429), (host, 200), (known, 200)):
                    assert (await guest.get(f"/api/tables/{code}")).status_code == status
                assert (await host.get("/api/tables/ABCDEFGH")).status_code == 429
                for status in (404, 404, 404, 429):
                    assert (await known.get("/api/tables/ABCDEFGH")).status_code == status
                assert (await known.get(f"/api/tables/{code}")).status_code == 429

        run(main)


def test_codes_do_not_follow_from_each_other(service: Service) -> None:
    async def main() -> None:
        codes = [await open_table(service, ANA) for _ in range(50)]
        for position in range(len(codes[0])):
            assert len({code[position] for code in codes}) > 10

    run(main)


def test_an_address_makes_only_so_many_requests(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), "--limit=requests=5/0.001") as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            async with browser(own) as http:
                for path in ("/api/tables", "/api/mine", f"/api/tables/{code}"):
                    assert (await http.get(path)).status_code == 200
                assert await status_of_socket(own, code) == 101
                for path in ("/api/tables", "/api/mine", f"/api/tables/{code}"):
                    check_headers(await http.get(path), 429)
                assert (await http.post("/api/tables", json={"name": "Ana"})).status_code == 429
                assert await status_of_socket(own, code) == 429
                for path in ("/healthz", "/readyz", "/metrics"):  # for those who run it
                    assert (await http.get(path)).status_code == 200

        run(main)


def test_an_address_opens_only_so_many_tables(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), "--limit=tables=2/0.001") as own:

        async def main() -> None:
            async with browser(own) as http:
                bad = await http.post("/api/tables", json={"name": ""})
                assert bad.status_code == 422
                answers = [await http.post("/api/tables", json={"name": "A"}) for _ in range(3)]
            # What is refused anyway counts as well.
            assert [answer.status_code for answer in answers] == [201, 429, 429]

        run(main)


@pytest.mark.parametrize("limit", ["connections", "connections_of_address"])
def test_only_so_many_connections(tmp_path: Path, limit: str) -> None:
    with Service(str(tmp_path / "tables.sqlite"), f"--limit={limit}=2") as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            clients = [Client(own, code) for _ in range(2)]
            for client in clients:
                await client.connect()
            assert await status_of_socket(own, code) == 503
            await clients[0].close()
            async with asyncio.timeout(10):
                while await status_of_socket(own, code) != 101:
                    await asyncio.sleep(0.05)

        run(main)


def test_who_does_not_stop_sending_is_cut_off(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), "--limit=messages=5/0.001") as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            eve = Client(own, code)
            await eve.connect()
            for _ in range(5 + MOST_REFUSED):
                assert (await eve.ask("start"))["type"] == "refused"
            await eve.send("start")
            with pytest.raises(ConnectionClosed, match="1008"):
                await eve.receive()

        run(main)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives up such a connection")
def test_who_does_not_read_is_cut_off_and_holds_up_nobody(tmp_path: Path) -> None:
    limits = (*FAST, "--limit=waiting=10", "--limit=talk=9999/9999")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as own:

        async def connections() -> int:
            async with browser(own) as http:
                text = (await http.get("/metrics")).text
            return int(float(text.partition("\nphaseten_connections ")[2].split()[0]))

        async def main() -> None:
            code = await open_table(own, ANA)
            ana = Client(own, code, ANA)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.connect(("127.0.0.1", own.port))
            request = ClientProtocol(parse_uri(f"ws://127.0.0.1/api/tables/{code}/play"))
            request.send_request(request.connect())
            deaf.sendall(b"".join(request.data_to_send()))
            while await connections() < 2:
                await asyncio.sleep(0.01)
            began = time.monotonic()
            while await connections() == 2:
                for _ in range(20):
                    assert (await ana.ask("say", text="x" * 300))["type"] == "update"
                assert time.monotonic() - began < 3 * STALLED_SECONDS
                await asyncio.sleep(0.1)
            deaf.close()
            assert (await ana.ask("say", text="x"))["type"] == "update"

        run(main)
