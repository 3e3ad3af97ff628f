"""People with browsers: each has its own, with a screen, a language and a look."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from tests import patience
from tests.effort import every


class Screen(NamedTuple):
    """The size of a screen."""

    width: int
    height: int
    touch: bool = False


SMALL_PHONE = Screen(360, 640, touch=True)
PHONE = Screen(390, 844, touch=True)
TABLET = Screen(820, 1180, touch=True)
LAPTOP = Screen(1440, 900)
TELEVISION = Screen(3840, 2160)

LANGUAGES = ("en", "es", "fr", "pt")
THEMES = ("light", "dark", "contrast")
SETTINGS = "phaseten.settings"
PATIENCE = patience.PATIENCE * 1_000
"""Milliseconds until something that has not appeared is missing."""
FIX_SEED = """
    const really = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => array instanceof Uint8Array ? array.fill(%d) : really(array);
"""
"""What somebody adds to the shuffle is sixteen bytes; other things stay as unlike as they are."""
STOP_CLOCKS = """
    const really = window.setTimeout;
    window.setTimeout = (act, delay, ...rest) =>
        really(act, delay >= 2_000 && Number.isInteger(delay) ? delay * 100 : delay, ...rest);
"""
"""What a page says for some seconds stays until it was looked at, and a server that is slow to answer
is waited for. Only the pauses before another connection, which are never whole, stay as they are."""


def device_seed(number: int) -> str:
    """What the browser of the n-th person adds to a shuffle."""
    return f"{number:02x}" * 16


class People:
    """Opens browsers at the site, and collects what goes wrong in them."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._site = site
        self._contexts: list[BrowserContext] = []
        self._expected: list[re.Pattern[str]] = []
        self.problems: list[str] = []
        """Everything that a console called an error, and every error that nobody caught."""

    def open(  # one for each thing by which people differ
        self,
        path: str = "/",
        *,
        screen: Screen = SMALL_PHONE,
        language: str = "en",
        theme: str = "light",
        large: bool = False,
        name: str = "",
        motion: bool = False,
        offline_copy: bool = False,
        hurried: bool = False,
        color_scheme: Any = "light",
        storage: Mapping[str, object] | None = None,
        **also_stored: object,
    ) -> Page:
        """Somebody new opens that page, or with ``""`` none yet.

        What the n-th one adds to a shuffle is n, sixteen times: ``device_seed(n)``.
        ``offline_copy`` lets the service worker keep the client. Who is ``hurried`` has a clock that
        does not wait for the test. ``storage`` is what this browser
        has remembered under ``phaseten.…`` before.
        """
        context = self._browser.new_context(
            base_url=self._site,
            viewport=ViewportSize(width=screen.width, height=screen.height),
            has_touch=screen.touch,
            locale=language,
            color_scheme=color_scheme,
            reduced_motion="no-preference" if motion else "reduce",
            service_workers="allow" if offline_copy else "block",
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.add_init_script(FIX_SEED % len(self._contexts))
        if not hurried:
            context.add_init_script(STOP_CLOCKS)
        kept = {
            SETTINGS: {"name": name, "theme": theme, "text": "large" if large else "normal"}
        } | {f"phaseten.{key}": value for key, value in {**(storage or {}), **also_stored}.items()}
        for key, value in kept.items():
            text = json.dumps(json.dumps(value))
            context.add_init_script(
                f"localStorage.getItem('{key}') ?? localStorage.setItem('{key}', {text})"
            )
        page = context.new_page()
        self.listen(page)
        if path:
            page.goto(path)
        return page

    def open_tab(self, page: Page, path: str) -> Page:
        """The same person opens another tab."""
        tab = page.context.new_page()
        self.listen(tab)
        tab.goto(path)
        return tab

    def listen(self, page: Page) -> None:
        """Collect what goes wrong in that page."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._note(f"{error.message}\n{error.stack or ''}"))

    def expect_problem(self, pattern: str) -> None:
        """Console errors like this are part of the test, such as a code that does not exist."""
        self._expected.append(re.compile(pattern))

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(f"{message.text} ({message.location.get('url', '')})")

    def _note(self, problem: str) -> None:
        if not any(pattern.search(problem) for pattern in self._expected):
            self.problems.append(problem)


LONGEST_MOTION = 5_000
"""Milliseconds: what moves for longer is no motion, but a clock, or goes on for ever."""


def wait_for_motion(page: Page) -> None:
    """Until nothing moves any more: what fades in has its colours only then. The line of a clock goes on, for a day perhaps."""
    page.evaluate(
        """most => Promise.all(document.getAnimations().filter(
            one => one.effect.getComputedTiming().endTime - one.currentTime < most
        ).map(one => one.finished.catch(() => {})))""",
        LONGEST_MOTION,
    )


def assert_accessible(page: Page, *rules: str) -> None:
    """No violation that axe can find, by those of its rules, or by all of them."""
    wait_for_motion(page)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    if page.evaluate("typeof axe === 'undefined'"):  # once in a document: it is large
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(
        "async (options) => (await axe.run(document, options)).violations", options
    )
    assert not found, "\n".join(
        f"{violation['id']}: {violation['help']}\n  "
        + "\n  ".join(f"{node['html']} {node['failureSummary']}" for node in violation["nodes"])
        for violation in found
    )


def assert_accessible_in_all_themes(page: Page, turn: int = 0) -> None:
    """By every rule in the first theme, in the others by what colours can break; or all in one, by turns."""
    first, *others = every(len(THEMES), THEMES, turn)
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", first)
    assert_accessible(page)
    for theme in others:
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        assert_accessible(page, "color-contrast", "link-in-text-block")


def assert_fits(page: Page) -> None:
    """Nothing is wider than the screen, and no text is cut off without a sign of it."""
    too_wide = page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(element => {
            if (!element.checkVisibility() || element.closest(".hidden-but-spoken, svg")) return false;
            const box = element.getBoundingClientRect();
            const scrolls = element.parentElement.closest("[data-scrolls], .several");
            return !scrolls && box.width && (box.right > innerWidth + 1 || box.left < -1);
        }).map(element => element.outerHTML.slice(0, 120))"""
    )
    assert not too_wide, too_wide
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def assert_fits_with_large_text_too(page: Page) -> None:
    for text in ("large", "normal"):
        page.evaluate("text => (document.documentElement.dataset.text = text)", text)
        assert_fits(page)


def assert_translated(page: Page) -> None:
    """No name of a sentence stands where the sentence should, and no place for a value is empty."""
    spoken = page.evaluate(
        """() => [document.title, document.body.innerText, ...[...document.querySelectorAll(
            "[aria-label], [title], [placeholder]")].flatMap(element => [
            element.ariaLabel ?? "", element.title ?? "", element.placeholder ?? ""])].join("\\n")"""
    )
    assert not re.search(r"\b(?:web(?:_\w+)?|game)\.[a-z_]+", spoken), spoken
    assert not re.search(r"\{\w+\}", spoken), spoken
