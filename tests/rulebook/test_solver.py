"""The solver: what is missing, and the best way to lay."""

import pytest

from phaseten.rules.cards import format_cards, parse_cards
from phaseten.rules.editions import Edition
from phaseten.rules.solver import Solution, missing_cards, solve_phase
from tests.oracle import Phase, check_melds, phase_of
from tests.oracle import solve as slow_solve
from tests.rulebook.situations import rules_for
from tests.rulebook.test_melds import own


def answer(
    box: str | Edition, phase: int, cards: str, house: tuple[str, ...] = ()
) -> tuple[int, str | None, int]:
    rules = rules_for(box, house=house)
    found = solve_phase(rules.by_number[phase], parse_cards(cards), rules)
    assert missing_cards(rules.by_number[phase], parse_cards(cards), rules) == found.missing
    assert found.possible is (found.missing == 0) is (found.melds is not None)
    laid = None if found.melds is None else " / ".join(map(format_cards, found.melds))
    return found.missing, laid, found.left_points


def test_a_solution() -> None:
    rules = rules_for("classic")
    phase = rules.by_number[4]
    laid = parse_cards("R3 B4 W=5 G6 Y7 R8 G9")
    held = parse_cards("R3 B4 W G6 Y7 R8 G9 S")
    assert solve_phase(phase, held, rules) == Solution(0, (laid,), 15)
    assert solve_phase(phase, held[:2], rules) == Solution(5, None, 10)
    assert Solution(0, (laid,), 15).possible is True
    assert Solution(5, None, 10).possible is False


@pytest.mark.parametrize(
    ("box", "phase", "cards", "expected"),
    [
        # runs: the fewest Wilds, then the fewest points left; longer where numbered cards fit
        ("classic", 4, "R3 B4 W G6 Y7 R8 G9 R12 S", (0, "R3 B4 W=5 G6 Y7 R8 G9", 25)),
        ("classic", 4, "R3 B4 G6 Y7 R8 G9 R12 S", (1, None, 55)),
        ("classic", 4, "R1 R2 R3 R4 R5 R6 R7 R8 R9 W", (0, "R1 R2 R3 R4 R5 R6 R7 R8 R9", 25)),
        ("classic", 4, "W W W W W W R12", (0, "W=6 W=7 W=8 W=9 W=10 W=11 R12", 0)),
        ("classic", 4, "W W W W W W W", (1, None, 175)),
        ("classic", 4, "", (7, None, 0)),
        ("classic", 4, "S S S S", (7, None, 60)),
        ("classic", 6, "R4 R5 R6 R7 R8 R9 R10 R11 G12", (0, "R4 R5 R6 R7 R8 R9 R10 R11 G12", 0)),
        # one colour
        ("classic", 8, "R1 R2 R3 R4 R5 R6 W W", (0, "R6 R5 R4 R3 R2 R1 W=R", 25)),
        ("classic", 8, "R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 S", (2, None, 65)),
        # express
        ("express", 1, "R1 B3 B5 Y6", (1, None, 20)),
        ("express", 1, "R1 B3 B5 W", (0, "B5 B3 R1 W", 0)),
        ("express", 4, "R6 Y6 B7 W", (0, "R6 Y6 B7 W=7", 0)),
        ("express", 4, "R6 Y6 B8 G8", (2, None, 20)),
        ("express", 7, "R4 R5 B6 W", (0, "W=R3 R4 R5", 5)),
        ("express", 7, "R11 R12 W", (0, "W=R10 R11 R12", 0)),
        ("express", 8, "R1 B3 B5 Y7 G9", (0, "R1 B3 B5 Y7 G9", 0)),
        ("express", 9, "R2 B4 B6 Y9", (1, None, 20)),
        # El Chavo
        ("elchavo", 10, "R5 R5 B5 Y5 G5 R3 B3 Y3", (1, None, 40)),
        ("elchavo", 10, "R8 R8 B8 Y8 G8 R3 B3 Y3", (0, "G8 Y8 B8 R8 R8 / Y3 B3 R3", 0)),
        ("elchavo", 10, "W W W W W W W W", (1, None, 200)),
    ],
)  # fmt: skip
def test_answers(box: str, phase: int, cards: str, expected: tuple[int, str | None, int]) -> None:
    missing, laid, left = answer(box, phase, cards)
    assert (missing, left) == (expected[0], expected[2])
    if expected[1] is None:
        assert laid is None
    else:
        assert laid is not None
        assert [sorted(m.split()) for m in laid.split(" / ")] == [
            sorted(m.split()) for m in expected[1].split(" / ")
        ]


def test_the_el_chavo_phase_lays_one_wild_more_to_show_one() -> None:
    assert answer("elchavo", 10, "R5 R5 B5 Y5 G5 R3 B3 Y3 W S") == (
        0,
        "R5 R5 B5 Y5 G5 W=5 / R3 B3 Y3",
        15,
    )
    assert answer("elchavo", 10, "R5 R5 B5 Y5 R3 B3 Y3 W W S")[2] == 40


