"""The main journeys in Firefox and in WebKit, each with its own mouse and keys."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.browser.conftest import GENEROUS, unavailable
from tests.browser.engines import ENGINES, ENTER, Visitor, missing
from tests.browser.tables import Beside, small
from tests.patience import PATIENCE
from tests.server.foreseen import token
from tests.server.service import Service

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ONE_TURN = small("color 3", deal=3)
"""All cards have the same colour: whoever begins lays three, discards the fourth, and has won."""


@pytest.fixture
def house(built: Path, tmp_path: Path) -> Iterator[Service]:
    """A server of its own, which can be stopped."""
    assert (built / "index.html").exists()
    with Service(str(tmp_path / "tables.sqlite"), *GENEROUS) as service:
        yield service


@pytest.fixture(params=ENGINES)
def ana(request: pytest.FixtureRequest, house: Service) -> Iterator[Visitor]:
    """Somebody comes with such a browser."""
    lacks = missing(request.param)
    if lacks:
        unavailable(f"apt-get install {lacks}")
    with Visitor(ENGINES[request.param](), house.url) as visitor:
        yield visitor


def open_short_game(visitor: Visitor) -> None:
    """A table at which one turn is enough to win."""
    visitor.go("/")
    visitor.see(".play .button")
    options = {"custom": ONE_TURN, "seats": 2, "pace": 10_000}
    body = json.dumps({"name": "Ana", "options": options})
    visitor.value(
        f"""void fetch("/api/tables", {{method: "POST", body: {json.dumps(body)},
            headers: {{"content-type": "application/json"}}}})
            .then(answer => answer.json()).then(({{code}}) => location.href = `/table/${{code}}`)"""
    )
    visitor.see("form .button")
    visitor.click("form .button")
    visitor.see("footer .button.may")
    visitor.click("footer .button.may")
    visitor.see("[data-held]")


def win(visitor: Visitor) -> None:
    visitor.click("[data-pile=draw]:enabled")
    visitor.click("[data-tool=lay]:enabled")
    visitor.until("document.querySelector('[data-way], [data-owner=\"1\"]')")
    if visitor.count("[data-way]"):
        visitor.click("[data-way]")
    visitor.see("[data-owner='1']")
    visitor.click("[data-held]")
    visitor.click("[data-pile=discard]:enabled")
    visitor.see("[data-over=game]")


def test_a_first_game_and_its_replay(ana: Visitor) -> None:
    open_short_game(ana)
    win(ana)
    ana.read("You have won!")
    ana.go("/replay")
    ana.click("a[href^='/replay/']")
    ana.until("document.querySelectorAll('.plate').length === 2")
    ana.go("/me")
    ana.see("[data-statistics]")


@contextmanager
def friend(house: Service, code: str) -> Generator[Beside]:
    """Somebody else at the table, without a browser."""
    with connect(
        f"ws://127.0.0.1:{house.port}/api/tables/{code}/play",
        additional_headers={"cookie": f"phaseten={token('beto')}"},
        open_timeout=PATIENCE,
        max_size=None,
    ) as socket:
        yield Beside(socket)


def test_friends_come_talk_and_play(ana: Visitor, house: Service) -> None:
    ana.go("/")
    ana.press("Play with friends")
    ana.until("location.pathname.startsWith('/table/')")
    ana.see("footer .button.may")
    code = str(ana.value("location.pathname.split('/').at(-1)"))
    with friend(house, code) as beto:
        beto.ask(do="sit", seat=2, name="Beto")
        ana.read("Beto")
        ana.see("[data-log]")
        beto.ask(do="say", text="Good evening")
        ana.read("Good evening")
        ana.click("footer .button.may")
        ana.see("[data-held]")
        beto.until(lambda update: update["table"]["stage"] == "playing")
        beto.ask(do="say", text="Good luck!")
        ana.read("Good luck!")


def test_a_reload_in_the_middle_of_a_turn_changes_nothing(ana: Visitor) -> None:
    open_short_game(ana)
    ana.click("[data-pile=draw]:enabled")
    ana.until("document.querySelectorAll('[data-held]').length === 4")
    ana.go(str(ana.value("location.pathname")))
    ana.until("document.querySelectorAll('[data-held]').length === 4")
    ana.click("[data-tool=lay]:enabled")
    ana.until("document.querySelector('[data-way], [data-owner=\"1\"]')")


def test_a_lost_network_comes_back_and_the_game_goes_on(ana: Visitor, house: Service) -> None:
    open_short_game(ana)
    house.stop()
    ana.read("The connection is gone")
    house.start()
    ana.until("!document.body.innerText.includes('The connection is gone')")
    win(ana)


def test_the_score_keeper(ana: Visitor) -> None:
    ana.go("/scores/new")
    for name in ("Bo", "Cy"):
        ana.click("form input")
        ana.type(name + ENTER)
        ana.read(name)
    ana.press("Start")
    ana.until("/^\\/scores\\/\\w{3,}$/.test(location.pathname)")
    ana.press("Write down hand 1")
    ana.press("Bo went out")
    for digit in "60":
        ana.press(digit)
    ana.press("Save")
    written = "[...document.querySelectorAll('tbody tr')].some(one => one.innerText.includes('60'))"
    ana.until(written)
    ana.go(str(ana.value("location.pathname")))  # it is kept
    ana.until(written)
