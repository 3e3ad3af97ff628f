"""The game without a server: files from a plain web host, under some path, and then without any network."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from phaseten.cli import main
from phaseten.cli.pages import write_pages
from phaseten.notation.verdict import judge_bytes
from tests.browser.people import PHONE, People
from tests.browser.players import Player, play_on
from tests.browser.tables import NO_POINTERS, editions

SHORT = {
    "edition": "express",
    "variant": "phases=1",
    "house": [],
    "opponents": 1,
    "level": "rookie",
}


class Host(SimpleHTTPRequestHandler):
    """A plain file server, which knows nothing of the game."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its class has it
        """Say nothing."""


class WebHost:
    """Serves the pages under some path, until it is gone."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(Host, directory=str(folder.parents[1]))
        )
        self.folder = folder
        self.url = f"http://localhost:{self._server.server_port}/some/path/"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def host(built: Path, tmp_path: Path) -> Iterator[WebHost]:
    assert (built / "index.html").exists()
    folder = tmp_path / "some" / "path"
    write_pages(folder)
    host = WebHost(folder)
    yield host
    host.close()


@pytest.fixture
def visit(browser: Browser, host: WebHost) -> Iterator[Callable[..., Page]]:
    """Opens the pages as somebody who has chosen a short game; nothing may go wrong there."""
    people = People(browser, host.url)
    people.expect_problem("ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)")

    def open_pages(**setup: object) -> Page:
        page = people.open(
            "",
            screen=PHONE,
            offline_copy=True,
            storage={"setup": SHORT | setup, "pointers": NO_POINTERS},
            name="Ana",
        )
        page.goto(host.url)
        return page

    yield open_pages
    people.close()
    assert not people.problems, "\n".join(people.problems)


def play_now(page: Page) -> Player:
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/some/path/?/table/0*")
    player = Player(page, "touch")
    player.wait_for_turn()
    return player


def is_kept(page: Page) -> None:
    """Wait until everything is on the device."""
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def shelf(page: Page, store: str) -> list[dict[str, Any]]:
    """What is kept there."""
    return page.evaluate(
        """store => new Promise((resolve, reject) => {
            const opening = indexedDB.open("phaseten");
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
                const all = opening.result.transaction(store).objectStore(store).getAll();
                all.onsuccess = () => resolve(all.result);
            };
        })""",
        store,
    )


def check_record(page: Page, tmp_path: Path) -> None:
    """The record of the last game, as the page gives it away, is in order, and its shuffles are."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as .p10").click()
    path = tmp_path / "game.p10"
    download.value.save_as(path)
    verdict = judge_bytes(path.read_bytes())
    assert (verdict["ok"], verdict["finished"]) == (True, True)
    assert main(["verify", str(path)]) == 0


def test_a_whole_game_without_server_and_network(
    visit: Callable[..., Page], host: WebHost, tmp_path: Path
) -> None:
    page = visit()
    is_kept(page)
    player = play_now(page)
    host.close()
    page.context.set_offline(offline=True)
    player.step()
    before = player.look()
    page.reload()
    player.wait_for_turn()
    assert sorted(player.look().held) == sorted(before.held)
    play_on([player])
    steps = shelf(page, "steps")
    assert [step["version"] for step in steps] == list(range(1, len(steps) + 1))
    page.goto(f"{host.url}?/replay")
    page.locator("[data-game]").get_by_role("link").click()
    page.get_by_role("button", name="More").click()
    check_record(page, tmp_path)


@pytest.mark.long
@editions
def test_every_edition(visit: Callable[..., Page], edition: str) -> None:
    page = visit(edition=edition, opponents=2, level="sharp")
    play_on([play_now(page)])
    (game,) = shelf(page, "games")
    assert judge_bytes(game["record"].encode())["finished"]


@pytest.mark.long
def test_people_pass_the_phone(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("button", name="Pass one phone around").click()
    page.get_by_label("Name of player 1").fill("Ana")
    page.get_by_label("Name of player 2").fill("Beto")
    page.get_by_role("dialog").get_by_role("button", name="Play now").click()
    player = Player(page, "touch")
    hands: dict[str, list[str]] = {}
    while True:
        page.wait_for_selector("[data-curtain], [data-over=game]")
        if not page.locator("[data-curtain]").count():
            break
        assert not page.locator("[data-held]").count()
        taken = page.locator("[data-curtain]").get_by_role("button")
        name = taken.inner_text().removeprefix("I am ")
        taken.click()
        player.wait_for_turn()
        hands.setdefault(name, player.look().held)
        while not page.locator("[data-curtain], [data-over=game]").count():
            if not player.step():
                page.wait_for_timeout(20)
    assert set(hands) == {"Ana", "Beto"}
    assert hands["Ana"] != hands["Beto"]


FULL = """
let isFull = false;
new BroadcastChannel("full").onmessage = ({ data }) => (isFull = data);
const add = IDBObjectStore.prototype.add;
IDBObjectStore.prototype.add = function (...what) {
    if (isFull) throw new DOMException("no room", "QuotaExceededError");
    return add.apply(this, what);
};
"""
"""Before the worker's own script: a browser cannot be asked to have no room."""


@pytest.mark.long
def test_a_full_device_says_so_and_goes_on_when_there_is_room(
    visit: Callable[..., Page], host: WebHost
) -> None:
    (script,) = host.folder.glob("assets/pocket-*.js")
    script.write_text(FULL + script.read_text())
    page = visit()
    player = play_now(page)
    say = "full => { const way = new BroadcastChannel('full'); way.postMessage(full); }"
    page.evaluate(say, True)
    before = len(shelf(page, "steps"))
    page.locator("[data-pile=draw]").tap(force=True)
    expect(page.get_by_text("There is no room left on this device")).to_be_visible()
    assert len(shelf(page, "steps")) == before
    page.evaluate(say, False)
    player.step()
    assert len(shelf(page, "steps")) > before


@pytest.mark.long
def test_an_update_of_the_game_goes_on_with_the_hand(
    visit: Callable[..., Page], host: WebHost
) -> None:
    page = visit()
    is_kept(page)
    player = play_now(page)
    player.step()
    held = player.look().held
    note = host.folder / "pocket" / "program.json"
    program = json.loads(note.read_text())
    newer = b"PK" + (host.folder / "pocket" / program["file"]).read_bytes()[2:] + b""
    (host.folder / "pocket" / "phaseten-newer.zip").write_bytes(newer)
    note.write_text(json.dumps(program | {"file": "phaseten-newer.zip"}))
    worker = host.folder / "worker.js"
    worker.write_text(worker.read_text() + "\n// a newer one\n")
    page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.update())")
    page.reload()
    player.wait_for_turn()
    assert sorted(player.look().held) == sorted(held)
    player.step()
