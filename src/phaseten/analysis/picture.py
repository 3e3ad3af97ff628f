"""The curve of everybody's chance to win over a game, as SVG."""

from __future__ import annotations

from typing import Final

from phaseten.analysis.report import Report
from phaseten.analysis.words import CoachWords
from phaseten.arena.pictures import COLOURS, EDGE, FAINT, SMALL, Page, draw_legend

WIDTH: Final = 900.0
HEIGHT: Final = 320.0
TICKS: Final = (0, 25, 50, 75, 100)
LINE: Final = 19.0


def draw_report(report: Report, words: CoachWords) -> str:
    """The curve with its hands and the worst mistakes, and what it comes to."""
    page = Page(words.say("title"), words.say("legend"), WIDTH)
    left, right = EDGE + 44, WIDTH - EDGE
    top = draw_legend(page, list(report.names), left) + 8
    bottom = top + HEIGHT
    last = max(report.curve[-1].step, 1)

    def x_of(step: int) -> float:
        return left + (right - left) * max(step, 0) / last

    def y_of(chance: float) -> float:
        return bottom - HEIGHT * chance

    for tick in TICKS:
        y = y_of(tick / 100)
        page.line((left, y), (right, y), FAINT)
        page.text((left - 8, y + 4), f"{tick} %", SMALL, anchor="end")
    hands: dict[int, int] = {}
    for point in report.curve:
        hands.setdefault(point.hand, max(point.step, 0))
    for number, step in hands.items():
        page.line((x_of(step), top), (x_of(step), bottom), FAINT, dashes="2 3")
        page.text((x_of(step) + 3, bottom + 14), str(number), SMALL, anchor="start")
    for seat in range(len(report.names)):
        spots = [(x_of(point.step), y_of(point.chances[seat])) for point in report.curve]
        page.path(spots, COLOURS[seat], width=1.8, opacity=0.9)
        for mistake in report.players[seat].mistakes:
            spot = (x_of(mistake.step), y_of(mistake.chances[seat]))
            page.marker(spot, seat, " ".join(words.mistake(mistake)))
    rows = words.sums(report)
    foot = bottom + 40
    _table(page, rows, left, foot)
    said = [words.turn(each) for each in report.turning_points]
    foot += LINE * len(rows) + 8
    for number, text in enumerate(said):
        page.text((left, foot + LINE * number), text, SMALL, anchor="start")
    page.describe(
        [f"{row[0]}: {', '.join(row[1:])}" for row in rows if row[0]]
        + [s.rstrip(".") for s in said]
    )
    return page.finish(foot + LINE * len(said) - 12)


def _table(page: Page, rows: list[list[str]], left: float, top: float) -> None:
    step = min(150.0, (WIDTH - left - EDGE - 220) / max(len(rows[0]) - 1, 1))
    for number, row in enumerate(rows):
        y = top + LINE * number
        page.text((left, y), row[0], SMALL, anchor="start")
        for column, cell in enumerate(row[1:]):
            page.text((left + 220 + step * (column + 0.6), y), cell, anchor="end")
