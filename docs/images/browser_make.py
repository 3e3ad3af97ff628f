"""Makes the pictures of the browser for the README: ``python docs/images/browser_make.py``.

A real server, a real Chromium, and a game that bots play along: which cards one sees is chance.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.append(str(Path(__file__).parents[2]))
from tests.server.service import Service

FOLDER = Path(__file__).parent
PHONE = {"width": 390, "height": 760}
WIDE = {"width": 1280, "height": 800}


def picture(page: Page, name: str) -> None:
    page.wait_for_timeout(1200)  # until everything has come to rest
    page.screenshot(path=FOLDER / f"browser-{name}.png")


def start_game(browser: Browser, url: str, size: dict[str, int], name: str) -> None:
    page = browser.new_page(viewport=size, locale="en")  # type: ignore[arg-type]
    page.goto(url)
    if name == "phone":
        picture(page, "start")
    page.get_by_role("button", name="Play now").click()
    play_some_turns(page)
    picture(page, name)
    page.close()


def play_some_turns(page: Page) -> None:
    """Follow the bot's hints for a while, as a beginner would."""
    for _ in range(14):
        page.wait_for_selector("button[aria-label='Hint']:enabled, button:has-text('Hint'):enabled", timeout=60_000)
        page.keyboard.press("Escape")
        page.wait_for_timeout(400)
        return


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with Service(str(Path(folder) / "tables.sqlite")) as service:
            start_game(browser, service.url, PHONE, "phone")
            start_game(browser, service.url, WIDE, "wide")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
