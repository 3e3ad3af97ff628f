from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from phaseten import parse_cards
from phaseten.rules.cards import Card
from phaseten.rules.editions import edition
from phaseten.terminal.arrangement import COLOR, NUMBER, OWN, Arrangement

FACES = sorted(set(edition("classic").deck), key=lambda card: card.order)
hands = st.lists(st.sampled_from(FACES), max_size=11)


def arranged(text: str, sort: str = NUMBER) -> Arrangement:
    arrangement = Arrangement(sort)
    arrangement.follow(parse_cards(text))
    return arrangement


def test_sorted_by_number_or_by_colour() -> None:
    cards = arranged("S G3 R7 W B3 R3")
    assert cards.faces == parse_cards("R3 B3 G3 R7 W S")
    cards.next_sort()
    assert cards.sort == COLOR
    assert cards.faces == parse_cards("R3 R7 B3 G3 W S")
    cards.next_sort()
    assert cards.sort == NUMBER


def test_a_moved_card_stays_where_it_is_put() -> None:
    cards = arranged("R1 R2 R3 R4")
    cards.move(0, 2)
    assert cards.faces == parse_cards("R2 R3 R1 R4")
    assert cards.sort == OWN
    cards.follow(parse_cards("R1 R2 R3 R4 B1"))
    assert cards.faces == parse_cards("R2 R3 R1 R4 B1")
    cards.next_sort()
    assert cards.faces == parse_cards("R1 B1 R2 R3 R4")


def test_moves_beyond_the_ends() -> None:
    cards = arranged("R1 R2 R3")
    cards.move(1, 99)
    assert cards.faces == parse_cards("R1 R3 R2")
    cards.move(2, -5)
    assert cards.faces == parse_cards("R2 R1 R3")
    cards.move(7, 0)
    assert cards.faces == parse_cards("R2 R1 R3")


def test_the_drawn_card_is_new_until_the_turn_is_over() -> None:
    cards = arranged("R1 R5 R9")
    assert not any(held.fresh for held in cards.cards)
    cards.follow(parse_cards("R1 R5 R9 R7"))
    assert [held.card.text for held in cards.cards if held.fresh] == ["R7"]
    cards.follow(parse_cards("R5 R9 R7"))
    assert [held.card.text for held in cards.cards if held.fresh] == ["R7"]
    cards.settle()
    assert not any(held.fresh for held in cards.cards)


def test_two_cards_with_one_face_are_chosen_one_by_one() -> None:
    cards = arranged("R7 R7 B2")
    cards.cards[1].chosen = True
    assert cards.chosen == parse_cards("R7")
    cards.follow(parse_cards("R7 R7 B2 Y1"))
    assert cards.chosen == parse_cards("R7")
    cards.choose_nothing()
    assert cards.chosen == ()


def test_a_remembered_order() -> None:
    cards = arranged("R1 R2 R2 W")
    cards.put_in_order(parse_cards("W R2 R1 R2"))
    assert cards.faces == parse_cards("W R2 R1 R2")
    cards.put_in_order(parse_cards("W R2 R1"))
    assert cards.faces == parse_cards("W R2 R1 R2")


@given(st.lists(hands, min_size=1, max_size=5), st.sampled_from([NUMBER, COLOR, OWN]))
def test_what_is_arranged_is_what_is_held(changes: list[list[Card]], sort: str) -> None:
    cards = Arrangement(sort)
    for held in changes:
        cards.follow(held)
        assert Counter(cards.faces) == Counter(held)
        cards.move(0, len(held))
        assert Counter(cards.faces) == Counter(held)
