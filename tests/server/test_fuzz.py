"""Whatever is sent: an answer, no failure, and nothing changes that the sender may not change."""

import asyncio
import base64
import json
import os
import random
import struct
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from phaseten.language import language
from phaseten.notation.records import parse_record
from phaseten.server.socket.requests import MOST_BYTES, MalformedError, command_of, read_request
from phaseten.server.socket.updates import refused
from phaseten.server.store.codec import read_events, write_events
from phaseten.server.store.database import open_store
from phaseten.table.commands import AskFit, AskNeed, AskPast, Mute, Play, Question, Undo
from phaseten.table.decisions import check_question, decide
from phaseten.table.fold import apply
from phaseten.table.options import Options
from tests.patience import PATIENCE
from tests.server.service import FAST, Client, Service, browser, open_table, run
from tests.server.socket.test_messages import ALL
from tests.server.test_play import ANA, BETO, CLEO
from tests.table.sitting import SEED, Sitting

# -- without a server ---------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
cards = st.sampled_from(["R1", "W", "S", "W=5", "O12", "X", ""])
values = st.recursive(
    scalars | cards,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
names = st.sampled_from([*{name for more in ALL.values() for name in more}, "id", "x"])
messages = st.builds(
    lambda do, more: json.dumps({"do": do, **ALL.get(do, {}), **more}),
    st.sampled_from([*ALL, "fly"]),
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
    if isinstance(command, Play | Undo | Question):
        command = command._replace(at=FUZZED.table.version - back)
    if isinstance(command, Mute | AskNeed | AskPast | AskFit):
        return  # concerns the one who asks alone
    if isinstance(command, Question):
        decision = check_question(FUZZED.table, owner, command) or ()
    else:
        decision = decide(FUZZED.table, owner, command)
    if decision == ():
        return  # a bot may be asked
    if isinstance(decision, tuple):
        assert read_events(write_events(decision)) == decision
        assert apply(FUZZED.table, 1, decision).version == FUZZED.table.version + 1
    else:
        assert refused(decision, language("es"), FUZZED.table).sentence


# -- over sockets --------------------------------------------------------------------------------

WEIRD: tuple[object, ...] = (
    None, True, -1, 0, 2**31, 2**63, 2**64, 10**400, 1.5, -0.0, float("nan"), float("inf"), "", "0",
    "R1", "W=99", "\0", "\ud800", "\u202eR1", "R\u0661", "\uff21", [], {}, [[]], [None], {"do": "draw"},
    ["R1"] * 500, "x" * 2_000,
)  # fmt: skip
FREE = frozenset({"leave", "say", "react", "back", "need", "coach"})
"""What somebody with a seat may do at any time."""
DOS = [do for do in ALL if do not in ("mute", "fit", "past")]
"""What is refused to who has no seat; the others concern nobody else, and tell what everybody may know."""


def forged(rng: random.Random, do: str, version: int) -> str:
    """A request that is well-formed: of another's, too early, too late, or twice."""
    more = dict(ALL[do])
    if "at" in more:
        more["at"] = version + rng.choice((0, 0, 0, -1, 1, -version, 10**6))
    return json.dumps({"do": do, **more})


def mistyped(rng: random.Random, do: str, version: int) -> str:
    request: dict[str, object] = {"do": do, **ALL[do]}
    request[rng.choice([*request, "id", "more", "seat", "owner", "do\0"])] = rng.choice(WEIRD)
    return json.dumps(request)


def damaged(rng: random.Random, do: str, version: int) -> str:
    text = forged(rng, do, version)
    cut = rng.randrange(2, len(text))
    return rng.choice((text[:cut], text[:cut] + chr(rng.randrange(0xD7FF)) + text[cut + 1 :]))


def doubled(rng: random.Random, do: str, version: int) -> str:
    return f'{{"do":"{rng.choice(DOS)}","do":{forged(rng, do, version)}}}'


def something_else(rng: random.Random, do: str, version: int) -> str:
    return rng.choice(
        (
            "", " ", "null", "[]", "{}", "-", "\ufeff{}", "1e999", '"\\ud800"', "{" * 900,
            "[" * MOST_BYTES, '{"do":' * 600, "9" * MOST_BYTES, "x" * (MOST_BYTES + 1),
            "\u202e" * 1_000, json.dumps(rng.choice(WEIRD)),
        )
    )  # fmt: skip


KINDS: tuple[Callable[[random.Random, str, int], str], ...] = (
    forged, mistyped, damaged, doubled, something_else,
)  # fmt: skip


def message_of(rng: random.Random, version: int, dos: list[str]) -> str | bytes:
    text = rng.choice(KINDS)(rng, rng.choice(dos), version)
    if rng.random() < 0.2:
        return text.encode() + rng.choice((b"", b"\xff", b"\0", rng.randbytes(9)))
    return text


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str]]:
    """A server and its database; at the end it has failed nowhere."""
    limits = (*FAST, "--limit=talk=1000/1000")
    database = str(tmp_path_factory.mktemp("fuzz") / "tables.sqlite")
    with Service(database, *limits) as running:
        yield running, database
        lines = [json.loads(line) for line in running.stop().splitlines()]  # and no traceback
        errors = [line for line in lines if line["level"] == "error"]
        # uvicorn's word for text that is not UTF-8, which it refuses
        assert {line["message"][:13] for line in errors} <= {"Invalid UTF-8"}, errors


