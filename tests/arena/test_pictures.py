"""Pictures are well-formed, say everything in words too, and put things where they belong."""

from __future__ import annotations

import math
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.arena.pictures import COLOURS, CREAM, Interval, Series, draw_intervals, draw_series

MINUS = "\N{MINUS SIGN}"
SVG = "{http://www.w3.org/2000/svg}"
ROWS = [
    Interval("master", 58.3, 57.1, 59.5),
    Interval("sharp", 50.0, 48.8, 51.2),
    Interval("rookie & <co>", 8.0, 6.9, 9.3),
]


def read(picture: str) -> Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def texts(root: Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def words(root: Element, tag: str) -> str:
    found = root.find(f"{SVG}{tag}")
    assert found is not None
    return found.text or ""


def places(root: Element, size: str = "width") -> list[float]:
    """Every coordinate of a line or a text along that side."""
    axes = ("x", "x1", "x2") if size == "width" else ("y", "y1", "y2")
    return [float(e.attrib[axis]) for e in root.iter() for axis in axes if axis in e.attrib]


def markers(root: Element) -> list[tuple[float, float, str]]:
    found: list[tuple[float, float, str]] = []
    for path in root.iter(f"{SVG}path"):
        x, y = path.attrib["transform"].removeprefix("translate(").removesuffix(")").split()
        found.append((float(x), float(y), path.attrib["fill"]))
    return found


def test_every_label_value_and_word_is_there() -> None:
    root = read(draw_intervals("Won & lost", ROWS, reference=50, note="1,000 games"))
    written = texts(root)
    for row in ROWS:
        assert row.label in written
        assert row.label in words(root, "desc")
    assert "58.3 % (57.1 to 59.5)" in written
    assert {"0 %", "20 %", "40 %", "60 %"} <= set(written)
    assert words(root, "title") == "Won & lost"
    assert "1,000 games" in written


def test_dots_lie_on_the_scale_and_bars_around_them() -> None:
    root = read(draw_intervals("x", ROWS, reference=50))
    scale = {
        float(text.removesuffix(" %")): float(element.attrib["x"])
        for element in root.iter(f"{SVG}text")
        if (text := element.text or "").removesuffix(" %").isdigit()
    }
    per_unit = (scale[60] - scale[0]) / 60
    spots = [x for x, _, _ in markers(root)]
    for spot, row in zip(spots, ROWS, strict=True):
        assert spot == pytest.approx(scale[0] + row.value * per_unit, abs=0.02)
    bars = [e for e in root.iter(f"{SVG}line") if e.attrib["y1"] == e.attrib["y2"]]
    for bar, row in zip(bars, ROWS, strict=True):
        ends = float(bar.attrib["x1"]), float(bar.attrib["x2"])
        assert ends == pytest.approx(
            (scale[0] + row.low * per_unit, scale[0] + row.high * per_unit), abs=0.02
        )
    dashed = [e for e in root.iter(f"{SVG}line") if "stroke-dasharray" in e.attrib]
    assert [float(e.attrib["x1"]) for e in dashed] == [
        pytest.approx(scale[0] + 50 * per_unit, abs=0.02)
    ]


def test_series_have_a_legend_and_their_own_shapes() -> None:
    series = [
        Series(name, tuple(Interval(str(i), i + order, i, i + order + 1) for i in range(1, 4)))
        for order, name in enumerate(("Classic", "Express"))
    ]
    root = read(draw_series("Phases", series, axis="Phase", unit=""))
    written = texts(root)
    assert {"Classic", "Express", "1", "2", "3", "Phase"} <= set(written)
    colours = [colour for _, _, colour in markers(root)]
    assert colours.count(COLOURS[0]) == colours.count(COLOURS[1]) == 1 + 3
    assert "Express: 1 2.0 (1.0 to 3.0), 2 3.0" in words(root, "desc")
    # Higher values stand higher.
    classic = [y for _, y, colour in markers(root) if colour == COLOURS[0]][1:]
    assert classic == sorted(classic, reverse=True)
    alone = read(draw_series("Phases", series[:1], unit=""))
    assert "Classic" not in texts(alone)  # one line needs no legend


def test_labels_that_differ_between_series_are_all_shown() -> None:
    root = read(
        draw_series(
            "x",
            [
                Series("a", (Interval("one", 1, 0, 2),)),
                Series("b", (Interval("two", 1, 0, 2),)),
            ],
        )
    )
    assert {"one", "two"} <= set(texts(root))


def test_decimals_follow_the_error_bars() -> None:
    assert "0.50 (0.46 to 0.55)" in texts(
        read(draw_intervals("x", [Interval("a", 0.503, 0.461, 0.545)], unit=""))
    )
    assert "1,234 points (1,100 to 1,400)" in texts(
        read(draw_intervals("x", [Interval("a", 1234.4, 1100, 1400)], unit="points"))
    )
    written = texts(read(draw_intervals("x", [Interval("a", -2.5, -3.5, 0.01)])))
    assert f"{MINUS}2.5 % ({MINUS}3.5 to 0.0)" in written
    assert f"{MINUS}4 %" in written


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        draw_intervals("x", [])
    with pytest.raises(ValueError, match="'a' has no proper interval"):
        draw_intervals("x", [Interval("a", 2, 3, 4)])
    with pytest.raises(ValueError, match="no proper interval"):
        draw_intervals("x", [Interval("a", math.nan, math.nan, math.nan)])
    with pytest.raises(ValueError, match="6 series apart, not 7"):
        draw_series("x", [Series(str(i), (Interval("a", 1, 1, 1),)) for i in range(7)])


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_reads_on_the_paper(colour: str) -> None:
    assert (luminance(CREAM) + 0.05) / (luminance(colour) + 0.05) >= 4.5


numbers = st.floats(-1e6, 1e6, allow_nan=False)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, value, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return Interval(draw(st.text(max_size=60)), value, low, high)


@given(
    st.text(max_size=200), st.lists(intervals(), min_size=1, max_size=8), numbers, st.text("ab \n<")
)
def test_any_picture_is_well_formed_and_stays_on_its_sheet(
    title: str, rows: list[Interval], reference: float, note: str
) -> None:
    picture = draw_intervals(title, rows, reference=reference, note=note)
    assert picture == draw_intervals(title, rows, reference=reference, note=note)
    series = [Series(f"{i}", (row,)) for i, row in enumerate(rows[: len(COLOURS)])]
    for root in (read(picture), read(draw_series(title, series, axis=title, note=note))):
        for side in ("width", "height"):
            assert all(0 <= place <= float(root.attrib[side]) for place in places(root, side))
        assert all(0 <= x <= float(root.attrib["width"]) for x, _, _ in markers(root))
