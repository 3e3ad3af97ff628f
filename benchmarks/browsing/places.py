"""The built site on a server of its own, and a real Chromium: those of the browser tests."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

sys.path.append(str(Path(__file__).parents[2]))
import hatch_build
from tests.browser.conftest import GENEROUS, ROOT, find_chromium
from tests.server.service import Service


@contextmanager
def serving() -> Generator[str]:
    """Where the client is served, as its sources are now."""
    hatch_build.build_site(ROOT)
    with (
        tempfile.TemporaryDirectory() as folder,
        Service(f"{folder}/tables.sqlite", *GENEROUS) as service,
    ):
        yield service.url


def chromium(playwright: Playwright) -> str:
    found = find_chromium(playwright)
    if found is None:
        sys.exit("There is no Chromium: apt-get install chromium, or playwright install chromium.")
    return found


@contextmanager
def browsing() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(playwright), args=["--no-sandbox"]
        )
        yield browser
        browser.close()