async def a_game(service: Service) -> tuple[Client, Client]:
    """Ana, who is the host and whose turn it is, and Beto, who waits."""
    while True:
        code = await open_table(service, ANA, seats=2, pace=0)
        ana, beto = Client(service, code, ANA), Client(service, code, BETO)
        await beto.connect()
        await ana.connect()
        await ana.ask("sit", seat=1, name="Ana")
        await beto.ask("sit", seat=2, name="Beto")
        await ana.until(lambda update: update["table"]["seats"][1]["name"] == "Beto")
        await ana.send("start")
        for client in (ana, beto):
            await client.until(lambda update: update["table"]["stage"] == "playing")
        if ana.update["actions"]:
            return ana, beto
        assert ana.update["game"]["board"]["discards"] == ["S"]  # it cost Ana her turn


async def version_of(database: str, code: str) -> int:
    store = await open_store(database)
    kept = await store.read(code)
    await store.close()
    return kept[-1].version


async def throw(client: Client, count: int, seed: int, dos: list[str]) -> None:
    """Send so much nonsense; each is refused, once."""
    rng = random.Random(seed)
    version = client.update["version"]
    for _ in range(0, count, 50):
        batch = [message_of(rng, version, dos) for _ in range(50)]
        for message in batch:
            await client.send_text(message)
        left = len(batch)
        while left:
            answer = await client.receive()
            if answer["type"] == "update":  # who is connected
                assert (answer["steps"], answer["version"]) == ([], version), answer
            else:
                assert answer["type"] == "refused", (batch, answer)
                left -= 1


def test_nonsense_changes_nothing(fuzzed: tuple[Service, str]) -> None:
    service, database = fuzzed

    async def main() -> None:
        ana, beto = await a_game(service)
        nobody, watcher = Client(service, ana.code), Client(service, ana.code, CLEO)
        await nobody.connect()
        await watcher.connect()
        version = await version_of(database, ana.code)
        bound = [do for do in DOS if do not in FREE]
        await asyncio.gather(
            throw(nobody, 3_000, 1, DOS),
            throw(watcher, 3_000, 2, DOS),
            throw(beto, 3_000, 3, bound),
        )
        assert await version_of(database, ana.code) == version
        again = Client(service, ana.code, ANA)
        await again.connect()
        for part in ("version", "game", "actions", "you"):
            assert again.update[part] == ana.update[part]

    run(main)


