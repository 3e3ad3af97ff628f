"""Every way to lay a Phase, and every hit, as they are offered."""

from collections import Counter

import pytest

from phaseten.rules.cards import format_cards, parse_cards
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.melds import Meld, add_to_meld, hits_on, open_ends
from tests.oracle import minimal_lays, naive_lays, phase_of
from tests.rulebook.situations import read_row, rules_for


def ways(box: str, phase: int, cards: str, house: tuple[str, ...] = ()) -> list[str]:
    rules = rules_for(box, house=house)
    found = ways_to_lay(rules.by_number[phase], parse_cards(cards), rules)
    return [" / ".join(format_cards(meld.cards) for meld in melds) for melds in found]


@pytest.mark.parametrize(
    ("box", "phase", "cards", "expected"),
    [
        ("classic", 1, "R3 B3 G3 R4 B4 G4 S", ["R3 B3 G3 / R4 B4 G4"]),
        ("classic", 1, "R3 B3 G3 R4 B4", []),
        ("classic", 1, "R3 B3 G3 R4 B4 W", ["R3 B3 G3 / R4 B4 W=4"]),
        ("classic", 1, "R3 R3 B3 B3 G3 G3", ["R3 R3 B3 / B3 G3 G3", "R3 R3 G3 / B3 B3 G3", "R3 B3 B3 / R3 G3 G3", "R3 B3 G3 / R3 B3 G3"]),
        ("classic", 2, "R3 B3 G3 R4 B5 G6", []),
        ("classic", 2, "R3 B3 G3 Y3 R4 B5 G6 S S", [
            "R3 B3 Y3 / G3 R4 B5 G6", "R3 B3 G3 / Y3 R4 B5 G6", "R3 Y3 G3 / B3 R4 B5 G6",
            "B3 Y3 G3 / R3 R4 B5 G6",
        ]),
        ("classic", 4, "R3 B4 W G6 Y7 R8 G9", ["R3 B4 W=5 G6 Y7 R8 G9"]),
        ("classic", 4, "W B4 R5 G6 Y7 R8 G9", ["W=3 B4 R5 G6 Y7 R8 G9", "B4 R5 G6 Y7 R8 G9 W=10"]),
        ("classic", 4, "R1 W R2 R3 R4 R5 R6", ["R1 R2 R3 R4 R5 R6 W=7"]),
        ("classic", 8, "R1 R2 R2 R5 R9 R11 W", ["R1 R2 R2 R5 R9 R11 W=R"]),
        ("express", 1, "R1 B3 Y5 W S", ["R1 B3 Y5 W"]),
        ("express", 3, "R1 B3 Y5 W S", []),
        ("express", 3, "R2 B4 W W W", ["R2 B4 W W", "R2 W W W", "B4 W W W"]),
        ("express", 4, "R6 Y6 B7 G7 B8", ["R6 Y6 B7 G7"]),
        ("express", 4, "R6 W B7 G7", ["R6 W=6 B7 G7"]),
        ("express", 5, "W W W", []),
        ("express", 5, "R4 W W", ["R4 W=4 W=4"]),
        ("express", 7, "R4 R5 W", ["W=R3 R4 R5", "R4 R5 W=R6"]),
        ("express", 7, "R4 B5 W W", [
            "W=R2 W=R3 R4", "W=R3 R4 W=R5", "R4 W=R5 W=R6", "W=B3 W=B4 B5", "W=B4 B5 W=B6", "B5 W=B6 W=B7",
        ]),
        ("express", 8, "R1 B3 Y5 G7 R9", ["R1 B3 Y5 G7", "B3 Y5 G7 R9"]),
        ("express", 9, "R2 B4 Y6 W", ["R2 B4 Y6 W=8"]),
        ("express", 10, "G1 G2 G3 W R5", ["G1 G2 G3 W=G"]),
        ("elchavo", 10, "R5 R5 B5 Y5 G5 R3 B3 Y3", []),
        ("elchavo", 10, "R5 R5 B5 Y5 G5 R8 B8 Y8", ["R5 R5 B5 Y5 G5 / R8 B8 Y8"]),
    ],
)  # fmt: skip
def test_every_way_to_lay(box: str, phase: int, cards: str, expected: list[str]) -> None:
    found = ways(box, phase, cards)
    assert len(set(found)) == len(found)
    assert sorted(map(by_meld, found)) == sorted(map(by_meld, expected))


