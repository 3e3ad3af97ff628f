"""Explanations: what they say is true, they say it in every language, and they give nothing away."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest

from phaseten.bots.bot import Reason
from phaseten.bots.reasons import explain, recommend
from phaseten.language import LANGUAGES, language
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import COLORS, SKIP, WILD, Card, parse_card, parse_cards, wild_as
from phaseten.rules.editions import Phase
from phaseten.rules.events import DiscardTaken, HandScored, TurnLost
from phaseten.rules.melds import Meld, add_to_meld
from phaseten.rules.memory import remember
from phaseten.rules.referee import apply_all, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.solver import missing_cards
from phaseten.rules.state import DRAW, Board, State
from phaseten.rules.views import legal_actions, view_of
from tests.laws.games import Chance, Setup, law, play, random_setup
from tests.laws.test_leaks import exchanged, hidden_places
from tests.rulebook.situations import situation

NAMES = ("Ana", "Beto", "Carla", "Dani", "Emil", "Fay")

Values = Mapping[str, object]


# -- facts, found out in the whole truth and by asking the referee -------------------------------


def every_form(card: Card) -> Iterator[Card]:
    """The card, and all that it can stand for."""
    yield card
    if card is WILD:
        for number in range(1, 13):
            yield wild_as(number=number)
            yield from (wild_as(color, number) for color in COLORS)
        yield from (wild_as(color=color) for color in COLORS)


@dataclass(frozen=True)
class Case:
    """An action in the whole truth of a game."""

    state: State
    action: Action

    @cached_property
    def board(self) -> Board:
        assert self.state.board is not None
        return self.state.board

    @property
    def seat(self) -> int:
        return self.board.turn

    @property
    def held(self) -> tuple[Card, ...]:
        return self.state.held[self.seat - 1]

    @property
    def made(self) -> bool:
        return self.board.made[self.seat - 1] > 0

    def phases(self, seat: int) -> list[Phase]:
        rules, sheet = self.state.rules, self.state.sheet
        if sheet.tied:
            return [rules.phases[-1]]
        left = [rules.by_number[number] for number in sheet.left[seat - 1]]
        return left if rules.choose_phase else left[:1]

    def missing(self, cards: Sequence[Card]) -> int:
        """What the nearest Phase of the seat lacks, from these cards."""
        rules = self.state.rules
        return min(missing_cards(phase, cards, rules) for phase in self.phases(self.seat))

    @cached_property
    def lacks(self) -> int:
        return self.missing(self.held)

    def without(self, *cards: Card) -> list[Card]:
        rest = list(self.held)
        for card in cards:
            rest.remove(card.held)
        return rest

    def beside(self, card: Card) -> Sequence[Card]:
        """The other held cards, if the card is held or about to be."""
        return self.held if self.board.step == DRAW else self.without(card)

    def helps(self, card: Card) -> bool:
        return self.missing([*self.held, card]) < self.lacks

    @cached_property
    def melds(self) -> list[Meld]:
        return [meld for row in self.board.melds for meld in row]

    def fits_alone(self, card: Card) -> bool:
        return any(self._added(meld, (form,)) for meld in self.melds for form in every_form(card))

    def fits(self, card: Card, others: Sequence[Card]) -> bool:
        """Whether the card fits a meld, alone or with one of the others."""
        return self.fits_alone(card) or self._fits_in_a_pair(card, others)

    def can_add(self, card: Card, others: Sequence[Card]) -> bool:
        """Whether the card may be added, now that it and the others are held."""
        enough = len(others) > 1 or not self.state.rules.discard_to_go_out
        return self.fits_alone(card) or (enough and self._fits_in_a_pair(card, others))

    def _fits_in_a_pair(self, card: Card, others: Sequence[Card]) -> bool:
        return any(
            self._added(meld, (one, two))
            for meld in self.melds
            for one in every_form(card)
            for other in set(others)
            for two in every_form(other)
        )

    def half_fits(self, card: Card) -> bool:
        """Whether it could be added together with any card at all."""
        return self.fits(card, [*self.state.rules.edition.deck, WILD])

    def _added(self, meld: Meld, cards: tuple[Card, ...]) -> bool:
        return not isinstance(add_to_meld(meld, cards, self.state.rules.edition), Refusal)

    @cached_property
    def unseen(self) -> list[Card]:
        """What lies where the seat cannot see it."""
        cards = Counter(self.state.draw_pile)
        for seat, held in enumerate(self.state.held, 1):
            if seat != self.seat:
                known = remember(self.board, self.state.rules.edition).known
                cards += Counter(held) - Counter(known[seat - 1])
        return list(cards.elements())

    @cached_property
    def legal(self) -> list[Action]:
        return legal_actions(view_of(self.state, self.seat))

    @cached_property
    def after(self) -> State:
        """The game after the action."""
        events = decide(self.state, self.seat, self.action, Chance(1))
        assert not isinstance(events, Refusal)
        return apply_all(self.state, events)

    def goes_out(self) -> bool:
        events = decide(self.state, self.seat, self.action, Chance(1))
        assert not isinstance(events, Refusal)
        return any(isinstance(event, HandScored) and event.out == self.seat for event in events)

    def loses_a_turn(self, player: object) -> bool:
        board = self.after.board
        assert board is not None
        events = decide(self.state, self.seat, self.action, Chance(1))
        assert not isinstance(events, Refusal)
        return TurnLost(number(player)) in events or board.waiting[number(player) - 1]

    def next_is(self, player: object) -> bool:
        """Whether that player is the next to draw, as the game goes on."""
        return self.after.board is not None and self.after.board.turn == player != self.seat

    def kept(self) -> tuple[Card, ...]:
        return self.after.held[self.seat - 1] if self.after.held else ()


def number(value: object) -> int:
    assert isinstance(value, int)
    return value


def card_of(value: object) -> Card:
    assert isinstance(value, Card)
    return value


def points(cards: Sequence[Card]) -> int:
    return sum(
        {True: 5, False: 10}[c.number < 10] if c.number else 25 - 10 * c.is_skip for c in cards
    )


def laid(case: Case) -> list[Card]:
    assert isinstance(case.action, LayPhase)
    return [card for row in case.action.melds for card in row]


def the_discard(case: Case) -> Card:
    assert isinstance(case.action, Discard)
    return case.action.card


def the_target(case: Case) -> int:
    assert isinstance(case.action, Discard)
    assert case.action.target is not None
    return case.action.target


def sets_of(phases: Sequence[Phase]) -> list[int]:
    return [group.size for phase in phases for group in phase.groups if group.kind.name == "set"]


def prospects(
    case: Case, values: Values, pile: Sequence[Card], good: Callable[[Card], bool]
) -> bool:
    counted = sum(good(card) for card in pile if card is not SKIP)
    return (values["count"], values["total"]) == (counted, len(pile))


def rare(case: Case, values: Values) -> bool:
    of_number = [card for card in case.unseen if card.number == values["number"]]
    held = [card for card in case.held if card.number == values["number"]]
    deck = [c for c in case.state.rules.edition.deck if c.number == values["number"]]
    return (
        the_discard(case).number == values["number"]
        and len(of_number) == values.get("count", 0)
        and len(deck) == values.get("total", len(deck))
        and len(of_number) + len(held) < min(sets_of(case.phases(case.seat)))
    )


def wanted(case: Case, values: Values) -> bool:
    player, taken, card = number(values["player"]), card_of(values["taken"]), the_discard(case)
    kinds = [group.kind for phase in case.phases(player) for group in phase.groups]
    return (
        case.next_is(player)
        and not case.board.made[player - 1]
        and taken in remember(case.board, case.state.rules.edition).known[player - 1]
        and (
            (taken.number == card.number and any(kind.name == "set" for kind in kinds))
            or (taken.color == card.color and any(kind.one_color for kind in kinds))
        )
    )


def fewest_wilds(case: Case) -> int:
    """The fewest Wilds that lay the same Phase, of all ways to lay it."""
    assert isinstance(case.action, LayPhase)
    return min(
        sum(card.is_wild for row in action.melds for card in row)
        for action in case.legal
        if isinstance(action, LayPhase) and action.phase == case.action.phase
    )


def made_by(case: Case, player: object) -> bool:
    return case.board.made[number(player) - 1] > 0


TRUE: dict[str, Callable[[Case, Values], bool]] = {
    "out": lambda case, _: case.goes_out(),
    "card.no_help": lambda case, v: not case.made and not case.helps(card_of(v["card"])),
    "card.no_fit": lambda case, v: case.made and not case.half_fits(card_of(v["card"])),
    "draw.nothing": lambda case, _: case.legal == [DrawNothing()],
    "draw.no_discard": lambda case, _: not case.board.discards,
    "draw.skip_on_top": lambda case, _: case.board.discards[-1] is SKIP,
    "draw.passes_help": lambda case, v: (
        v["card"] is case.board.discards[-1] and not case.made and case.helps(card_of(v["card"]))
    ),
    "draw.passes_fit": lambda case, v: (
        v["card"] is case.board.discards[-1] and case.made and case.can_add(card_of(v["card"]), case.held)
    ),
    "draw.complete": lambda case, _: not case.made and case.lacks == 0,
    "draw.chance_help": lambda case, v: prospects(case, v, case.unseen, case.helps),
    "draw.chance_fit": lambda case, v: prospects(
        case, v, case.unseen, lambda card: case.fits(card, case.held)
    ),
    "draw.again_help": lambda case, v: (
        not case.state.draw_pile and prospects(case, v, case.board.discards[:-1], case.helps)
    ),
    "draw.again_fit": lambda case, v: (
        not case.state.draw_pile
        and prospects(case, v, case.board.discards[:-1], lambda card: case.fits(card, case.held))
    ),
    "take.completes": lambda case, v: (
        case.lacks == 1 and case.missing([*case.held, card_of(v["card"])]) == 0
    ),
    "take.nearer": lambda case, v: case.missing([*case.held, card_of(v["card"])]) == v["count"],
    "take.set": lambda case, v: (
        sum(card.number == v["number"] for card in [*case.held, case.board.discards[-1]])
        == v["count"]
        and v["size"] in sets_of(case.phases(case.seat))
    ),
    "take.fits": lambda case, v: case.made and case.can_add(card_of(v["card"]), case.held),
    "take.only": lambda case, _: case.legal == [TakeDiscard()],
    "lay.frees": lambda case, _: (
        case.after.board is not None and case.after.board.made[case.seat - 1] > 0
    ),
    "lay.last": lambda case, _: len(case.state.sheet.left[case.seat - 1]) == 1,
    "lay.wilds": lambda case, v: (
        v["count"] == sum(card.is_wild for card in laid(case)) > number(v["enough"])
        and v["enough"] == fewest_wilds(case)
    ),
    "lay.keeps": lambda case, v: (
        (v["count"], v["points"]) == (len(case.kept()), points(case.kept()))
    ),
    "hit.saves": lambda case, v: points(case.held) - points(case.kept()) == v["points"],
    "hit.left": lambda case, v: (
        len(case.kept()) == v["count"]
        and (v["count"] != 1 or Case(case.after, Discard(case.kept()[0])).goes_out())
    ),
    "discard.further": lambda case, v: (
        v["card"] is the_discard(case)
        and case.missing(case.without(the_discard(case))) == case.lacks + 1
    ),
    "discard.unneeded": lambda case, v: (
        case.missing(case.without(the_discard(case))) == case.lacks == v["count"]
    ),
    "discard.lay_first": lambda case, _: any(isinstance(one, LayPhase) for one in case.legal),
    "discard.hold_back": lambda case, _: any(isinstance(one, LayPhase) for one in case.legal),
    "discard.wild": lambda case, _: the_discard(case) is WILD,
    "discard.rare": rare,
    "discard.gone": rare,
    "discard.could_hit": lambda case, v: any(
        v["card"] in [card.held for card in action.cards]
        for action in case.legal
        if isinstance(action, Hit)
    ),
    "discard.hit_first": lambda case, v: any(
        v["card"] in [card.held for card in action.cards]
        for action in case.legal
        if isinstance(action, Hit)
    ),
    "card.no_pair": lambda case, v: (
        case.made
        and case.half_fits(card_of(v["card"]))
        and not case.fits(card_of(v["card"]), case.beside(card_of(v["card"])))
    ),
    "discard.next_fits": lambda case, v: (
        case.next_is(v["player"])
        and made_by(case, v["player"])
        and case.fits_alone(the_discard(case))
    ),
    "discard.next_cannot": lambda case, v: (
        case.next_is(v["player"])
        and made_by(case, v["player"])
        and not case.half_fits(the_discard(case))
    ),
    "discard.next_wants": wanted,
    "discard.dearest": lambda case, v: (
        v["points"] == points([the_discard(case)]) == max(points([card]) for card in case.held)
    ),
    "discard.saves": lambda case, v: v["points"] == points([the_discard(case)]),
    "skip.nobody": lambda case, _: case.action == Discard(SKIP) and not case.goes_out(),
    "skip.again": lambda case, _: case.after.board is not None and case.after.board.turn == case.seat,
    "skip.loses": lambda case, v: v["player"] == the_target(case) and case.loses_a_turn(v["player"]),
    "skip.laid": lambda case, v: (
        v["player"] == the_target(case)
        and case.loses_a_turn(v["player"])
        and made_by(case, v["player"])
        and len(case.state.held[number(v["player"]) - 1]) == v["count"]
    ),
    "skip.other": lambda case, v: (
        Discard(SKIP, number(v["player"])) in case.legal
        and made_by(case, v["player"])
        and len(case.state.held[number(v["player"]) - 1]) == v["count"]
        and (not made_by(case, the_target(case)) or number(v["count"]) < len(case.state.held[the_target(case) - 1]))
    ),
    "skip.points": lambda case, v: SKIP in case.held and v["points"] == 15,
}  # fmt: skip


def test_every_sentence_is_checked() -> None:
    names = {n.partition(".")[2] for n in language("en").sentences if n.startswith("reasons.")}
    assert set(TRUE) == names


def some_of_each(actions: Sequence[Action], rng: random.Random, most: int) -> list[Action]:
    """Some actions of every sort."""
    kinds: dict[type, list[Action]] = {}
    for action in actions:
        kinds.setdefault(type(action), []).append(action)
    return [one for each in kinds.values() for one in rng.sample(each, min(most, len(each)))]


def cases(setup: Setup, steps: int, most: int) -> Iterator[Case]:
    rng = random.Random(setup.seed)
    for step in play(setup, steps):
        board = step.before.board
        if board is not None:
            for action in some_of_each(legal_actions(view_of(step.before, board.turn)), rng, most):
                yield Case(step.before, action)


def said(reason: Reason, code: str) -> str:
    text = language(code).reason(reason, NAMES)
    assert text[0] == text[0].upper()
    assert text[-1] == "."
    assert not set(text) & set("{}")
    return text


def values_said(reason: Reason, code: str) -> None:
    """The values stand in the sentence, in words of that language."""
    text = said(reason, code)
    for name, value in reason.values.items():
        if isinstance(value, Card):
            assert language(code).card(value) in text
        elif name == "player":
            assert NAMES[number(value) - 1] in text
        elif name != "count" or number(value) > 1:
            plain = name == "enough" and reason.values["count"] == 1
            assert plain or str(value) in text


@law(20)
def test_every_statement_is_true(setup: Setup) -> None:
    for case in cases(setup, 40, 3):
        reasons = explain(view_of(case.state, case.seat), case.action)
        assert 1 <= len(reasons) <= 2
        assert len({reason.name for reason in reasons}) == len(reasons)
        for reason in reasons:
            assert TRUE[reason.name](case, reason.values), (reason, case.action)
            for code in LANGUAGES:
                values_said(reason, code)


@law(20)
def test_explanations_do_not_depend_on_hidden_cards(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    for case in cases(setup, 40, 2):
        places = hidden_places(case.state, case.seat)
        if len(places) < 2 or rng.random() < 0.7:
            continue
        mixed = case.state
        for place in places:
            mixed = exchanged(mixed, place, rng.choice(places))
        before = explain(view_of(case.state, case.seat), case.action)
        assert explain(view_of(mixed, case.seat), case.action) == before


def test_only_the_seat_on_turn_is_explained_to() -> None:
    state = situation(held={1: "R1 R2", 2: "B1 B2"})
    for seat in (None, 2):
        with pytest.raises(ValueError, match="not this seat's turn"):
            explain(view_of(state, seat), Discard(parse_card("R1")))


# -- examples ----------------------------------------------------------------------------------


def why(state: State, action: Action) -> list[str]:
    assert state.board is not None
    view = view_of(state, state.board.turn)
    case = Case(state, action)  # which fails where the action is refused
    reasons = explain(view, action)
    for reason in reasons:
        assert TRUE[reason.name](case, reason.values), reason
        for code in LANGUAGES:
            values_said(reason, code)
    return [said(reason, "en") for reason in reasons]


def test_taking_what_helps() -> None:
    state = situation(held={1: "R5 B5 Y3 G4 R8 B9 Y10 G12 R1 Y1"}, discards="G5", step="draw",
                      phases={1: 3})  # fmt: skip
    assert why(state, TakeDiscard()) == [
        "With the green 5 your Phase lacks only 2 more cards.",
        "That makes 3 cards with a 5; the set needs 4.",
    ]
    assert why(state, DrawDeck()) == [
        "The green 5 would bring your Phase one card nearer for sure.",
        "Of the 97 cards you have not seen, 51 would bring your Phase nearer.",
    ]


def test_taking_what_completes() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4"}, discards="W", step="draw")
    assert why(state, TakeDiscard())[0] == "The Wild completes your Phase."


def test_taking_what_does_not_help() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4"}, discards="G12", step="draw")
    assert why(state, TakeDiscard()) == [
        "The green 12 brings your Phase no nearer.",
        "Of the 102 cards you have not seen, 14 would bring your Phase nearer.",
    ]
    assert why(state, DrawDeck()) == why(state, TakeDiscard())


def test_drawing_with_a_phase_in_hand() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 B4 R9"}, discards="G12", step="draw")
    complete = "You hold all of your Phase already and can lay it after drawing."
    assert why(state, DrawDeck()) == [complete]
    assert why(state, TakeDiscard()) == [complete]


def test_a_skip_on_top() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 R9"}, discards="S", step="draw")
    assert why(state, DrawDeck())[0] == "A Skip is never taken, so the draw pile it is."


def test_the_last_pile_is_shuffled_again() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 R9"}, discards="B4 Y12 W S G12", step="draw", rest=2)
    assert why(state, DrawDeck()) == [
        "The green 12 brings your Phase no nearer.",
        "The discards are shuffled again: of those 4, 2 would bring your Phase nearer.",
    ]


def test_nothing_to_draw() -> None:
    state = situation(held={1: "R5 B5"}, discards="S", step="draw", rest=2)
    assert why(state, DrawNothing()) == [
        "There is nothing to draw, so you play on with the cards you hold."
    ]
    state = situation(held={1: "R5 B5"}, discards="R7", step="draw", rest=2)
    assert why(state, TakeDiscard())[1] == "There is nothing else left to draw."


RUN = {2: ["set 3: R8 B8 Y8", "run 4: R3 B4 W=5 G6"]}
BOTH = {1: ["set 3: R12 B12 G12", "set 3: R1 B1 G1"], **RUN}


def test_drawing_after_laying() -> None:
    state = situation(held={1: "R9 B10"}, table=BOTH, discards="G7", step="draw")
    assert why(state, TakeDiscard()) == [
        "The green 7 fits a meld: you can add it in this very turn.",
        "Of the 92 cards you have not seen, 37 would fit a meld.",
    ]
    assert why(state, DrawDeck())[0] == "The green 7 would fit a meld for sure."
    state = situation(held={1: "R9 B10"}, table=BOTH, discards="G11", step="draw")
    assert why(state, TakeDiscard())[0] == "The green 11 fits no meld on the table."


def test_laying() -> None:
    cards = "R5 B5 Y5 G4 R4 B4 R9 R12"
    lay = LayPhase((parse_cards("R5 B5 Y5"), parse_cards("R4 B4 G4")))
    state = situation(held={1: cards})
    assert why(state, lay) == [
        "Your Phase counts from now on, and you can add cards to every meld.",
        "You keep 2 cards, worth 15 points together.",
    ]
    state = situation(held={1: "R5 B5 Y5 G4 R4 B4"})
    assert why(state, lay) == ["That leaves you without a card: you are out and score nothing."]
    state = situation(held={1: cards}, left={1: [1]})
    assert why(state, lay)[0] == "It is the last Phase you need."


def test_laying_with_more_wilds_than_needed() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 B4 W W"})
    one = LayPhase((parse_cards("R5 B5 W=5"), parse_cards("R4 B4 G4")))
    two = LayPhase((parse_cards("R5 B5 W=5"), parse_cards("R4 B4 W=4")))
    assert why(state, one)[1] == "It spends a Wild where none is needed."
    assert why(state, two)[1] == "It spends 2 Wilds where 0 would do."


def test_hitting() -> None:
    hit = Hit(parse_cards("W=7"), 2, 2)
    state = situation(held={1: "W R9 B10"}, table=BOTH)
    assert why(state, hit) == [
        "That is 25 points less to pay if somebody else goes out.",
        "You keep 2 cards: the fewer you hold, the sooner you are out.",
    ]
    state = situation(held={1: "W R9"}, table=BOTH)
    assert why(state, hit)[1] == "One card is left: discard it and you are out."
    state = situation(held={1: "W"}, table=BOTH)
    assert why(state, hit) == ["That leaves you without a card: you are out and score nothing."]


def test_discarding_before_laying() -> None:
    state = situation(held={1: "R5 B5 G4 R4 B12 R9"}, players=3)
    assert why(state, Discard(parse_card("B12"))) == [
        "You do not need the blue 12: your Phase lacks 2 cards, with it or without it.",
        "No card you hold costs more: 10 points.",
    ]
    assert why(state, Discard(parse_card("R5"))) == [
        "Without the red 5 your Phase is one card further away.",
        "That is 5 points less to pay if somebody else goes out.",
    ]


def test_discarding_before_laying_what_is_complete() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 B4 W R9"}, players=3)
    assert why(state, Discard(parse_card("R9")))[0] == (
        "You hold all of your Phase: you could lay it first."
    )
    assert why(state, Discard(WILD))[1] == (
        "A Wild can be any card: there is usually something better to give away."
    )


def test_advice_does_not_contradict_itself() -> None:
    state = situation(held={1: "R5 B5 Y5 G4 R4 B4 W R9"}, players=3)
    advised = recommend(view_of(state, 1), Discard(parse_card("R9")))
    assert [reason.name for reason in advised] == ["discard.hold_back", "discard.saves"]
    state = situation(held={1: "R5 S", 2: "R1 R2", 3: "B1 B2 B3"}, table=RUN, players=3)
    advised = recommend(view_of(state, 1), Discard(SKIP, 3))
    assert [reason.name for reason in advised] == ["skip.loses", "skip.points"]
    state = situation(held={1: "R5 B5 Y5 G4 R4 B9"}, step="draw", discards="R12")
    assert recommend(view_of(state, 1), TakeDiscard()) == ()
    state = situation(held={1: "R5 B5 Y5 G4 R4 B9"}, step="draw", discards="B4")
    advised = recommend(view_of(state, 1), TakeDiscard())
    assert [reason.name for reason in advised] == ["take.completes", "draw.chance_help"]


def test_discarding_what_can_no_longer_be_a_set() -> None:
    gone = "Y5 G5 Y5 G5 B5 R5 Y7"
    state = situation(held={1: "R5 G4 R4 B4 R9 B9"}, discards=gone)
    assert why(state, Discard(parse_card("R5"))) == [
        "You do not need the red 5: your Phase lacks one card, with it or without it.",
        "You know where all but one of the 8 cards with a 5 are: hardly enough for a set.",
    ]
    state = situation(held={1: "R5 G4 R4 B4 R9 B9"}, discards=f"B5 {gone}")
    assert why(state, Discard(parse_card("R5")))[1] == (
        "You know where every 5 is: not enough for a set."
    )


def test_discarding_for_the_next_player() -> None:
    state = situation(held={1: "R5 B5 G4 R4 B12 R9 R7"}, table=RUN, players=3)
    assert why(state, Discard(parse_card("R7")))[1] == (
        "But Beto plays next and could add it to a meld."
    )
    assert why(state, Discard(parse_card("R9")))[1] == (
        "Beto plays next and has laid a Phase, but the card fits no meld."
    )
    state = situation(held={1: "R5 B5 G4 R4 B12 R9 R7", 2: "B9 B3"}, players=3)
    assert state.board is not None
    seen = (*state.board.seen, DiscardTaken(2, parse_card("B9")))
    state = state._replace(board=state.board._replace(seen=seen))
    assert why(state, Discard(parse_card("R9")))[1] == (
        "But Beto plays next and took the blue 9 before: more of that may be welcome."
    )


def test_a_skipped_neighbour_cannot_take_the_discard() -> None:
    state = situation("anniversary", held={1: "R5 O5 G4 R4 O12 R9 R7"}, waiting=[2], players=3,
                      table={3: ["set 3: R8 O8 Y8", "run 4: R3 O4 W=5 G6"]})  # fmt: skip
    assert why(state, Discard(parse_card("R7")))[1] == (
        "But Carla plays next and could add it to a meld."
    )


def test_discarding_after_laying() -> None:
    state = situation(held={1: "R7 B10 R2"}, table=BOTH, players=3)
    assert why(state, Discard(parse_card("R7"))) == [
        "The red 7 fits a meld: add it, and you are one card nearer to going out.",
        "But Beto plays next and could add it to a meld.",
    ]
    assert why(state, Discard(parse_card("B10"))) == [
        "The blue 10 fits no meld on the table.",
        "You could add the red 7 to a meld first.",
    ]
    state = situation(held={1: "R7"}, table=BOTH, players=3)
    assert why(state, Discard(parse_card("R7"))) == [
        "That leaves you without a card: you are out and score nothing."
    ]


def test_half_a_pair() -> None:
    table = {1: ["pairrun 2: R6 B6 R7 B7"]}
    state = situation("express", held={1: "R8 B2"}, table=table, phases={1: 4})
    assert why(state, Discard(parse_card("R8")))[0] == (
        "The red 8 can only be added as a pair, and you have no second one for it."
    )


def test_skips() -> None:
    skip = "A Skip that stays in your hand costs 15 points."
    state = situation(held={1: "R5 S", 2: "R1 R2", 3: "B1 B2 B3"}, table=RUN, players=3)
    assert why(state, Discard(SKIP, 2)) == [
        "Beto has laid a Phase and holds 2 cards: every turn lost helps you.",
        skip,
    ]
    assert why(state, Discard(SKIP, 3)) == [
        "Carla loses a turn.",
        "But Beto has laid a Phase and holds only 2 cards.",
    ]
    state = situation(held={1: "R5 S", 2: "R1"}, table=RUN)
    assert why(state, Discard(SKIP, 2)) == [
        "With two players, you play again at once.",
        "Beto has laid a Phase and holds only one card: that turn would hurt.",
    ]
    state = situation(held={1: "S", 2: "R1"}, table=BOTH)
    for action in (Discard(SKIP), Discard(SKIP, 2)):
        assert why(state, action)[0].startswith("That leaves you without a card")


def test_a_skip_that_nobody_can_be_given() -> None:
    state = situation("anniversary", held={1: "R5 S", 2: "R1"}, waiting=[2])
    assert why(state, Discard(SKIP)) == [
        "Nobody can be skipped now: the Skip just leaves your hand.",
        "A Skip that stays in your hand costs 15 points.",
    ]


def test_an_empty_discard_pile() -> None:
    state = situation("anniversary", held={1: "R5"}, discards="", step="draw")
    assert why(state, DrawDeck())[0] == "The discard pile is empty, so the draw pile it is."


def test_the_same_in_every_language() -> None:
    state = situation(held={1: "R5 B5 G4 R4 B12 R9"}, players=3)
    (reason, _) = explain(view_of(state, 1), Discard(parse_card("B12")))
    assert [said(reason, code) for code in LANGUAGES[1:]] == [
        "No necesitas el 12 azul: a tu Fase le faltan 2 cartas, con él o sin él.",
        "Tu n'as pas besoin du 12 bleu\N{NO-BREAK SPACE}: il manque 2 cartes à ta Phase, avec ou sans lui.",
        "Você não precisa do 12 azul: faltam 2 cartas para a sua Fase, com ele ou sem ele.",
    ]
    shown = language("es").reason(reason, NAMES, lambda card: f"<{card}>")
    assert shown.startswith("No necesitas el <B12>:")


def test_many_players_and_every_edition() -> None:
    rng = random.Random(5)
    for box in ("classic", "deluxe", "elchavo", "anniversary", "express"):
        for case in cases(random_setup(rng, box), 30, 2):
            for reason in explain(view_of(case.state, case.seat), case.action):
                assert TRUE[reason.name](case, reason.values), (reason, case.action)
