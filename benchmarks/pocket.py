"""How fast the game without a server is: how long until the first card, and how long a move takes.

    python benchmarks/pocket.py              some two minutes
    python benchmarks/pocket.py --games 5    play longer

The files that ``phaseten pages`` writes lie on a plain web host; a real Chromium loads them, plays against sharp bots
that take no time of their own, and loads them again from its cache. The start is judged by the time that the browser's
processes compute, which other programs on the machine do not make longer; with several cores somebody waits less than that. What a phone does,
with a processor four times slower, is four times these figures: a browser can slow down a page, and not the worker in which Python runs.
Memory is judged when the browser has swept up what the pages have left that were loaded before.
Fails when a target is missed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from browsing.places import browsing
from playwright.sync_api import Browser

sys.path.append(str(Path(__file__).parents[1]))
import hatch_build
from phaseten.cli.pages import write_pages
from tests.browser.conftest import ROOT
from tests.browser.people import PHONE, People
from tests.browser.players import Look, Player, play_on
from tests.browser.tables import NO_POINTERS
from tests.browser.test_pocket import Host, is_kept, play_now

SETUP = {"edition": "classic", "variant": "phases=2", "house": [], "opponents": 3, "level": "sharp"}
SLOWER = 4
MOST_START, MOST_START_SLOWLY = 3.0, 8.0
"""Seconds from opening the page to the first card, out of the cache; and with the slower processor."""
MOST_ANSWER, MOST_ANSWER_SLOWLY = 0.1, 0.25
MOST_THOUGHT, MOST_THOUGHT_SLOWLY = 0.3, 1.0
STARTS = 3
LOOKS = 8
KEEPS_MEMORY = 4_000
"""Milliseconds after the first start until what makes the next ones faster is kept."""
MOST_MEMORY = 250
"""Megabytes, of the whole page with its worker."""
ANSWERS = """level => {
    window.answers = [];
    const asked = new Map();
    const heard = new WeakSet();
    const hear = ({ data }) => {
        const { id } = data.kind === "message" ? JSON.parse(data.text) : {};
        if (!asked.has(id)) return;
        const [what, began] = asked.get(id);
        asked.delete(id);
        window.answers.push([what, performance.now() - began]);
    };
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (!heard.has(this)) this.addEventListener("message", hear);
        heard.add(this);
        if (message.call === "hear") {
            const request = JSON.parse(message.asked.text);
            if (request.do === "hint") {
                request.level = level;
                message.asked.text = JSON.stringify(request);
            }
            asked.set(request.id, [request.do, performance.now()]);
        }
        return send.call(this, message, ...rest);
    };
}"""
"""From asking the worker to its answer; what is asked is kept on the disk before that. Hints are asked of that level."""


class Report:
    """Says what was measured, and whether that is good enough."""

    def __init__(self) -> None:
        self.missed = False

    def line(self, name: str, what: str, *, met: bool | None = None, target: str = "") -> None:
        verdict = "" if met is None else f"  ({target}: {'met' if met else 'MISSED'})"
        self.missed |= met is False
        print(f"{name:<34}{what}{verdict}", flush=True)

    def time(self, name: str, seconds: float, most: float, most_slowly: float) -> None:
        met = seconds < most and SLOWER * seconds < most_slowly
        target = f"under {most} s, and four times that under {most_slowly} s"
        self.line(name, f"{seconds:.3f} s", met=met, target=target)


@contextmanager
def hosting() -> Generator[str]:
    """Where the pages lie."""
    hatch_build.build_site(ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "some" / "path"
        write_pages(folder)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=name))
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/some/path/"
        server.shutdown()


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def renderer_memory(browser: Browser) -> float:
    """Megabytes of the largest process in which a page runs."""
    devtools = browser.new_browser_cdp_session()
    found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = [_own_memory(process["id"]) for process in found if process["type"] == "renderer"]
    return max(sizes) / 1000


def _own_memory(process: int) -> int:
    """Kilobytes; what it shares with others, such as the browser's own program, counts in part."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1])


