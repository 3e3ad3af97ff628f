"""What happened, told in every language."""

import random
import re

import pytest

from phaseten.language import LANGUAGES, Story, language
from phaseten.rules.cards import SKIP, WILD, Card, parse_card, parse_cards
from phaseten.rules.editions import KINDS, Edition, edition, parse_group
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    ReshuffleSeen,
    Seen,
    TurnLost,
)
from phaseten.rules.melds import Meld
from phaseten.rules.views import legal_actions, seen_by, view_of
from tests.laws.games import Setup, law, play
from tests.laws.test_leaks import exchanged, hidden_places

NAMES = ("Ana", "Beto", "Carla", "Dani", "Emil", "Fay")
CLASSIC: Edition = edition("classic")
R5 = parse_card("R5")
RUN = Meld(parse_group("run 4"), parse_cards("R3 B4 W=5 G6"))
SET = Meld(parse_group("set 3"), parse_cards("R9 B9 W=9"))


def hit(seat: int, cards: str, owner: int) -> MeldHit:
    return MeldHit(seat, parse_cards(cards), owner, 1, RUN)


def told(events: list[Seen], seat: int | None, code: str = "en") -> list[str]:
    return list(Story(language(code), NAMES, seat).tell(events))


TURN: list[Seen] = [
    DiscardTaken(1, R5),
    PhaseLaid(1, 2, (SET, RUN)),
    hit(1, "Y7", 1),
    hit(1, "W=8", 1),
    CardDiscarded(1, SKIP, 2),
    TurnLost(2),
]


def test_a_turn_is_one_sentence() -> None:
    laid = "red 9, blue 9, Wild as 9 / red 3, blue 4, Wild as 5, green 6"
    added, adds = [f"{word} a yellow 7 and a Wild as 8 to" for word in ("add", "adds")]
    assert told(TURN, 1) == [
        f"You take a red 5 from the discard pile, lay Phase 2 ({laid}), {added} your run and skip Beto.",
        "Beto loses a turn.",
    ]
    assert told(TURN, 2) == [
        f"Ana takes a red 5 from the discard pile, lays Phase 2 ({laid}), {adds} their own run and skips you.",
        "You lose a turn.",
    ]


def test_a_turn_in_every_language() -> None:
    turn: list[Seen] = [DrawSeen(1, WILD), hit(1, "R7", 2), CardDiscarded(1, R5, None)]
    assert [told(turn, 1, code) for code in LANGUAGES] == [
        ["You draw a Wild, add a red 7 to Beto's run and discard a red 5."],
        ["Robas un comodín, añades un 7 rojo a la escalera de Beto y descartas un 5 rojo."],
        ["Tu pioches un joker, ajoutes un 7 rouge à la suite de Beto et défausses un 5 rouge."],
        ["Você compra um coringa, junta um 7 vermelho à sequência de Beto e descarta um 5 vermelho."],
    ]  # fmt: skip
    others: list[Seen] = [DrawSeen(1, None), hit(1, "R7", 2), CardDiscarded(1, R5, None)]
    assert [told(others, 2, code) for code in LANGUAGES] == [
        ["Ana draws a card, adds a red 7 to your run and discards a red 5."],
        ["Ana roba una carta, añade un 7 rojo a tu escalera y descarta un 5 rojo."],
        ["Ana pioche une carte, ajoute un 7 rouge à ta suite et défausse un 5 rouge."],
        ["Ana compra uma carta, junta um 7 vermelho à sua sequência e descarta um 5 vermelho."],
    ]


def test_hits_on_different_melds_stay_apart() -> None:
    hits: list[Seen] = [hit(1, "R7", 1), hit(1, "B8", 2), hit(1, "G2", 1)]
    (said,) = told(hits, None)
    assert said == (
        "Ana adds a red 7 to their own run, adds a blue 8 to Beto's run "
        "and adds a green 2 to their own run."
    )


DEAL = DealSeen(3, 2, (3, 1, 2), False, parse_cards("R1 R2"), WILD, 2, 90)
SCORED = HandScored(3, 2, ((1, 15), (2, 0)), ((2, 1),), tiebreak=False)
NEWS: list[Seen] = [DEAL, ReshuffleSeen(40), SCORED, GameTied((1, 2, 3)), GameWon(2)]


def test_news() -> None:
    assert told(NEWS, 2) == [
        "Hand 3: you deal and turn up a Wild.",
        "The discards are shuffled and become the draw pile.",
        "You are out!",
        "A tie: one more hand for the last Phase, between Ana, Carla and you.",
        "You have won the game!",
    ]
    assert told(NEWS, None, "es") == [
        "Mano 3: reparte Beto y sale un comodín.",
        "Se barajan los descartes y vuelven a ser el mazo.",
        "Beto se queda sin cartas.",
        "Empate: una mano más por la última Fase, entre Ana, Beto y Carla.",
        "Beto gana la partida.",
    ]


