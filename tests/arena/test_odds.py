"""The odds against brute force over whole decks, the oracle, sampled hands, and arithmetic."""

import itertools
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.arena import odds as module
from phaseten.arena.odds import Odds, OddsError, odds
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, Edition, Phase, edition, parse_groups
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards, solve_phase
from tests import oracle
from tests.effort import every, mainly
from tests.laws.judging import oracle_phase

CLASSIC = edition("classic")
EXPRESS = edition("express")
PER_MELD = frozenset({"natural_per_meld"})
LONG = pytest.mark.long


def box(  # noqa: PLR0917 - as in a table of boxes
    colors: str, highest: int, copies: int, wilds: int, skips: int, deal: int
) -> Edition:
    return replace(
        CLASSIC,
        colors=colors,
        highest=highest,
        copies=copies,
        wilds=wilds,
        skips=skips,
        deal=deal,
    )


def phase_of(text: str, must_show: int = 0) -> Phase:
    return Phase(1, parse_groups(text), must_show)


def layable(deck: Edition, text: str) -> int:
    return odds(Rules(deck), phase_of(text)).layable


def taken(faces: Sequence[tuple[Card, int]], count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every different choice of so many cards, and how often it comes."""
    if not faces:
        if not count:
            yield (), 1
        return
    (face, copies), rest = faces[0], faces[1:]
    for number in range(min(copies, count) + 1):
        for cards, ways in taken(rest, count - number):
            yield (face,) * number + cards, ways * comb(copies, number)


@cache
def all_hands(deck: Edition) -> list[tuple[tuple[Card, ...], int]]:
    return list(taken(list(Counter(deck.deck).items()), deck.deal))


def by_solver(rules: Rules, phase: Phase) -> Odds:
    hands = all_hands(rules.edition)
    return Odds(
        sum(ways for _, ways in hands),
        sum(ways for cards, ways in hands if solve_phase(phase, cards, rules).possible),
    )


def by_oracle(rules: Rules, phase: Phase) -> Odds:
    hands = all_hands(rules.edition)
    asked = oracle_phase(phase, rules)
    return Odds(
        sum(ways for _, ways in hands),
        sum(ways for cards, ways in hands if oracle.can_lay([c.text for c in cards], asked)),
    )


# -- every hand of small decks -----------------------------------------------------------------

# Small decks with all that matters: several copies, more Wilds than a Phase has cards, no Wild.
PLAIN = box("RB", 5, 1, 2, 1, 6)
DOUBLE = box("RB", 3, 2, 2, 1, 6)
WILD = box("RBY", 3, 1, 5, 1, 5)
TAME = box("RBYG", 3, 1, 0, 1, 5)
SINGLE = box("G", 6, 2, 1, 2, 5)
DECKS = {"plain": PLAIN, "double": DOUBLE, "wild": WILD, "tame": TAME, "single": SINGLE}

GROUPS = (
    "set 2",
    "run 3",
    "color 3",
    "odd 3",
    "even 2",
    "pairrun 2",
    "colorrun 2",
    "oddrun 2",
    "evenrun 2",
)
PAIRS = [f"{one} + {two}" for one, two in itertools.combinations_with_replacement(GROUPS, 2)]
TEXTS = [*GROUPS, *PAIRS]
some_texts = pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=pytest.mark.long if number % 5 else ())
        for number, text in enumerate(TEXTS)
    ],
)
"""All of them, but for `make test` every fifth."""


def fits(deck: Edition, text: str) -> bool:
    """Whether every chain of the Phase is short enough for the deck's numbers."""
    return all(
        group.size
        <= len(range(2 if group.kind.parity == 0 else 1, deck.highest + 1, group.kind.step))
        for group in parse_groups(text)
        if group.kind.chain
    )


def is_usual(name: str, number: int) -> bool:
    """Whether `make test` asks for the Phase with that deck: all with one, and some with many Wilds."""
    return name == "double" or (name == "wild" and number % 3 == 0)


@pytest.mark.parametrize(
    ("text", "deck"),
    [
        pytest.param(text, deck, id=f"{text}-{name}", marks=() if is_usual(name, number) else LONG)
        for number, text in enumerate(TEXTS)
        for name, deck in DECKS.items()
    ],
)
def test_every_hand_of_a_small_deck_by_the_solver(text: str, deck: Edition) -> None:
    if fits(deck, text):
        rules = Rules(deck)
        assert odds(rules, phase_of(text)) == by_solver(rules, phase_of(text))


@pytest.mark.parametrize("deck", [DOUBLE, WILD], ids=["double", "wild"])
@some_texts
def test_house_rule_natural_per_meld(text: str, deck: Edition) -> None:
    if fits(deck, text):
        rules = Rules(deck, house=PER_MELD)
        assert odds(rules, phase_of(text)) == by_solver(rules, phase_of(text))


@pytest.mark.parametrize("deck", [DOUBLE, TAME], ids=["double", "tame"])
@some_texts
def test_must_show(text: str, deck: Edition) -> None:
    if fits(deck, text):
        rules = Rules(deck)
        assert odds(rules, phase_of(text, 2)) == by_solver(rules, phase_of(text, 2))


@pytest.mark.parametrize("text", ["set 2 + set 3", "set 2 + color 3", "run 3 + odd 2", "even 3"])
def test_must_show_and_natural_per_meld_together(text: str) -> None:
    rules = Rules(WILD, house=PER_MELD)
    for number in (1, 2, 3):
        assert odds(rules, phase_of(text, number)) == by_solver(rules, phase_of(text, number))


@pytest.mark.parametrize("house", [frozenset[str](), PER_MELD], ids=["book", "per_meld"])
@pytest.mark.parametrize("must_show", [0, 3])
@pytest.mark.parametrize(
    "text", ["set 3", "set 2 + run 3", "set 2 + color 2", "colorrun 2 + odd 2", "pairrun 2 + set 2"]
)
def test_every_hand_of_a_small_deck_by_the_oracle(
    text: str, must_show: int, house: frozenset[str]
) -> None:
    rules = Rules(box("RB", 3, 1, 3, 1, 5), house=house)
    assert odds(rules, phase_of(text, must_show)) == by_oracle(rules, phase_of(text, must_show))


@pytest.mark.long
@pytest.mark.parametrize("house", [frozenset[str](), PER_MELD], ids=["book", "per_meld"])
@pytest.mark.parametrize("must_show", [0, 3])
@pytest.mark.parametrize("text", TEXTS)
def test_every_hand_of_many_decks(text: str, must_show: int, house: frozenset[str]) -> None:
    for deck in (*DECKS.values(), box("RBY", 4, 1, 3, 1, 7), box("RB", 4, 2, 1, 0, 8)):
        if fits(deck, text):
            rules = Rules(deck, house=house)
            assert odds(rules, phase_of(text, must_show)) == by_solver(
                rules, phase_of(text, must_show)
            )


@st.composite
def questions(draw: st.DrawFn) -> tuple[Rules, Phase]:
    """A deck of few hands and a Phase of any sizes."""
    deck = box(
        draw(st.sampled_from(["R", "RB", "RBY"])),
        draw(st.integers(2, 4)),
        draw(st.integers(1, 2)),
        draw(st.integers(0, 4)),
        draw(st.integers(0, 2)),
        draw(st.integers(2, 5)),
    )
    group = st.builds(
        "{} {}".format, st.sampled_from([g.split()[0] for g in GROUPS]), st.integers(2, 4)
    )
    texts = draw(
        st.lists(group, min_size=1, max_size=2).map(" + ".join).filter(lambda t: fits(deck, t))
    )
    shown = draw(st.integers(0, deck.highest))
    return Rules(deck, house=draw(st.sampled_from([frozenset(), PER_MELD]))), phase_of(texts, shown)


@given(questions())
def test_any_small_deck(question: tuple[Rules, Phase]) -> None:
    rules, phase = question
    if len(rules.edition.deck) >= rules.edition.deal:
        assert odds(rules, phase) == by_solver(rules, phase)


# -- Express by the oracle: all 3,162,510 deals ------------------------------------------------


def rests(held: int) -> Iterator[tuple[list[str], int]]:
    """The Wilds and Skips that make up an Express hand, and how often they come."""
    for wilds in range(4):
        skips = 5 - held - wilds
        if 0 <= skips <= 3:
            yield ["W"] * wilds + ["S"] * skips, comb(3, wilds) * comb(3, skips)


def counts(sorts: int, most: int, total: int) -> Iterator[tuple[int, ...]]:
    """All rows of ``sorts`` numbers up to ``most`` that sum up to ``total`` or less."""
    if not sorts:
        yield ()
        return
    for first in range(min(most, total) + 1):
        for others in counts(sorts - 1, most, total - first):
            yield first, *others


def express_by_number(phase: oracle.Phase) -> Odds:
    """Where colours do not matter, one hand stands for all that differ in colours only."""
    deals = found = 0
    for row in counts(12, 4, 5):
        cards = [f"{color}{n}" for n, count in enumerate(row, 1) for color in "RBYG"[:count]]
        colored = prod(comb(4, count) for count in row)
        for rest, ways in rests(len(cards)):
            deals += colored * ways
            found += colored * ways * oracle.can_lay([*cards, *rest], phase)
    return Odds(deals, found)


def express_by_color(phase: oracle.Phase) -> Odds:
    """Where only colours matter."""
    deals = found = 0
    for row in counts(4, 5, 5):
        cards = [
            f"{c}{n}" for c, count in zip("RBYG", row, strict=True) for n in range(1, count + 1)
        ]
        numbered = prod(comb(12, count) for count in row)
        for rest, ways in rests(len(cards)):
            deals += numbered * ways
            found += numbered * ways * oracle.can_lay([*cards, *rest], phase)
    return Odds(deals, found)


def parts(total: int, most: int, colors: int) -> Iterator[list[int]]:
    """How many cards each of the colours has, the greatest number first."""
    if not colors:
        if not total:
            yield []
        return
    for first in range(min(total, most), -1, -1):
        for others in parts(total - first, first, colors - 1):
            yield [first, *others]


def express_up_to_colors(phase: oracle.Phase) -> Odds:
    """Where all colours are alike, one hand stands for those with the colours exchanged."""
    deals = found = 0
    for held in range(6):
        for sizes in parts(held, 5, 4):
            same = [list(run) for _, run in itertools.groupby(sizes)]
            choices = [
                itertools.combinations_with_replacement(
                    list(itertools.combinations(range(1, phase.highest + 1), run[0])), len(run)
                )
                for run in same
            ]
            for chosen in itertools.product(*choices):
                rows = [row for some in chosen for row in some]
                exchanges = factorial(4) // prod(map(factorial, Counter(rows).values()))
                cards = [f"{c}{n}" for c, row in zip("RBYG", rows, strict=True) for n in row]
                for rest, ways in rests(held):
                    deals += ways * exchanges
                    found += ways * exchanges * oracle.can_lay([*cards, *rest], phase)
    return Odds(deals, found)


@pytest.mark.parametrize("number", mainly(range(1, 11), 1, 6, 9))
def test_express_by_the_oracle(number: int) -> None:
    phase = oracle.phase_of("express", number)
    by = {7: express_up_to_colors, 10: express_by_color}.get(number, express_by_number)
    rules = Rules(EXPRESS)
    assert odds(rules, rules.by_number[number]) == by(phase)


def test_express_with_fewer_numbers_by_the_oracle() -> None:
    """The Phase above that takes long, with seven numbers."""
    rules = Rules(replace(EXPRESS, highest=7))
    phase = replace(oracle.phase_of("express", 7), highest=7)
    assert odds(rules, rules.by_number[7]) == express_up_to_colors(phase)


@pytest.mark.long
@pytest.mark.parametrize("number", [4, 7, 10])
def test_express_by_every_single_hand(number: int) -> None:
    """No hand stands for another."""
    rules = Rules(EXPRESS)
    phase = rules.by_number[number]
    hands = taken(list(Counter(EXPRESS.deck).items()), EXPRESS.deal)
    found = sum(ways for cards, ways in hands if missing_cards(phase, cards, rules) == 0)
    assert odds(rules, phase).layable == found


# -- sampled hands -----------------------------------------------------------------------------


def sampled(rules: Rules, phases: Sequence[Phase], hands: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    found = [0] * len(phases)
    for _ in range(hands):
        held = chance.sample(rules.edition.deck, rules.edition.deal)
        for i, phase in enumerate(phases):
            found[i] += missing_cards(phase, held, rules) == 0
    return found


def check_samples(rules: Rules, phases: Sequence[Phase], hands: int, seed: int) -> None:
    for phase, found in zip(phases, sampled(rules, phases, hands, seed), strict=True):
        chance = odds(rules, phase).probability
        sigma = (chance * (1 - chance) / hands) ** 0.5
        assert abs(found / hands - chance) < 5 * sigma, phase


@pytest.mark.parametrize("name", mainly(["classic", "elchavo", "express"], "elchavo"))
def test_sampled_hands_of_the_editions(name: str) -> None:
    rules = Rules(edition(name))
    check_samples(rules, rules.phases, 2_000, seed=10)


@pytest.mark.parametrize(
    "text",
    [
        "color 4 + set 3",
        pytest.param("colorrun 4", marks=LONG),
        pytest.param("colorrun 4 + color 3", marks=LONG),
        "colorrun 4 + colorrun 4",
        pytest.param("odd 5 + run 4", marks=LONG),
        "odd 4 + color 4",
        pytest.param("run 4 + run 4", marks=LONG),
    ],
)
def test_sampled_hands_of_phases_of_ones_own(text: str) -> None:
    check_samples(Rules(CLASSIC), [phase_of(text)], 2_000, seed=11)


@pytest.mark.long
@pytest.mark.parametrize(
    "text", ["color 4 + run 4", "colorrun 4 + set 3", "colorrun 4 + run 4", "color 4 + pairrun 2"]
)
@pytest.mark.parametrize("house", [frozenset[str](), PER_MELD], ids=["book", "per_meld"])
def test_sampled_hands_of_tangled_phases(text: str, house: frozenset[str]) -> None:
    check_samples(Rules(CLASSIC, house=house), [phase_of(text)], 50_000, seed=12)


@pytest.mark.long
@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_many_sampled_hands_of_the_editions(name: str) -> None:
    rules = Rules(edition(name))
    check_samples(rules, rules.phases, 100_000, seed=13)


# -- arithmetic --------------------------------------------------------------------------------


def test_all_deals_are_counted() -> None:
    rules = Rules(CLASSIC)
    assert odds(rules, rules.by_number[4]).deals == comb(108, 10)


def test_set_of_two_without_wilds_is_not_all_numbers_different() -> None:
    deck = replace(CLASSIC, wilds=0, skips=0)
    assert layable(deck, "set 2") == comb(96, 10) - comb(12, 10) * 8**10


def test_parity_by_hand() -> None:
    """``odd 7``: seven of the 48 odd cards and the Wilds together, one of them odd."""
    by_hand = sum(
        comb(48, odd) * comb(8, wilds) * comb(52, 10 - odd - wilds)
        for odd in range(1, 11)
        for wilds in range(min(8, 10 - odd) + 1)
        if odd + wilds >= 7
    )
    assert layable(CLASSIC, "odd 7") == layable(CLASSIC, "even 7") == by_hand


def test_color_by_hand() -> None:
    """``color 7``: with up to 3 Wilds only one colour can have so many; more need a count each."""
    by_hand = sum(
        prod(comb(24, count) for count in row) * comb(8, wilds) * comb(4, 10 - sum(row) - wilds)
        for row in itertools.product(range(11), repeat=4)
        if sum(row) <= 10
        for wilds in range(min(8, 10 - sum(row)) + 1)
        if any(row) and max(row) + wilds >= 7
    )
    assert layable(CLASSIC, "color 7") == by_hand


def test_a_full_run_by_hand() -> None:
    """``run 9`` of nine numbers, without Wilds: one number of each, and one card more."""
    deck = box("RBYG", 9, 2, 0, 0, 10)
    assert layable(deck, "run 9") == 9 * comb(8, 2) * 8**8


def test_what_cannot_fail() -> None:
    """Nine cards or more of four colours: three of one."""
    deck = replace(CLASSIC, wilds=1, skips=0)
    assert layable(deck, "color 3") == comb(97, 10)


def test_what_cannot_be() -> None:
    assert layable(CLASSIC, "set 6 + set 5") == 0  # nobody is dealt eleven cards
    assert layable(box("RB", 4, 1, 0, 4, 5), "set 3") == 0  # there are two of each number
    assert layable(box("RB", 4, 1, 5, 1, 5), "set 5") == 2 * 4 * 5 + 4 * comb(5, 3)


def test_odd_and_even_are_alike() -> None:
    for odd, even in [
        ("odd 4", "even 4"),
        ("oddrun 4", "evenrun 4"),
        ("odd 4 + set 3", "even 4 + set 3"),
    ]:
        assert layable(CLASSIC, odd) == layable(CLASSIC, even)


def test_the_order_of_the_groups_does_not_matter() -> None:
    for deck, text in itertools.product((CLASSIC, EXPRESS), ("set 3 + run 4", "odd 3 + color 2")):
        one, two = text.split(" + ")
        assert layable(deck, text) == layable(deck, f"{two} + {one}")


def test_a_larger_group_is_never_likelier() -> None:
    for kind in ("set", "run", "color", "odd", "colorrun", "pairrun"):
        found = [layable(EXPRESS, f"{kind} {size}") for size in range(2, 7)]
        assert found == sorted(found, reverse=True)


def test_editions_that_share_phases_share_their_odds() -> None:
    for number in every(3, range(1, 11)):  # 10 among them
        classic, deluxe, elchavo, anniversary = (
            odds(Rules(edition(name)), edition(name).phase(number))
            for name in ("classic", "deluxe", "elchavo", "anniversary")
        )
        assert classic == deluxe == anniversary
        assert (classic == elchavo) is (number != 10)


def test_what_el_chavo_costs() -> None:
    """Lost are the hands without a Wild whose sets are of other numbers.

    Without Wilds nobody is dealt sets with and without eights at once, so they are the hands of a
    deck without Wilds in which the eights are eight more Skips.
    """
    classic = odds(Rules(CLASSIC), CLASSIC.phase(10)).layable
    chavo = edition("elchavo")
    lost = layable(box("RBYG", 11, 2, 0, 4 + 8, 10), "set 5 + set 3")
    assert odds(Rules(chavo), chavo.phase(10)).layable == classic - lost


def test_what_natural_per_meld_costs() -> None:
    """Two sets of three: lost are the hands with one numbered card and five Wilds or more."""
    book = odds(Rules(CLASSIC), CLASSIC.phase(1)).layable
    house = odds(Rules(CLASSIC, house=PER_MELD), CLASSIC.phase(1)).layable
    lost = 96 * sum(comb(8, wilds) * comb(4, 9 - wilds) for wilds in range(5, 9))
    assert house == book - lost


def test_probability() -> None:
    assert Odds(8, 2).probability == 0.25


# -- limits ------------------------------------------------------------------------------------


def test_decks_of_any_size_are_counted_exactly() -> None:
    """More deals than fit in 64 bits."""
    deck = box("RBYGO", 12, 4, 20, 20, 20)
    assert odds(Rules(deck), phase_of("color 2")).deals == comb(280, 20) > 2**63
    # All but the hands without a pair of one colour: at most five naturals and no Wild.
    bare = sum(comb(5, n) * 48**n * comb(20, 20 - n) for n in range(6)) + sum(
        comb(20, wilds) * comb(20, 20 - wilds) for wilds in range(1, 21)
    )
    assert layable(deck, "color 2") == comb(280, 20) - bare


def test_counting_is_given_up_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1_000)
    with pytest.raises(OddsError, match=r"'color 4 \+ run 4' take too long to count exactly"):
        layable(CLASSIC, "color 4 + run 4")


def test_the_odds_need_no_numpy() -> None:
    code = "import sys, phaseten.arena.odds; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_exchanging_colors_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = box("RBYG", 5, 2, 3, 2, 7)
    texts = ["color 3 + set 3", "colorrun 3 + set 3", "color 3 + run 3", "colorrun 3 + run 3"]
    texts = list(every(3, texts))
    turned = [layable(deck, text) for text in texts]
    monkeypatch.setattr(module, "_turn", lambda *_: None)
    assert [layable(deck, text) for text in texts] == turned


@pytest.mark.long
def test_exchanging_colors_saves_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it this Phase takes eight times the work."""
    monkeypatch.setattr(module, "MOST_WORK", 200_000)
    assert layable(CLASSIC, "color 4 + set 3") > 0
    monkeypatch.setattr(module, "_turn", lambda *_: None)
    with pytest.raises(OddsError):
        layable(CLASSIC, "color 4 + set 3")
