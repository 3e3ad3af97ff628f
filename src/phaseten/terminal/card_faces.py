"""How cards look in a terminal: a shape for each colour, so that they can be told without colour.

>>> from phaseten.rules.cards import parse_cards
>>> " ".join(map(card_text, parse_cards("R7 B12 W W=5 W=R S")))
'▲7 ●12 ❖ ❖5 ❖▲ ↷'
>>> chips(parse_cards("R7 B12")).plain
'▲7 ●12 '
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from textual.content import Content

from phaseten.rules.cards import Card
from phaseten.rules.melds import Meld
from phaseten.terminal.printer import SHAPES

WILD_SIGN: Final = "❖"
SKIP_SIGN: Final = "↷"

CREAM: Final = "#FBF7EE"
INK: Final = "#22252B"
QUIET: Final = "#857E70"
"""For what stands small on a card."""
INKS: Final = {
    "R": ("#C8323C", CREAM),
    "B": ("#2462A8", CREAM),
    "Y": ("#E0A100", INK),
    "G": ("#2E7D4F", CREAM),
    "O": ("#E2711D", INK),
}
"""For each colour its band, and what is written on it."""
ON_CREAM: Final = {"R": "#C8323C", "B": "#2462A8", "Y": "#B07C00", "G": "#2E7D4F", "O": "#CF6212"}
"""The colours of shapes on a card's face."""

_SLANTS: Final = "\u2571\u2572"
"""Two diagonals: the pattern of a card's back."""

CARD_WIDTH: Final = 6
CARD_HEIGHT: Final = 4

_SIGNS: Final = "".join([*SHAPES.values(), WILD_SIGN])
_IN_TEXT: Final = re.compile(rf"([{_SIGNS}]{{1,2}})(\d{{0,2}})|{SKIP_SIGN}")
_COLORS: Final = {shape: color for color, shape in SHAPES.items()}


def card_text(card: Card) -> str:
    """A card in plain characters."""
    if card.is_skip:
        return SKIP_SIGN
    sign = WILD_SIGN if card.is_wild else ""
    return f"{sign}{SHAPES.get(card.color, '')}{card.number or ''}"


# -- small, in a row -----------------------------------------------------------------------------


def chip(card: Card, gap: str = " ") -> Content:
    """A card in two or three columns: its shape on its colour, its number on cream."""
    parts = [(_sign(card), f"bold {_colors(card)[1]} on {_colors(card)[0]}")]
    parts.append((f"{card.number or ''}{gap}", f"bold {INK} on {CREAM}"))
    return Content.assemble(*[part for part in parts if part[0]])


def _sign(card: Card) -> str:
    if card.is_natural:
        return SHAPES[card.color]
    return SKIP_SIGN if card.is_skip else WILD_SIGN


def _colors(card: Card) -> tuple[str, str]:
    return CREAM, ON_CREAM[card.color] if card.is_natural else INK


def chips(cards: Iterable[Card], gap: str = " ") -> Content:
    """Cards side by side."""
    return Content("").join(chip(card, gap) for card in cards)


def empty_chip(card: Card) -> str:
    """A place that waits for a card: what it waits for, or a dot where that is open."""
    return f"{SHAPES.get(card.color, '')}{card.number or ''}" or "·"


def with_cards(text: str) -> Content:
    """A text with the cards in it drawn as chips."""
    parts: list[Content | str] = []
    end = 0
    for match in _IN_TEXT.finditer(text):
        parts += [text[end : match.start()], _drawn(match)]
        end = match.end()
    return Content.assemble(*parts, text[end:])


def _drawn(match: re.Match[str]) -> Content:
    signs = match[1] or SKIP_SIGN
    band, ink = CREAM, ON_CREAM[_COLORS[signs]] if signs in _COLORS else INK
    number = match[2] or ""
    return Content.assemble(
        (signs, f"bold {ink} on {band}"), *([(number, f"bold {INK} on {CREAM}")] if number else [])
    )


# -- melds ---------------------------------------------------------------------------------------


def meld_forms(meld: Meld) -> list[Content]:
    """A meld in one line: from the most spacious form to the shortest."""
    tight = chips(meld.cards, "")
    forms = [chips(meld.cards), tight, _gathered(meld)]
    shortest = Content.assemble(chip(meld.cards[0], ""), "‥", chip(meld.cards[-1], ""))
    if not meld.group.kind.chain:
        shortest = Content.assemble(_gathered(meld)[:2], (f"x{len(meld.cards)}", "bold"))
    return sorted([*forms, shortest], key=lambda form: -form.cell_length)


def meld_cards(meld: Meld) -> Content:
    """A meld as small cards in two lines, where there is room."""
    papers = [
        Content.assemble((" ", f"on {CREAM}"), chip_sign(card), ("  ", f"on {CREAM}"))
        for card in meld.cards
    ]
    gap = Content(" ")
    return Content("\n").join([gap.join(map(_band, meld.cards)), gap.join(papers)])


