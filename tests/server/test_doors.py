"""Nobody gets in who should not, and nothing that is sent breaks anything."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from phaseten.language import language
from phaseten.server.answers import HEADERS
from phaseten.server.commands import Play, Undo
from phaseten.server.deciding import decide
from phaseten.server.options import Options
from phaseten.server.saved import read_events, write_events
from phaseten.server.showing import refused
from phaseten.server.table import apply
from phaseten.server.wire import MalformedError, command_of, read_request
from tests.server.service import Client, Service, open_table, run
from tests.server.sitting import SEED, Sitting
from tests.server.test_play import ANA, BETO, CLEO
from tests.server.test_wire import SAMPLES


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = ("--limit=requests=100000/1000", "--limit=messages=100000/1000")
    database = tmp_path_factory.mktemp("doors") / "tables.sqlite"
    with Service(str(database), *limits) as running:
        yield running


@asynccontextmanager
async def browser(service: Service, token: str = "") -> AsyncGenerator[httpx.AsyncClient]:
    cookies = {"phaseten": token} if token else {}
    async with httpx.AsyncClient(base_url=service.url, cookies=cookies) as http:
        yield http


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


def test_every_answer_has_the_headers(service: Service) -> None:
    async def main() -> None:
        async with browser(service) as http:
            for path in ("/healthz", "/nothing", "/api/tables", "/api/tables/NOCODE", "/api/mine"):
                answer = await http.get(path)
                assert {name: answer.headers[name] for name in HEADERS} == HEADERS
                assert "server" not in answer.headers

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
        async with browser(service, token[:-1]) as http:  # not a token
            assert "set-cookie" in (await http.get("/api/mine")).headers
            assert (await http.get("/api/mine")).json() == []

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


# -- who is who --------------------------------------------------------------------------------


def test_pages_of_other_sites_are_refused(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA)
        evil = {"origin": "https://evil.example", "cookie": f"phaseten={ANA}"}
        address = f"ws://127.0.0.1:{service.port}/api/tables/{code}/play"
        with pytest.raises(InvalidStatus) as caught:
            await connect(address, additional_headers=evil)
        assert caught.value.response.status_code == 403
        async with browser(service) as http:
            answer = await http.post("/api/tables", json={"name": "Eve"}, headers=evil)
            assert answer.status_code == 403
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
        assert eve.update["you"] == {"seat": None, "host": False, "undo": False}
        assert eve.update["game"]["held"] == []
        again = Client(service, code, ANA)
        await again.connect()
        assert again.update == {**before, "steps": []}

    run(main)


def test_a_table_without_watchers(service: Service) -> None:
    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0, watchers=False)
        ana, eve = Client(service, code, ANA), Client(service, code, CLEO)
        await ana.connect()
        await eve.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await eve.receive()
        await ana.ask("start")
        late = Client(service, code, BETO)
        with pytest.raises(AssertionError, match="no-watchers"):
            await late.connect()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await eve.receive()

    run(main)


def test_guessing_codes_is_slow(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), "--limit=guesses=5/0.01") as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            async with browser(own) as http:
                answers = [await http.get(f"/api/tables/{n}") for n in ("ABCDEFGH", "X", "0" * 8)]
                assert [answer.status_code for answer in answers] == [404, 404, 404]
                for _ in range(2):
                    await http.get("/api/tables/ABCDEFGH")
                assert (await http.get("/api/tables/ABCDEFGH")).status_code == 429
                assert (await http.get(f"/api/tables/{code}")).status_code == 429

        run(main)


# -- fuzz --------------------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
cards = st.sampled_from(["R1", "W", "S", "W=5", "O12", "X", ""])
values = st.recursive(
    scalars | cards,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
names = st.sampled_from([*{name for more in SAMPLES.values() for name in more}, "id", "x"])
messages = st.builds(
    lambda do, more: json.dumps({"do": do, **SAMPLES.get(do, {}), **more}),
    st.sampled_from([*SAMPLES, "fly"]),
    st.dictionaries(names, values, max_size=3),
) | st.builds(json.dumps, values)


def paused_in_a_turn() -> Sitting:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play_on(random.Random(1), 30)
    return sitting


FUZZED = paused_in_a_turn()


@given(message=messages, owner=st.sampled_from(["ana", "beto", "cleo"]), back=st.integers(-1, 3))
@settings(max_examples=300)
def test_whatever_is_sent_is_judged(message: str, owner: str, back: int) -> None:
    """Malformed, or a decision: never an exception of another kind."""
    try:
        command = command_of(read_request(message), lambda: SEED)
    except MalformedError:
        return
    if isinstance(command, Play | Undo):
        command = command._replace(at=FUZZED.table.version - back)
    decision = decide(FUZZED.table, owner, command)
    if isinstance(decision, tuple):
        assert read_events(write_events(decision)) == decision
        assert apply(FUZZED.table, 1, decision).version == FUZZED.table.version + 1
    else:
        assert refused(decision, language("es"), FUZZED.table).sentence


def test_garbage_on_the_socket_changes_nothing(service: Service) -> None:
    rng = random.Random(7)

    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0)
        ana, eve = Client(service, code, ANA), Client(service, code, CLEO)
        await ana.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await ana.ask("start")
        await ana.until(lambda update: bool(update["actions"]))
        await eve.connect()
        before = ana.update
        for _ in range(150):
            text = message_like(rng)
            await eve.send_text(text.encode() if rng.random() < 0.3 else text)
            assert (await eve.receive())["type"] == "refused"
        again = Client(service, code, ANA)
        await again.connect()
        assert again.update == {**before, "steps": []}
        await eve.send_text("x" * 20_000)
        with pytest.raises(ConnectionClosedError, match="1009"):
            await eve.receive()

    run(main)


def message_like(rng: random.Random) -> str:
    """A message of a watcher that is damaged, misplaced or forged."""
    do = rng.choice(list(SAMPLES))
    text = json.dumps({"do": do, **SAMPLES[do]})
    cut = rng.randrange(len(text))
    if do == "sit" or rng.random() < 0.5:
        return text[:cut] + chr(rng.randrange(32, 0x2FFF)) + text[cut + 1 :] if cut > 1 else "{"
    return text
