"""Cards and their text form."""

import copy
import pickle

import pytest

from phaseten.rules.cards import (
    COLOR_NAMES,
    COLORS,
    SKIP,
    WILD,
    Card,
    CardSyntaxError,
    format_cards,
    natural,
    parse_card,
    parse_cards,
    sort_cards,
    total_points,
    wild_as,
)

NUMBERED = [(color, number) for color in "RBYGO" for number in range(1, 13)]


# Cards are made when they are imported, and mutation testing counts that to the first test of all.
def test_every_card() -> None:
    faces = [(f"{color}{number}", color, number) for color, number in NUMBERED]
    faces += [("W", "", 0), ("S", "", 0)]
    faces += [(f"W={number}", "", number) for number in range(1, 13)]
    faces += [(f"W={color}", color, 0) for color in "RBYGO"]
    faces += [(f"W={color}{number}", color, number) for color, number in NUMBERED]
    for order, (text, color, number) in enumerate(faces):
        card = parse_card(text)
        kinds = (card.is_natural, card.is_wild, card.is_skip)
        assert (card.text, card.color, card.number, card.order) == (text, color, number, order)
        assert kinds == (text[0] not in "WS", text[0] == "W", text == "S")
        assert card.held is (parse_card("W") if text[0] == "W" else card)
        assert repr(card) == text
    assert (parse_card("W"), parse_card("S")) == (WILD, SKIP)


def test_cards_by_what_they_are() -> None:
    for color, number in NUMBERED:
        assert natural(color, number) is parse_card(f"{color}{number}")
        assert wild_as(color, number) is parse_card(f"W={color}{number}")
        assert wild_as(color) is parse_card(f"W={color}")
        assert wild_as(number=number) is parse_card(f"W={number}")


def test_wild_and_skip() -> None:
    assert (WILD.text, WILD.color, WILD.number, WILD.held) == ("W", "", 0, WILD)
    assert (SKIP.text, SKIP.color, SKIP.number, SKIP.held) == ("S", "", 0, SKIP)
    assert (WILD.is_wild, WILD.is_skip, WILD.is_natural) == (True, False, False)
    assert (SKIP.is_wild, SKIP.is_skip, SKIP.is_natural) == (False, True, False)
    assert wild_as() is WILD
    assert wild_as(number=7) is parse_card("W=7")
    assert wild_as(color="G") is parse_card("W=G")


def test_colours() -> None:
    assert COLORS == "RBYGO"
    assert COLOR_NAMES == {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "O": "orange"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R",
        "R0",
        "R13",
        "r7",
        "P7",
        "7R",
        "R07",
        "W=",
        "W=13",
        "W=P",
        "W=S",
        "w",
        "s",
        "S=3",
        "R7 ",
        "W=5R",
    ],
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(CardSyntaxError) as error:
        parse_card(text)
    assert str(error.value) == (
        f"{text!r} is not a card: write a colour (R, B, Y, G, O) and a number from 1 to 12 such as "
        "R7, or W for a Wild, or S for a Skip"
    )


def test_several_cards() -> None:
    cards = (parse_card("R7"), WILD, SKIP)
    assert parse_cards("R7 W  S") == parse_cards(["R7", "W", "S"]) == cards
    assert parse_cards("") == ()
    assert format_cards(cards) == "R7 W S"
    assert format_cards([]) == ""
    assert repr(cards) == "(R7, W, S)"


def test_sorted_by_colour_and_number_then_wilds_then_skips() -> None:
    mixed = parse_cards("S G1 W O2 R12 B3 R2 Y5 R2 W=5 W=R W=R2")
    assert format_cards(sort_cards(mixed)) == "R2 R2 R12 B3 Y5 G1 O2 W S W=5 W=R W=R2"


def test_points_of_several_cards() -> None:
    assert total_points(parse_cards("R3 B9 G10 S W")) == 60
    assert total_points(()) == 0


@pytest.mark.parametrize("text", ["R7", "W", "S", "W=5", "W=R5"])
def test_one_object_for_each_face(text: str) -> None:
    card = parse_card(text)
    for other in (
        parse_card(text),
        copy.copy(card),
        copy.deepcopy([card])[0],
        pickle.loads(pickle.dumps(card)),
    ):
        assert other is card
    assert isinstance(card, Card)
    assert not hasattr(card, "__dict__")