def by_meld(lay: str) -> list[list[str]]:
    return [sorted(meld.split()) for meld in lay.split(" / ")]


def test_ways_are_listed_low_numbers_first_and_always_alike() -> None:
    assert ways("classic", 4, "W B4 R5 G6 Y7 R8 G9") == [
        "W=3 B4 R5 G6 Y7 R8 G9",
        "B4 R5 G6 Y7 R8 G9 W=10",
    ]
    assert ways("classic", 1, "R3 B3 G3 R4 B4 W G4") == [
        "R3 B3 G3 / R4 B4 G4",
        "R3 B3 G3 / R4 B4 W=4",
        "R3 B3 G3 / R4 G4 W=4",
        "R3 B3 G3 / B4 G4 W=4",
        "R3 B3 W=3 / R4 B4 G4",
        "R3 G3 W=3 / R4 B4 G4",
        "R4 B4 G4 / B3 G3 W=3",
    ]


def test_natural_per_meld_holds_in_what_is_offered() -> None:
    cards = "R9 B9 Y9 W W W"
    assert [way for way in ways("classic", 1, cards) if "W=4 W=4 W=4" in way] == [
        "R9 B9 Y9 / W=4 W=4 W=4"
    ]
    strict = ways("classic", 1, cards, ("natural_per_meld",))
    assert strict
    assert all(
        any("=" not in card for card in meld.split()) for way in strict for meld in way.split(" / ")
    )


@pytest.mark.parametrize(
    ("box", "phase", "cards"),
    [
        ("express", 1, "R1 B3 B4 W W S"), ("express", 2, "R1 B1 Y1 W W"), ("express", 2, "R1 B1 Y2 G2 W W"),
        ("express", 3, "R2 B2 W Y12 G3"), ("express", 4, "R6 B6 W W Y7"), ("express", 4, "R1 B2 W W W"),
        ("express", 5, "R4 B4 W W R5"), ("express", 6, "R1 W R3 W B4"), ("express", 7, "R1 R2 W W B2 B4"),
        ("express", 8, "R9 W B11 Y7 R5"), ("express", 9, "R12 W W Y8 R6"), ("express", 10, "R1 R1 B2 B3 W W"),
        ("anniversary", 1, "R1 O1 W W W O2"), ("classic", 9, "R1 R1 B1 B1 W W R2 B2"),
        ("elchavo", 10, "R1 R1 B1 B1 Y1 R8 B8 W"), ("classic", 2, "R1 R2 W R3 B3 Y3 R4"),
    ],
)  # fmt: skip
def test_every_way_to_lay_as_the_oracle_finds_it(box: str, phase: int, cards: str) -> None:
    rows = [way.split(" / ") for way in ways(box, phase, cards)]
    expected = minimal_lays(cards.split(), phase_of(box, phase))
    assert {tuple(sorted(tuple(sorted(row.split())) for row in way)) for way in rows} == {
        tuple(sorted(tuple(sorted(meld)) for meld in lay)) for lay in expected
    }
    assert len(rows) == len(expected)


def test_the_two_oracles_agree() -> None:
    cards = ["R6", "B6", "W", "W", "Y7"]
    assert minimal_lays(cards, phase_of("express", 4)) == naive_lays(cards, phase_of("express", 4))


# -- hits --------------------------------------------------------------------------------------


def hits(box: str, row: str, cards: str) -> list[str]:
    meld = read_row(row)
    box_edition = rules_for(box).edition
    found = hits_on(meld, Counter(parse_cards(cards)), box_edition)
    for hit in found:
        assert isinstance(add_to_meld(meld, hit, box_edition), Meld)
    return [format_cards(hit) for hit in found]


