"""Everything has a text form that round-trips."""

import random
import string
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from phaseten.game import Game
from phaseten.notation.codec import MOST_CARDS
from phaseten.notation.moves import Move, format_action, format_moves, parse_action, parse_moves
from phaseten.notation.recording import record_game
from phaseten.notation.records import (
    Hand,
    Header,
    Record,
    Reshuffle,
    Turn,
    format_record,
    parse_record,
)
from phaseten.notation.replay import follow
from phaseten.notation.verdict import describe, judge, judge_bytes
from phaseten.rules.actions import (
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import (
    SKIP,
    WILD,
    Card,
    format_cards,
    natural,
    parse_card,
    parse_cards,
    sort_cards,
    wild_as,
)
from phaseten.rules.events import CardDrawn, Event, HandDealt, PhaseLaid
from phaseten.rules.options import Variant, parse_variant
from phaseten.rules.shuffle import seeded
from phaseten.rules.views import legal_actions, seen_by, view_of
from tests.laws.games import Chance, Setup, Step, examples, law, play

NATURALS = [natural(color, number) for color in "RBYGO" for number in range(1, 13)]
HELD = [*NATURALS, WILD, SKIP]
WILDS = [
    *(wild_as(number=number) for number in range(1, 13)),
    *(wild_as(color=color) for color in "RBYGO"),
    *(wild_as(color, number) for color in "RBYGO" for number in range(1, 13)),
]


# -- cards and actions --------------------------------------------------------------------------


def test_every_card_round_trips() -> None:
    cards = [*HELD, *WILDS]
    assert len({card.text for card in cards}) == len(cards) == 62 + 77
    for card in cards:
        assert parse_card(card.text) is card
        assert parse_card(str(card)) is card
        assert card.held is (WILD if card.text.startswith("W") else card)
        assert card.is_wild + card.is_skip + card.is_natural == 1
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert sort_cards(reversed(HELD)) == tuple(HELD)


cards = st.sampled_from([*HELD, *WILDS])
seats = st.integers(1, 99)
actions = st.one_of(
    st.builds(DrawDeck),
    st.builds(TakeDiscard),
    st.builds(DrawNothing),
    st.builds(
        LayPhase,
        st.lists(
            st.lists(cards, min_size=1, max_size=MOST_CARDS).map(tuple), min_size=1, max_size=3
        ).map(tuple),
        st.none() | st.integers(1, 99),
    ),
    st.builds(Hit, st.lists(cards, min_size=1, max_size=3).map(tuple), seats, seats),
    st.builds(Discard, cards),
    st.builds(Discard, st.just(SKIP), st.none() | seats),
)
moves = st.one_of(
    actions.map(Move),
    st.builds(Move, st.sampled_from([DrawDeck(), TakeDiscard()]), st.none() | cards),
)


@given(moves=st.lists(moves, max_size=6).map(tuple))
def test_any_action_round_trips(moves: tuple[Move, ...]) -> None:
    assert parse_moves(format_moves(moves)) == moves
    for move in moves:
        assert parse_action(format_action(move.action)) == move.action


@law(60)
def test_every_legal_action_round_trips(setup: Setup) -> None:
    for step in play(setup, 100):
        if step.after.board is not None:
            for action in legal_actions(view_of(step.after, step.after.board.turn)):
                text = format_action(action)
                assert parse_action(text) == action
                assert "\n" not in text
                assert ";" not in text


# -- records, whether they make sense or not ------------------------------------------------------

rows = st.lists(st.sampled_from([*HELD, None]), min_size=1, max_size=12).map(tuple)
numbers = st.integers(0, 99)
entries = st.one_of(
    st.builds(Turn, numbers, st.lists(moves, max_size=3).map(tuple)), st.builds(Reshuffle, rows)
)
hands = st.builds(
    Hand,
    number=st.integers(0, 9999),
    tiebreak=st.lists(numbers, max_size=3).map(tuple),
    deck=st.none() | rows,
    entries=st.lists(entries, max_size=5).map(tuple),
    points=st.none() | st.dictionaries(numbers, st.integers(0, 99999), max_size=4),
)
texts = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=' "\\;[]'))
TAKEN = {
    *("Format", "Edition", "EditionText", "EditionHash", "Variant", "House", "Dealer"),
    *("ServerSeed", "ClientSeed", "Seen", "Position"),
}
tags = st.text(string.ascii_letters, min_size=1).filter(lambda name: name not in TAKEN)