HANDS = [
    ("classic", 1, "R1 R1 B1 R5 G5 W S R12 B12 G7"),
    ("classic", 1, "R1 R1 B1 Y1 G1 G1 R9 B9"),
    ("classic", 1, "R10 R10 B10 B10 Y10 Y10 G10 W"),
    ("classic", 1, "W W W W W R1"),
    ("classic", 1, "W W W W W W"),
    ("classic", 1, "R3 B3 R4 B4 R5 B5 W W"),
    ("classic", 1, "R7 B7 W W W W"),
    ("classic", 1, "R7 B7 Y7 W W W R12"),
    ("classic", 2, "R5 B5 W W W W W"),
    ("classic", 2, "R5 B6 W W W W W"),
    ("classic", 7, "R7 B7 W W W W W W"),
    ("express", 2, "R7 B7 W W"),
    ("classic", 2, "R3 B3 G3 R4 B5 G6 W"),
    ("classic", 2, "R3 B3 G3 Y3 R4 B5 G6 R7 R8"),
    ("classic", 2, "R3 B3 R4 B4 R5 B5 R6 B6 W"),
    ("classic", 2, "R12 B12 W R1 R2 W R4 S"),
    ("classic", 2, "R5 R5 B5 R6 R7 B7 R8 R9"),
    ("classic", 3, "R3 B3 G3 Y3 R4 B5 G6 R7"),
    ("classic", 3, "R1 B2 G3 Y4 W W W W"),
    ("classic", 4, "R1 R2 R4 R5 R7 R8 W R10 R11"),
    ("classic", 5, "R1 R2 R3 R4 W R6 R7 R8 R9 B10"),
    ("classic", 6, "R1 R2 R3 R5 R6 R7 R9 R10 W W"),
    ("classic", 7, "R7 R7 B7 B7 Y7 Y7 G7 W W"),
    ("classic", 7, "R7 R7 B7 W W W W G2"),
    ("classic", 8, "R1 R2 B1 B2 B3 Y1 Y2 W W G3"),
    ("classic", 8, "W W W W W W G3 B12"),
    ("classic", 9, "R2 R2 B2 B2 Y2 Y2 G2 W"),
    ("classic", 9, "R2 R2 B2 B2 W R3 R4 R12"),
    ("classic", 10, "R2 R2 B2 B2 W R3 B3 W S"),
    ("elchavo", 10, "R2 R2 B2 B2 Y2 R3 B3 Y3 W"),
    ("elchavo", 10, "R2 R2 B2 B2 Y2 R3 B3 R8 W"),
    ("elchavo", 10, "R8 R8 B2 B2 Y2 W W W"),
    ("elchavo", 10, "R2 R2 B2 B2 Y2 Y2 G2 G2"),
    ("anniversary", 8, "O1 O2 O3 O4 O5 O6 W R1 R2"),
    ("anniversary", 2, "O3 R3 G3 R4 O5 G6 W"),
    ("express", 1, "R1 B3 B4 W S"),
    ("express", 1, "W W W R2"),
    ("express", 2, "R1 B1 Y1 G1 W"),
    ("express", 2, "R1 B2 W W"),
    ("express", 3, "R2 B4 B6 Y8 G10 W"),
    ("express", 4, "R6 B6 R7 W B9 Y9"),
    ("express", 4, "R6 B6 R7 B7 R8 B8"),
    ("express", 4, "R6 B6 Y6 R7 B7 Y7"),
    ("express", 4, "R1 B1 W W R12"),
    ("express", 5, "R4 B4 Y4 G4 W"),
    ("express", 5, "W W R4 S"),
    ("express", 6, "R1 B2 Y3 G4 R5 B6"),
    ("express", 6, "R9 B10 W W R12"),
    ("express", 7, "R1 R2 B1 B2 B3 W"),
    ("express", 7, "R1 R3 B5 B7 W"),
    ("express", 7, "R1 R2 R3 R4 R5 B5"),
    ("express", 8, "R1 B3 W Y7 G9 B11"),
    ("express", 8, "R2 B4 Y6 G8 W"),
    ("express", 9, "R2 B4 Y6 G8 W R12"),
    ("express", 9, "R6 B8 Y10 W S"),
    ("express", 10, "R1 R2 R3 B1 B2 B3 W"),
    ("express", 10, "W W W R3 B4"),
]  # fmt: skip


@pytest.mark.parametrize("house", [(), ("natural_per_meld",)])
@pytest.mark.parametrize(("box", "phase", "cards"), HANDS)
def test_answers_as_the_oracle_finds_them(
    box: str, phase: int, cards: str, house: tuple[str, ...]
) -> None:
    query = phase_of(box, phase, natural_per_meld=bool(house))
    agree(query, cards, answer(box, phase, cards, house))


