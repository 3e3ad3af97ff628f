"""Firefox and WebKit, each driven by what it speaks itself.

Firefox speaks WebDriver BiDi: Debian's ``firefox-esr`` is all that is needed. WebKit speaks WebDriver: Debian's
``webkit2gtk-driver``, with a screen that nobody sees (``xvfb``) where there is none.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE

WIDTH, HEIGHT = 1280, 800
POLL: Final = 0.1
ENTER: Final = "\ue007"
_PROFILE: Final = (
    'user_pref("remote.active-protocols", 1);\n'
    'user_pref("intl.accept_languages", "en");\n'
    'user_pref("ui.prefersReducedMotion", 1);\n'
    'user_pref("dom.disable_open_during_load", false);\n'
)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Firefox:
    """A Firefox of its own, over BiDi."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="phaseten-firefox-")
        (Path(self._folder.name) / "user.js").write_text(_PROFILE)
        port = free_port()
        self._process = subprocess.Popen(
            [
                "firefox-esr", "--headless", "--no-remote", "--profile", self._folder.name,
                f"--remote-debugging-port={port}", f"--width={WIDTH}", f"--height={HEIGHT}", "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._numbers = count(1)
        self._open = ExitStack()
        self._socket = _connect(self._open, f"ws://127.0.0.1:{port}/session")
        self._ask("session.new", {"capabilities": {}})
        contexts = self._ask("browsingContext.getTree", {})["contexts"]
        self._page = contexts[0]["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        self._ask("browsingContext.setViewport", {"context": self._page, "viewport": size})

    def go(self, url: str) -> None:
        """Load that page."""
        wanted = {"context": self._page, "url": url, "wait": "complete"}
        self._ask("browsingContext.navigate", wanted)

    def evaluate(self, script: str) -> Any:
        """The value of that expression, which is a text, a number or a boolean."""
        wanted = {
            "expression": script,
            "target": {"context": self._page},
            "awaitPromise": True,
        }
        answer = self._ask("script.evaluate", wanted)
        assert answer["type"] == "success", (script, answer)
        return answer["result"].get("value")

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Use the mouse and the keys."""
        self._ask("input.performActions", {"context": self._page, "actions": actions})

    def close(self) -> None:
        """End the browser."""
        self._open.close()
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE))
            if answer.get("id") == number:
                assert answer["type"] == "success", (method, answer)
                return answer["result"]


def _connect(stack: ExitStack, address: str) -> ClientConnection:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return stack.enter_context(connect(address, open_timeout=PATIENCE, max_size=None))
        except OSError:
            assert time.monotonic() < end, "Firefox does not start"
            time.sleep(POLL)


_MINI: Final = tuple(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
"""The browser that comes with WebKit."""


class WebKit:
    """WebKit's own small browser, over WebDriver."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        surroundings = {**os.environ, "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
        # A sandbox in a sandbox cannot be, and what is drawn need not be fast.
        surroundings |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        surroundings |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        port = free_port()
        command = ["WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"]
        if "DISPLAY" not in os.environ:
            command = ["xvfb-run", "-a", "-s", f"-screen 0 {WIDTH}x{HEIGHT + 200}x24", *command]
        self._process = subprocess.Popen(
            command,
            env=surroundings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        address = f"http://127.0.0.1:{port}"
        self._http = self._stack.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
        self._wait()
        browser = {"binary": str(_MINI[0]), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": browser}}}
        self._session = self._ask("POST", "/session", wanted)["sessionId"]
        size = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT}
        self._of_session("window/rect", size)

    def go(self, url: str) -> None:
        """Load that page."""
        self._of_session("url", {"url": url})

    def evaluate(self, script: str) -> Any:
        """The value of that expression, which is a text, a number or a boolean."""
        return self._of_session("execute/sync", {"script": f"return ({script})", "args": []})

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Use the mouse and the keys."""
        self._of_session("actions", {"actions": actions})

    def close(self) -> None:
        """End the browser."""
        self._ask("DELETE", f"/session/{self._session}")
        self._stack.close()
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait()

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._ask("GET", "/status")
            except httpx.TransportError:
                assert time.monotonic() < end, "WebKit does not start"
                time.sleep(POLL)
            else:
                return

    def _of_session(self, what: str, params: dict[str, Any]) -> Any:
        return self._ask("POST", f"/session/{self._session}/{what}", params)

    def _ask(self, method: str, path: str, params: dict[str, Any] | None = None) -> Any:
        answer = self._http.request(method, path, json=params)
        assert answer.is_success, (path, params, answer.text)
        return answer.json()["value"]


class Wire(Protocol):
    """How one speaks with a browser."""

    def go(self, url: str) -> None: ...

    def evaluate(self, script: str) -> Any: ...

    def act(self, actions: list[dict[str, Any]]) -> None: ...

    def close(self) -> None: ...


ENGINES: Final[dict[str, type[Firefox] | type[WebKit]]] = {"firefox": Firefox, "webkit": WebKit}


def missing(engine: str) -> str:
    """What has to be installed, or nothing."""
    if engine == "firefox":
        return "" if shutil.which("firefox-esr") else "firefox-esr"
    if not (_MINI and shutil.which("WebKitWebDriver")):
        return "webkit2gtk-driver"
    return "" if "DISPLAY" in os.environ or shutil.which("xvfb-run") else "xvfb"


class Visitor:
    """Somebody with such a browser: looks for things, and clicks them."""

    def __init__(self, wire: Wire, site: str) -> None:
        self._wire = wire
        self.site = site

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()

    def go(self, path: str) -> None:
        self._wire.go(self.site + path)

    def value(self, script: str) -> Any:
        return self._wire.evaluate(script)

    def count(self, what: str) -> int:
        return int(self.value(f"document.querySelectorAll({json.dumps(what)}).length"))

    def text(self, what: str = "body") -> str:
        return self.value(f"document.querySelector({json.dumps(what)})?.innerText ?? ''")

    def until(self, condition: str) -> None:
        """Wait until that is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.value(f"Boolean({condition})"):
            assert time.monotonic() < end, f"never came: {condition}\n{self.text()}"
            time.sleep(POLL)

    def see(self, what: str) -> None:
        self.until(f"document.querySelector({json.dumps(what)})?.getClientRects().length")

    def read(self, words: str) -> None:
        self.until(f"document.body.innerText.includes({json.dumps(words)})")

    def press(self, name: str) -> None:
        """Click the button or link that is called so."""
        mark = f"""(() => {{
            const name = {json.dumps(name)};
            const found = [...document.querySelectorAll("button, a, [role=button]")].filter(one =>
                one.getClientRects().length && !one.disabled);
            const called = (one) => (one.ariaLabel ?? one.innerText).trim();
            const one = found.find(one => called(one) === name)
                ?? found.find(one => called(one).startsWith(name));
            document.querySelector("[data-pressed]")?.removeAttribute("data-pressed");
            one?.setAttribute("data-pressed", "");
            return Boolean(one);
        }})()"""
        self.until(mark)
        self.click("[data-pressed]")

    def type(self, text: str) -> None:
        """With the keys, into what has the focus."""
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._wire.act([{"type": "key", "id": "keys", "actions": keys}])

    def click(self, what: str) -> None:
        """With the mouse, in the middle of it; of a card in the fan, where it is not covered."""
        self.see(what)
        place = json.loads(
            self.value(
                f"""(() => {{
                const found = document.querySelector({json.dumps(what)});
                found.scrollIntoView({{block: "nearest"}});
                const box = found.getBoundingClientRect();
                const x = box.x + (found.matches("[data-held]") ? 8 : box.width / 2);
                return JSON.stringify([Math.round(x), Math.round(box.y + box.height / 2)]);
            }})()"""
            )
        )
        move = {"type": "pointerMove", "x": place[0], "y": place[1]}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._wire.act([{"type": "pointer", "id": "mouse", "actions": steps}])
