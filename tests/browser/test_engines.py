"""The first game and its replay in Firefox, with its own mouse."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import GENEROUS, unavailable
from tests.browser.engines import Firefox, Visitor, missing
from tests.browser.tables import small
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


@pytest.fixture
def ana(house: Service) -> Iterator[Visitor]:
    """Somebody comes with such a browser."""
    lacks = missing()
    if lacks:
        unavailable(f"apt-get install {lacks}")
    with Visitor(Firefox(), house.url) as visitor:
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
