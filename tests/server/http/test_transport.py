"""Who connects and says nothing, or too much, or too slowly, keeps nobody else from playing."""

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from phaseten.server.http import transport
from phaseten.server.http.transport import MOST_BODY, MOST_HEAD, MOST_HEADERS, Door
from phaseten.server.serving import configuration, listen
from phaseten.server.settings import Limits
from tests.patience import PATIENCE
from tests.server.service import FAST, ROOT, Client, Service, browser, open_table, run
from tests.server.test_play import ANA

ENDLESS = 80_000_000


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was."""
    if scope["type"] == "http":
        size = len(await Request(scope, receive).body())
        await Response(str(size))(scope, receive, send)


@asynccontextmanager
async def serving(door: Door | None = None) -> AsyncGenerator[int]:
    listening = listen("127.0.0.1", 0)
    config = configuration(echo, door=door)
    config.lifespan = "off"
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await task
        listening.close()


async def said(port: int, *parts: bytes, source: str = "127.0.0.1") -> bytes:
    """What the server answers to that, until it ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    with contextlib.suppress(ConnectionError):
        for part in parts:
            writer.write(part)
            await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def head(*lines: str) -> bytes:
    return "\r\n".join(("POST / HTTP/1.1", "Host: a", *lines, "", "")).encode()


CLOSE = "Connection: close"


@pytest.mark.parametrize(
    ("request_parts", "status"),
    [
        ((head(CLOSE),), b"200"),
        ((head(CLOSE, "X: " + "y" * (MOST_HEAD - 200)),), b"200"),
        ((head(CLOSE, "X: " + "y" * MOST_HEAD),), b"431"),
        ((head(CLOSE, "X: " + "y" * MOST_HEAD * 20),), b"431"),
        ((b"POST /" + b"y" * MOST_HEAD,), b"431"),
        ((head(CLOSE, *["X: y"] * (MOST_HEADERS - 2)),), b"200"),
        ((head(CLOSE, *["X: y"] * MOST_HEADERS),), b"400"),
        ((head(CLOSE, "Content-Length: 9") + b"x" * 9,), b"200"),
        ((head(CLOSE, f"Content-Length: {MOST_BODY}"), b"x" * MOST_BODY), b"200"),
        ((head(CLOSE, f"Content-Length: {MOST_BODY + 1}"), b"x" * (MOST_BODY + 1)), b"413"),
        # the headers and a long body in one piece
        ((head(CLOSE, "Content-Length: 200000") + b"x" * 200_000,), b"200"),
    ],
)
def test_how_long_a_request_may_be(request_parts: tuple[bytes, ...], status: bytes) -> None:
    async def main() -> None:
        async with serving() as port:
            answer = await said(port, *request_parts)
            # What is cut off while it is still coming in may cost the answer as well.
            assert answer[9:12] in ((status, b"") if status == b"431" else (status,)), answer[:100]

    run(main)


