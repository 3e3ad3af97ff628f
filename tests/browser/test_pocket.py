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

from phaseten.bots.ladder import make_bot
from phaseten.cli import main
from phaseten.cli.pages import write_pages
from phaseten.game import Game
from phaseten.notation.verdict import judge_bytes
from phaseten.rules.actions import DrawDeck
from phaseten.rules.editions import read_edition
from phaseten.server.store.interface import KeptStep, Step
from phaseten.server.store.records import read_step
from phaseten.table.decisions import do_chore
from phaseten.table.duties import BotDuty, chore_for, next_duty
from phaseten.table.fold import apply
from phaseten.table.state import Table, empty_table
from phaseten.table.viewers import TableStep
from tests.browser.people import PHONE, People
from tests.browser.players import Player, play_on
from tests.browser.tables import NO_POINTERS, ask, editions, small, somebody, start
from tests.browser.test_replay import expect_step, open_file, open_more
from tests.pocket.test_moving import OLDER

SHORT = {
    "edition": "express",
    "variant": "phases=1",
    "house": [],
    "opponents": 1,
    "level": "rookie",
}

FORESEEN = """
let drawn = 0;
crypto.getRandomValues = array => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(++drawn);
    return array;
};
"""
"""Before the worker's own script: the same cards every time. A real device asks its browser."""

LOOKS = 12
"""Choices of a bot that are compared."""


