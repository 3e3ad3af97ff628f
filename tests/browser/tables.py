"""Tables of tests: opened beside the page, and played move by move."""

import json
from collections.abc import Iterator
from itertools import count

from playwright.sync_api import Locator, Page, expect

from tests.browser.people import SMALL_PHONE, People, Screen

NO_POINTERS = {"shown": 3}
"""The pointers of the first turn have been seen."""
DECK = """
name = "small"
title = "Small"
players = [2, 6]
deal = {deal}
colors = {colors}
highest = {highest}
copies = {copies}
wilds = {wilds}
skips = 0
shortest_run = 3
skip_goes_to = "pile"
variations = []
phases = {phases}
"""


def small(*phases: str, colors: str = "R", highest: int = 12, copies: int = 3, **more: int) -> str:
    """An edition whose deck makes what a test needs certain, or nearly so."""
    counts = {"deal": 6, "wilds": 0} | more
    return DECK.format(
        colors=json.dumps(list(colors)),
        highest=highest,
        copies=copies,
        phases=json.dumps(phases),
        **counts,
    )


def open_table(page: Page, seats: int = 3, **options: object) -> str:
    """A table with the person at the page in seat 1; they are in its lobby."""
    chosen = {"seats": seats, "pace": 0} | options
    answer = page.request.post("/api/tables", data={"name": "Ana", "options": chosen})
    assert answer.ok, answer.text()
    code = answer.json()["code"]
    page.goto(f"/table/{code}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return code


def sit_down(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def ask(page: Page, code: str, *requests: dict[str, object]) -> None:
    """Ask the table for something beside the page, as its person."""
    page.evaluate(
        """([code, requests]) => new Promise(done => {
            const socket = new WebSocket(`ws://${location.host}/api/tables/${code}/play`);
            socket.onmessage = ({data}) => {
                if (JSON.parse(data).type === "welcome") return;
                const next = requests.shift();
                if (next) socket.send(JSON.stringify(next));
                else { socket.close(); done(); }
            };
        })""",
        [code, list(requests)],
    )


def start(page: Page, seats: int = 3, **options: object) -> str:
    """A game with bots that the person at the page has seen from its first deal on."""
    code = open_table(page, seats, **options)
    ask(page, code, {"do": "sit", "seat": 1, "name": "Ana"})
    expect(page.locator("[data-seat='1']").first).to_contain_text("Ana")
    ask(page, code, {"do": "start"})
    expect(page.locator("[data-hand]")).to_be_visible()
    return code


def held(page: Page) -> list[str]:
    """The own cards, from left to right."""
    cards = page.locator("[data-held]").all()
    return [card.get_attribute("data-held") or "" for card in cards]


def plain_card(page: Page) -> Locator:
    """A card that is neither a Wild nor a Skip; any, where there is no such."""
    plain = page.locator("[data-held]:not([data-held='W']):not([data-held='S'])")
    return plain.last if plain.count() else page.locator("[data-held]").last


def is_my_turn(page: Page) -> bool:
    """Wait for the own turn; false where the hand ended before it came."""
    next_thing = page.locator("[data-pile=draw]:enabled, [data-over]").first
    next_thing.wait_for()
    return page.locator("[data-over]").count() == 0


def draw(page: Page) -> None:
    page.locator("[data-pile=draw]").click()
    expect(page.locator("[data-pile=draw]")).to_be_disabled()


def discard(page: Page) -> None:
    """Discard some card, whatever is asked about it."""
    plain_card(page).focus()
    page.keyboard.press("Delete")
    expect(
        page.locator("[data-hand] [data-held]:focus, dialog, [data-over]").first
    ).to_be_attached()
    dialog = page.locator("dialog")
    if dialog.count():
        dialog.locator("[data-target], .button.may").first.click()


def turns(page: Page) -> Iterator[int]:
    """The own turns of a hand, each with its card drawn; what is left of them is played."""
    for turn in count(1):
        if not is_my_turn(page):
            return
        draw(page)
        yield turn
        if (
            page.locator("[data-pile=draw]:disabled").count()
            and page.locator("[data-held]").count()
        ):
            discard(page)


def lay(page: Page) -> bool:
    """Lay the Phase the first way, if it can be."""
    button = page.locator("[data-tool=lay]:enabled")
    if not button.count():
        return False
    button.click()
    first = page.locator("[data-way]").first
    laid = page.locator("[data-owner='1']")
    expect(first.or_(laid).first).to_be_visible()
    if first.is_visible():
        first.click()
    expect(laid).to_be_visible()
    return True


def somebody(people: People, screen: Screen = SMALL_PHONE, **wishes: object) -> Page:
    return people.open("", screen=screen, name="Ana", pointers=NO_POINTERS, **wishes)  # pyright: ignore[reportArgumentType]
