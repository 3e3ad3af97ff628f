"""A real server in a process of its own, and clients with real sockets."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

from phaseten.client.folding import fold
from phaseten.server.app import GUEST_KEY
from phaseten.server.http.identity import COOKIE, SECURE_COOKIE
from phaseten.server.store.database import open_store
from tests.patience import PATIENCE
from tests.server import foreseen
from tests.server.foreseen import KEY

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
PATH = f"{SOURCE}{os.pathsep}{ROOT}"
FAST = (
    "--limit=messages=100000/100000",
    "--limit=changes=100000/100000",
    "--limit=requests=100000/100000",
    "--limit=tables=100000/100000",
)

COOKIES = (COOKIE, SECURE_COOKIE)
"""A server looks at one of them; which one depends on whether browsers come by https."""

Data = dict[str, Any]


class Node(Protocol):
    """What answers on a port of this machine: a server, or a proxy in front of some."""

    @property
    def port(self) -> int: ...

    @property
    def url(self) -> str: ...


class Service:
    """A server on a free port, whose deals are always the same: see ``tests/server/foreseen.py``."""

    PROGRAM = ("-m", "tests.server.start")

    def __init__(self, database: str, *options: str, port: int = 0) -> None:
        self._options = (
            "--host", "127.0.0.1", "--database", database, "--bots", "1", *(options or FAST),
        )  # fmt: skip
        self.port = port
        self._log, name = tempfile.mkstemp()  # not a pipe: nobody empties it meanwhile
        Path(name).unlink()
        weakref.finalize(self, os.close, self._log)
        self.start()

    @property
    def program(self) -> tuple[str, ...]:
        """What is started."""
        return self.PROGRAM

    def start(self) -> None:
        """Start it, on the same port as before."""
        self._process = subprocess.Popen(
            [sys.executable, *self.program, *self._options, "--port", str(self.port)],
            env=os.environ | {"PYTHONPATH": self.python_path},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"port (\d+)", line)
        if not found:
            self.kill()
        assert found, line + self.logged
        self.port = int(found[1])

    @property
    def folder(self) -> Path | None:
        """Where it runs; None: where the tests do."""
        return None

    @property
    def python_path(self) -> str:
        """Where it finds the program, and what of the tests it needs."""
        return PATH

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def logged(self) -> str:
        """What it has logged until now, in all its lives."""
        return os.pread(self._log, os.fstat(self._log).st_size, 0).decode()

    def kill(self) -> str:
        """``kill -9``; what it has logged."""
        return self._end(signal.SIGKILL)

    def stop(self) -> str:
        """End it in good order; what it has logged."""
        return self._end(signal.SIGTERM)

    def _end(self, by: signal.Signals) -> str:
        if self._process.poll() is None:
            self._process.send_signal(by)
        self._process.communicate(timeout=PATIENCE)
        return self.logged

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process.poll() is None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self.stop()


class SecretService(Service):
    """``phaseten serve``, as everybody runs it: nobody can foresee anything, but who its guests are."""

    PROGRAM = ("-m", "phaseten", "serve")

    def __init__(self, database: str, *options: str, port: int = 0) -> None:
        asyncio.run(_keep_key(database))
        super().__init__(database, *options, port=port)


async def _keep_key(database: str) -> None:
    store = await open_store(database)
    await store.keep_key(GUEST_KEY, KEY.hex())
    await store.close()


def browser(service: Node, token: str = "") -> httpx.AsyncClient:
    """Somebody who asks by HTTP: with a token, or as the guest who is called so.

    To read all certificates first, as usual, takes longer than the rest.
    """
    cookies: dict[str, str] = dict.fromkeys(COOKIES, foreseen.token(token)) if token else {}
    return httpx.AsyncClient(base_url=service.url, cookies=cookies, verify=False, timeout=PATIENCE)


async def open_table(service: Node, token: str, **options: object) -> str:
    """A new table whose host has that token; its code."""
    async with browser(service, token) as http:
        answer = await http.post("/api/tables", json={"name": "Host", "options": options})
    assert answer.status_code == 201, answer.text
    return answer.json()["code"]


_connected: set["Client"] = set()


class Client:
    """Somebody at a table: keeps the last update, and all that was received."""

    def __init__(self, service: Node, code: str, token: str = "") -> None:
        self.service = service
        self.code = code
        self._token = foreseen.token(token) if token else ""
        self._socket: ClientConnection | None = None
        self.received: list[str] = []
        self.update: Data = {}
        self.versions: list[int] = []
        """The versions of all steps that were told, in order."""

    async def connect(self, query: str = "") -> None:
        address = f"ws://127.0.0.1:{self.service.port}/api/tables/{self.code}/play{query}"
        cookies = "; ".join(f"{name}={self._token}" for name in COOKIES)
        headers = {"cookie": cookies} if self._token else {}
        self._socket = await connect(
            address,
            additional_headers=headers,
            open_timeout=PATIENCE,
            ping_interval=None,
            max_size=None,
        )
        _connected.add(self)
        welcome = await self.receive_any()
        if (
            welcome.get("reason") == "unavailable"
        ):  # the node cannot read the table, and says: come back
            raise ConnectionRefusedError(welcome["sentence"])
        assert welcome["type"] == "welcome", welcome
        assert (await self.receive_any())["type"] == "update"

    async def reconnect(self) -> None:
        """Come back after the connection was lost: give me what I missed."""
        await self.connect(f"?after={self.update['version']}")

    async def close(self) -> None:
        _connected.discard(self)
        assert self._socket is not None
        await self._socket.close()

    async def send(self, do: str, **more: object) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps({"do": do, **more}))

    async def send_text(self, text: str | bytes) -> None:
        assert self._socket is not None
        await self._socket.send(text)

    async def receive(self) -> Data:
        """The next message that says more than who is connected."""
        while True:
            before = self.update
            message = await self.receive_any()
            if message["type"] != "update" or message["steps"]:
                return message
            if without_presence(message) != without_presence(before):
                return message

    async def receive_any(self) -> Data:
        assert self._socket is not None
        text = await asyncio.wait_for(self._socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.received.append(text)
        message: Data = json.loads(text)
        if message["type"] == "change":
            message = fold(self.update, message)
        if message["type"] == "update":
            self.update = message
            self.versions += [step["version"] for step in message["steps"]]
        return message

    async def ask(self, do: str, **more: object) -> Data:
        """Send it, and wait for the next message."""
        await self.send(do, **more)
        return await self.receive()

    async def until(self, condition: Callable[[Data], bool]) -> None:
        """Read on until the last update is like that."""
        while not condition(self.update):
            await self.receive()

    async def play(self, choose: Callable[[Data], Data], until: Callable[[Data], bool]) -> None:
        """Act whenever it is this seat's turn."""
        while not until(self.update):
            if self.update["actions"]:
                action = choose(self.update)
                version = self.update["version"]
                await self.send(**action, at=version)
                while self.update["version"] == version:
                    message = await self.receive()
                    assert message["type"] == "update", message
            else:
                await self.receive()


def without_presence(update: Data) -> Data:
    """How things stand, less who is connected, and less what comes only with the first update or the later ones."""
    if not update:
        return update
    table: Data = update["table"]
    seats = [{**seat, "connected": None} for seat in table["seats"]]
    around = {**table, "seats": seats, "watchers": None, "host_connected": None}
    return {**update, "table": around, "steps": None, "seen": None}


def cautious(update: Data) -> Data:
    """Lay and hit when that can be done, otherwise draw and discard."""
    actions: list[Data] = update["actions"]
    order = ("lay", "hit", "draw", "take", "nothing", "discard")
    return min(actions, key=lambda action: order.index(action["do"]))


def is_over(update: Data) -> bool:
    return update["table"]["stage"] == "finished"


def run(main: Callable[[], Awaitable[None]], seconds: float = 900) -> None:
    """Run it, but not for ever."""

    async def limited() -> None:
        try:
            async with asyncio.timeout(seconds):
                await main()
        finally:
            for client in list(_connected):
                await client.close()

    asyncio.run(limited())