def computed(browser: Browser) -> float:
    """Seconds that the browser's processes have computed so far, all of them together."""
    devtools = browser.new_browser_cdp_session()
    found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(process["cpuTime"] for process in found)


class Asker(Player):
    """Plays, and asks sharp for advice at the beginning of every turn."""

    def step(self, seen: Look | None = None) -> bool:
        seen = seen or self.look()
        if seen.drawable and not seen.ask:
            asked = len(self.page.evaluate("window.answers"))
            self.page.locator("[data-tool=hint]").tap(force=True)
            self.page.wait_for_function("asked => window.answers.length > asked", arg=asked)
        return super().step(seen)


def share(times: Sequence[float], part: float = 0.95) -> float:
    return sorted(times)[int((len(times) - 1) * part)]


def learned(report: Report, browser: Browser, url: str) -> None:
    """What the trained network takes, whose weights are fetched for it."""
    people = People(browser, url)
    settings = {"setup": SETUP | {"variant": "standard", "level": "deep"}, "pointers": NO_POINTERS}
    page = people.open("", screen=PHONE, offline_copy=True, storage=settings, name="Ana")
    page.goto(url)
    is_kept(page)
    play_now(page)
    player = Asker(page, "touch")
    page.evaluate(ANSWERS, "deep")
    thoughts: list[float] = []
    while len(thoughts) < LOOKS:
        if not player.step():
            page.wait_for_timeout(20)
        answers: list[tuple[str, float]] = page.evaluate("window.answers")
        thoughts = [time / 1000 for what, time in answers if what == "hint"]
    report.time("deep's choice, 95%", share(thoughts), MOST_THOUGHT, MOST_THOUGHT_SLOWLY)
    page.wait_for_timeout(KEEPS_MEMORY)
    page.reload()
    player.wait_for_turn()
    player.step()
    report.line("memory with its weights", f"{renderer_memory(browser):.0f} MB")
    people.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1)
    options = parser.parse_args()
    report = Report()
    load = os.getloadavg()[0]
    busy = ": BUSY, and no measure" if load > 1 else ""
    report.line("machine", f"{load:.1f} programs on {os.cpu_count()} cores before{busy}")
    with hosting() as url, browsing() as browser:
        people = People(browser, url)
        settings = {"setup": SETUP, "pointers": NO_POINTERS}
        page = people.open("", screen=PHONE, offline_copy=True, storage=settings, name="Ana")
        page.goto(url)
        is_kept(page)
        report.line("first game, nothing in the cache", f"{timed(lambda: play_now(page)):.1f} s")
        player = Asker(page, "touch")

        def again() -> None:
            page.reload()
            page.wait_for_selector("[data-held]")

        page.wait_for_timeout(2 * KEEPS_MEMORY)
        for number in range(1, STARTS + 1):
            before = computed(browser)
            waited = timed(again)
            used = computed(browser) - before
            report.line(f"start {number} from the cache", f"{waited:.1f} s on this machine")
            report.time("  first card, computed", used, MOST_START, MOST_START_SLOWLY)
        player.wait_for_turn()
        page.evaluate(ANSWERS, "sharp")
        for _ in range(options.games):
            play_on([player])
        answers: list[tuple[str, float]] = page.evaluate("window.answers")
        moves = [time / 1000 for what, time in answers if what not in ("hint", "need", "past")]
        thoughts = [time / 1000 for what, time in answers if what == "hint"]
        report.line("moves and hints", f"{len(moves)} and {len(thoughts)}")
        report.time("answer to a move, 95%", share(moves), MOST_ANSWER, MOST_ANSWER_SLOWLY)
        report.time("sharp's choice, 95%", share(thoughts), MOST_THOUGHT, MOST_THOUGHT_SLOWLY)
        report.line("memory, nothing swept", f"{renderer_memory(browser):.0f} MB")
        page.request_gc()
        memory = renderer_memory(browser)
        target = f"under {MOST_MEMORY} MB"
        report.line("memory", f"{memory:.0f} MB", met=memory < MOST_MEMORY, target=target)
        people.close()
        learned(report, browser, url)
    return int(report.missed)


if __name__ == "__main__":
    sys.exit(main())