def test_a_reshuffle_interrupts_nothing() -> None:
    events: list[Seen] = [ReshuffleSeen(3), DrawSeen(1, R5), CardDiscarded(1, SKIP, None)]
    assert told(events, 1)[1:] == ["You draw a red 5 and discard a Skip."]


DEEDS: list[Seen] = [
    DrawSeen(1, R5),
    DrawSeen(1, None),
    DiscardTaken(1, R5),
    NothingDrawn(1),
    PhaseLaid(1, 2, (SET, RUN)),
    hit(1, "R7", 1),
    hit(1, "R7", 2),
    CardDiscarded(1, R5, None),
    CardDiscarded(1, SKIP, 2),
    TurnLost(1),
]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("event", [*DEEDS, *NEWS], ids=repr)
def test_every_event(event: Seen, code: str) -> None:
    for seat in (None, 1, 2, 3):
        (said,) = told([event], seat, code)
        assert said[0].isupper() or said[0] == "¡"
        assert said[-1] in ".!"
        assert not set(said) & set("{}")
        if seat is None and event in DEEDS:
            assert said.startswith("Ana ")


@pytest.mark.parametrize("code", LANGUAGES)
def test_you_and_others_are_told_differently(code: str) -> None:
    for event in [*DEEDS, NEWS[0], SCORED, NEWS[-1]]:
        assert told([event], 1, code) != told([event], 2, code) or told([event], 2, code) != told(
            [event], 3, code
        )


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_hits_on_every_kind(kind: str, code: str) -> None:
    event = MeldHit(1, (R5,), 2, 1, Meld(parse_group(f"{kind} 4"), parse_cards("R5")))
    (said,) = told([event], 1, code)
    assert language(code).to_meld(KINDS[kind], 2, NAMES, you=False) in said


def shown(card: Card) -> str:
    return f"<{card.text}>"


def open_cards(event: Event, seat: int | None) -> set[str]:
    """The cards of a true event that the seat may see, told apart by hand."""
    match event:
        case HandDealt():
            return {event.order[event.deal * len(event.players)].text}
        case CardDrawn(who, card):
            return {card.text} if who == seat else set()
        case PileReshuffled():
            return set()
        case DiscardTaken(_, card) | CardDiscarded(_, card):
            return {card.text}
        case PhaseLaid(_, _, melds):
            return {card.text for meld in melds for card in meld.cards}
        case MeldHit(_, cards):
            return {card.text for card in cards}
        case _:
            return set()


@law(25)
def test_the_story_of_a_game_names_no_hidden_card(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    names = NAMES[: setup.seats]
    stories = {
        seat: [Story(language(code), names, seat, shown) for code in LANGUAGES]
        for seat in (None, *range(1, setup.seats + 1))
    }
    for step in play(setup, 120):
        for one in step.events:
            seat = rng.choice(list(stories))
            for story in stories[seat]:
                (said,) = story.tell([seen_by(one, seat)])
                assert set(re.findall("<(.*?)>", said)) <= open_cards(one, seat)
                assert not set(said) & set("{}")


@law(15)
def test_the_story_of_a_whole_game(setup: Setup) -> None:
    events = [one for step in play(setup, 150) for one in step.events]
    for code in LANGUAGES:
        for seat in (None, 1, setup.seats):
            seen = [seen_by(one, seat) for one in events]
            said = list(Story(language(code), NAMES[: setup.seats], seat).tell(seen))
            assert len(said) <= len(events)
            assert all(sentence.strip() and not set(sentence) & set("{}") for sentence in said)
            if seat is None:
                laid = sum(isinstance(one, PhaseLaid) for one in events)
                assert sum(sentence.count(" / ") + 1 for sentence in said) >= laid


@law(15)
def test_every_action_of_a_game(setup: Setup) -> None:
    names = NAMES[: setup.seats]
    rng = random.Random(setup.seed)
    for step in play(setup, 100):
        board = step.before.board
        if board is None or rng.random() < 0.5:
            continue
        view = view_of(step.before, board.turn)
        actions = legal_actions(view)
        for code in LANGUAGES:
            said = [language(code).action(action, view, names) for action in actions[:40]]
            assert all(words and not set(words) & set("{}") for words in said)
        places = hidden_places(step.before, board.turn)
        if len(places) > 1:
            other = view_of(exchanged(step.before, *rng.sample(places, 2)), board.turn)
            speech = language(rng.choice(LANGUAGES))
            for action in actions[:40]:
                assert speech.action(action, view, names) == speech.action(action, other, names)
