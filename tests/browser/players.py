"""People who play whole games through the table's own buttons, cards and keys."""

import time
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Locator, Page, Position

from tests.browser.people import PATIENCE

By = Literal["mouse", "touch", "keys"]

CARD = Position(x=10, y=40)
"""A card in the fan is covered by its neighbour: its left strip is what one touches."""
LOOK = """() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const dialog = document.querySelector("dialog");
    const texts = (name) => all(`[${name}]`).map(one => one.getAttribute(name));
    return {
        over: document.querySelector("[data-over]")?.dataset.over ?? "",
        dealable: Boolean(document.querySelector("[data-deal]")),
        ask: dialog && !dialog.querySelector("[role=tablist]") ? dialog.ariaLabel : "",
        drawable: Boolean(document.querySelector("[data-pile=draw]:enabled")),
        layable: Boolean(document.querySelector("[data-tool=lay]:enabled")),
        passable: Boolean(document.querySelector(".lay.may:not([data-tool])")),
        held: texts("data-held"),
        keys: texts("data-key"),
        fitting: all(".fits").map(one => one.closest("[data-key]").dataset.key),
        chosen: document.querySelector("[data-held][aria-pressed=true]")?.dataset.key ?? "",
        lit: all(".meld.may").map(one => one.dataset.drop),
        droppable: Boolean(document.querySelector("[data-pile=discard]:enabled")),
        laid: all(".meld [data-spot]").length,
        plays: document.querySelector("[data-prompt]")?.classList.contains("mine") ?? false,
    };
}"""


AIDS = ["chosen", "lit", "droppable", "fitting", "layable"]
"""What changes for the one who looks, and not in the game."""


