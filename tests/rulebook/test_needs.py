import pytest

from phaseten import Game, parse_cards
from phaseten.rules.editions import edition
from phaseten.rules.needs import Need, _need, needs_of
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards

CLASSIC = Rules(edition("classic"))
EXPRESS = Rules(edition("express"))


def need(phase: int, cards: str, rules: Rules = CLASSIC) -> Need:
    return _need(rules.by_number[phase], parse_cards(cards), rules)


def shown(found: Need) -> list[str]:
    return [
        " ".join(slot.card.text if slot.filled else f"[{slot.card.text}]" for slot in row)
        for row in found.rows
    ]


def test_filled_and_empty_slots() -> None:
    found = need(4, "R3 B4 G6 Y7 R8 W R12")
    assert found.missing == 1
    assert shown(found) in (
        ["R3 B4 W=5 G6 Y7 R8 [W=9]"],
        ["[W=2] R3 B4 W=5 G6 Y7 R8"],
        ["W=2 R3 B4 [W=5] G6 Y7 R8"],
    )
    assert [card.text for card in found.helpful] == ["W=2", "W=5", "W=9"]


def test_nothing_is_missing() -> None:
    found = need(1, "R3 B3 G3 R8 B8 G8 R12")
    assert found.missing == 0
    assert shown(found) == ["R3 B3 G3", "R8 B8 G8"]
    assert found.helpful == ()


def test_colours_help_as_colours() -> None:
    found = need(8, "R3 R4 R5 R6 R7 B1 G2")
    assert found.missing == 2
    assert [card.text for card in found.helpful] == ["W=R"]


def test_single_faces() -> None:
    found = need(7, "R5 R6 B1 G9 Y12", EXPRESS)
    assert found.missing == 1
    assert {"R4", "R7"} <= {card.text for card in found.helpful}


def test_wilds_alone_need_a_numbered_card() -> None:
    found = need(1, "W W W W W W")
    assert found.missing == 1
    assert shown(found) == ["[W] [W] [W]", "[W] [W] [W]"]


@pytest.mark.parametrize("name", ["classic", "elchavo", "express", "anniversary"])
def test_the_slots_say_what_the_solver_says(name: str) -> None:
    for seed in range(12):
        game = Game(name, ["Ana", "Beto"], seed=seed, house=["choose_phase"])
        view = game.view()
        needs = needs_of(view)
        assert len(needs) == 10
        assert [each.missing for each in needs] == sorted(each.missing for each in needs)
        for each in needs:
            empty = sum(not slot.filled for row in each.rows for slot in row)
            assert each.missing == missing_cards(each.phase, view.held, view.rules)
            assert empty == each.missing or not any(card.is_natural for card in view.held)


def test_no_need_after_laying_and_for_watchers() -> None:
    game = Game("classic", ["Ana", "Beto"], seed=1)
    assert needs_of(game.view()._replace(seat=None)) == []
    board = game.view().board
    assert board is not None
    assert needs_of(game.view()._replace(board=board._replace(made=(1, 1)))) == []