def test_a_body_has_an_end_though_nobody_reads_it() -> None:
    async def main() -> None:
        async with serving() as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(f"Content-Length: {ENDLESS}"))
            sent = 0
            with contextlib.suppress(ConnectionError):
                while sent < ENDLESS:
                    writer.write(b"x" * 65_536)
                    sent += 65_536
                    await writer.drain()
            assert sent < ENDLESS / 4
            writer.close()

    run(main)


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (b"GET / HT",),
        (b"GET / HTTP/1.1\r\nHost: a\r\n",),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET"),  # the second one, on the same connection
        (head("Content-Length: 5") + b"x",),
    ],
)
def test_who_does_not_get_on_is_cut_off(
    parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(transport, "BODY_SECONDS", 0.2)

    async def main() -> None:
        async with serving() as port:
            await said(port, *parts)  # returns, because the server ends it

    run(main, PATIENCE)


def test_connections_count_from_the_first_moment_on() -> None:
    """Those of one address do not shut others out, and what ends gives its place back."""

    async def main() -> None:
        async with serving(Door(Limits(sockets=5, sockets_of_address=3))) as port:
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            assert (await said(port))[9:12] == b"503"
            if sys.platform == "linux":  # it has a whole network of addresses for itself
                assert (await said(port, head(CLOSE), source="127.0.0.2"))[9:12] == b"200"
            for _, writer in silent:
                writer.close()
            async with asyncio.timeout(PATIENCE):
                while (await said(port, head(CLOSE)))[9:12] != b"200":
                    await asyncio.sleep(0.02)

    run(main)


@pytest.mark.parametrize(
    ("proxies", "host", "address"),
    [
        ("", "192.0.2.1", "192.0.2.1"),
        ("", "2001:db8::5", "2001:db8::/64"),
        ("192.0.2.1", "192.0.2.1", ""),
        ("10.0.0.0/8, 192.0.2.1", "10.1.2.3", ""),
        ("10.0.0.0/8", "192.0.2.1", "192.0.2.1"),
        ("*", "192.0.2.1", ""),
        ("unix:", "", ""),
    ],
)
def test_behind_a_proxy_is_everybody(proxies: str, host: str, address: str) -> None:
    door = Door(Limits(sockets=9, sockets_of_address=1), proxies)
    assert door.enter(host) == address
    assert (door.enter(host) is None) == (address != "")


# -- the real server -----------------------------------------------------------------------------


async def push(port: int) -> int:
    """Headers without end; how many bytes were taken."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nX: ")
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < ENDLESS:
            writer.write(b"x" * 262_144)
            sent += 262_144
            await writer.drain()
    writer.close()
    return sent


@asynccontextmanager
async def somebody_playing(service: Service) -> AsyncGenerator[Client]:
    code = await open_table(service, ANA)
    ana = Client(service, code, ANA)
    await ana.connect()
    await ana.ask("sit", seat=1, name="Ana")
    yield ana
    assert (await ana.ask("say", text="still here"))["type"] == "update"


def with_service(folder: Path, *limits: str) -> Callable[[], Service]:
    return lambda: Service(str(folder / "tables.sqlite"), *FAST, *limits)


def test_endless_headers_do_not_freeze_play(tmp_path: Path) -> None:
    with with_service(tmp_path)() as own:

        async def main() -> None:
            async with somebody_playing(own):
                taken = await asyncio.gather(*[push(own.port) for _ in range(3)])
                assert max(taken) < ENDLESS / 4

        run(main)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one address of their own")
def test_silent_connections_do_not_shut_others_out(tmp_path: Path) -> None:
    limits = ("--limit=sockets=60", "--limit=sockets_of_address=20")
    with with_service(tmp_path, *limits)() as own:

        async def main() -> None:
            silent: list[socket.socket] = []
            async with somebody_playing(own):
                for _ in range(100):
                    one = socket.create_connection(
                        ("127.0.0.1", own.port), source_address=("127.0.0.2", 0)
                    )
                    silent.append(one)
                async with browser(own) as http:
                    assert (await http.get("/api/tables")).status_code == 200
                    metrics = (await http.get("/metrics")).text
            assert "phaseten_connections_turned_away_total 80.0" in metrics
            for one in silent:
                one.close()

        run(main)
        lines = [json.loads(line) for line in own.stop().splitlines()]
        assert [line["address"] for line in lines if line["message"] == "turned away"] == [
            "127.0.0.2"
        ]


def test_the_manual_has_these_figures() -> None:
    manual = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    usual = Limits()
    for figure in (
        f"{usual.sockets_of_address} for each address and {usual.sockets:,} in all",
        f"within {transport.HEAD_SECONDS:g} seconds, or its body within {transport.BODY_SECONDS:g},",
        f"at most {MOST_HEAD:,} bytes and {MOST_HEADERS} lines",
    ):
        assert figure in manual
