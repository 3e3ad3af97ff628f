"""The solver and the list of lay-downs against the oracle, which tries everything."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from phaseten.rules.cards import Card, parse_card, parse_cards
from phaseten.rules.editions import BOOK_EDITIONS, Edition, Phase, edition
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.melds import check_phase, read_meld
from phaseten.rules.options import Rules
from phaseten.rules.refusals import Refusal
from phaseten.rules.solver import missing_cards, solve_phase
from tests import oracle
from tests.laws.games import box, custom_editions, examples
from tests.laws.judging import oracle_phase


@dataclass(frozen=True)
class Case:
    """Some held cards and a Phase."""

    edition: str
    """A name, or the TOML text of a custom edition."""
    number: int
    cards: str
    natural_per_meld: bool

    @property
    def made(self) -> Edition:
        return box(self.edition)

    @property
    def rules(self) -> Rules:
        house = frozenset({"natural_per_meld"} if self.natural_per_meld else ())
        return Rules(self.made, house=house)

    @property
    def phase(self) -> Phase:
        return self.made.phase(self.number)

    @property
    def held(self) -> tuple[Card, ...]:
        return parse_cards(self.cards)


@st.composite
def hands(draw: st.DrawFn, made: Edition, phase: Phase, most: int) -> str:
    """Held cards: of any kind, but mostly such as nearly make the Phase, with Wilds or without."""
    rules = Rules(made)
    wanted = oracle_phase(phase, rules)
    numbers = range(1, made.highest + 1)
    face = st.builds("{}{}".format, st.sampled_from(made.colors), st.sampled_from(numbers))
    wild = draw(st.sampled_from([0, 0, 1, 3, 6]))  # in ten
    gap = draw(st.sampled_from([0, 0, 1, 2, 4]))
    cards: list[str] = []
    if draw(st.integers(0, 4)):
        for group in phase.groups:
            shapes = list(oracle._declarations(group.kind.name, group.size, wanted))
            for place, count in draw(st.sampled_from(shapes)):
                for _ in range(count + draw(st.sampled_from([0, 0, 0, 1]))):
                    dice = draw(st.integers(0, 9))
                    if dice < wild:
                        cards.append("W")
                    elif dice < 10 - gap:
                        cards.append(draw(fitting(place, made, numbers)))
    cards += draw(st.lists(st.one_of(face, face, face, st.sampled_from("WS")), max_size=6))
    return " ".join(draw(st.permutations(cards[:most])))


def fitting(place: str, made: Edition, numbers: Sequence[int]) -> st.SearchStrategy[str]:
    """A numbered card for a place of the oracle's."""
    if place in ("odd", "even"):
        alike = [n for n in numbers if n % 2 == (place == "odd")]
        return st.builds("{}{}".format, st.sampled_from(made.colors), st.sampled_from(alike or [1]))
    if place.isdigit():
        return st.builds("{}{}".format, st.sampled_from(made.colors), st.just(place))
    if len(place) == 1:
        return st.builds("{}{}".format, st.just(place), st.sampled_from(numbers))
    return st.just(place)


@st.composite
def book_cases(draw: st.DrawFn) -> Case:
    name = draw(st.sampled_from(BOOK_EDITIONS))
    made = edition(name)
    phase = draw(st.sampled_from(made.phases))
    cards = draw(hands(made, phase, made.deal + 1))
    return Case(name, phase.number, cards, draw(st.booleans()))


@st.composite
def custom_cases(draw: st.DrawFn, most: int = 9) -> Case:
    text = draw(custom_editions("any") | custom_editions("wild"))
    made = box(text)
    phase = draw(st.sampled_from(made.phases))
    return Case(text, phase.number, draw(hands(made, phase, most)), draw(st.booleans()))