@st.composite
def headers(draw: st.DrawFn) -> Header:
    names = tuple(draw(st.lists(texts, min_size=2, max_size=6)))
    seen = draw(st.none() | st.integers(1, len(names)))
    return Header(
        edition=draw(texts),
        names=names,
        dealer=draw(st.integers(1, len(names))),
        variant=draw(
            st.builds(Variant, st.booleans(), st.none() | st.integers(0, 99), st.booleans())
        ),
        house=draw(
            st.frozensets(
                st.sampled_from(
                    ["discard_to_go_out", "natural_per_meld", "no_rediscard", "choose_phase"]
                )
            )
        ),
        server_seed=None if seen else draw(st.none() | st.binary(min_size=32, max_size=32)),
        client_seed=draw(st.none() | texts),
        seen=seen,
        other=draw(st.dictionaries(tags, texts, max_size=3)),
    )


@given(st.builds(Record, headers(), st.lists(hands, max_size=4).map(tuple)))
def test_any_record_round_trips(record: Record) -> None:
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert parse_record(text.replace("\n", "\r\n")) == record


@given(st.builds(Variant, st.booleans(), st.none() | st.integers(0, 99), st.booleans()))
def test_every_variation_round_trips(variant: Variant) -> None:
    assert parse_variant(variant.text) == variant


# -- records of games -----------------------------------------------------------------------------


def header_of(setup: Setup, *, seen: int | None = None, seeds: bool = False) -> Header:
    return Header(
        edition=setup.rules.edition.name,
        names=tuple(f"Player {seat}" for seat in range(1, setup.seats + 1)),
        dealer=setup.dealer,
        variant=setup.rules.variant,
        house=setup.rules.house | frozenset(setup.rules.edition.house),
        seen=seen,
        server_seed=bytes(32) if seeds else None,
        client_seed="law" if seeds else None,
    )


@law(100)
def test_a_record_tells_the_same_game(setup: Setup) -> None:
    """At the end and at any point before it: the record is judged good and leads to this state."""
    rng = random.Random(setup.seed)
    steps = list(play(setup, 200))
    events: list[Event] = []
    for step in steps:
        events += step.events
        if step is steps[-1] or rng.random() < 0.03:
            check_record(setup, events, step)


def check_record(setup: Setup, events: list[Event], step: Step) -> None:
    record = record_game(header_of(setup), events)
    text = format_record(record)
    assert parse_record(text) == record
    verdict = judge_bytes(text.encode(), setup.find)
    assert verdict == describe(step.after)
    assert verdict["ok"] is True
    replayed = list(follow(parse_record(text), setup.find))
    assert [event for one in replayed for event in one.events] == events
    assert replayed[-1].state._replace(rules=setup.rules) == step.after


@law(40)
def test_a_record_may_leave_out_what_follows_by_itself(setup: Setup) -> None:
    """Lost turns and End lines: without them the record says the same."""
    events = [event for step in play(setup, 150) for event in step.events]
    record = record_game(header_of(setup), events)
    bare = Record(
        record.header,
        tuple(
            Hand(
                hand.number,
                hand.tiebreak,
                hand.deck,
                tuple(e for e in hand.entries if isinstance(e, Reshuffle) or e.moves),
            )
            for hand in record.hands
        ),
    )
    assert judge(bare, setup.find) == judge(record, setup.find)
    assert judge(bare, setup.find)["ok"] is True


