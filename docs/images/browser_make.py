"""Makes the README's pictures of the browser: ``python docs/images/browser_make.py``.

A real server, a real Chromium, and a game with bots: which cards one sees is chance.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

sys.path.append(str(Path(__file__).parents[2]))
from tests.browser.test_table import draw, is_my_turn, lay, start, turns
from tests.server.service import Service

FOLDER = Path(__file__).parent
PHONE: ViewportSize = {"width": 390, "height": 760}
WIDE: ViewportSize = {"width": 1280, "height": 800}
MOST_HANDS = 5


def main() -> int:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with Service(str(Path(folder) / "tables.sqlite")) as service:
            for size, name in ((PHONE, "phone"), (WIDE, "wide")):
                page = new_page(browser, service.url, size)
                show_a_game(page)
                take(page, name)
            page = new_page(browser, service.url, PHONE)
            for path, name in (("/", "start"), ("/learn", "learn")):
                page.goto(path)
                take(page, name)
        browser.close()
    return 0


def new_page(browser: Browser, url: str, size: ViewportSize) -> Page:
    """A page of somebody who has seen the pointers of the first game."""
    context = browser.new_context(base_url=url, viewport=size, locale="en", reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('phaseten.pointers', '{\"shown\": 3}')")
    return context.new_page()


def take(page: Page, name: str) -> None:
    """Take the picture once everything has come to rest."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(800)
    page.screenshot(path=FOLDER / f"browser-{name}.png")


def show_a_game(page: Page) -> None:
    """Play until melds lie on the table and it is our turn."""
    start(page, seats=4, stand_in="sharp")
    for _ in range(MOST_HANDS):
        for _turn in turns(page):
            if lay(page) or page.locator("[data-meld]").count() > 1:
                return
        page.keyboard.press("Escape")
        page.locator("[data-over] .button").first.click()
    is_my_turn(page)
    draw(page)


if __name__ == "__main__":
    sys.exit(main())