def check_solution(case: Case) -> int:
    """Compare the answers; what is missing."""
    wanted = oracle_phase(case.phase, case.rules)
    cards = case.cards.split()
    answer = oracle.solve(cards, wanted)
    found = solve_phase(case.phase, case.held, case.rules)
    assert found.possible == answer["possible"]
    assert found.left_points == answer["left_points"]
    if answer["missing"] is not None:
        assert found.missing == answer["missing"]
    if found.melds is None:
        assert missing_cards(case.phase, case.held, case.rules) == found.missing > 0
        return found.missing
    assert missing_cards(case.phase, case.held, case.rules) == 0
    laid = [[card.text for card in meld] for meld in found.melds]
    assert oracle.check_melds(cards, laid, wanted)
    spent = [card for meld in laid for card in meld if oracle.is_wild(card)]
    assert len(spent) == answer["wilds_spent"]
    rest = Counter(cards) - Counter("W" if oracle.is_wild(c) else c for m in laid for c in m)
    assert sum(oracle.points(card) for card in rest.elements()) == found.left_points
    read = [
        read_meld(group, meld, case.made)
        for group, meld in zip(case.phase.groups, found.melds, strict=True)
    ]
    for meld, given_cards in zip(read, found.melds, strict=True):
        assert not isinstance(meld, Refusal), meld
        assert meld.cards == given_cards  # in normal form already
    melds = [meld for meld in read if not isinstance(meld, Refusal)]
    assert check_phase(case.phase, melds, case.rules) is None
    return 0


@examples(250)
@given(book_cases())
def test_the_solver_is_right_by_the_book(case: Case) -> None:
    event(f"missing: {min(check_solution(case), 3)}")


@examples(350)
@given(custom_cases())
def test_the_solver_is_right_for_custom_phases(case: Case) -> None:
    event(f"missing: {min(check_solution(case), 3)}")


def check_ways(case: Case) -> int:
    """Compare the lists; how many ways there are."""
    wanted = oracle_phase(case.phase, case.rules)
    expected = oracle.minimal_lays(case.cards.split(), wanted)
    ways = list(ways_to_lay(case.phase, case.held, case.rules))
    listed = [
        oracle._normal(
            [
                oracle.normal_meld([card.text for card in meld.cards], meld.group.text)
                for meld in melds
            ],
            wanted,
        )
        for melds in ways
    ]
    assert set(listed) == expected
    assert len(listed) == len(expected)
    for melds in ways[:50]:
        for meld in melds:
            assert read_meld(meld.group, meld.cards, case.made) == meld
    # Always the same order, whatever the order of the held cards.
    again = ways_to_lay(case.phase, tuple(reversed(case.held)), case.rules)
    assert list(again) == ways
    return len(ways)


@examples(250)
@given(book_cases())
def test_all_ways_to_lay_are_listed_by_the_book(case: Case) -> None:
    event("can be laid" if check_ways(case) else "cannot be laid")


@examples(350)
@given(custom_cases())
def test_all_ways_to_lay_are_listed_for_custom_phases(case: Case) -> None:
    event("can be laid" if check_ways(case) else "cannot be laid")


@examples(150)
@given(custom_cases(most=6))
def test_the_ways_to_lay_are_those_of_plain_trying(case: Case) -> None:
    """The oracle's second route, which splits the cards in every way."""
    wanted = oracle_phase(case.phase, case.rules)
    assert oracle.naive_lays(case.cards.split(), wanted) == oracle.minimal_lays(
        case.cards.split(), wanted
    )
    check_ways(case)


@examples(150)
@given(st.data(), st.one_of(book_cases(), custom_cases()))
def test_missing_cards_are_consistent(data: st.DataObject, case: Case) -> None:
    """One card more or less changes what is missing by at most one, and never the wrong way."""
    missing = missing_cards(case.phase, case.held, case.rules)
    assert solve_phase(case.phase, case.held, case.rules).missing == missing
    assert (missing == 0) == any(True for _ in ways_to_lay(case.phase, case.held, case.rules))
    faces = [*dict.fromkeys(case.made.deck), parse_card("W"), parse_card("S")]
    for card in data.draw(st.lists(st.sampled_from(faces), min_size=1, max_size=8)):
        more = missing_cards(case.phase, (*case.held, card), case.rules)
        assert missing - 1 <= more <= missing
        if card.is_skip:
            assert more == missing
    for i in range(len(case.held)):
        less = missing_cards(case.phase, case.held[:i] + case.held[i + 1 :], case.rules)
        assert missing <= less <= missing + 1
    if missing:
        with_one = [missing_cards(case.phase, (*case.held, card), case.rules) for card in faces]
        answer = oracle.missing(case.cards.split(), oracle_phase(case.phase, case.rules))
        if answer is not None:
            assert min(with_one) == missing - 1  # some card helps
    held = data.draw(st.permutations(case.held))
    assert solve_phase(case.phase, tuple(held), case.rules).left_points == (
        solve_phase(case.phase, case.held, case.rules).left_points
    )


