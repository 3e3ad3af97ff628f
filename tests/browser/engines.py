"""Firefox, driven by what it speaks itself: WebDriver BiDi. Debian's ``firefox-esr`` is all that is needed."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Final, Self

from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE

WIDTH, HEIGHT = 1280, 800
POLL: Final = 0.1
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


def missing() -> str:
    """What has to be installed, or nothing."""
    return "" if shutil.which("firefox-esr") else "firefox-esr"


class Visitor:
    """Somebody with such a browser: looks for things, and clicks them."""

    def __init__(self, wire: Firefox, site: str) -> None:
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