def test_an_action_counts_once_and_at_its_time(fuzzed: tuple[Service, str]) -> None:
    service, database = fuzzed

    async def main() -> None:
        ana, beto = await a_game(service)
        version = ana.update["version"]
        for at in (0, version - 1, version + 1, 2**53, 2**63, 2**64, -1, 1.0, "3", True, None, []):
            assert (await ana.ask("draw", at=at))["type"] == "refused"
        assert (await ana.ask("draw"))["reason"] == "malformed"
        for _ in range(20):
            await ana.send("draw", at=version)
        answers = [await ana.receive() for _ in range(20)]
        assert [answer["type"] for answer in answers] == ["update"] + ["refused"] * 19
        assert await version_of(database, ana.code) == version + 1
        await beto.receive()
        for action in (*ana.update["actions"], {"do": "draw"}):
            answer = await beto.ask(**action, at=version + 1)  # as if it were Beto's turn
            assert answer["type"] == "refused"
        assert await version_of(database, ana.code) == version + 1

    run(main)


# -- names and talk ------------------------------------------------------------------------------

TRICKS = (
    "", " ", "\n\t", "\0", "Ana\0", "A\u202enA", "A\u2066b", "\u200b", "A\u200fb", "\ufeffAna", "\x1b[2J",
    "A\x7f", "\ue000", "\U000e0041", "\ud800", "A\u0085b\u0000", "\u3164", "\u2800", "A\u2800B", "A\u200d", "\u200cعلی",
    "\u0301",
)  # fmt: skip
HARMLESS = {
    "  Ana   María ": "Ana María",
    "<b onclick=x>Ana</b>": "<b onclick=x>Ana</b>",
    "Ana\u2028[": "Ana [",
    "李小龍": "李小龍",
    "Zoë 🎴": "Zoë 🎴",
    'A"] [Edition "x': 'A"] [Edition "x',
    "back\\slash": "back\\slash",
    "مريم": "مريم",
    "علی\u200cرضا": "علی\u200cرضا",  # he writes himself so
    "👩🏽\u200d🚀 ❤️\u200d🔥": "👩🏽\u200d🚀 ❤️\u200d🔥",
    "e\u0301va": "éva",
}


def test_names_cannot_deceive(fuzzed: tuple[Service, str]) -> None:
    service, _ = fuzzed

    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=0, edition="express")
        ana = Client(service, code, ANA)
        await ana.connect()
        for name in (*TRICKS, "x" * 25):
            answer = await ana.ask("sit", seat=1, name=name)
            assert answer["type"] == "refused", (name, answer)
            assert answer["reason"] in ("bad-name", "invisible", "malformed")
        for name, shown in HARMLESS.items():
            await ana.ask("sit", seat=1, name=name)
            assert ana.update["table"]["seats"][0]["name"] == shown
            await ana.ask("leave")
        await ana.ask("sit", seat=1, name="Ana")
        for text in (*TRICKS, "x" * 301):
            answer = await ana.ask("say", text=text)
            assert answer["type"] == "refused", (text, answer)
            assert answer["reason"] in ("bad-text", "invisible", "malformed")

    run(main)


@pytest.mark.parametrize("name", HARMLESS)
def test_names_stay_names_in_a_record(fuzzed: tuple[Service, str], name: str) -> None:
    service, _ = fuzzed

    async def main() -> None:
        code = await open_table(service, ANA, seats=2, pace=10_000)
        ana = Client(service, code, ANA)
        await ana.connect()
        await ana.ask("sit", seat=1, name=name)
        await ana.ask("start")
        async with browser(service, ANA) as http:
            record = (await http.get(f"/api/tables/{code}/record")).text
        header = parse_record(record).header
        assert header.names[0] == HARMLESS[name]
        assert header.edition == "classic"

    run(main)


# -- below the messages --------------------------------------------------------------------------


def frame(opcode: int, payload: bytes, *, final: bool = True, masked: bool = True) -> bytes:
    """A frame of RFC 6455."""
    first = (0x80 if final else 0) | opcode
    mask_bit = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head = bytes([first, mask_bit | size])
    elif size < 65_536:
        head = bytes([first, mask_bit | 126]) + struct.pack(">H", size)
    else:
        head = bytes([first, mask_bit | 127]) + struct.pack(">Q", size)
    return head + (bytes(4) if masked else b"") + payload