MANY_WILDS = [
    ("classic", 1, "W W W W W W W W R5 R6"),
    ("classic", 1, "W W W W W W W W S S"),
    ("classic", 2, "W W W W W W W R12 S"),
    ("classic", 3, "W W W W W W W W R12"),
    ("classic", 6, "W W W W W W W W R12"),
    ("classic", 6, "W W W W W W W W R1 B1 G12"),
    ("classic", 8, "W W W W W W W W R1"),
    ("classic", 9, "W W W W W W W W"),
    ("elchavo", 10, "W W W W W W W W R3"),
    ("elchavo", 10, "R3 B3 Y3 G3 R3 B5 Y5 G5 W"),
    ("elchavo", 10, "R3 B3 Y3 G3 R3 B5 Y5 G5 R8"),
    ("elchavo", 10, "R3 B3 Y3 G3 R3 B8 Y8 G8 W"),
    ("express", 2, "W W W R1"),
    ("express", 4, "W W W R12 B12"),
    ("express", 7, "W W W R12 B11"),
    ("express", 9, "W W W R1 B12"),
]


@pytest.mark.parametrize("per_meld", [False, True])
@pytest.mark.parametrize(("name", "number", "cards"), MANY_WILDS)
def test_hands_with_many_wilds(name: str, number: int, cards: str, per_meld: bool) -> None:
    case = Case(name, number, cards, per_meld)
    check_solution(case)
    check_ways(case)


def custom(groups: str, must_show: int = 0) -> str:
    shown = f'must_show = {{ "1" = {must_show} }}\n' if must_show else ""
    return (
        'based_on = "classic"\nname = "hard"\ntitle = "Hard"\nshortest_run = 2\n'
        f'phases = ["{groups}"]\n{shown}'
    )


@pytest.mark.parametrize("per_meld", [False, True])
@pytest.mark.parametrize(
    ("groups", "must_show", "cards"),
    [
        # Everything can be laid, but only if the run gets the red 6 and the red 9.
        ("colorrun 2 + run 2", 0, "R7 R8 B5 R6 B7 G8 R9 B10"),
        # Two chains that compete for the same cards, and chains beside pairs.
        ("run 3 + run 3", 0, "R1 B2 R3 B4 R5 G6 Y3 Y4 Y5"),
        ("run 2 + pairrun 2", 0, "R4 B4 R5 B5 R6 B6 R7 G8"),
        ("oddrun 3 + run 3", 0, "R1 R3 R5 B5 B6 B7 B9 R11"),
        ("colorrun 3 + color 3", 0, "R1 R2 R3 R4 R9 R12 B1 W"),
        # A colour and a number that share cards.
        ("color 3 + set 3", 0, "R5 B5 G5 R1 R2 R12 B12"),
        ("color 3 + set 3", 0, "R5 B5 W R1 R2 W"),
        ("odd 2 + set 2", 0, "R5 B5 R7 G12 G12"),
        ("odd 2 + even 2", 0, "R1 B1 Y2 W W"),
        # One card that either meld could use.
        ("set 2 + set 2", 0, "R5 W W W"),
        ("set 2 + color 2", 0, "R5 W W W"),
        ("run 2 + colorrun 2", 0, "R5 W W W"),
        # A show: by a card, by a Wild that is needed anyway, by one laid in addition or instead.
        ("run 4", 9, "R1 R2 R3 R4 W"),
        ("run 4", 9, "R1 R2 R3 R4 R9 R8"),
        ("run 4", 9, "R6 R7 R8 R9 R10 W"),
        ("run 4", 9, "R9 R10 R11 R12 B1 B2 B3 B4 W"),
        ("run 11", 9, "R1 R2 R3 R4 R5 R6 R7 R8 W R10 R11"),
        ("pairrun 2", 9, "R1 B1 R2 B2 W"),
        ("pairrun 2", 9, "R1 B1 R2 B2 W W W"),
        ("run 2 + run 2", 9, "R1 R2 B3 B4 R12 W"),
        ("colorrun 3", 1, "G10 G11 G12 W"),
        ("set 3 + run 3", 1, "R5 B5 G5 R10 R11 R12 W"),
        ("color 3", 1, "R2 R3 R4 B1"),
        ("even 3", 1, "R2 R4 R6 W B1"),
        ("even 3", 1, "R2 R4 R6 B1"),
    ],
)
def test_hard_hands(groups: str, must_show: int, cards: str, per_meld: bool) -> None:
    case = Case(custom(groups, must_show), 1, cards, per_meld)
    check_solution(case)
    check_ways(case)