class Finger:
    """A finger, which stays on the screen until it is lifted."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)

    def touch(self, what: str) -> None:
        box = self._page.locator(what).first.bounding_box()
        assert box, what
        # The left strip of a card, as above; a button has room enough there too.
        point = {"x": box["x"] + CARD["x"], "y": box["y"] + min(CARD["y"], box["height"] / 2)}
        self._send("touchStart", point)

    def lift(self) -> None:
        self._send("touchEnd")

    def _send(self, kind: str, *points: dict[str, float]) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})


def double_click(card: Locator) -> None:
    """Click twice within a moment, by the clock of the browser: a busy machine takes longer to tell it."""
    card.hover(position=CARD, force=True)  # when it stands still
    box = card.bounding_box()
    assert box
    devtools = card.page.context.new_cdp_session(card.page)
    now = time.time()
    for number, kind in enumerate(("mousePressed", "mouseReleased") * 2):
        click: dict[str, Any] = {
            "type": kind,
            "x": box["x"] + CARD["x"],
            "y": box["y"] + CARD["y"],
            "button": "left",
            "clickCount": 1 + number // 2,
            "timestamp": now + number / 100,
        }
        devtools.send("Input.dispatchMouseEvent", click)
    devtools.detach()


class Look(NamedTuple):
    """What somebody sees of the table."""

    over: str
    dealable: bool
    ask: str
    drawable: bool
    layable: bool
    passable: bool
    held: list[str]
    keys: list[str]
    fitting: list[str]
    chosen: str
    lit: list[str]
    droppable: bool
    laid: int
    plays: bool


class Player:
    """Somebody at a table, who does the first thing that glows."""

    def __init__(self, page: Page, by: By) -> None:
        self.page = page
        self.by: By = by
        self.did: set[str] = set()
        """Which kinds of moves were made."""
        self._tried: set[str] = set()

    def look(self) -> Look:
        return Look(**self.page.evaluate(LOOK))

    def step(self, seen: Look | None = None) -> bool:
        """Do what can be done now, and wait until it is seen; false where there is nothing."""
        seen = seen or self.look()
        what = self._choose(seen)
        if not what:
            return False
        self.did.add(what)
        self._wait_for_change(seen, raises=what == "choose")
        return True

    def wait_for_turn(self) -> None:
        """Until there is something to do: then nobody else moves anything."""
        self.page.wait_for_function(
            f"() => {{ const now = ({LOOK})(); return now.plays || now.dealable || now.over === 'game'; }}",
            timeout=PATIENCE,
        )

    def _choose(self, seen: Look) -> str:
        if seen.ask:
            self._press("dialog [data-way], dialog [data-target], dialog .button.may")
            return f"ask: {seen.ask}"
        if seen.over:
            if seen.over == "hand" and seen.dealable:
                self._press("[data-deal]")
                return "deal"
            return ""
        if not seen.plays:
            return ""
        if seen.drawable:
            self._tried.clear()
            self._press("[data-pile=draw]")
            return "draw"
        if seen.passable:
            self._press(".lay.may")
            return "pass"
        if seen.layable:
            self._press("[data-tool=lay]")
            return "lay"
        if seen.chosen and seen.lit:
            self._tried.add(seen.chosen)
            self._press(f"[data-drop='{seen.lit[0]}']")
            return "hit"
        fitting = [key for key in seen.fitting if key not in self._tried]
        if fitting and seen.chosen not in fitting:
            self._press(f"[data-key='{fitting[0]}']")
            return "choose"
        return self._discard(seen)

    def _discard(self, seen: Look) -> str:
        if not seen.keys:
            return ""
        if self.by == "touch" and seen.chosen and seen.droppable:
            self._press("[data-pile=discard]")
            return "discard"
        # A number first: a Wild and a Skip are worth keeping.
        plain = [
            key for key, card in zip(seen.keys, seen.held, strict=True) if card not in ("W", "S")
        ]
        card = f"[data-key='{(plain or seen.keys)[-1]}']"
        if self.by == "touch":
            self._press(card)
            return "choose"
        if self.by == "mouse":
            double_click(self.page.locator(card))
        else:
            reach(self.page, card)
            self.page.keyboard.press("Delete")
        return "discard"

    def _press(self, what: str) -> None:
        target = self.page.locator(what).first
        at = CARD if what.startswith("[data-key") else None
        if self.by == "touch":
            target.tap(position=at, force=True)
        elif self.by == "mouse":
            target.click(position=at, force=True)
        else:
            reach(self.page, what)
            self.page.keyboard.press("Enter")

    def _wait_for_change(self, seen: Look, *, raises: bool) -> None:
        """A double click raises a card before it discards it, and what fits is lit: that is not it."""
        before = seen._asdict()
        self.page.wait_for_function(
            f"""([before, raises]) => {{
                const now = ({LOOK})();
                if (!raises) for (const name of {AIDS}) now[name] = before[name];
                if (before.ask) now.ask = before.ask; // a question goes at once, what it does comes after
                return JSON.stringify(now) !== JSON.stringify(before);
            }}""",
            arg=[before, raises],
            timeout=PATIENCE,
        )


def play_on(players: Sequence[Player], *, until: str = "game", seconds: float = 600) -> None:
    """They play until all of them see the end of the game, or of the hand."""
    end = time.monotonic() + seconds  # not for ever
    playing = list(players)
    while playing:
        assert time.monotonic() < end, [player.look() for player in players]
        moved = False
        for player in list(playing):
            seen = player.look()
            if seen.over == until:
                playing.remove(player)
            else:
                while player.step(seen):  # one's own turn, from its first card to its last
                    moved = True
                    seen = player.look()
        if playing and not moved:
            players[0].page.wait_for_timeout(30)


def reach(page: Page, what: str) -> None:
    """Come to the first of these by keys alone: Tab from part to part, arrows from card to card."""
    if what.startswith("[data-key"):
        _press_until(page, "Tab", "document.activeElement?.closest('[data-hand]')")
        page.keyboard.press("Home")
        _press_until(page, "ArrowRight", f"document.activeElement?.matches({what!r})")
    else:
        _press_until(page, "Tab", f"document.activeElement === document.querySelector({what!r})")


def _press_until(page: Page, key: str, condition: str) -> None:
    for _ in range(60):
        if page.evaluate(f"Boolean({condition})"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead there: {condition}")
