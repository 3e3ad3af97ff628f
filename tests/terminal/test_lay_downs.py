from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseten import Game, parse_cards
from phaseten.game import IllegalMoveError
from phaseten.rules.actions import LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.melds import held_form
from phaseten.rules.options import Rules
from phaseten.rules.views import legal_actions
from phaseten.terminal.lay_downs import Rows, ways_to_choose_from, ways_with, ways_with_chosen

CLASSIC = Rules(edition("classic"))
EXPRESS = Rules(edition("express"))


def ways(phase: int, cards: str, rules: Rules = CLASSIC) -> list[str]:
    found = ways_with(rules.by_number[phase], parse_cards(cards), rules)
    return [" / ".join(" ".join(card.text for card in row) for row in rows) for rows in found]


def test_exactly_the_chosen_cards_are_laid() -> None:
    assert ways(4, "G9 R3 B4 G5 G6 Y7 R8") == ["R3 B4 G5 G6 Y7 R8 G9"]
    assert ways(4, "R3 B4 G5 G6 Y7 R8") == []
    assert ways(4, "R3 B4 G5 G6 Y7 R8 G9 B9") == []


def test_larger_than_asked_for() -> None:
    assert ways(4, "R3 B4 G5 G6 Y7 R8 G9 G10") == ["R3 B4 G5 G6 Y7 R8 G9 G10"]
    assert ways(1, "R3 B3 G3 Y3 R8 B8 W") == ["R8 B8 W=8 / R3 B3 Y3 G3"]


def test_a_wild_can_go_to_either_end_or_either_meld() -> None:
    assert ways(2, "R1 B1 G1 R3 B4 G5 Y6 W") == [
        "R1 B1 G1 / W=2 R3 B4 G5 Y6",
        "R1 B1 G1 / R3 B4 G5 Y6 W=7",
        "R1 B1 G1 W=1 / R3 B4 G5 Y6",
    ]


def test_wilds_alone_say_what_they_stand_for() -> None:
    found = ways(1, "R3 B3 G3 W W W")
    assert [way for way in found if way.endswith(" / R3 B3 G3")] == [
        f"W={number} W={number} W={number} / R3 B3 G3" for number in range(1, 13)
    ]
    assert len(found) == 12 + 3  # and two sets of threes, with a Wild or two in each


def test_every_kind_of_meld() -> None:
    assert ways(1, "R3 B5 W G1", EXPRESS) == ["R3 B5 G1 W"]
    assert ways(4, "R6 B6 W Y7", EXPRESS) == ["R6 B6 Y7 W=7"]
    assert ways(7, "R6 W R8", EXPRESS) == ["R6 W=R7 R8"]
    assert ways(8, "R3 B5 W G9", EXPRESS) == ["R3 B5 W=7 G9"]
    assert ways(9, "R2 B4 W G8", EXPRESS) == ["R2 B4 W=6 G8"]
    assert ways(10, "R2 R4 W R8", EXPRESS) == ["R2 R4 R8 W=R"]


def test_no_skip_is_laid() -> None:
    assert ways(1, "R3 B3 G3 R8 B8 S") == []


@settings(max_examples=60)
@given(st.data(), st.sampled_from(BOOK_EDITIONS), st.integers(1, 10))
def test_whatever_is_legal_at_its_least_size_is_found(
    data: st.DataObject, name: str, number: int
) -> None:
    rules = Rules(edition(name))
    phase = rules.by_number[number]
    held = data.draw(
        st.permutations(rules.edition.deck).map(lambda deck: deck[: rules.edition.deal + 1])
    )
    for melds in list(ways_to_lay(phase, held, rules))[:5]:
        rows = tuple(meld.cards for meld in melds)
        found = ways_with(phase, held_form([card for row in rows for card in row]), rules)
        assert _sorted(rows) in map(_sorted, found)


def _sorted(rows: Rows) -> list[list[Card]]:
    return sorted(
        [sorted(row, key=lambda card: card.order) for row in rows],
        key=lambda row: [card.order for card in row],
    )


def test_all_ways_to_choose_from_are_accepted_by_the_referee() -> None:
    seen = 0
    for seed in range(40):
        game = Game("classic", ["Ana", "Beto"], seed=seed, dealer=2)
        game.play("D")
        view = game.view()
        found = ways_to_choose_from(view)
        legal = [action for action in legal_actions(view) if isinstance(action, LayPhase)]
        assert bool(found) == bool(legal)
        for way in found[:3]:
            again = Game("classic", ["Ana", "Beto"], seed=seed, dealer=2)
            again.play("D")
            again.play(way)
            seen += 1
    assert seen > 3


def test_the_last_card_is_kept_where_the_house_wants_a_discard() -> None:
    for seed in range(60):
        game = Game("express", ["Ana", "Beto"], seed=seed, dealer=2, house=["discard_to_go_out"])
        game.play("D")
        for way in ways_to_choose_from(game.view()):
            assert sum(map(len, way.melds)) < 6


def test_a_bad_choice_is_refused_by_the_rule_it_breaks() -> None:
    game = Game("classic", ["Ana", "Beto"], seed=7, dealer=2)
    game.play("D")
    held = game.view().held
    naturals = [card for card in held if card.is_natural]
    (attempt,) = ways_with_chosen(game.view(), naturals[:6])
    with pytest.raises(IllegalMoveError) as refused:
        game.play(attempt)
    assert refused.value.refusal.rule == "M-SET"
    assert Counter(held_form([card for row in attempt.melds for card in row])) == Counter(
        naturals[:6]
    )
