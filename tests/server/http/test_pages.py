"""The client's files: what is there is served well, and nothing else at all."""

import asyncio
import gzip
import hashlib
from pathlib import Path

import httpx
import pytest

from phaseten.kernel.players.network.weights import about
from phaseten.server.app import Server
from phaseten.server.http.responses import HEADERS
from phaseten.server.settings import Settings

PAGE = b"<!doctype html><title>cards</title>"
SCRIPT = b"console.log('cards')"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "assets" / "main-1a2b.js").write_bytes(SCRIPT)
    (folder / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "assets" / "main-1a2b.js.br").write_bytes(b"brotli")
    (folder / "assets" / "large-1a2b.wasm.gz").write_bytes(gzip.compress(b"\0asm"))
    (folder / "assets" / "pocket-1a2b.js").write_bytes(SCRIPT)
    (folder / "icon.svg").write_bytes(b"<svg/>")
    (folder / ".secret").write_bytes(b"no")
    (tmp_path / "outside.txt").write_bytes(b"no")
    return folder


class Browser:
    """Asks the application itself, which has not been started: pages need no store."""

    def __init__(self, site: Path) -> None:
        self._app = Server(Settings("none.sqlite"), site).app

    def ask(self, method: str, path: str, **headers: str) -> httpx.Response:
        async def main() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://here", verify=False
            ) as http:
                sent = {name.replace("_", "-"): value for name, value in headers.items()}
                request = http.build_request(method, path, headers=sent)
                answer = await http.send(request, stream=True)
                body = b"".join([part async for part in answer.aiter_raw()])
                return httpx.Response(
                    answer.status_code,
                    headers=[h for h in answer.headers.raw if h[0] != b"content-encoding"],
                    content=body,
                    extensions={"encoding": answer.headers.get("content-encoding", "")},
                )

        return asyncio.run(main())

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, **headers)


@pytest.fixture
def browser(site: Path) -> Browser:
    return Browser(site)


@pytest.mark.parametrize("path", ["/", "/join/ABCDEFGH", "/replay/x", "/watch/x", "/move/x"])
def test_the_client_knows_its_own_addresses(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.content) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    for name in ("content-security-policy", "x-content-type-options", "referrer-policy"):
        assert answer.headers[name] == HEADERS[name]


def test_a_file_that_never_changes_is_kept_for_ever(browser: Browser) -> None:
    path = "/assets/main-1a2b.js"
    plain = browser.get(path, accept_encoding="identity")
    assert plain.content == SCRIPT
    assert "immutable" in plain.headers["cache-control"]
    assert plain.headers["content-type"].startswith("text/javascript")
    assert plain.headers["vary"] == "accept-encoding"
    packed = browser.get(path, accept_encoding="gzip, br;q=0")
    assert packed.extensions["encoding"] == "gzip"
    assert gzip.decompress(packed.content) == SCRIPT
    best = browser.get(path, accept_encoding="gzip, br")
    assert (best.extensions["encoding"], best.content) == ("br", b"brotli")


def test_what_is_known_is_not_sent_again(browser: Browser) -> None:
    first = browser.get("/icon.svg")
    again = browser.get("/icon.svg", if_none_match=first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    other = browser.get("/icon.svg", if_none_match='"other"')
    assert (other.status_code, other.content) == (200, b"<svg/>")
    assert browser.ask("HEAD", "/icon.svg").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/assets/",
        "/assets/nothing.js",
        "/.secret",
        "/assets/main-1a2b.js.gz",
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/..%2foutside.txt",
        "/assets/..%2f..%2foutside.txt",
        "//etc/passwd",
        "/%00",
        "/C:/outside.txt",
        "/api",
        "/api/",
        "/api/nothing",
    ],
)
def test_nothing_else_is_found(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert answer.json()["reason"] == "no-page"
    assert "etag" not in answer.headers


def test_somebody_who_is_lost_gets_the_client_which_says_so(browser: Browser) -> None:
    answer = browser.get("/nowhere", accept="text/html,*/*")
    assert (answer.status_code, answer.content) == (404, PAGE)
    assert browser.get("/nowhere", accept="*/*").content != PAGE


def test_pages_are_only_read(browser: Browser) -> None:
    answer = browser.ask("POST", "/")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_without_the_client_it_says_so(tmp_path: Path) -> None:
    answer = Browser(tmp_path / "nothing").get("/", accept_language="es")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("Las páginas para navegadores no están")


def test_what_is_large_is_kept_packed_and_sent_as_the_client_can_read_it(browser: Browser) -> None:
    packed = browser.get("/assets/large-1a2b.wasm", accept_encoding="gzip")
    assert packed.extensions["encoding"] == "gzip"
    assert gzip.decompress(packed.content) == b"\0asm"
    assert packed.headers["content-type"] == "application/wasm"
    plain = browser.get("/assets/large-1a2b.wasm", accept_encoding="identity")
    assert (plain.extensions["encoding"], plain.content) == ("", b"\0asm")
    assert browser.get("/assets/large-1a2b.wasm.gz").status_code == 404


def test_webassembly_is_allowed_in_the_worker_that_needs_it_and_nowhere_else(
    browser: Browser,
) -> None:
    def policy(path: str) -> str:
        return browser.get(path).headers["content-security-policy"]

    assert "script-src 'self' 'wasm-unsafe-eval'" in policy("/assets/pocket-1a2b.js")
    assert "wasm" not in policy("/assets/main-1a2b.js")
    assert "wasm" not in policy("/")


def test_the_weights_lie_beside_and_are_as_the_note_says(browser: Browser) -> None:
    answer = browser.get("/pocket/deep.weights")
    assert answer.status_code == httpx.codes.OK
    assert hashlib.sha256(answer.content).hexdigest() == about()["sha256"]
