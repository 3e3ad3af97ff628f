"""How fast the browser client is: frames while cards move, the answer to a tap, bytes of the first load.

    python benchmarks/browser.py                  about two minutes
    python benchmarks/browser.py --seconds 120    play longer

Somebody plays against bots in a real Chromium, by touch, on a phone's screen of 390 x 844, with the
page's thread slowed down four times. Everything is measured in the same run as a page that does nothing
but move one element: what this machine, which has no graphics card and also runs the server and the
bots, can show at best. Fails when a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from browsing.places import browsing, serving
from browsing.traces import CATEGORIES, LATE, LONG, MARK, Frames, Span, Trace, joined
from playwright.sync_api import Browser, Page

from tests.browser.people import PHONE, People
from tests.browser.players import Finger, Look, Player
from tests.browser.tables import ask, open_table, somebody

SCRIPT = Path(__file__).parent / "browsing" / "moves.js"
SLOWER = 4
"""How much slower than this machine's the phone's processor is."""
HOLD = 80
"""Milliseconds that a finger stays on the screen."""
REST = 700
"""Milliseconds to the next tap: nothing is asked of the page while cards move."""
PACE = 400
"""Milliseconds that a bot takes: its cards may still be on their way when the next one moves."""
KINDS = {
    "DealSeen": "deal",
    "DrawSeen": "draw",
    "DiscardTaken": "take",
    "PhaseLaid": "lay",
    "MeldHit": "hit",
    "CardDiscarded": "discard",
}
LEAST_SHARE = 0.95
"""Of the frames that the page which does nothing else gets."""
MOST_WORK = 8.0
"""Milliseconds of the page's thread for a frame: half of what there is."""
MOST_WAIT = 100.0
MOST_BYTES = 150_000