BROKEN = {
    "text that is not UTF-8": frame(1, b"\xff\xfe"),
    "not masked": frame(1, b"{}", masked=False),
    "an unknown kind": frame(3, b"{}"),
    "reserved bits": frame(0x71, b"{}"),
    "a long ping": frame(9, bytes(200)),
    "a ping in parts": frame(9, b"", final=False),
    "the rest of nothing": frame(0, b"{}"),
    "a frame within a frame": frame(1, b"{", final=False) + frame(1, b"}"),
    "endless parts": frame(1, b"[", final=False) + frame(0, b"[" * 9_000, final=False) * 3,
    "a giant that never comes": b"\x81\xff" + struct.pack(">Q", 2**63 - 1) + bytes(4),
    "a size below nothing": b"\x81\xff" + struct.pack(">Q", 2**64 - 1) + bytes(4),
    "half a frame and away": frame(1, b"{" * 100)[:40],
    "a close without a reason": frame(8, b"\x03"),
    "a close with a code that does not exist": frame(8, b"\x00\x01"),
    "noise": random.Random(4).randbytes(4_000),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_frames_that_break_the_protocol(fuzzed: tuple[Service, str], broken: str) -> None:
    service, database = fuzzed

    async def main() -> None:
        ana, beto = await a_game(service)
        version = await version_of(database, ana.code)
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        key = base64.b64encode(bytes(16)).decode()
        writer.write(
            f"GET /api/tables/{ana.code}/play HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nCookie: phaseten={BETO}\r\n\r\n".encode()
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        writer.write(BROKEN[broken])
        writer.write_eof()
        await asyncio.wait_for(reader.read(), PATIENCE)  # the server ends it
        writer.close()
        assert await version_of(database, ana.code) == version
        assert (await beto.ask("draw", at=version))["type"] == "refused"
        assert (await ana.ask("draw", at=version))["type"] == "update"

    run(main)


REQUESTS = (
    b"\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"G" * 100_000,
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}",
    b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
    b"POST /api/tables HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    b"GET /api/tables/%00/play HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"GET /api/tables/%ff%fe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"GET /api/mine HTTP/1.1\r\nHost: a\r\nCookie: phaseten=\xff\xfe;;=\r\nConnection: close\r\n\r\n",
    b"GET /api/tables?language=%ff&language=zz HTTP/1.1\r\nHost: a\r\nAccept-Language: ;q=x,,\r\nConnection: close\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00" + bytes(512),
)  # fmt: skip


def test_requests_that_are_none(fuzzed: tuple[Service, str]) -> None:
    service, _ = fuzzed

    async def main() -> None:
        for request in REQUESTS:
            reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
            writer.write(request)
            try:
                writer.write_eof()
                answer = await asyncio.wait_for(reader.read(), PATIENCE)
            except ConnectionError:
                answer = b""
            writer.close()
            status = answer[9:12]
            assert status in (b"", b"200", b"400", b"404"), (request[:80], answer[:200])
        async with browser(service) as http:
            assert (await http.get("/readyz")).status_code == 200

    run(main)


@pytest.mark.parametrize(
    "query",
    [
        "?after=-1",
        "?after=9" + "9" * 50,
        "?after=1.5",
        "?after=%00",
        "?after=٣",
        "?after",
        "?language=../en",
    ],
)
def test_addresses_that_make_no_sense_start_anew(fuzzed: tuple[Service, str], query: str) -> None:
    service, _ = fuzzed

    async def main() -> None:
        code = await open_table(service, ANA)
        client = Client(service, code)
        await client.connect(query)
        assert client.update["steps"] == []
        await client.send_text("x" * 20_000)
        with pytest.raises(ConnectionClosed, match="1009"):
            await client.receive()

    run(main)


# -- a great many --------------------------------------------------------------------------------


@pytest.mark.long
def test_a_great_many_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """A million, or as many as PHASETEN_FUZZ says; ``python -m tests.server.fuzzing`` does the same."""
    from tests.server.fuzzing import fuzz  # noqa: PLC0415 - it takes its inputs from here

    count = int(os.environ.get("PHASETEN_FUZZ", "1_000_000"))
    seed = random.SystemRandom().randrange(2**32)
    ends = fuzz(count, seed)
    with capsys.disabled():
        print(f"\nfuzz: {count:,} inputs, seed {seed}: {dict(sorted(ends.items()))}")
    assert sum(ends.values()) == count
