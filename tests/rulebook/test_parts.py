"""A card that cannot belong to a group is told at once, with the rule of that group."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.rules.cards import Card, parse_cards
from phaseten.rules.editions import KINDS, Group, edition, parse_group
from phaseten.rules.melds import Meld, check_part, read_meld
from phaseten.rules.refusals import Refusal

CLASSIC = edition("classic")
FACES = [card for card in dict.fromkeys(CLASSIC.deck) if card.text != "S"]


@pytest.mark.parametrize(
    ("group", "cards"),
    [
        ("set 3", "R7 B7"),
        ("set 3", "W W"),
        ("run 4", "G9 R3 W"),
        ("run 4", "R12"),
        ("run 4", "R12 W W W"),
        ("run 4", "R11 R12 W"),
        ("run 7", "R1 B12"),
        ("color 7", "R1 R1 R12"),
        ("even 4", "R2 B12"),
        ("pairrun 2", "R6 B6 G7"),
        ("pairrun 2", "R12 B11"),
        ("colorrun 3", "R9 R3"),
        ("oddrun 4", "R9 B3"),
        ("oddrun 4", "R11"),
        ("evenrun 4", "R12"),
    ],
)
def test_cards_that_can_be_part_of_a_meld(group: str, cards: str) -> None:
    assert check_part(parse_group(group), parse_cards(cards), CLASSIC) is None


@pytest.mark.parametrize(
    ("group", "cards", "reason", "blamed"),
    [
        ("set 3", "R1 R7", "not-one-number", "R7"),
        ("set 3", "R7 R7 R1", "not-one-number", "R1"),
        ("set 3", "R7 S", "skip-in-meld", ""),
        ("run 4", "R7 B7", "not-in-order", "B7"),
        ("color 7", "R1 B1", "not-one-color", "B1"),
        ("even 4", "R2 B3", "not-one-parity", "B3"),
        ("pairrun 2", "R6 B6 G6", "not-in-order", "G6"),
        ("colorrun 3", "R9 B3", "not-one-color", "B3"),
        ("oddrun 4", "R9 B4", "not-in-order", ""),
        ("oddrun 4", "R4", "wrong-start", ""),
    ],
)
def test_cards_that_cannot(group: str, cards: str, reason: str, blamed: str) -> None:
    verdict = check_part(parse_group(group), parse_cards(cards), CLASSIC)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == reason
    if blamed:
        assert str(verdict.values["card"]) == blamed


@given(
    kind=st.sampled_from(list(KINDS.values())),
    size=st.integers(2, 4),
    cards=st.lists(st.sampled_from(FACES), min_size=2, max_size=8),
    data=st.data(),
)
def test_every_part_of_a_meld_can_be_one(
    kind: object, size: int, cards: list[Card], data: st.DataObject
) -> None:
    group = Group(kind, size)  # pyright: ignore[reportArgumentType]
    if isinstance(read_meld(group, cards, CLASSIC), Meld):
        part = data.draw(st.lists(st.sampled_from(range(len(cards))), unique=True))
        assert check_part(group, [cards[index] for index in part], CLASSIC) is None
