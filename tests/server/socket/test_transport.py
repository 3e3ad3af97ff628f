"""What transport.py takes from uvicorn beyond its public interface, checked by name.

A newer uvicorn that fails here must not be allowed in pyproject.toml before transport.py follows it.
"""

from __future__ import annotations

import asyncio
import gc
import tomllib
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import websockets
from packaging.requirements import Requirement

from phaseten.server.http.transport import Http
from phaseten.server.serving import configuration, listen
from phaseten.server.socket.transport import Socket, write_of
from tests.patience import PATIENCE

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"
ADVICE = "See src/phaseten/server/socket/transport.py and the bound of uvicorn in pyproject.toml."


async def _no_app(_scope: Any, _receive: Any, _send: Any) -> None:
    raise AssertionError("nobody connects")


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        ("close_sent", bool),
        ("handshake_complete", bool),
        ("disconnected", bool),
        ("writable", asyncio.Event),
        ("transport", type(None)),  # until somebody connects
    ],
)
def test_a_connection_has_what_we_ask_it_for(attribute: str, kind: type) -> None:
    async def run() -> None:
        config = configuration(_no_app)
        config.load()
        state = uvicorn.Server(config).server_state
        protocol = Socket(config, state, {})
        assert hasattr(protocol, attribute), (
            f"uvicorn {version('uvicorn')}: its WebSocket has no {attribute!r} any more. {ADVICE}"
        )
        found = type(getattr(protocol, attribute))
        assert issubclass(found, kind), (
            f"uvicorn {version('uvicorn')}: {attribute!r} of its WebSocket is a {found.__name__}, "
            f"no {kind.__name__} any more. {ADVICE}"
        )

    asyncio.run(run())


def test_a_text_goes_the_short_way() -> None:
    texts = [b"short", b"x" * 200, b"y" * 70_000]
    sent: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        assert await receive() == {"type": "websocket.connect"}
        await send({"type": "websocket.accept"})
        sent.extend(write_of(scope)(text) for text in texts)
        await receive()

    async def run() -> list[bytes]:
        server = uvicorn.Server(configuration(app))
        with listen("127.0.0.1", 0) as listening:
            serving = asyncio.create_task(server.serve([listening]))
            port = listening.getsockname()[1]
            async with websockets.connect(f"ws://127.0.0.1:{port}/") as client:
                got = [str(await client.recv()).encode() for _ in range(sum(sent) or len(texts))]
            await server.shutdown([listening])
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving
        return got

    got = asyncio.run(run())
    assert sent == [True, True, True], (
        f"uvicorn {version('uvicorn')}: the extension in the scope of a connection does not write. {ADVICE}"
    )
    assert got == texts


def test_a_connection_that_is_over_does_not_wait_for_garbage_to_be_looked_for() -> None:
    """With some thousand connections that is done seldom: until then each would keep what it had."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        write_of(scope)(b"hello")
        await receive()

    def kept() -> list[object]:
        return [one for one in gc.get_objects() if isinstance(one, Socket | Http)]

    async def run() -> None:
        server = uvicorn.Server(configuration(app))
        with listen("127.0.0.1", 0) as listening:
            serving = asyncio.create_task(server.serve([listening]))
            port = listening.getsockname()[1]
            async with websockets.connect(f"ws://127.0.0.1:{port}/") as client:
                assert await client.recv() == "hello"
                assert [type(one) for one in kept()] == [Socket]
            async with asyncio.timeout(PATIENCE):
                while kept():
                    await asyncio.sleep(0.01)
            await server.shutdown([listening])
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving

    gc.collect()
    gc.disable()
    try:
        asyncio.run(run())
    finally:
        gc.enable()


def test_the_installed_uvicorn_is_one_that_is_allowed() -> None:
    found = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    (uvicorn_needed,) = (r for r in map(Requirement, found) if r.name == "uvicorn")
    assert any(part.operator == "<" for part in uvicorn_needed.specifier), (
        "uvicorn needs an upper bound: we subclass a class of it that is not public"
    )
    assert uvicorn_needed.specifier.contains(version("uvicorn"))


def test_whatever_way_frames_come_the_application_gets_the_messages() -> None:
    """Whole ones in ASCII are read here; parts of frames, other letters and messages in several frames as well."""
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(message.get("text") or message.get("bytes"))
            await send({"type": "websocket.send", "text": str(len(heard))})

    async def run() -> None:
        server = uvicorn.Server(configuration(app))
        with listen("127.0.0.1", 0) as listening:
            serving = asyncio.create_task(server.serve([listening]))
            port = listening.getsockname()[1]
            async with websockets.connect(f"ws://127.0.0.1:{port}/") as client:
                for text in ("one", "ñandú", "x" * 300, ["in ", "parts"], b"bytes"):
                    await client.send(text)
                    await client.recv()
                client.transport.write(frame(b"together") + frame(b"with this"))
                for byte in frame(b"slow") + frame(b"y" * 200):
                    client.transport.write(bytes((byte,)))
                    await asyncio.sleep(0)
                for _ in range(4):
                    await client.recv()
            await server.shutdown([listening])
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving

    asyncio.run(run())
    assert heard == [
        "one", "ñandú", "x" * 300, "in parts", b"bytes", "together", "with this", "slow", "y" * 200,
    ]  # fmt: skip


def frame(text: bytes) -> bytes:
    """A text as a client sends it, with a mask of zeros."""
    size = len(text)
    head = bytes((0x81, 0x80 + size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + bytes(4) + text