class Host(SimpleHTTPRequestHandler):
    """A plain file server, which knows nothing of the game."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its class has it
        """Say nothing."""


class WebHost:
    """Serves the pages under some path, until it is gone. The cards that are dealt there can be foreseen."""

    def __init__(self, folder: Path) -> None:
        write_pages(folder)
        (script,) = folder.glob("assets/pocket-*.js")
        script.write_text(FORESEEN + script.read_text())
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
    host = WebHost(tmp_path / "some" / "path")
    yield host
    host.close()


@pytest.fixture
def visit(browser: Browser, host: WebHost) -> Iterator[Callable[..., Page]]:
    """Opens the pages as somebody who has chosen a short game; nothing may go wrong there."""
    people = People(browser, host.url)
    people.expect_problem("ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)|outdated")

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
def test_the_trained_network_plays_here_as_anywhere(
    visit: Callable[..., Page], host: WebHost
) -> None:
    """Its weights are fetched when somebody wants to play against it, and then there without a network."""
    asked: list[str] = []
    page = visit(variant="standard", level="deep", opponents=3)
    page.on("request", lambda request: asked.append(request.url))
    is_kept(page)
    player = play_now(page)
    host.close()
    page.context.set_offline(offline=True)
    page.reload()
    player.wait_for_turn()
    while len(bots := bot_steps(page)) < LOOKS:
        if not player.step():
            page.wait_for_timeout(20)
    assert len([url for url in asked if "deep.weights" in url]) == 1
    for table, step in bots:
        duty = next_duty(table)
        assert isinstance(duty, BotDuty)
        assert duty.level == "deep"
        view = table.view(duty.seat)
        assert view is not None
        choice = make_bot("deep").choose(view)
        assert step.events == do_chore(table, chore_for(duty, table.version, choice))


def bot_steps(page: Page) -> list[tuple[Table, TableStep]]:
    """What bots have done until now, and the table before that."""
    kept = [
        KeptStep(one["version"], Step(one["at"], one["events"], one["form"]))
        for one in shelf(page, "steps")
    ]
    table = empty_table("0")
    found: list[tuple[Table, TableStep]] = []
    for step in map(read_step, kept):
        if isinstance(next_duty(table), BotDuty):
            found.append((table, step))
        table = apply(table, step.at, step.events)
    return found


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


MADE_HERE = """async () => {
    for (;;) {
        for (const name of await caches.keys()) {
            const urls = (await (await caches.open(name)).keys()).map(({ url }) => url);
            const picture = urls.find(url => url.includes("/memory-"));
            if (picture && urls.some(url => url.includes("/compiled-"))) return [name, picture];
        }
        await new Promise(done => setTimeout(done, 100));
    }
}"""
SPOIL = """async ([name, picture]) => {
    const kept = await (await caches.open(name)).match(picture);
    const headers = { "x-browser": navigator.userAgent, "x-bytes": kept.headers.get("x-bytes") };
    const zeros = new Blob([new Uint8Array(Number(headers["x-bytes"]))]).stream();
    const data = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    await (await caches.open(name)).put(picture, new Response(data, { headers }));
}"""


@pytest.mark.long
def test_the_next_start_uses_what_the_first_has_kept_unless_it_is_spoilt(
    visit: Callable[..., Page],
) -> None:
    page = visit()
    player = play_now(page)
    held = player.look().held
    where = page.evaluate(MADE_HERE)
    for spoil in (False, True):
        if spoil:
            page.evaluate(SPOIL, where)
        page.reload()
        player.wait_for_turn()
        assert sorted(player.look().held) == sorted(held)
    player.step()


# -- other devices, other versions ----------------------------------------------------------------


def save(page: Page, path: Path, button: str) -> str:
    """The text of the file that the button gives."""
    with page.expect_download() as download:
        page.locator(button).click()
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")


def take_along(page: Page, tmp_path: Path) -> str:
    """The running game as a file."""
    page.locator("[data-tool=more]").click()
    page.locator("[data-tab=table]").click()
    text = save(page, tmp_path / "running.json", "[data-take]")
    expect(page.get_by_text("The game is in a file now")).to_be_visible()
    page.keyboard.press("Escape")
    return text


@pytest.mark.long
def test_a_running_game_moves_to_another_device_and_its_record_back(
    visit: Callable[..., Page], host: WebHost, tmp_path: Path
) -> None:
    first = visit()
    player = play_now(first)
    player.step()
    held = player.look().held
    running = take_along(first, tmp_path)
    second = visit()
    second.goto(f"{host.url}?/replay")
    open_file(second, running.replace("events", "stevens"), "broken.json")
    expect(second.locator("[data-problem]")).to_contain_text("It is no game of phaseten")
    open_file(second, running, "running.json")
    second.wait_for_url("**/?/table/0*")
    other = Player(second, "touch")
    other.wait_for_turn()
    assert sorted(other.look().held) == sorted(held)
    play_on([other])
    second.goto(f"{host.url}?/me")
    expect(second.locator("[data-statistics] dd").first).to_have_text("1")
    second.goto(f"{host.url}?/replay")
    second.locator("[data-game]").get_by_role("link").click()
    second.get_by_role("button", name="More").click()
    with second.expect_download() as download:
        second.get_by_role("button", name="Save as .p10").click()
    download.value.save_as(tmp_path / "game.p10")
    record = (tmp_path / "game.p10").read_text(encoding="utf-8")
    # The first device gets the record; the game that goes on there in its own way stays.
    first.goto(f"{host.url}?/replay")
    open_file(first, record)
    first.get_by_role("button", name="More").click()
    first.locator("[data-keep]").click()
    first.wait_for_url("**/?/replay/0*")
    first.goto(f"{host.url}?/replay")
    expect(first.locator("[data-game]")).to_have_count(1)
    first.goto(f"{host.url}?/me")
    expect(first.get_by_text("Play a game")).to_be_visible()  # whose seat it was nobody knows
    assert [table["stage"] for table in shelf(first, "tables")] == ["playing"]


KEEP = """([code, steps]) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("phaseten", 1);
    opening.onupgradeneeded = () => {
        opening.result.createObjectStore("steps", { keyPath: ["code", "version"] });
        opening.result.createObjectStore("tables", { keyPath: "code" });
        opening.result.createObjectStore("games", { keyPath: "id" });
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const change = opening.result.transaction(["steps", "tables", "games"], "readwrite");
        for (const { listed, game, ...step } of steps) {
            change.objectStore("steps").put({ ...step, code });
            change.objectStore("tables").put(listed);
            if (game) change.objectStore("games").put(game);
        }
        change.oncomplete = () => (opening.result.close(), resolve());
    };
})"""
"""As the first version of the client kept it."""


@pytest.mark.long
def test_a_game_that_an_older_client_has_kept_goes_on_and_a_newer_one_waits(
    visit: Callable[..., Page], host: WebHost
) -> None:
    saved = json.loads(OLDER.read_text(encoding="utf-8"))
    page = visit()
    page.evaluate(KEEP, ["0LDERGAM", saved["steps"]])
    steps = [{**step, "listed": {**step["listed"], "code": "0NEWERGA"}} for step in saved["steps"]]
    steps[-1]["form"] = 99
    page.evaluate(KEEP, ["0NEWERGA", [{**step, "game": None} for step in steps]])
    page.goto(f"{host.url}?/table/0NEWERGA")
    expect(page.get_by_role("heading", level=1)).to_contain_text("A newer version of phaseten")
    assert len([step for step in shelf(page, "steps") if step["code"] == "0NEWERGA"]) == len(steps)
    page.goto(f"{host.url}?/table/0LDERGAM")
    player = Player(page, "touch")
    player.wait_for_turn()
    assert sorted(player.look().held) == sorted(saved["held"])
    play_on([player])
    page.goto(f"{host.url}?/replay")
    expect(page.locator("[data-game]")).to_have_count(2)


def test_a_program_of_another_version_is_not_started(
    visit: Callable[..., Page], host: WebHost
) -> None:
    note = host.folder / "pocket" / "program.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"device": 99}))
    page = visit()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("alert")).to_contain_text("different versions")


@pytest.mark.long
def test_the_editor_and_the_puzzles_need_no_server(
    visit: Callable[..., Page], host: WebHost
) -> None:
    page = visit()
    page.goto(f"{host.url}?/editions")
    expect(page.locator("[data-verdict]")).to_contain_text("108")
    assert not page.get_by_role("button", name="Play with friends").count()
    page.locator("[data-play]").click()
    page.wait_for_url("**/?/table/0*")
    Player(page, "touch").wait_for_turn()
    page.goto(f"{host.url}?/learn")
    page.get_by_role("link", name="Puzzles").click()
    page.locator("[data-puzzle] button").first.click()
    expect(page.locator("[data-said]")).to_be_visible()


# -- on a server's pages --------------------------------------------------------------------------

IS_THERE = "Boolean(await caches.match('/pocket/program.json'))"
ON_DEVICE = f"async () => {IS_THERE}"
"""Its last file."""
COMES = f"""async () => {{
    while (!{IS_THERE}) await new Promise(done => setTimeout(done, 50));
}}"""
SAVING = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"


@pytest.mark.long
def test_a_position_is_played_on_without_a_server(
    visit: Callable[..., Page], host: WebHost
) -> None:
    page = visit()
    game = Game("express", ["Ana", "Beto"], seed=7)
    page.goto(f"{host.url}?/replay")
    page.get_by_text("Play a position").click()
    page.locator("[data-position]").fill(game.position(1))
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/?/table/0*")
    expect(page.locator("[data-hand] [data-held]")).to_have_count(len(game.view(1).held))


@pytest.mark.long
@pytest.mark.parametrize("source", ["record", "position"])
def test_an_edition_of_ones_own_is_played_on_without_a_server(
    visit: Callable[..., Page], host: WebHost, source: str
) -> None:
    page = visit()
    box = read_edition(small("set 3", "run 4", colors="OB", highest=9, wilds=3), "x")
    game = Game(box, ["Ana", "Beto"], seed=7)
    game.play(DrawDeck())
    page.goto(f"{host.url}?/replay")
    if source == "record":
        open_file(page, str(game.record()))
        expect(page.locator("[data-film]")).to_be_visible()
        page.keyboard.press("End")
        expect_step(page, 2)
        open_more(page)
    else:
        page.get_by_text("Play a position").click()
        page.locator("[data-position]").fill(game.position())
    page.locator("[data-play-on]").click()
    page.wait_for_url("**/?/table/0*")
    cards = page.locator("[data-hand] [data-held]")
    expect(cards).to_have_count(box.deal + 1)
    assert sorted(card.get_attribute("data-held") or "" for card in cards.all()) == sorted(
        card.text for card in game.view().held
    )


def finish_a_game(page: Page) -> None:
    """Until it is decided whether the game shall come to the device."""
    page.goto("/")
    code = start(page, 2)
    with page.expect_response("**/background-*.js"):
        ask(page, code, {"do": "call_off"})


def check_that_nothing_comes(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    finish_a_game(page)
    page.wait_for_timeout(500)  # what is decided is done at once
    assert not [url for url in asked if "pyodide" in url]


def test_the_game_comes_in_the_background_and_goes_when_it_is_told_to(people: People) -> None:
    page = somebody(people)
    finish_a_game(page)
    page.evaluate(COMES)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    kept = page.locator("[data-offline=true]")
    expect(kept).to_contain_text("MB")
    kept.get_by_role("button", name="Remove it").click()
    expect(page.locator("[data-offline=false]")).to_be_visible()
    assert not page.evaluate(ON_DEVICE)
    check_that_nothing_comes(page)  # unasked, to who has removed it


def test_on_a_saving_connection_it_is_asked_for(people: People) -> None:
    page = somebody(people)
    page.context.add_init_script(SAVING)
    check_that_nothing_comes(page)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.locator("[data-offline=false]").get_by_role("button", name="Fetch it").click()
    expect(page.locator("[data-offline=true]")).to_contain_text("MB")


@pytest.mark.long
def test_without_the_network_the_local_table_takes_over_and_says_so(people: People) -> None:
    people.expect_problem("ERR_INTERNET_DISCONNECTED")
    page = somebody(people, offline_copy=True, storage={"setup": SHORT})
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Settings").click()
    page.locator("[data-offline=false]").get_by_role("button", name="Fetch it").click()
    expect(page.locator("[data-offline=true]")).to_be_visible()
    page.keyboard.press("Escape")
    page.context.set_offline(offline=True)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/0*")
    expect(page.get_by_text("No network: you play on this device.")).to_be_visible()
    Player(page, "touch").wait_for_turn()