@pytest.mark.parametrize(
    ("row", "cards", "expected"),
    [
        ("set 3: R4 B4 G4", "R4 Y4 R5 S", ["R4", "Y4"]),
        ("set 3: R4 B4 G4", "Y4 W R5", ["Y4", "W=4"]),
        ("set 3: W=4 B4 G4", "Y4 W", ["Y4", "W=4"]),
        ("run 4: R3 B4 B5 G6", "R2 R7 R3 W S", ["R2", "R7", "W=2", "W=7"]),
        ("run 4: R3 B4 B5 G6", "R2 R7 R3 S", ["R2", "R7"]),
        ("run 4: R1 B2 B3 G4", "R5 R12 W", ["R5", "W=5"]),
        ("run 4: R9 B10 B11 G12", "R8 R1 W", ["R8", "W=8"]),
        ("run 7: R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12", "R1 W", []),
        ("color 7: R1 R2 R3 R4 R5 R6 W=R", "R9 B9 W S", ["R9", "W=R"]),
        ("color 7: R1 R2 R3 R4 R5 R6 W=R", "R9 B9 S", ["R9"]),
        ("odd 4: R1 B3 B5 Y7", "R9 B8 W S", ["R9", "W"]),
        ("odd 4: W B3 B5 Y7", "R9 B8 S", ["R9"]),
        ("even 4: R2 B4 B6 Y8", "R9 B8 W S", ["B8", "W"]),
        ("colorrun 3: R4 W=R5 R6", "R3 R7 B3 B7 W", ["R3", "R7", "W=R3", "W=R7"]),
        ("colorrun 3: R4 W=R5 R6", "R3 R7 B3 B7", ["R3", "R7"]),
        ("oddrun 4: R1 B3 B5 Y7", "R9 R8 W", ["R9", "W=9"]),
        ("evenrun 4: R4 B6 B8 Y10", "R2 R3 R12 W", ["R2", "R12", "W=2", "W=12"]),
        ("pairrun 2: R6 Y6 B7 G7", "R8 B8 R5 W", ["R5 W=5", "R8 B8", "R8 W=8", "B8 W=8"]),
        ("pairrun 2: R6 Y6 B7 G7", "R8 B8 R5", ["R8 B8"]),
        ("pairrun 2: R6 Y6 B7 G7", "W W", ["W=5 W=5", "W=8 W=8"]),
        ("pairrun 2: R6 Y6 B7 G7", "W", []),
        ("pairrun 2: R1 Y1 B2 G2", "R3 W W B12", ["R3 W=3", "W=3 W=3"]),
        ("pairrun 2: R6 Y6 B7 G7", "R8 R8 B8 S", ["R8 R8", "R8 B8"]),
        ("pairrun 2: R6 Y6 B7 G7", "R8 B8 Y8", ["R8 B8", "R8 Y8", "B8 Y8"]),
    ],
)
def test_every_hit(row: str, cards: str, expected: list[str]) -> None:
    assert hits("classic", row, cards) == expected


@pytest.mark.parametrize(
    ("row", "ends"),
    [
        ("run 4: R3 B4 B5 G6", (2, 7)),
        ("run 4: W=2 B3 B4 G5", (1, 6)),
        ("run 4: R1 B2 B3 G4", (5,)),
        ("run 4: R9 B10 B11 G12", (8,)),
        ("run 4: R8 B9 B10 W=11", (7, 12)),
        ("oddrun 4: R1 B3 B5 Y7", (9,)),
        ("oddrun 4: R5 B7 B9 Y11", (3,)),
        ("oddrun 4: R3 B5 B7 Y9", (1, 11)),
        ("evenrun 4: R2 B4 B6 Y8", (10,)),
        ("evenrun 4: R4 B6 B8 Y10", (2, 12)),
        ("run 7: R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12", ()),
    ],
)
def test_open_ends(row: str, ends: tuple[int, ...]) -> None:
    assert open_ends(read_row(row), rules_for().edition) == ends
