"""Refusals in every language, with values as the rules make them."""

import random
import re

import pytest

from phaseten.language import LANGUAGES, language
from phaseten.rules.actions import Action, Discard, Hit, LayPhase
from phaseten.rules.cards import SKIP, parse_card, parse_cards, wild_as
from phaseten.rules.editions import parse_group
from phaseten.rules.referee import decide
from phaseten.rules.refusals import SEATS, SENTENCES, Difference, Refusal, Takes, refuse
from phaseten.rules.state import State
from phaseten.rules.views import legal_actions, view_of
from tests.laws.games import Chance, Setup, law, play

NAMES = ("Ana", "Beto", "Carla", "Dani", "Emil", "Fay")

CARD = parse_card("R5")
EXAMPLES = [
    refuse("T-TURN", "no-hand"),
    refuse("T-TURN", "not-your-turn", seat=1, turn=2),
    refuse("T-TURN", "not-playing", seat=3),
    refuse("T-DRAW", "draw-first"),
    refuse("T-DRAW", "already-drawn"),
    refuse("H-NEXT", "hand-going-on"),
    refuse("G-WIN", "game-over", winner=2),
    refuse("T-DRAW", "discard-pile-empty"),
    refuse("T-DRAW-SKIP", "skip-on-top"),
    refuse("T-RESHUFFLE", "nothing-to-draw"),
    refuse("T-RESHUFFLE", "must-take-discard"),
    refuse("T-DRAW", "can-draw"),
    refuse("H-DEAL", "wrong-deck", detail=Difference(parse_cards("R5 W"), parse_cards("B3"))),
    refuse("T-RESHUFFLE", "wrong-shuffle", detail=Difference((), parse_cards("G3 S"))),
    refuse("T-LAY-ONE", "already-laid"),
    refuse("T-LAY-ONE", "phase-not-yours", phase=3, asked=4),
    refuse("T-LAY-ONE", "phase-done", asked=4),
    refuse("T-LAY", "lay-not-held", cards=parse_cards("R5 W")),
    refuse("M-EXACT", "wrong-number-of-melds", phase=1, wanted=2, given=3),
    refuse("W-SKIP", "skip-in-meld"),
    refuse("M-SET", "too-few", group=parse_group("set 3"), wanted=3, given=2),
    refuse("M-SET", "not-one-number", card=CARD),
    refuse("M-COLOR", "not-one-color", card=CARD),
    refuse("M-PARITY", "not-one-parity", card=CARD, parity="odd"),
    refuse("M-RUN", "not-in-order", card=CARD, steps=1),
    refuse("M-RUN", "outside-deck", highest=12),
    refuse("M-STEPRUN", "wrong-start", parity="even"),
    refuse("M-PAIRRUN", "odd-number-of-cards"),
    refuse("W-NATURAL", "undeclared"),
    refuse("W-NATURAL", "no-natural"),
    refuse("W-NATURAL", "no-natural-in-meld"),
    refuse("P-CHAVO", "must-show", number=8),
    refuse("T-HIT", "hit-before-laying"),
    refuse("T-HIT", "hit-not-held", cards=(CARD,)),
    refuse("T-HIT", "no-such-meld", owner=2, meld=3),
    refuse("T-HIT", "one-card-a-hit"),
    refuse("T-HIT", "pair-needed"),
    refuse("T-HIT", "does-not-fit", card=CARD, takes=Takes((7, 8))),
    refuse("T-HIT", "meld-full"),
    refuse("T-HIT-WILD", "which-end", ends=(7, 8)),
    refuse("T-DISCARD", "discard-not-held", cards=(CARD,)),
    refuse("T-DISCARD", "just-taken"),
    refuse("S-PLAY", "target-without-skip", card=CARD),
    refuse("S-SELF", "skip-self"),
    refuse("S-PLAY", "skip-nobody", target=2),
    refuse("S-ONCE-A-ROUND", "skipped-this-round", target=2),
    refuse("S-ONE-WAITING", "skip-waiting", target=2),
    refuse("S-NO-TARGET", "name-a-target", targets=(2, 3)),
    refuse("G-OUT", "keep-a-discard"),
]


def test_all_reasons_are_among_the_examples() -> None:
    assert {refusal.reason for refusal in EXAMPLES} == set(SENTENCES)