class Toucher(Player):
    """Plays by touch, and leaves the page alone while cards move."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, "touch")
        self._finger = Finger(page)

    def _press(self, what: str) -> None:
        self._finger.touch(what)
        self.page.wait_for_timeout(HOLD)
        self._finger.lift()

    def _wait_for_change(self, seen: Look, *, raises: bool) -> None:
        del seen, raises
        self.page.wait_for_timeout(REST)


class Session(NamedTuple):
    """What came of some time at a page."""

    trace: Trace
    moving: Sequence[Span]
    taps: Sequence[dict[str, float]]
    interactions: Sequence[float]

    @property
    def frames(self) -> Frames:
        return self.trace.frames(self.moving)


@contextmanager
def slowed(page: Page, slower: int) -> Generator[None]:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})


class Recorder:
    """Traces a page, and reads what it noted."""

    def __init__(self, browser: Browser, page: Page) -> None:
        self._browser = browser
        self._page = page
        browser.start_tracing(page=page, categories=CATEGORIES)
        self._marked = page.evaluate("name => performance.mark(name).startTime", MARK)

    def stop(self) -> Session:
        trace = Trace(self._browser.stop_tracing(), self._marked)
        noted: dict[str, Any] = self._page.evaluate("measured")
        moving = joined(Span(*move) for move in noted["moves"] if move[0] > self._marked)
        return Session(trace, moving, noted["taps"], list(noted["interactions"].values()))


def move_one_element(browser: Browser, slower: int, moves: int) -> Session:
    """The best that this machine can show: one element, moved by the compositor alone."""
    page = browser.new_page(viewport={"width": PHONE.width, "height": PHONE.height})
    page.set_content("<div style='width:66px;height:92px;background:#2462a8'></div>")
    page.evaluate(SCRIPT.read_text())
    with slowed(page, slower):
        recorder = Recorder(browser, page)
        for _ in range(moves):
            page.evaluate(
                """() => void document.querySelector("div").animate(
                    [{transform: "translate(300px, 600px)"}, {transform: "none"}], 300)"""
            )
            page.wait_for_timeout(REST)
        session = recorder.stop()
    page.close()
    return session


def play(
    browser: Browser, people: People, slower: int, seconds: float
) -> tuple[Session, Counter[str]]:
    """Play as long as that, from the first deal on; and how often cards moved in which way."""
    page = somebody(people, PHONE, motion=True)
    page.add_init_script(path=SCRIPT)
    happened = Counter[str]()

    def hear(message: str | bytes) -> None:
        steps: list[dict[str, Any]] = json.loads(message).get("steps", [])
        happened.update(event["event"] for step in steps for event in step["events"])

    page.once("websocket", lambda socket: socket.on("framereceived", hear))
    code = open_table(page, 4, pace=PACE)
    ask(page, code, {"do": "sit", "seat": 1, "name": "Ana"})
    with slowed(page, slower):
        recorder = Recorder(browser, page)
        ask(page, code, {"do": "start"})
        player = Toucher(page)
        end = time.monotonic() + seconds
        while time.monotonic() < end and player.look().over != "game":
            if not player.step():
                page.wait_for_timeout(REST / 4)
        session = recorder.stop()
    page.context.close()
    return session, happened


class FirstLoad(NamedTuple):
    """Bytes over the network, compressed and with their headers."""

    start: int
    """Of the first page."""
    table: int
    """Of everything up to the first cards in the hand."""


def load(people: People) -> FirstLoad:
    page = somebody(people, PHONE)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    sizes: list[int] = []

    def note(event: dict[str, Any]) -> None:
        sizes.append(int(event["encodedDataLength"]))

    devtools.on("Network.loadingFinished", note)
    page.goto("/", wait_until="networkidle")
    first = sum(sizes)
    page.get_by_role("button", name="Play now").click()
    page.locator("[data-hand] [data-held]").first.wait_for()
    page.wait_for_load_state("networkidle")
    return FirstLoad(first, sum(sizes))


class Report:
    """Prints figures and remembers whether a target was missed."""

    def __init__(self) -> None:
        self.missed = False

    def line(self, name: str, figure: str, *, met: bool | None = None, target: str = "") -> None:
        verdict = "" if met is None else f"; {target}: {'met' if met else 'MISSED'}"
        self.missed = self.missed or met is False
        print(f"{name:>32}: {figure}{verdict}", flush=True)

    def frames(self, best: Session, ours: Session, happened: Counter[str]) -> None:
        for name, frames in (("one element", best.frames), ("cards", ours.frames)):
            self.line(
                f"frames while {name} moved",
                f"{frames.rate:.1f} a second in {frames.seconds:.1f} s, "
                f"{frames.late:.1%} of them later than {LATE:.0f} ms, "
                f"the longest wait {max(frames.gaps):.0f} ms",
            )
        share = ours.frames.rate / best.frames.rate
        self.line(
            "of one element's",
            f"{share:.0%}",
            met=share >= LEAST_SHARE,
            target=f"at least {LEAST_SHARE:.0%}",
        )
        moves = ", ".join(f"{KINDS[name]} {happened[name]}" for name in KINDS if happened[name])
        self.line("moves seen", moves)
        composited, painted = ours.trace.animations()
        self.line(
            "animations",
            f"{composited} by the compositor, {painted.total()} by the page {dict(painted) or ''}",
            met=not painted,
            target="none by the page",
        )

    def work(self, session: Session) -> None:
        each = session.trace.work(session.moving) / len(session.frames.gaps)
        self.line(
            "page's thread for a frame",
            f"{each:.1f} ms while cards move",
            met=each < MOST_WORK,
            target=f"under {MOST_WORK:g} ms",
        )
        used = sorted(task.used for task in session.trace.tasks)
        kinds = ", ".join(f"{kind} {used:.0f}" for kind, used in session.trace.kinds().items())
        self.line("ms of it in all", f"{sum(used):.0f}: {kinds}")
        self.line(
            "longest tasks of it",
            ", ".join(f"{one:.0f}" for one in used[:-6:-1])
            + f" ms; {sum(one > LONG for one in used)} over {LONG:.0f} ms",
        )
        self.line("layouts forced in one task", f"{session.trace.forced()} at most")

    def taps(self, slower: int, session: Session) -> None:
        speed = f"processor {slower} times slower" if slower > 1 else "this processor"
        print(f"{len(session.taps)} taps, {speed}")
        unmentioned = [16.0] * (len(session.taps) - len(session.interactions))
        moved = [tap["moved"] for tap in session.taps if tap["moved"]]
        self.wait("finger down to first change", [tap["seen"] for tap in session.taps])
        self.wait("the browser's own measure", [*session.interactions, *unmentioned])
        self.wait("finger up to card on its way", moved, judged=slower == 1)

    def wait(self, name: str, times: Sequence[float], *, judged: bool = True) -> None:
        times = sorted(times)
        middle, most = times[len(times) // 2], times[int(len(times) * 0.95)]
        self.line(
            name,
            f"median {middle:.0f} ms, 95% within {most:.0f} ms, all within {times[-1]:.0f} ms",
            met=most < MOST_WAIT if judged else None,
            target=f"95% under {MOST_WAIT:.0f} ms",
        )

    def bytes(self, load: FirstLoad) -> None:
        for name, size in load._asdict().items():
            self.line(
                f"first load, {name}",
                f"{size / 1000:.1f} kB",
                met=size < MOST_BYTES,
                target=f"under {MOST_BYTES // 1000} kB",
            )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="how long is played, each time")
    parser.add_argument("--slower", type=int, default=SLOWER, help="the phone's processor")
    options = parser.parse_args()
    report = Report()
    load_before = os.getloadavg()[0]
    report.line(
        "machine",
        f"{load_before:.1f} programs on {os.cpu_count()} cores before"
        + (": BUSY, and no measure" if load_before > 1 else ""),
    )
    with serving() as address, browsing() as browser:
        people = People(browser, address)
        report.bytes(load(people))
        best = move_one_element(browser, options.slower, moves=20)
        slow, happened = play(browser, people, options.slower, options.seconds)
        report.frames(best, slow, happened)
        report.work(slow)
        report.taps(options.slower, slow)
        report.taps(1, play(browser, people, 1, options.seconds / 2)[0])
        people.close()
    return int(report.missed)


if __name__ == "__main__":
    sys.exit(main())