class Seeded(Chance):
    """The shuffle of a record with seeds."""

    def __init__(self) -> None:
        super().__init__(0)
        self._shuffle = seeded(bytes(32), "law")

    def __call__(self, cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        return self._shuffle(cards, hand, number)


@law(60)
def test_with_seeds_the_decks_may_be_left_out(setup: Setup) -> None:
    steps = list(play(setup, 150, Seeded()))
    events = [event for step in steps for event in step.events]
    with_decks = record_game(header_of(setup), events)
    without = record_game(header_of(setup, seeds=True), events)
    assert "Deck" not in format_record(without)
    assert "Shuffle" not in format_record(without)
    both = Record(without.header, with_decks.hands)
    for record in (with_decks, without, both):
        assert judge_bytes(format_record(record).encode(), setup.find) == describe(steps[-1].after)


@law(80)
def test_a_redacted_record_shows_what_the_seat_saw(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    steps = list(play(setup, 150))
    steps = steps[: rng.randint(1, len(steps))]
    events = [event for step in steps for event in step.events]
    full = record_game(header_of(setup), events)
    for seat in range(1, setup.seats + 1):
        record = record_game(header_of(setup, seen=seat), [seen_by(e, seat) for e in events])
        text = format_record(record)
        assert parse_record(text) == record
        assert judge_bytes(text.encode(), setup.find)["rule"] == "SYNTAX"
        check_redacted(record, full, seat, events)


def check_redacted(record: Record, full: Record, seat: int, events: list[Event]) -> None:
    """Line by line the full record, but for what the seat did not see."""
    deals = [event for event in events if isinstance(event, HandDealt)]
    draws = [event for event in events if isinstance(event, CardDrawn)]
    assert record.header.server_seed is None
    assert len(record.hands) == len(full.hands)
    for hand, whole, dealt in zip(record.hands, full.hands, deals, strict=True):
        assert hand.deck is not None
        assert whole.deck is not None
        assert (hand.number, hand.tiebreak, hand.points) == (
            whole.number, whole.tiebreak, whole.points,
        )  # fmt: skip
        players = len(dealt.players)
        mine = dealt.players.index(seat) if seat in dealt.players else -1
        for i, (card, real) in enumerate(zip(hand.deck, whole.deck, strict=True)):
            if i == dealt.deal * players or (
                i < dealt.deal * players and i % players == mine and mine >= 0
            ):
                assert card is real
            else:  # held by others, or in the draw pile
                assert card is None
        for entry, told in zip(hand.entries, whole.entries, strict=True):
            if isinstance(entry, Reshuffle):
                assert isinstance(told, Reshuffle)
                assert entry.order == (None,) * len(told.order)
                continue
            assert isinstance(told, Turn)
            assert entry.seat == told.seat
            assert [move.action for move in entry.moves] == [move.action for move in told.moves]
            for move in entry.moves:
                if isinstance(move.action, DrawDeck):
                    drawn = draws.pop(0)
                    assert drawn.seat == entry.seat
                    assert move.named is (drawn.card if entry.seat == seat else None)
                else:
                    assert move.named is None
    assert not draws


CHOOSING = """
name = "small"
title = "Small"
deal = 4
colors = ["R", "B"]
highest = 6
copies = 2
wilds = 0
skips = 0
shortest_run = 2
skip_goes_to = "pile"
house = ["choose_phase"]
phases = ["set 2", "set 3"]
"""


def test_an_edition_may_switch_on_choose_phase_itself(tmp_path: Path) -> None:
    """The record then has to say which Phase was laid, as with the house rule of the game."""
    path = tmp_path / "small.toml"
    path.write_text(CHOOSING, encoding="utf-8")
    laid: set[int] = set()
    for seed in range(20):
        game = Game(str(path), seed=seed)
        play_on(game, random.Random(seed), 40)
        assert judge_bytes(game.record().encode()) == describe(game.state)
        laid |= {event.phase for event in game.events if isinstance(event, PhaseLaid)}
    assert laid == {1, 2}


def play_on(game: Game, rng: random.Random, most: int = 2_000) -> None:
    """Lay and hit whenever possible."""
    while game.turn is not None and most:
        pressing = [a for a in game.legal_actions() if isinstance(a, LayPhase | Hit)]
        game.play(rng.choice(pressing or game.legal_actions()))
        most -= 1


@examples(40)
@given(client_seed=st.text(max_size=8))
def test_a_game_with_any_client_seed_can_be_dealt_again_from_its_record(client_seed: str) -> None:
    try:
        game = Game("express", variant="phases=1", seed=1, client_seed=client_seed)
    except ValueError:
        assert not client_seed.isprintable()  # what cannot be written may be refused at the start
        return
    play_on(game, random.Random(1))
    assert game.winner is not None
    assert judge_bytes(game.record().encode()) == describe(game.state)
