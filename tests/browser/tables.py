"""Tables of tests: opened beside the page, and played move by move."""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect
from websockets.sync.client import ClientConnection, connect

from phaseten.client.folding import fold
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import Rules
from phaseten.table.options import Options, rules_of
from tests.browser.people import SMALL_PHONE, People, Screen, device_seed
from tests.effort import mainly
from tests.patience import PATIENCE
from tests.server.foreseen import deck

editions = pytest.mark.parametrize(
    "edition",
    mainly(BOOK_EDITIONS, "express"),  # people play Classic together, and in the coach
)
"""For tests that play whole games."""
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
skips = {skips}
shortest_run = 3
skip_goes_to = "pile"
variations = []
phases = {phases}
"""


def small(*phases: str, colors: str = "R", highest: int = 12, copies: int = 3, **more: int) -> str:
    """An edition whose deck makes what a test needs certain, or likely enough to be found soon."""
    counts = {"deal": 6, "wilds": 0, "skips": 0} | more
    return DECK.format(
        colors=json.dumps(list(colors)),
        highest=highest,
        copies=copies,
        phases=json.dumps(phases),
        **counts,
    )


# -- which cards come -----------------------------------------------------------------------------


class Deal(NamedTuple):
    """How a hand begins."""

    hands: Sequence[Sequence[str]]
    """The cards of every seat, the first seat's first."""
    turned_up: str
    draws: Sequence[str]
    """What lies in the draw pile, from the top."""


def deal_of(rules: Rules, seats: int, client_seed: str) -> Deal:
    """The first hand at a new table, which the last seat deals."""
    cards = [card.text for card in deck(rules, client_seed)]
    dealt = rules.edition.deal * seats
    hands = [cards[seat:dealt:seats] for seat in range(seats)]
    return Deal(hands, cards[dealt], cards[dealt + 1 :])


def find_seed(wanted: Callable[[Deal], bool], seats: int = 3, **options: object) -> str:
    """What the person in seat 1 has to add to the shuffle, alone, for a first hand like that."""
    rules = rules_of(Options(seats=seats, **options))  # pyright: ignore[reportArgumentType]
    seeds = (device_seed(number) for number in range(1, 256))
    return next(seed for seed in seeds if wanted(deal_of(rules, seats, f"1:{seed}")))


def begins(deal: Deal) -> bool:
    """Whether the first seat does: where a Skip is turned up it loses its turn."""
    return deal.turned_up != "S"


# -- at a table -----------------------------------------------------------------------------------


def open_beside(page: Page, seats: int, options: dict[str, object]) -> str:
    """A new table of the person at the page, without the page; its code."""
    chosen = {"seats": seats, "pace": 0} | options
    answer = page.request.post("/api/tables", data={"name": "Ana", "options": chosen})
    assert answer.ok, answer.text()
    return answer.json()["code"]


def open_table(page: Page, seats: int = 3, **options: object) -> str:
    """A table of the person at the page, who is in its lobby."""
    code = open_beside(page, seats, options)
    page.goto(f"/table/{code}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return code


def sit_down(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


class Beside:
    """A connection to a table beside the page, of the same person."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.welcome: dict[str, Any] = {}
        self.update: dict[str, Any] = {}
        self.until(lambda _: True)

    def ask(self, **request: object) -> None:
        """Ask for something, and wait until it is done."""
        before = self.update["version"]
        self._socket.send(json.dumps(request))
        self.until(lambda update: update["version"] > before)

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> None:
        """Listen until the table is like that."""
        while not (self.update and condition(self.update)):
            message = json.loads(self._socket.recv(PATIENCE))
            assert message["type"] != "refused", message
            if message["type"] == "update":
                self.update = message
            elif message["type"] == "change":
                self.update = fold(self.update, message)
            elif message["type"] == "welcome":
                self.welcome = message


@contextmanager
def beside(page: Page, code: str) -> Generator[Beside]:
    """Listen and ask at a table beside the page."""
    site = page.request.get("/healthz").url.removesuffix("/healthz")  # wherever the page may be
    cookies = [f"{each.get('name')}={each.get('value')}" for each in page.context.cookies()]
    with connect(
        f"{site.replace('http', 'ws', 1)}/api/tables/{code}/play",
        additional_headers={"cookie": "; ".join(cookies)},
        open_timeout=PATIENCE,
        max_size=None,
    ) as socket:
        yield Beside(socket)


def ask(page: Page, code: str, *requests: dict[str, object]) -> None:
    """Ask the table for something beside the page, as its person."""
    with beside(page, code) as table:
        for request in requests:
            table.ask(**request)


def wait_for_seeds(page: Page, code: str, people: int) -> None:
    """Until so many have added to the shuffle: who starts before that gets other cards."""
    with beside(page, code) as table:
        table.until(
            lambda update: sum(bool(one["seed"]) for one in update["table"]["seats"]) == people
        )


def start(page: Page, seats: int = 3, *, seed: str = device_seed(1), **options: object) -> str:
    """A game with bots that the person at the page, in seat 1, has seen from its first deal on.

    ``seed`` is what the person adds to the shuffle: ``find_seed`` finds one for the cards that are wanted.
    """
    code = open_beside(page, seats, options)
    # Before the page comes, which would otherwise add something of its own.
    ask(page, code, {"do": "sit", "seat": 1, "name": "Ana"}, {"do": "seed", "text": seed})
    page.goto(f"/table/{code}")
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