def _band(card: Card) -> Content:
    """The upper line of a small card; of a Wild, in all colours, with what it stands for."""
    name = f" {card.number or SHAPES.get(card.color, ''):<3}"
    if card.is_natural:
        band, ink = INKS[card.color]
        return Content.styled(name, f"bold {ink} on {band}")
    inks = [INKS[color] for color in "RBYG"]
    return Content.assemble(
        *[(char, f"bold {ink} on {band}") for char, (band, ink) in zip(name, inks, strict=True)]
    )


def _gathered(meld: Meld) -> Content:
    """What the cards of a meld share, once, and then what tells them apart."""
    kind, first = meld.group.kind, meld.cards[0]
    if kind.chain or kind.parity is not None:
        return chips(meld.cards, "")
    if kind.one_color:
        band, ink = INKS[first.color]
        numbers = " ".join(WILD_SIGN if card.is_wild else str(card.number) for card in meld.cards)
        return Content.assemble(
            (f"{SHAPES[first.color]} ", f"bold {ink} on {band}"),
            (f"{numbers} ", f"bold {INK} on {CREAM}"),
        )
    shapes = [chip_sign(card) for card in meld.cards]
    return Content.assemble((f"{first.number:<2}", f"bold {INK} on {CREAM}"), *shapes)


def chip_sign(card: Card) -> Content:
    """The shape alone."""
    band, ink = _colors(card)
    return Content.styled(_sign(card), f"bold {ink} on {band}")


def fit(forms: Sequence[Sequence[Content]], width: int) -> list[Content]:
    """One form of each meld, as spacious as the width allows for all of them together."""
    chosen = [0] * len(forms)
    while sum(forms[i][k].cell_length for i, k in enumerate(chosen)) > width:
        wide = [i for i, k in enumerate(chosen) if k + 1 < len(forms[i])]
        if not wide:
            break
        widest = max(wide, key=lambda i: forms[i][chosen[i]].cell_length)
        chosen[widest] += 1
    return [forms[i][k] for i, k in enumerate(chosen)]


def shapes_row() -> Content:
    """The five shapes in their colours: the sign of the game."""
    return Content(" ").join(
        Content.styled(f" {SHAPES[color]} ", f"bold {ink} on {band}")
        for color, (band, ink) in INKS.items()
    )


# -- large ---------------------------------------------------------------------------------------


def card_face(card: Card) -> list[Content]:
    """A card as it lies before the player, line by line."""
    if card.is_wild:
        return _wild_face()
    if card.is_skip:
        return _skip_face()
    band, ink = INKS[card.color]
    shape = SHAPES[card.color]
    paper = f"on {CREAM}"
    return [
        Content.styled(f" {card.number:<3}{shape} ", f"bold {ink} on {band}"),
        Content.styled(" " * CARD_WIDTH, paper),
        Content.styled(f"  {shape}{shape}  ", f"{ON_CREAM[card.color]} {paper}"),
        Content.styled(f"{card.number:>5} ", f"{QUIET} {paper}"),
    ]


def _wild_face() -> list[Content]:
    """All colours: those of the four that most editions have."""
    paper = f"on {CREAM}"
    shape = {color: (SHAPES[color], f"{ink} {paper}") for color, ink in ON_CREAM.items()}
    return [
        Content.assemble(
            (f" {WILD_SIGN}", f"bold {CREAM} on {INK}"),
            *[(" ", f"on {INKS[color][0]}") for color in "RBYG"],
        ),
        Content.assemble(("  ", paper), shape["R"], shape["B"], ("  ", paper)),
        Content.assemble(("  ", paper), shape["Y"], shape["G"], ("  ", paper)),
        Content.styled(f"    {WILD_SIGN} ", f"{QUIET} {paper}"),
    ]


def _skip_face() -> list[Content]:
    paper = f"on {CREAM}"
    return [
        Content.styled(f" {SKIP_SIGN}    ", f"bold {CREAM} on {INK}"),
        Content.styled(" ╭──╮ ", f"bold {INK} {paper}"),
        Content.styled(" ╵• ▼ ", f"bold {INK} {paper}"),
        Content.styled(f"    {SKIP_SIGN} ", f"{QUIET} {paper}"),
    ]


def card_back() -> list[Content]:
    """The back of a card."""
    lines = (_SLANTS * 3, _SLANTS[::-1] * 3) * 2
    return [Content.styled(line, "#5C7299 on #2F3E5C") for line in lines]


def no_card() -> list[Content]:
    """The place of a card where there is none."""
    return [Content(line) for line in ("┌╌╌╌╌┐", "╎    ╎", "╎    ╎", "└╌╌╌╌┘")]
