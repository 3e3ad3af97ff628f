"""What is chosen before play."""

import pytest

from phaseten.rules.editions import HOUSE_RULES, edition, read_edition
from phaseten.rules.options import (
    STANDARD,
    OptionError,
    Rules,
    Variant,
    check_house,
    parse_house,
    parse_variant,
)
from phaseten.rules.state import ScoreSheet, new_game
from tests.rulebook.situations import rules_for


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("standard", Variant(False, None, False)),
        ("ten-hands", Variant(True, None, False)),
        ("phases=5", Variant(False, 5, False)),
        ("phases=10", Variant(False, 10, False)),
        ("even", Variant(False, None, True)),
        ("ten-hands,phases=5,even", Variant(True, 5, True)),
        ("ten-hands,even", Variant(True, None, True)),
        ("phases=0", Variant(False, 0, False)),
    ],
)
def test_variations_are_read_and_written(text: str, variant: Variant) -> None:
    assert parse_variant(text) == variant
    assert variant.text == text


def test_variations_in_another_order_or_with_spaces() -> None:
    assert parse_variant("even, phases=4 ,ten-hands").text == "ten-hands,phases=4,even"
    assert parse_variant(" standard ") is STANDARD
    assert Variant() == STANDARD


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", ""), ("odd", "odd"), ("phases", "phases"), ("phases=", "phases="), ("phases=x", "phases=x"),
        ("phases=100", "phases=100"), ("phases=²", "phases=²"), ("phases=٣", "phases=٣"),
        ("phases=-1", "phases=-1"), ("even,", ""), ("standard,even", "standard"), ("even=1", "even=1"),
        ("Even", "Even"), ("ten_hands", "ten_hands"),
    ],
)  # fmt: skip
def test_what_is_no_variation(text: str, word: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_variant(text)
    assert str(error.value) == (
        f"{word!r} is not a variation: write standard, or any of ten-hands, phases=5 and even, "
        "separated by commas"
    )


@pytest.mark.parametrize("text", ["even,even", "phases=5,phases=6", "ten-hands,even,ten-hands"])
def test_the_same_variation_twice(text: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_variant(text)
    assert str(error.value) == f"{text!r} names the same variation twice"


def test_house_rules_are_read() -> None:
    assert parse_house("") == frozenset()
    assert parse_house("choose_phase, no_rediscard,") == {"choose_phase", "no_rediscard"}
    assert check_house(HOUSE_RULES) == set(HOUSE_RULES)
    with pytest.raises(OptionError) as error:
        parse_house("no_rediscard,jokers,aces")
    assert str(error.value) == (
        "'aces' is not a house rule: choose from discard_to_go_out, natural_per_meld, "
        "no_rediscard, choose_phase, endless_hands"
    )
    with pytest.raises(OptionError, match="'jokers' is not a house rule"):
        Rules(edition("classic"), STANDARD, frozenset(["jokers"]))


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_house_rules_are_off_unless_switched_on(name: str) -> None:
    assert [getattr(rules_for(), rule) for rule in HOUSE_RULES] == [False] * 5
    chosen = rules_for(house=[name])
    own = Rules(read_edition(f'based_on = "classic"\nhouse = ["{name}"]\n', "own.toml"))
    for rules in (chosen, own):
        assert [rule for rule in HOUSE_RULES if getattr(rules, rule)] == [name]


def test_the_phases_of_a_game() -> None:
    rules = rules_for(variant="phases=6,even")
    classic = edition("classic").phases
    assert rules.phases == (classic[1], classic[3], classic[5])
    assert rules.by_number == {2: classic[1], 4: classic[3], 6: classic[5]}


@pytest.mark.parametrize("players", [0, 1, 7])
def test_two_to_six_players(players: int) -> None:
    with pytest.raises(OptionError) as error:
        rules_for().check_players(players)
    assert str(error.value) == f"Classic is for 2 to 6 players, not {players}"
    with pytest.raises(OptionError):
        new_game(rules_for(), players, 1)


def test_enough_cards_for_everybody() -> None:
    """Each player's cards, one turned up and one to draw: 6 players with 17 each leave 6, not 5."""
    rules = Rules(read_edition('based_on = "classic"\ndeal = 17\n', "own.toml"))
    rules.check_players(6)
    rules = Rules(read_edition('based_on = "classic"\ndeal = 18\n', "own.toml"))
    rules.check_players(5)
    with pytest.raises(OptionError) as error:
        rules.check_players(6)
    assert str(error.value) == (
        "6 players need 110 cards, and the deck of Classic has 108: fewer players, or deal fewer cards"
    )
    exact = Rules(read_edition('based_on = "classic"\ndeal = 18\nwilds = 10\n', "own.toml"))
    exact.check_players(6)
    less = Rules(read_edition('based_on = "classic"\ndeal = 18\nwilds = 9\n', "own.toml"))
    with pytest.raises(OptionError, match="has 109"):
        less.check_players(6)


def test_a_new_game() -> None:
    state = new_game(rules_for(variant="phases=3"), 3, 2)
    assert state.sheet == ScoreSheet(((1, 2, 3),) * 3, (0, 0, 0), (), 2, (), None)
    assert (state.board, state.held, state.draw_pile) == (None, (), ())
    assert state.sheet.seats == 3


@pytest.mark.parametrize("dealer", [0, 4, -1])
def test_the_dealer_sits_at_the_table(dealer: int) -> None:
    with pytest.raises(ValueError, match="cannot deal") as error:
        new_game(rules_for(), 3, dealer)
    assert str(error.value) == f"seat {dealer} cannot deal: the seats are 1 to 3"
    assert new_game(rules_for(), 3, 3).sheet.dealer == 3
    assert new_game(rules_for(), 3, 1).sheet.dealer == 1
