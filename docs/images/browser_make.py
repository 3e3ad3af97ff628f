"""Makes the README's pictures of the browser: ``python docs/images/browser_make.py``.

A real server, a real Chromium, and games with bots: seeds decide which cards one sees.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2])]
from stages import laid, play_to

from tests.browser.people import SETTINGS, wait_for_motion
from tests.server.service import Service

FOLDER = Path(__file__).parent
PHONE: ViewportSize = {"width": 390, "height": 760}
WIDE: ViewportSize = {"width": 1280, "height": 800}
SHARPNESS = 2
"""Points of the picture for each of the page."""
SEED = 2
FIRST_HAND = 3
"""Earlier ones have no Phases made yet."""
SHEET: dict[str, object] = {
    "id": "family",
    "sheet": {
        "edition": "classic",
        "variant": "standard",
        "any_order": False,
        "players": ["Ana", "Beto", "Caro", "Dario"],
        "dealer": 0,
        "hands": [
            {
                "out": points.index(0),
                "entries": [{"points": each, "made": each < 50} for each in points],
            }
            for points in ([0, 60, 35, 15], [25, 0, 65, 40], [15, 30, 0, 75], [0, 25, 20, 5])
        ],
    },
    "changed": 1,
    "past": [],
    "draft": None,
    "live": None,
}
"""An evening with real cards, as the score keeper remembers it."""


def main() -> int:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with Service(str(Path(folder) / "tables.sqlite")) as service:
            for name, size, theme in (
                ("phone", PHONE, "light"),
                ("dark", PHONE, "dark"),
                ("wide", WIDE, "light"),
            ):
                page = new_page(browser, service.url, size, theme)
                show_a_game(page)
                take(page, name)
            page = new_page(browser, service.url, PHONE, "light")
            for path, name in (("/", "start"), ("/scores/family", "scores")):
                page.goto(path)
                take(page, name)
        browser.close()
    return 0


def new_page(browser: Browser, url: str, size: ViewportSize, theme: str) -> Page:
    """A page of somebody who has seen the pointers of the first game, and has kept score."""
    context = browser.new_context(
        base_url=url,
        viewport=size,
        device_scale_factor=SHARPNESS,
        locale="en",
        reduced_motion="reduce",
    )
    kept: dict[str, object] = {
        SETTINGS: {"theme": theme},
        "phaseten.pointers": {"shown": 3},
        "phaseten.scores.family": SHEET,
    }
    for key, value in kept.items():
        context.add_init_script(f"localStorage.setItem('{key}', {json.dumps(json.dumps(value))})")
    return context.new_page()


def take(page: Page, name: str) -> None:
    """Take the picture once everything has come to rest."""
    page.wait_for_load_state("networkidle")
    expect(page.locator("h1").first).to_be_attached()
    wait_for_motion(page)
    page.wait_for_timeout(800)  # what others do meanwhile
    page.screenshot(path=FOLDER / f"browser-{name}.png")


def show_a_game(page: Page) -> None:
    """Play until a card fits melds of several players, and choose it: they glow."""
    code = play_to(page, is_worth_a_picture, seats=4, seed=SEED)
    page.goto(f"/table/{code}")
    page.locator("[data-held]:has(.fits)").first.click(position={"x": 10, "y": 40})


def is_worth_a_picture(update: dict[str, Any]) -> bool:
    """Whether somebody has made some Phases, several have laid, and a card of one's own fits."""
    hits = [action for action in update["actions"] if action["do"] == "hit"]
    hand = ((update["game"] or {}).get("board") or {}).get("hand", 0)
    return hand >= FIRST_HAND and laid(update) > 2 and bool(hits)


if __name__ == "__main__":
    sys.exit(main())
