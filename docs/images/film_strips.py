"""Film strips of the table's moments, ten frames side by side: ``python docs/images/film_strips.py FOLDER``.

They are for looking at, after something was changed about how the table moves. Nothing is kept of them.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parent))
from playwright.sync_api import Browser, Page, expect
from stages import SIZES, best_of, house, is_mine, laid, play_on, play_to, step, visitor

from tests.browser.tables import beside, small

FRAMES = 10
HEIGHT = 420
"""Of a frame in the strip."""


class Moment(NamedTuple):
    """Something that happens at the table."""

    name: str
    before: Callable[[dict[str, Any]], bool]
    """How the table stands before it."""
    every: int
    """Milliseconds from one frame to the next."""
    seed: int = 2
    seats: int = 4
    pace: int = 1
    options: dict[str, object] = {}  # noqa: RUF012 - never changed
    waits: bool = False
    """Whether somebody else does it: the page is there from the beginning, and nothing is done but to wait."""


def may(update: dict[str, Any], what: str) -> bool:
    """Whether the person may do that now."""
    return any(action["do"] == what for action in update["actions"])


def goes_out(update: dict[str, Any]) -> bool:
    """Whether the person ends the hand with the next discard."""
    return may(update, "discard") and len(update["game"]["held"]) == 1


def is_skipped(update: dict[str, Any]) -> bool:
    """Whether the person loses the next turn, as soon as the one before has discarded."""
    board = (update["game"] or {}).get("board")
    return bool(board) and board["waiting"][0] and discards(board, board["players"][-1])


def has(count: int) -> Callable[[dict[str, Any]], bool]:
    """Whether somebody else has so many cards and is about to lay one of them away."""

    def holds(update: dict[str, Any]) -> bool:
        board = (update["game"] or {}).get("board")
        return bool(board) and any(
            discards(board, seat) and board["counts"][seat - 1] == count
            for seat in board["players"][1:]
        )

    return holds


def discards(board: dict[str, Any], seat: int) -> bool:
    """Whether that one has drawn already."""
    return board["turn"] == seat and board["step"] == "play"


MOMENTS = (
    Moment("turn", lambda update: bool(update["game"]) and not is_mine(update), 250, pace=1200),
    Moment("draw", lambda update: may(update, "draw"), 190),
    Moment("lay", lambda update: may(update, "lay"), 150),
    Moment("others", lambda update: laid(update) > 1 and may(update, "discard"), 450, pace=900),
    Moment("skipped", is_skipped, 200, seed=1, pace=600, waits=True),
    Moment("one-card", has(2), 230, seed=1, pace=600, waits=True),
    Moment("out", has(1), 420, seed=1, pace=600, waits=True),
    Moment("hand-end", goes_out, 420),
    Moment(
        "game-end",
        goes_out,
        420,
        options={"custom": small("color 3", deal=3)},  # whoever begins wins
    ),
)


def main() -> int:
    """Film every moment that is asked for, on a phone and on a wide screen, by day and by night."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moments", default=",".join(moment.name for moment in MOMENTS))
    parser.add_argument("--sizes", default="phone,wide")
    parser.add_argument("--themes", default="light,dark")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, house(folder) as (browser, url):
        for moment in MOMENTS:
            if moment.name not in chosen.moments.split(","):
                continue
            for size in chosen.sizes.split(","):
                for theme in chosen.themes.split(","):
                    page = visitor(browser, url, size, moving=True, theme=theme)
                    frames = film(page, moment)
                    page.wait_for_timeout(300)  # the last frames are on their way
                    page.context.close()
                    path = chosen.folder / f"{moment.name}-{size}-{theme}.png"
                    glue(browser, frames, size, path)
                    print(path)
    return 0


def film(page: Page, moment: Moment) -> list[bytes]:
    """The moment, frame by frame."""
    options = {"pace": moment.pace, **moment.options}
    if moment.waits:
        code = play_to(page, is_mine, moment.seats, moment.seed, **options)
        page.goto(f"/table/{code}")
        with beside(page, code) as table:
            play_on(table, moment.before)
            seen, stop = record(page)
            page.wait_for_timeout(moment.every * (FRAMES + 1) + moment.pace)
        stop()
        return chosen(seen, moment.every)
    code = play_to(page, moment.before, moment.seats, moment.seed, **options)
    page.goto(f"/table/{code}")
    expect(page.locator(".playing")).to_be_visible()
    page.wait_for_timeout(900)
    seen, stop = record(page)
    page.wait_for_timeout(200)
    with beside(page, code) as table:
        if table.update["actions"] and moment.name != "turn":
            action = best_of(table.update["actions"])
            if moment.name == "others":
                action = next(one for one in table.update["actions"] if one["do"] == "discard")
            table.ask(**action, at=table.update["version"])
        elif moment.name != "turn":
            step(table)
        page.wait_for_timeout(moment.every * FRAMES)
    stop()
    return chosen(seen, moment.every)


def record(page: Page) -> tuple[list[tuple[float, bytes]], Callable[[], object]]:
    """Everything that is painted from now on, and when; and how to stop that."""
    seen: list[tuple[float, bytes]] = []
    session = page.context.new_cdp_session(page)

    def keep(event: dict[str, Any]) -> None:
        seen.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
    return seen, lambda: session.send("Page.stopScreencast")


def chosen(seen: list[tuple[float, bytes]], every: int) -> list[bytes]:
    """What was to be seen at each of the moments, from the first change on."""
    start = seen[1][0] if len(seen) > 1 else seen[0][0]
    wanted = [start + number * every / 1_000 for number in range(FRAMES)]
    return [[frame for at, frame in seen if at <= time + 0.001][-1] for time in wanted]


def glue(browser: Browser, frames: list[bytes], size: str, path: Path) -> None:
    """All frames side by side in one picture."""
    per_row = FRAMES if SIZES[size]["width"] < SIZES[size]["height"] else 4
    with tempfile.TemporaryDirectory() as folder:
        images = ""
        for number, frame in enumerate(frames):
            (Path(folder) / f"{number}.jpg").write_bytes(frame)
            images += f'<img src="{number}.jpg" height="{HEIGHT}">'
        ratio = SIZES[size]["width"] / SIZES[size]["height"]
        width = round((HEIGHT * ratio + 6) * per_row)
        page_file = Path(folder) / "strip.html"
        page_file.write_text(
            f'<div id="strip" style="width:{width}px;display:flex;flex-wrap:wrap;gap:6px">{images}</div>'
        )
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.locator("#strip").screenshot(path=path)
        page.close()


if __name__ == "__main__":
    sys.exit(main())
