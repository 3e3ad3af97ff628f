import io
import os

import pytest

from phaseten import parse_card, parse_cards
from phaseten.rules.cards import COLORS
from phaseten.terminal.printer import (
    SHAPES,
    Printer,
    pad,
    printer_for,
    table,
    visible,
    wrap_inked,
)


class Terminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._encoding

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "72")


def test_every_colour_has_its_own_shape_and_letter() -> None:
    assert set(SHAPES) == set(COLORS)
    assert len(set(SHAPES.values())) == len(COLORS)
    screen = Printer(shapes=True)
    assert screen.cards(parse_cards("R1 B2 Y3 G4 O5 W S W=R5")) == "▲R1 ●B2 ★Y3 ■G4 ⬢O5 W S W=R5"
    assert Printer().cards(parse_cards("R1 B2 O5 W=5")) == "R1 B2 O5 W=5"


def test_colours_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printer_for(Terminal()) == Printer(color=True, shapes=True, width=72)
    assert not printer_for(io.StringIO()).color
    monkeypatch.setenv("NO_COLOR", "1")
    assert not printer_for(Terminal()).color
    monkeypatch.setenv("NO_COLOR", "")
    assert printer_for(Terminal()).color
    monkeypatch.setenv("TERM", "dumb")
    assert not printer_for(Terminal()).color


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "no-such-encoding"])
def test_letters_where_shapes_cannot_be_shown(encoding: str) -> None:
    screen = printer_for(Terminal(encoding))
    assert not screen.shapes
    assert screen.text("── Hand 1 · …").isascii()


def test_width_stays_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    assert printer_for(Terminal()).width == 100
    monkeypatch.setenv("COLUMNS", "5")
    assert printer_for(Terminal()).width == 30
    assert os.environ["COLUMNS"] == "5"


def test_inked_text_is_measured_without_its_ink() -> None:
    screen = Printer(color=True, shapes=True)
    red = screen.card(parse_card("R12"))
    assert visible(red) == 4
    assert visible(pad(red, 10)) == 10
    assert wrap_inked(f"{red} {red} {red}", 9) == [f"{red} {red}", red]
    assert wrap_inked("", 10) == [""]


def test_tables() -> None:
    lines = table([["", "one"], ["first", "some words that are long"]], 20)
    assert lines[0].split() == ["one"]
    assert max(map(len, lines)) <= 20
    assert len(lines) > 3
