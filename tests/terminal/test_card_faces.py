import pytest

from phaseten import Game, parse_card, parse_cards
from phaseten.bots.ladder import make_bot
from phaseten.rules.cards import COLORS
from phaseten.rules.editions import edition, parse_group
from phaseten.rules.melds import Meld
from phaseten.terminal import themes
from phaseten.terminal.card_faces import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CREAM,
    INK,
    INKS,
    ON_CREAM,
    SKIP_SIGN,
    WILD_SIGN,
    card_back,
    card_face,
    card_text,
    chips,
    fit,
    meld_cards,
    meld_forms,
    no_card,
    with_cards,
)
from phaseten.terminal.printer import SHAPES


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", COLORS)
def test_numbers_and_shapes_can_be_read_on_the_card(color: str) -> None:
    band, ink = INKS[color]
    assert contrast(ink, band) >= 4.5
    assert contrast(ON_CREAM[color], CREAM) >= 3  # a shape, not a text


@pytest.mark.parametrize("theme", [themes.EVENING, themes.DAYLIGHT])
def test_texts_can_be_read_on_the_table(theme: themes.Theme) -> None:
    table = theme.background or ""
    for color in (
        theme.foreground,
        theme.warning,
        theme.error,
        *map(theme.variables.get, ("may", "quiet")),
    ):
        assert contrast(color or "", table) >= 4.5
    for ground in (theme.panel, theme.variables["turn"]):
        assert contrast(theme.foreground or "", ground or "") >= 4.5
    assert contrast(INK, CREAM) >= 7


def test_every_card_can_be_told_without_its_colour() -> None:
    texts = {card_text(card) for name in ("classic", "anniversary") for card in edition(name).deck}
    assert len(texts) == 5 * 12 + 2
    assert len({*SHAPES.values(), WILD_SIGN, SKIP_SIGN}) == 7
    faces = {
        "\n".join(line.plain for line in card_face(card))
        for name in ("classic", "anniversary")
        for card in edition(name).deck
    }
    assert len(faces) == 5 * 12 + 2


def test_cards_are_all_of_one_size() -> None:
    faces = [card_face(card) for card in edition("anniversary").deck]
    for lines in [*faces, card_back(), no_card()]:
        assert len(lines) == CARD_HEIGHT
        assert {line.cell_length for line in lines} == {CARD_WIDTH}


def test_cards_in_a_sentence_are_drawn() -> None:
    text = "Ana lays Phase 1 (▲5 ❖5 / ❖▲) and skips with ↷."
    drawn = with_cards(text)
    assert drawn.plain == text
    assert len(drawn.spans) == 6
    assert with_cards("nothing here").spans == []


MELDS = {
    "set 3": "R7 B7 W=7 G7",
    "run 4": "R9 B10 W=11 G12",
    "color 7": "R1 R2 R3 W=R R5 R12 R12",
    "odd 4": "R1 B3 W G5",
    "pairrun 2": "R6 B6 Y7 W=7",
    "colorrun 3": "R6 W=R7 R8",
    "evenrun 4": "R2 B4 W=6 G8",
}


@pytest.mark.parametrize(("group", "cards"), MELDS.items())
def test_forms_of_a_meld(group: str, cards: str) -> None:
    meld = Meld(parse_group(group), parse_cards(cards))
    forms = meld_forms(meld)
    widths = [form.cell_length for form in forms]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] <= 8
    assert forms[0].plain == chips(meld.cards).plain
    upper, lower = meld_cards(meld).plain.split("\n")
    assert len(upper) == len(lower) == 5 * len(meld.cards) - 1


def test_all_melds_of_a_player_fit_their_row() -> None:
    big = Meld(parse_group("set 5"), parse_cards("R7 " * 16))
    run = Meld(parse_group("run 4"), parse_cards("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"))
    many = Meld(parse_group("color 7"), parse_cards("R12 " * 30))
    for melds in ([big, run], [many], [run, run], [many, many]):
        shown = fit([meld_forms(meld) for meld in melds], 43)
        assert sum(form.cell_length for form in shown) <= 43
    assert fit([meld_forms(run)], 100)[0].plain == chips(run.cards).plain


def test_nothing_on_the_table_is_ever_too_wide() -> None:
    game = Game("classic", ["Ana", "Beto"], seed=2)
    bot = make_bot("sharp")
    widest = 0
    while game.winner is None:
        game.play(bot.choose(game.view()))
        board = game.state.board
        for row in board.melds if board else ():
            shown = fit([meld_forms(meld) for meld in row], 43)
            widest = max(widest, sum(form.cell_length for form in shown))
    assert 20 < widest <= 43


def test_a_wild_keeps_its_sign() -> None:
    assert card_text(parse_card("W=R5")) == "❖▲5"
    assert chips(parse_cards("W=5 W S")).plain == "❖5 ❖ ↷ "
