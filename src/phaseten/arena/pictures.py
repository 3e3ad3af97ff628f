"""Pictures of measured figures with their error bars, as SVG text.

A plotting library would be larger than the rest of the program, and slower to import than a game is
to play; dots, bars and lines are all we need. A picture brings its own background, so that it reads
on light and dark pages alike, and tells its series apart by shape as well as by colour.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement


class Interval(NamedTuple):
    """One measured figure in the unit of its picture (52.3 for 52.3 %), and its error bar."""

    label: str
    value: float
    low: float
    high: float


class Series(NamedTuple):
    """Figures that belong together: one line of a picture, and one entry of its legend."""

    name: str
    points: tuple[Interval, ...]


CREAM: Final = "#FBF7EE"
INK: Final = "#22252B"
FAINT: Final = "#DDD3C2"
QUIET: Final = "#5F6066"
BLUE: Final = "#2462A8"
COLOURS: Final = (BLUE, "#C8323C", "#2E7D4F", "#A8500E", INK, "#8A6400")
"""The colours of the cards; orange and yellow darkened until they read on cream."""

MARKERS: Final = (
    "M-5,0A5,5 0 1 1 5,0A5,5 0 1 1 -5,0Z",
    "M0,-5.8L5.6,4.4L-5.6,4.4Z",
    "M-4.5,-4.5H4.5V4.5H-4.5Z",
    "M5.4,0L2.7,4.7L-2.7,4.7L-5.4,0L-2.7,-4.7L2.7,-4.7Z",
    "M0,-6L5,0L0,6L-5,0Z",
    "M0,-6.5L1.7,-2L6.2,-2L2.6,1L3.8,5.3L0,2.7L-3.8,5.3L-2.6,1L-6.2,-2L-1.7,-2Z",
)
"""The shapes of the cards (and a diamond for the fifth): circle, triangle, square, hexagon, star."""

_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


class _Style(NamedTuple):
    size: float
    colour: str = INK
    weight: str = "400"


_TEXT: Final = _Style(13.0)
_HEADING: Final = _Style(16.0, weight="600")
SMALL: Final = _Style(11.5, QUIET)

EDGE: Final = 20.0
_LINE: Final = 21.0
_LONGEST_LABEL: Final = 44
_ROW: Final = 27.0
_PLOT_WIDTH: Final = 360.0
_PLOT_HEIGHT: Final = 290.0
_LEAST_WIDTH: Final = 500.0


def draw_intervals(
    title: str,
    rows: Sequence[Interval],
    *,
    unit: str = "%",
    reference: float | None = None,
    note: str = "",
) -> str:
    """One row for each figure: its name, a dot with its error bar, and the numbers."""
    _check(rows)
    values = [_reading(row, unit, _common_decimals(rows)) for row in rows]
    left = EDGE + max(_width(_short(row.label)) for row in rows) + 14
    right = left + _PLOT_WIDTH
    page = Page(title, note, right + 14 + max(map(_width, values)) + EDGE)
    page.describe(f"{row.label}: {value}" for row, value in zip(rows, values, strict=True))
    top = page.top + 4
    bottom = top + _ROW * len(rows)
    also = () if reference is None else (reference,)
    scale = _scale(_extent(rows, *also), left, right)
    for tick in scale.ticks:
        x = scale.at(tick)
        page.line((x, top), (x, bottom), FAINT)
        page.text((x, bottom + 18), scale.name(tick, unit), SMALL)
    for x in map(scale.at, also):
        page.line((x, top - 2), (x, bottom + 2), INK, dashes="4 4")
    for order, (row, value) in enumerate(zip(rows, values, strict=True)):
        y = top + _ROW * (order + 0.5)
        page.text((left - 14, y + 4.5), _short(row.label), anchor="end", tip=row.label)
        page.text((right + 14, y + 4.5), value, anchor="start")
        page.line((scale.at(row.low), y), (scale.at(row.high), y), BLUE, width=2.0)
        for end in (row.low, row.high):
            page.line((scale.at(end), y - 4), (scale.at(end), y + 4), BLUE, width=2.0)
        page.marker((scale.at(row.value), y), 0, f"{row.label}: {value}")
    return page.finish(bottom + 26)


def draw_series(
    title: str,
    series: Sequence[Series],
    *,
    unit: str = "%",
    axis: str = "",
    note: str = "",
) -> str:
    """Figures over a row of labels (the ten Phases, say), one line and shape for each series.

    Series may have different labels, and all are shown, in the order in which they first appear.
    """
    if len(series) > len(COLOURS):
        raise ValueError(f"A picture can tell {len(COLOURS)} series apart, not {len(series)}.")
    known = [point for one in series for point in one.points]
    _check(known)
    labels = list(dict.fromkeys(point.label for point in known))
    scale = _scale(_extent(known), 0, _PLOT_HEIGHT)
    left = EDGE + max(_width(scale.name(tick, unit)) for tick in scale.ticks) + 10
    room = max(
        34.0 + 12 * len(series),
        16 + max(_width(_short(label)) for label in labels),
        _LEAST_WIDTH / len(labels),
    )
    right = left + room * len(labels)
    page = Page(title, note, right + EDGE)
    bottom = draw_legend(page, [one.name for one in series], left) + 10 + _PLOT_HEIGHT
    for tick in scale.ticks:
        y = bottom - scale.at(tick)
        page.line((left, y), (right, y), FAINT)
        page.text((left - 10, y + 4), scale.name(tick, unit), SMALL, anchor="end")
    middles = {label: left + room * (order + 0.5) for order, label in enumerate(labels)}
    for label, x in middles.items():
        page.text((x, bottom + 20), _short(label), tip=label)
    decimals = _common_decimals(known)
    readings = [[_reading(point, unit, decimals) for point in one.points] for one in series]
    dodge = min(11.0, room * 0.7 / len(series))
    for order, one in enumerate(series):
        shift = dodge * (order - (len(series) - 1) / 2)
        marks = [
            _Mark(
                middles[point.label] + shift,
                bottom - scale.at(point.value),
                bottom - scale.at(point.low),
                bottom - scale.at(point.high),
                f"{one.name}, {point.label}: {reading}",
            )
            for point, reading in zip(one.points, readings[order], strict=True)
        ]
        _draw_series(page, order, marks)
    page.describe(
        f"{one.name}: "
        + ", ".join(f"{point.label} {r}" for point, r in zip(one.points, written, strict=True))
        for one, written in zip(series, readings, strict=True)
    )
    if axis:
        page.text(((left + right) / 2, bottom + 42), axis, SMALL)
    return page.finish(bottom + (48 if axis else 28))


class _Mark(NamedTuple):
    """One figure of a series, where it lies on the sheet."""

    x: float
    y: float
    low: float
    high: float
    tip: str


def _draw_series(page: Page, order: int, marks: Sequence[_Mark]) -> None:
    page.path([(mark.x, mark.y) for mark in marks], COLOURS[order])
    for mark in marks:
        page.line((mark.x, mark.low), (mark.x, mark.high), COLOURS[order], width=1.6)
        page.marker((mark.x, mark.y), order, mark.tip)


def draw_legend(page: Page, names: Sequence[str], left: float) -> float:
    """The marks and names of the series, in as many lines as they need; where the last one ends."""
    if len(names) < 2:
        return page.top
    x, y = left, page.top + 8
    for order, name in enumerate(names):
        needed = 17 + _width(_short(name))
        if x > left and x + needed > page.width - EDGE:
            x, y = left, y + _LINE
        page.marker((x + 5, y), order, name)
        page.text((x + 17, y + 4.5), _short(name), anchor="start", tip=name)
        x += needed + 20
    return y + 12


class Page:
    """An SVG in the making: a cream sheet with a title, that grows downwards."""

    def __init__(self, title: str, note: str, width: float) -> None:
        self.width = width
        self._note = note
        self._root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
        SubElement(self._root, "title").text = _clean(title)
        self._description = SubElement(self._root, "desc")
        self._sheet = SubElement(self._root, "rect", {"rx": "8", "fill": CREAM})
        self.top = self._paragraph(title, EDGE + 4, _HEADING) + 12

    def describe(self, sentences: Iterable[str]) -> None:
        """Put the numbers in words, for whoever cannot see the picture."""
        self._description.text = _clean(". ".join(sentences) + ".")

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str,
        *,
        width: float = 1.0,
        dashes: str = "",
    ) -> None:
        attributes = {"x1": _px(start[0]), "y1": _px(start[1]), "x2": _px(end[0])}
        attributes |= {"y2": _px(end[1]), "stroke": colour, "stroke-width": _px(width)}
        if dashes:
            attributes["stroke-dasharray"] = dashes
        SubElement(self._root, "line", attributes)

    def path(
        self,
        spots: Sequence[tuple[float, float]],
        colour: str,
        *,
        width: float = 1.0,
        opacity: float = 0.45,
    ) -> None:
        """A line through these places; unless asked otherwise a thin one, for the eye to follow."""
        points = " ".join(f"{_px(x)},{_px(y)}" for x, y in spots)
        look = {"fill": "none", "stroke": colour, "stroke-width": _px(width)}
        look |= {"stroke-opacity": _px(opacity), "stroke-linejoin": "round"}
        SubElement(self._root, "polyline", {"points": points, **look})

    def marker(self, spot: tuple[float, float], order: int, tip: str) -> None:
        look = {"d": MARKERS[order], "fill": COLOURS[order], "stroke": CREAM}
        place = f"translate({_px(spot[0])} {_px(spot[1])})"
        mark = SubElement(self._root, "path", {**look, "stroke-width": "0.8", "transform": place})
        SubElement(mark, "title").text = _clean(tip)

    def text(
        self,
        spot: tuple[float, float],
        words: str,
        style: _Style = _TEXT,
        *,
        anchor: str = "middle",
        tip: str = "",
    ) -> None:
        attributes = {"x": _px(spot[0]), "y": _px(spot[1]), "text-anchor": anchor}
        attributes |= {"font-size": _px(style.size), "fill": style.colour}
        attributes["font-weight"] = style.weight
        element = SubElement(self._root, "text", attributes)
        element.text = _clean(words)
        if tip and tip != words:
            SubElement(element, "title").text = _clean(tip)

    def finish(self, bottom: float) -> str:
        """The note under the picture, the size of the sheet, and the whole as text."""
        if self._note:
            bottom = self._paragraph(self._note, bottom + 12, SMALL)
        size = {"width": _px(self.width), "height": _px(bottom + EDGE - 6)}
        self._sheet.attrib.update(size)
        self._root.attrib.update(
            {
                "viewBox": f"0 0 {size['width']} {size['height']}",
                **size,
                "font-family": _FONT,
                "style": "font-variant-numeric: tabular-nums",
            }
        )
        ElementTree.indent(self._root)
        return ElementTree.tostring(self._root, encoding="unicode") + "\n"

    def _paragraph(self, words: str, y: float, style: _Style) -> float:
        """Write these words from the left edge, broken into lines; where the next would begin."""
        characters = int((self.width - 2 * EDGE) / (style.size * 0.58))
        lines = textwrap.wrap(_clean(words), characters)
        for order, line in enumerate(lines):
            place = (EDGE, y + style.size * (0.75 + 1.35 * order))
            self.text(place, line, style, anchor="start")
        return y + style.size * (0.2 + 1.35 * len(lines))


class _Scale(NamedTuple):
    """Where a value lies on an axis that begins and ends with a round number."""

    ticks: tuple[float, ...]
    decimals: int
    start: float
    end: float

    def at(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def name(self, tick: float, unit: str) -> str:
        return _with_unit(format_number(tick, self.decimals), unit if unit == "%" else "")


def _scale(extent: tuple[float, float], start: float, end: float) -> _Scale:
    """A scale that holds the extent, with four to ten ticks at round numbers."""
    low, high = extent
    rough = (high - low or abs(low) or 1.0) / 5
    power = math.floor(math.log10(rough))
    step, decimals = next(
        (size * 10.0**power, max(0, (size == 2.5) - (size == 10) - power))
        for size in (1, 2, 2.5, 5, 10)
        if size * 10.0**power >= rough * 0.999
    )
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    return _Scale(tuple(step * n for n in range(first, last + 1)), decimals, start, end)


def _extent(rows: Sequence[Interval], *also: float) -> tuple[float, float]:
    ends = [*also, *(row.low for row in rows), *(row.high for row in rows)]
    return min(ends), max(ends)


def _check(rows: Sequence[Interval]) -> None:
    if not rows:
        raise ValueError("A picture needs at least one figure.")
    for row in rows:
        if not (math.isfinite(row.low + row.high) and row.low <= row.value <= row.high):
            raise ValueError(f"{row.label!r} has no proper interval: {row[1:]}.")


def _common_decimals(rows: Sequence[Interval]) -> int:
    return max(count_decimals((row.high - row.low) / 2) for row in rows)


def count_decimals(error: float) -> int:
    """As many decimals as a figure with that error supports: one or two digits of the error."""
    return max(0, min(4, -math.floor(math.log10(error / 3.5)))) if error > 0 else 1


def format_number(value: float, decimals: int) -> str:
    """The number as people write it: no minus before a zero, and a real minus elsewhere."""
    text = f"{value:,.{decimals}f}"
    if not any(digit in text for digit in "123456789"):
        return text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")


def _reading(row: Interval, unit: str, decimals: int) -> str:
    value, low, high = (format_number(each, decimals) for each in row[1:])
    return f"{_with_unit(value, unit)} ({low} to {high})"


def _with_unit(number: str, unit: str) -> str:
    return f"{number} {unit}" if unit else number


def _short(label: str) -> str:
    clean = _clean(label)
    return clean if len(clean) <= _LONGEST_LABEL else clean[: _LONGEST_LABEL - 1].rstrip() + "…"


def _clean(words: str) -> str:
    """Without the characters that XML does not allow, and on one line."""
    return " ".join("".join(c for c in words if c.isspace() or _printable(c)).split())


def _printable(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cs", "Cn")


def _width(words: str) -> float:
    """About how wide these words are in any system font: never too little."""
    return sum(_TEXT.size * _share(character) for character in words)


def _share(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in " .,:;'|()ijlt":
        return 0.36
    return 0.95 if character in "mwMW%\N{MINUS SIGN}" else 0.68 if character.isupper() else 0.61


def _px(value: float) -> str:
    """A coordinate: short, and the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
