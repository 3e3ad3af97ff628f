"""What fits a meld, for melds of every kind and size, full ones included."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.rules.cards import SKIP, WILD, Card, natural, parse_card, parse_cards, wild_as
from phaseten.rules.editions import KINDS, Edition, Group, edition, parse_group
from phaseten.rules.melds import Meld, add_to_meld, hits_on, read_meld
from phaseten.rules.refusals import Refusal
from tests import oracle
from tests.laws.games import box, custom_editions, examples


@st.composite
def melds(draw: st.DrawFn) -> tuple[Edition, Meld]:
    """Any meld that can lie on a table, with any of its cards a Wild."""
    made = draw(st.sampled_from(["classic", "express", "anniversary"]).map(edition))
    if draw(st.booleans()):
        made = box(draw(custom_editions("any")))
    kind = KINDS[draw(st.sampled_from([*KINDS]))]
    color = draw(st.sampled_from(made.colors))
    numbers = [n for n in range(1, made.highest + 1) if kind.parity is None or n % 2 == kind.parity]
    if not numbers:  # no even number in a deck of ones
        return draw(melds())
    cards: list[Card] = []
    if kind.chain:
        first = draw(st.integers(0, len(numbers) - 1))
        last = draw(st.integers(first, len(numbers) - 1))
        places = [n for n in numbers[first : last + 1] for _ in range(kind.copies)]
    else:
        number = draw(st.sampled_from(numbers))
        size = draw(st.integers(2, 6))
        alike = kind.parity is None and not kind.one_color
        places = [number if alike else draw(st.sampled_from(numbers)) for _ in range(size)]
    for place in places:
        its_color = color if kind.one_color else draw(st.sampled_from(made.colors))
        if draw(st.booleans()):
            cards.append(natural(its_color, place))
        elif kind.chain:
            cards.append(wild_as(color if kind.one_color else "", place))
        elif kind.parity is not None:
            cards.append(WILD)
        else:
            cards.append(wild_as(color=color) if kind.one_color else wild_as(number=place))
    group = Group(kind, max(1, len(cards) // kind.copies))
    return made, Meld(group, tuple(cards))


@examples(250)
@given(st.data(), melds())
def test_what_fits_a_meld(data: st.DataObject, found: tuple[Edition, Meld]) -> None:
    made, meld = found
    limits = oracle.Phase([], colors=made.colors, highest=made.highest)
    lies = tuple(card.text for card in meld.cards)
    assert oracle.is_meld(lies, meld.group.text, limits)
    assert read_meld(meld.group, meld.cards, made) == meld
    faces = list(dict.fromkeys(made.deck))
    held = Counter(data.draw(st.lists(st.sampled_from([*faces, SKIP]), max_size=10)))
    count = meld.group.kind.copies
    expected = {
        tuple(sorted(added))
        for cards in combinations_with_replacement([card.text for card in faces], count)
        if not Counter(cards) - Counter({card.text: n for card, n in held.items()})
        for added in meanings(cards, meld.group, limits)
        if oracle.is_meld((*lies, *added), meld.group.text, limits)
    }
    listed = [tuple(sorted(card.text for card in cards)) for cards in hits_on(meld, held, made)]
    assert set(listed) == expected
    assert len(listed) == len(expected)
    for added in expected:
        cards = tuple(map(parse_card, added))
        grown = add_to_meld(meld, cards, made)
        assert not isinstance(grown, Refusal)
        assert sorted(card.text for card in grown.cards) == sorted([*lies, *added])
        assert read_meld(meld.group, grown.cards, made) == grown  # it is in normal form
        bare = add_to_meld(meld, tuple(card.held for card in cards), made)
        if isinstance(bare, Refusal):  # Wilds alone, and both ends open
            assert bare.reason == "which-end"
            assert all(card.is_wild for card in cards)
            assert len(ends_for_wilds(meld, lies, count, limits)) == 2
        else:
            assert bare == grown


def meanings(cards: tuple[str, ...], group: Group, limits: oracle.Phase) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [()]
    for card in cards:
        each = oracle._meanings(card, group.text, limits)
        rows = [(*row, meaning) for row in rows for meaning in each]
    return rows


def ends_for_wilds(
    meld: Meld, lies: tuple[str, ...], count: int, limits: oracle.Phase
) -> set[tuple[str, ...]]:
    return {
        tuple(sorted(added))
        for added in meanings(("W",) * count, meld.group, limits)
        if oracle.is_meld((*lies, *added), meld.group.text, limits)
    }


@examples(80)
@given(st.data(), melds())
def test_nothing_else_fits_a_meld(data: st.DataObject, found: tuple[Edition, Meld]) -> None:
    """One, two and three cards of any sort, Wilds with any meaning."""
    made, meld = found
    limits = oracle.Phase([], colors=made.colors, highest=made.highest)
    lies = tuple(card.text for card in meld.cards)
    everything = [*dict.fromkeys(made.deck), SKIP, WILD, parse_card("O12")]
    everything += [wild_as(number=n) for n in range(1, 13)]
    everything += [wild_as(color=c) for c in "RBYGO"]
    everything += [wild_as(color=c, number=n) for c in made.colors for n in range(1, 13)]
    for card in everything:
        check_refused_or_fitting(made, meld, (card,), lies, limits)
    for _ in range(25):
        pair = data.draw(st.tuples(st.sampled_from(everything), st.sampled_from(everything)))
        check_refused_or_fitting(made, meld, pair, lies, limits)
    triple = data.draw(st.tuples(*[st.sampled_from(everything)] * 3))
    assert isinstance(add_to_meld(meld, triple, made), Refusal)


def check_refused_or_fitting(
    made: Edition,
    meld: Meld,
    cards: tuple[Card, ...],
    lies: tuple[str, ...],
    limits: oracle.Phase,
) -> None:
    grown = add_to_meld(meld, cards, made)
    if isinstance(grown, Refusal):
        assert grown.rule in ("T-HIT", "T-HIT-WILD", "W-SKIP")
        if WILD not in (card.held for card in cards):
            texts = [card.text for card in cards]
            assert len(cards) != meld.group.kind.copies or not oracle.is_meld(
                (*lies, *texts), meld.group.text, limits
            )
        return
    assert len(cards) == meld.group.kind.copies
    texts = tuple(card.text for card in grown.cards)
    assert oracle.is_meld(texts, meld.group.text, limits)
    added = Counter(grown.cards) - Counter(meld.cards)
    assert sum(added.values()) == len(cards)
    for card in cards:  # a Wild stands for what was said of it
        if card.is_wild and card.number and meld.group.kind.chain:
            assert any(other.is_wild and other.number == card.number for other in added)
        if card.is_wild and card.color and meld.group.kind.one_color:
            assert any(other.is_wild and other.color == card.color for other in added)


@pytest.mark.parametrize("wilds", range(4))
@pytest.mark.parametrize(
    ("group", "lies", "singles", "pairs"),
    [
        ("set 3", "R5 B5 W=5", ["W=5"], []),
        ("run 4", "R4 W=5 B6 G7", ["W=3", "W=8"], []),
        ("run 4", "R1 W=2 B3 G4", ["W=5"], []),
        ("run 4", "R9 W=10 B11 G12", ["W=8"], []),
        ("color 3", "R1 W=R R12", ["W=R"], []),
        ("odd 3", "R1 W B11", ["W"], []),
        ("even 3", "R2 W B12", ["W"], []),
        ("pairrun 2", "R6 W=6 B7 G7", [], ["W=5 W=5", "W=8 W=8"]),
        ("pairrun 2", "R1 W=1 B2 G2", [], ["W=3 W=3"]),
        ("colorrun 3", "R4 W=R5 R6", ["W=R3", "W=R7"], []),
        ("oddrun 3", "R1 W=3 B5", ["W=7"], []),
        ("evenrun 3", "R8 W=10 B12", ["W=6"], []),
        ("run 12", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 W=12", [], []),
        ("oddrun 6", "R1 R3 R5 R7 R9 W=11", [], []),
        ("evenrun 6", "R2 R4 R6 R8 R10 W=12", [], []),
    ],
)
def test_wilds_alone(
    group: str, lies: str, singles: list[str], pairs: list[str], wilds: int
) -> None:
    """With none, one, two or three of them in the hand, and nothing else that fits."""
    meld = Meld(parse_group(group), parse_cards(lies))
    held = Counter({WILD: wilds, SKIP: 2})
    expected = (singles if wilds else []) + (pairs if wilds > 1 else [])
    listed = hits_on(meld, held, edition("classic"))
    assert [" ".join(card.text for card in cards) for cards in listed] == expected