def check(refusal: Refusal, code: str) -> str:
    said = language(code).refusal(refusal, NAMES)
    assert said[0] == said[0].upper(), said
    assert said[-1] == ".", said
    assert not re.search(r"[{}]|\bseats? \d", said), said
    if code != "en":
        assert not re.search(r"\b(or|and|without|too many of|cards|odd|by twos)\b", said), said
    return said


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("refusal", EXAMPLES, ids=lambda refusal: refusal.reason)
def test_every_refusal(refusal: Refusal, code: str) -> None:
    said = check(refusal, code)
    for name, value in refusal.values.items():
        if isinstance(value, int) and name in SEATS:
            assert NAMES[value - 1] in said
        elif isinstance(value, int) and name != "steps":
            assert str(value) in said


@pytest.mark.parametrize(
    ("takes", "words"),
    [
        (Takes((7, 8)), ["7 or 8", "7 u 8", "7 ou 8", "7 ou 8"]),
        (Takes((3,)), ["3", "3", "3", "3"]),
        (Takes((3, 8), color="R"), ["red 3 or red 8", "3 rojo u 8 rojo", "3 rouge ou 8 rouge", "3 vermelho ou 8 vermelho"]),
        (Takes(parity="odd"), ["odd numbers", "números impares", "des nombres impairs", "números ímpares"]),
        (Takes(color="B"), ["blue cards", "cartas azules", "des cartes bleues", "cartas azuis"]),
        (Takes(number=5), ["the number 5", "el número 5", "le nombre 5", "o número 5"]),
    ],
)  # fmt: skip
def test_what_a_meld_takes(takes: Takes, words: list[str]) -> None:
    refusal = refuse("T-HIT", "does-not-fit", card=CARD, takes=takes)
    for code, word in zip(LANGUAGES, words, strict=True):
        said = language(code).refusal(refusal)
        assert said.endswith(f" {word}."), said


def test_english_is_the_sentence_of_the_rules() -> None:
    english = language("en")
    for refusal in EXAMPLES:
        if not refusal.values.keys() & {"card", "cards", "group", "targets", "detail"}:
            assert english.refusal(refusal) == refusal.sentence


def test_names_instead_of_seats() -> None:
    refusal = refuse("T-TURN", "not-your-turn", seat=1, turn=2)
    said = [language(code).refusal(refusal, ["Ana", "Beto"]) for code in LANGUAGES]
    assert said == [
        "It is the turn of Beto, not of Ana.",
        "Le toca a Beto, no a Ana.",
        "C'est à Beto de jouer, pas à Ana.",
        "É a vez de Beto, não de Ana.",
    ]
    whom = refuse("S-NO-TARGET", "name-a-target", targets=(2, 3))
    assert language("es").refusal(whom, NAMES) == "Di a quién saltas: Beto o Carla."


def test_cards_in_words_or_as_the_caller_shows_them() -> None:
    refusal = refuse("T-LAY", "lay-not-held", cards=parse_cards("R5 W"))
    assert language("es").refusal(refusal) == "No tienes un 5 rojo y un comodín."
    assert language("es").refusal(refusal, (), lambda card: card.text) == "No tienes R5 W."
    deck = refuse(
        "H-DEAL", "wrong-deck", detail=Difference(parse_cards("R5 R5"), parse_cards("B3 S"))
    )
    assert language("en").refusal(deck) == (
        "These are not the cards of this edition's deck: "
        "too many of red 5, red 5 and without blue 3, Skip."
    )


def wrong_actions(state: State, rng: random.Random) -> list[Action]:
    """Actions that mostly are refused: cards not held, wrong melds, wrong seats and Phases."""
    deck = list(state.rules.edition.deck)
    some = [rng.choice(deck) for _ in range(4)]
    row = (*some, wild_as(number=rng.randint(1, 12)))
    board = state.board
    held = list(state.held[board.turn - 1]) if board else some
    mine = tuple(rng.sample(held, min(len(held), 4)))
    return [
        Discard(rng.choice(deck), rng.choice([None, 1, 2, 3])),
        Discard(rng.choice(held or deck), rng.choice([None, 1, 2])),
        Discard(SKIP),
        LayPhase((row,), rng.choice([None, 1, 3])),
        LayPhase((mine, mine[:2])),
        LayPhase((mine,)),
        Hit((rng.choice(held or deck),), rng.choice([1, 2]), rng.choice([1, 2])),
        Hit(mine[:2], rng.choice([1, 2]), 1),
    ]


@law(25)
def test_refusals_of_whole_games(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    for step in play(setup, 80):
        state = step.before
        board = state.board
        seat = board.turn if board and rng.random() < 0.9 else rng.randint(1, setup.seats)
        legal = legal_actions(view_of(state, seat)) if board else []
        for action in [*wrong_actions(state, rng), *legal[:1]]:
            verdict = decide(state, seat, action, Chance(0))
            if isinstance(verdict, Refusal):
                for code in LANGUAGES:
                    check(verdict, code)