OWN_HANDS = [
    ("run 4 + color 4", 0, "R1 R2 R3 R4 B1 B2 B3 B4"),
    ("run 4 + color 4", 0, "R1 R2 R3 R4 B1 B2 B3"),
    ("run 4 + color 4", 0, "R1 R2 R3 R4 B1 B2 B3 W"),
    ("run 4 + color 4", 0, "R1 R2 R3 R4 R5 R6 R7 R8 B5"),
    ("color 4 + run 4", 0, "R1 R2 R3 R4 R5 B6 R7 R8 W"),
    ("run 4 + run 4", 0, "R1 R2 R3 R4 B1 B2 B3 B4 B5 R12"),
    ("run 4 + run 4", 0, "R1 R2 R3 R4 B1 B2 B3"),
    ("run 4 + run 4", 0, "R1 R2 R3 R4 R5 R6 R7 R8"),
    ("run 4 + run 4", 0, "R1 R2 R3 R4 R4 R5 R6 R7 R8"),
    ("run 4 + run 4", 0, "R4 R5 R6 R7 B5 B6 W W"),
    ("set 3 + color 4", 0, "R5 B5 Y5 R1 R2 R3 R4"),
    ("set 3 + color 4", 0, "R5 B5 Y5 R1 R2 R3 W"),
    ("set 3 + color 4", 0, "R5 B5 R1 R2 R3 B1 B2 B3 W"),
    ("color 3 + color 3", 0, "R1 R2 R3 R4 B1 B2 W"),
    ("color 3 + color 3", 0, "R1 R2 R3 R4 R5 R6"),
    ("odd 3 + even 3", 0, "R1 R3 R5 R2 R4 W"),
    ("odd 3 + odd 3", 0, "R1 R3 R5 B7 R2 W"),
    ("odd 3 + set 2", 0, "R1 R3 R5 B5 Y7 R2"),
    ("odd 3 + set 2", 0, "R1 R3 B3 W W"),
    ("pairrun 2 + set 3", 0, "R1 B1 R2 B2 Y2 Y1 W"),
    ("pairrun 2 + set 3", 0, "R1 B1 R2 B2 R3 B3 Y3 G3"),
    ("pairrun 3", 0, "R1 B1 R2 B2 R3 W"),
    ("colorrun 4 + run 4", 0, "R1 R2 R3 R4 B3 B4 B5 B6"),
    ("colorrun 4", 0, "R1 R2 R4 R5 B1 B2 B3 W"),
    ("oddrun 4 + set 2", 0, "R1 R3 R5 R7 R9 B9 W"),
    ("evenrun 4 + evenrun 4", 0, "R2 R4 R6 R8 B2 B4 B6 W B10"),
    ("run 4", 12, "R1 R2 R3 R4 W"),
    ("run 4", 12, "R9 R10 R11 R12 W"),
    ("run 4", 12, "R1 R2 R3 R4"),
    ("run 4", 12, "R1 R2 R3 R4 R5 W S"),
    ("run 4", 1, "R9 R10 R11 R12 B8 W W"),
    ("colorrun 4", 12, "R1 R2 R3 R4 W"),
    ("colorrun 4", 12, "R9 R10 R11 B12 W"),
    ("run 4 + set 2", 9, "R1 R2 R3 R4 B5 Y5 W"),
    ("run 4 + run 4", 9, "R1 R2 R3 R4 B1 B2 B3 B4 W"),
    ("pairrun 2", 9, "R1 B1 R2 B2 W"),
    ("color 4", 9, "R1 R2 R3 R4 W B9"),
    ("color 4", 9, "R1 R2 R3 R4 R9"),
    ("odd 4", 9, "R1 R3 R5 R7 W"),
    ("odd 4", 8, "R1 R3 R5 R7 B8"),
    ("set 2", 3, "R4 B4 R5 B5 W"),
    ("set 2", 3, "R3 W R5 B5"),
    ("set 2", 3, "W W"),
]


@pytest.mark.parametrize("house", [(), ("natural_per_meld",)])
@pytest.mark.parametrize(("text", "show", "cards"), OWN_HANDS)
def test_answers_for_phases_of_ones_own(
    text: str, show: int, cards: str, house: tuple[str, ...]
) -> None:
    """Groups that share cards, chains that can grow both ways, Phases that must show a number."""
    box = own(text, **({"must_show": show} if show else {}))
    shown = [str(show), "W"] if show else []
    query = Phase(text.split(" + "), shown, natural_per_meld=bool(house))
    agree(query, cards, answer(box, 1, cards, house))


def agree(query: Phase, cards: str, got: tuple[int, str | None, int]) -> None:
    """The answer is the oracle's, and its melds are melds."""
    wanted = slow_solve(cards.split(), query)
    missing, laid, left = got
    assert (missing, left) == (wanted["missing"], wanted["left_points"])
    if laid is None:
        assert not wanted["possible"]
    else:
        melds = [meld.split() for meld in laid.split(" / ")]
        assert check_melds(cards.split(), melds, query)
        assert sum("W" in card for meld in melds for card in meld) == wanted["wilds_spent"]
