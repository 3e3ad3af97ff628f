"""Tables brought to a certain moment, for pictures and film strips of them.

Everything is decided by seeds: which cards come, and what everybody does with them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

sys.path.append(str(Path(__file__).parents[2]))
from tests.browser.people import SETTINGS, device_seed
from tests.browser.tables import Beside, ask, beside, open_beside
from tests.server.service import Service

Condition = Callable[[dict[str, Any]], bool]
SIZES: dict[str, ViewportSize] = {
    "small": {"width": 360, "height": 640},
    "phone": {"width": 390, "height": 844},
    "side": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "laptop": {"width": 1280, "height": 800},
    "wide": {"width": 1920, "height": 1080},
    "4k": {"width": 3840, "height": 2160},
}
MOST_STEPS = 600


@contextmanager
def house(folder: str) -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server whose deals are always the same."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with Service(str(Path(folder) / "tables.sqlite")) as service:
            yield browser, service.url
        browser.close()


def visitor(
    browser: Browser,
    url: str,
    size: str,
    *,
    moving: bool = False,
    language: str = "en",
    **settings: object,
) -> Page:
    """A page of somebody who has seen the pointers of the first game."""
    context = browser.new_context(
        base_url=url,
        viewport=SIZES[size],
        locale=language,
        reduced_motion="no-preference" if moving else "reduce",
    )
    kept: dict[str, object] = {
        SETTINGS: {"name": "Ana", "sound": False, **settings},
        "phaseten.pointers": {"shown": 3},
    }
    for key, value in kept.items():
        context.add_init_script(f"localStorage.setItem('{key}', {json.dumps(json.dumps(value))})")
    return context.new_page()


def play_to(
    page: Page, condition: Condition, seats: int = 4, seed: int = 1, **options: object
) -> str:
    """A game of the person at the page, in seat 1, played up to that moment; the table's code."""
    code = open_beside(page, seats, {"pace": 1, "stand_in": "sharp", **options})
    ask(page, code, {"do": "sit", "seat": 1, "name": "Ana"})
    with beside(page, code) as table:
        table.ask(do="seed", text=device_seed(seed))
        table.ask(do="start")
        play_on(table, condition)
    return code


def play_on(table: Beside, condition: Condition) -> None:
    """Play up to that moment."""
    for _ in range(MOST_STEPS):
        if condition(table.update):
            return
        step(table)
    raise AssertionError("the moment never came")


def step(table: Beside) -> None:
    """Let the person do the first sensible thing, or wait for the others."""
    update = table.update
    before = update["version"]
    if update["table"]["stage"] == "playing" and update["game"]["board"] is None:
        table.ask(do="deal")
    elif update["actions"]:
        table.ask(**best_of(update["actions"]), at=before)
    else:
        table.until(lambda later: later["version"] > before)


def best_of(actions: list[dict[str, Any]]) -> dict[str, Any]:
    """Lay, add, draw, and throw away what is dear, in this order."""
    order = ("lay", "hit", "draw", "discard")
    ranked = sorted(
        (one for one in actions if one["do"] in order),
        key=lambda one: (order.index(one["do"]), one.get("card", "") in ("W", "S")),
    )
    return ranked[0]


def laid(update: dict[str, Any]) -> int:
    """How many have laid their Phase in this hand."""
    board = (update["game"] or {}).get("board")
    return sum(bool(phase) for phase in board["made"]) if board else 0


def is_mine(update: dict[str, Any]) -> bool:
    """Whether the person is on turn."""
    board = (update["game"] or {}).get("board")
    return bool(board) and board["turn"] == 1
