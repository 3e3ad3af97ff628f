"""Trying out actions: in worlds that agree with what the seat knows, each action in the same ones."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.kernel.convert import DRAWS, PLACE
from phaseten.kernel.game import LAY_THIS, game_of
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.look import Network
from phaseten.kernel.players.network.weights import load_network
from phaseten.kernel.players.search import Search
from phaseten.kernel.setup import setup_for
from phaseten.rules.cards import parse_card, parse_cards
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.events import CardDiscarded, DiscardTaken
from phaseten.rules.options import Rules
from phaseten.rules.state import State
from phaseten.rules.views import view_of
from tests.kernel.positions import exchange, games_in_the_middle
from tests.kernel.twins import RARE, make_edition
from tests.rulebook.situations import situation

MOST = 5
DRAW_NOTHING = 2


def search_in(game: Game, seed: int = 1) -> Search:
    return Search(game.setup.layout, game.save(), seed)


def search_of(state: State, seed: int = 1) -> tuple[Game, Search]:
    assert state.board is not None
    game = game_of(view_of(state, state.board.turn))
    return game, search_in(game, seed)


def numbers(game: Game, search: Search) -> list[int]:
    """The candidates; the way that was chosen to be laid with its number."""
    return [
        game.number_of(search.chosen_way()) if number == LAY_THIS else number
        for number in search.candidates(MOST)
    ]


def tried(search: Search, actions: list[int], worlds: int, first: int = 0) -> NDArray[np.float64]:
    values = np.full((worlds, len(actions)), np.nan)
    search.run(np.array(actions, np.int32), first, values)
    return values


# -- what is worth trying ------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(3))
def test_candidates_are_legal_different_and_begin_with_the_experts_choice(part: int) -> None:
    several = 0
    for game in games_in_the_middle(f"candidates {part}", 60):
        found = numbers(game, search_in(game, part))
        assert set(found) <= set(game.legal())
        assert len(set(found)) == len(found)
        assert found[0] == game.choose_seeded(POLICIES["sharp"], part)
        several += len(found) > 1
    assert several > 30


def test_candidates_are_some_of_every_sort() -> None:
    sorts: Counter[str] = Counter()
    for game in games_in_the_middle("sorts", 150):
        for number in numbers(game, search_in(game)):
            sorts[type(game.action(number)).__name__] += 1
    assert {"DrawDeck", "TakeDiscard", "LayPhase", "Hit", "Discard"} <= set(sorts)


def test_no_more_discards_than_asked_for() -> None:
    game, search = search_of(
        situation(held={1: "R1 R3 R5 R7 R9 B2 B4 B6 B8 B10 Y12"}, phases={1: 1})
    )
    assert len(game.legal()) == 11
    for most in (-1, 0, 1, 2, 5, 11, 16, 1000):
        assert len(search.candidates(most)) == max(1, min(most, 11))


def test_a_hand_thought_stuck_is_not_searched() -> None:
    state = situation(held={1: "R1 R3 R5 R7 R9 B2 B4 B6 B8 B10 Y12"})
    assert state.board is not None
    for reshuffles, several in ((2, True), (3, False), (256, False)):
        again = state._replace(board=state.board._replace(reshuffles=reshuffles))
        _, search = search_of(again)
        assert (len(search.candidates(MOST)) > 1) == several


# -- worlds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_worlds_agree_with_everything_the_seat_knows(part: int) -> None:
    other_hands = 0
    for game in games_in_the_middle(f"worlds {part}", 60):
        seat = game.turn
        assert seat is not None
        before = game.state_now()
        assert before.board is not None
        memory = game.memory_now()
        search = search_in(game)
        for number in range(5):
            world = game.copy()
            world.restore(search.world(number))
            after = world.state_now()
            assert world.view(seat) == game.view(seat)
            assert after.board == before.board
            assert world.memory_now() == memory
            for held, known in zip(after.held, memory.known, strict=True):
                assert Counter(known) <= Counter(held)
            cards = [*after.draw_pile, *(card for held in after.held for card in held)]
            others = [*before.draw_pile, *(card for held in before.held for card in held)]
            assert Counter(cards) == Counter(others)
            if before.board.reshuffles:
                assert Counter(after.draw_pile) <= Counter(memory.recycled)
            assert world.legal() == game.legal()
            _counts_agree(world)
            other_hands += after.held != before.held
    assert other_hands > 150


def _counts_agree(game: Game) -> None:
    """What the kernel counts of every hand besides the cards themselves still counts them."""
    raw, layout, state = game.save(), game.setup.layout, game.state_now()
    for seat, held in enumerate(state.held):
        numbers = Counter(card.number for card in held if card.is_natural)
        colors = Counter(card.color for card in held if card.is_natural)
        at = layout.o_numbers + 13 * seat
        assert list(raw[at : at + 13]) == [numbers[number] for number in range(13)]
        at = layout.o_colors + layout.colors * seat
        letters = game.rules.edition.colors
        assert list(raw[at : at + layout.colors]) == [colors[letter] for letter in letters]
        assert raw[layout.o_size + seat] == len(held)


def test_the_others_have_lived_through_the_hand() -> None:
    """Who has played for some turns lacks less for a Phase than who was just dealt ten cards."""
    lacks: dict[str, float] = {}
    for name, draws in (("early", 0), ("late", 40)):
        state = situation(players=2, held={1: "R1 R3 R5 R7 R9 B2 B4 B6 B8 B10", 2: ""}, step="draw")
        assert state.board is not None
        unseen = state.draw_pile
        discards = (*unseen[:draws], *state.board.discards)
        board = state.board._replace(
            discards=discards, counts=(10, 10), draw_count=len(unseen) - draws - 10
        )
        held = (state.held[0], unseen[draws : draws + 10])
        mid = state._replace(board=board, held=held, draw_pile=unseen[draws + 10 :])
        game, search = search_of(mid)
        lacks[name] = np.mean([_pairs_in(game, search.world(i)) for i in range(300)]).item()
    assert lacks["late"] > lacks["early"] + 0.5


def test_who_plays_next_does_not_collect_what_they_passed_over() -> None:
    """Somebody who let four fives go and works on sets hardly holds two or more of them."""
    pairs: dict[str, int] = {}
    for name, seat in (("nobody", 0), ("next", 2), ("other", 3)):
        state = situation(players=3, held={1: "R1 R3 R7 R9 B2 B4 B6 B8 B10 G1", 2: "", 3: ""})
        assert state.board is not None
        unseen = state.draw_pile
        fives = parse_cards("R5 B5 G5 Y5") if seat else ()
        board = state.board._replace(
            counts=(10, 10, 10),
            draw_count=len(unseen) - 20,
            seen=tuple(CardDiscarded(seat, card, None) for card in fives),
        )
        held = (state.held[0], unseen[:10], unseen[10:20])
        game, search = search_of(state._replace(board=board, held=held, draw_pile=unseen[20:]))
        pairs[name] = sum(_fives_of(game, search.world(i), 2) > 1 for i in range(400))
    assert pairs["next"] < pairs["nobody"] / 3
    assert pairs["other"] > pairs["nobody"] / 2  # what somebody else let go says nothing of them


def _fives_of(game: Game, raw: bytes, seat: int) -> int:
    world = game.copy()
    world.restore(raw)
    return sum(card.number == 5 for card in world.state_now().held[seat - 1] if card.is_natural)


def _pairs_in(game: Game, raw: bytes) -> int:
    """How many cards of the two most frequent numbers the other seat holds, with its Wilds."""
    world = game.copy()
    world.restore(raw)
    held = world.state_now().held[1]
    numbers = Counter(card.number for card in held if card.is_natural)
    return sum(min(n, 3) for _, n in numbers.most_common(2)) + held.count(parse_card("W"))


# -- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(3))
def test_values_are_chances(part: int) -> None:
    for game in games_in_the_middle(f"values {part}", 25):
        search = search_in(game)
        values = tried(search, numbers(game, search), 6)
        assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize("part", range(2))
def test_the_same_action_in_the_same_world_is_worth_the_same(part: int) -> None:
    """Whatever else is tried, in whatever order, in however many calls."""
    for game in games_in_the_middle(f"same {part}", 25):
        search = search_in(game)
        actions = numbers(game, search)
        values = tried(search, actions, 6)
        assert (tried(search_in(game), actions[::-1], 6)[:, ::-1] == values).all()
        assert (tried(search, [*actions, actions[0]], 6)[:, -1] == values[:, 0]).all()
        parts = [tried(search, actions, 2, first) for first in (0, 2, 4)]
        assert (np.vstack(parts) == values).all()


def test_another_seed_gives_other_worlds() -> None:
    game = Game("classic", 3, seed=4)
    one, same, other = (search_in(game, seed) for seed in (7, 7, 8))
    assert one.world(0) == same.world(0) != other.world(0)
    assert one.world(0) != one.world(1)
    actions = numbers(game, one)
    assert (tried(one, actions, 5) == tried(same, actions, 5)).all()
    assert (tried(one, actions, 5) != tried(other, actions, 5)).any()


def test_nothing_hidden_counts() -> None:
    rng = random.Random(3)
    exchanges = 0
    for game in games_in_the_middle("hidden", 40):
        assert game.turn is not None
        other = game.copy()
        for _ in range(3):
            exchanges += exchange(other, game.turn, rng) is not None
        actions = numbers(game, search_in(game))
        assert numbers(other, search_in(other)) == actions
        assert (tried(search_in(other), actions, 4) == tried(search_in(game), actions, 4)).all()
    assert exchanges > 60


def test_trying_changes_nothing() -> None:
    for game in games_in_the_middle("changes nothing", 20):
        before, search = game.save(), search_in(game)
        actions = numbers(game, search)
        tried(search, actions, 3)
        search.peek(3, MOST)
        assert game.save() == before
        assert numbers(game, search) == actions


# -- the chance to win ---------------------------------------------------------------------------


def test_going_out_with_the_last_phase_wins() -> None:
    game, search = search_of(
        situation(
            held={1: "R1", 2: "B1 B2"}, phases={1: 10, 2: 10}, totals=(0, 50),
            table={1: ["set 5: R7 B7 Y7 G7 W=7", "set 3: R9 B9 G9"]},
        )
    )  # fmt: skip
    out = game.number(game.action(game.legal()[0]))
    assert (tried(search, [out], 8) == 1).all()


def test_points_decide_among_those_who_have_made_every_phase() -> None:
    table = {
        1: ["set 5: R7 B7 Y7 G7 W=7", "set 3: R9 B9 G9"],
        2: ["set 5: R8 B8 Y8 G8 W=8", "set 3: R6 B6 G6"],
    }
    held = {1: "R1", 2: "B1 B2"}
    for totals, value in (((20, 0), 0), ((0, 20), 1), ((10, 0), 0.5)):
        state = situation(held=held, phases={1: 10, 2: 10}, totals=totals, table=table)
        assert state.board is not None
        seen = tuple(DiscardTaken(2, card) for card in state.held[1])  # ten points
        game, search = search_of(state._replace(board=state.board._replace(seen=seen)))
        assert (tried(search, game.legal(), 4) == value).all()


def ends_at_once(phases: dict[int, int], totals: tuple[int, ...], **options: Any) -> float:
    """What the end of the hand is worth to seat 1, who is about to go out; nobody else scores."""
    first, second = phases[1], phases[2]
    game, search = search_of(
        situation(
            held={1: "R1"}, phases={1: first, 2: second}, totals=totals,
            table={1: ["set 3: R7 B7 W=7", "set 3: R9 B9 G9"]}, **options,
        )
    )  # fmt: skip
    return float(tried(search, [game.legal()[0]], 1)[0, 0])


def test_fewer_phases_left_and_fewer_points_are_better() -> None:
    by_phase = [ends_at_once({1: phase, 2: 5}, (50, 50)) for phase in (1, 3, 5, 7, 9)]
    assert by_phase == sorted(by_phase)
    assert by_phase[0] < 0.5 < by_phase[-1]
    by_points = [ends_at_once({1: 4, 2: 5}, (points, 100)) for points in (400, 200, 100, 50, 0)]
    assert by_points == sorted(by_points)
    assert by_points[2] == pytest.approx(0.5)
    assert len({*by_phase, *by_points}) == 10


def test_where_everybody_has_ten_hands_only_points_count() -> None:
    for house in ((), ("choose_phase",)):
        options = {"variant": "ten-hands", "house": house, "played": 3}
        values = [ends_at_once({1: 4, 2: 4}, (50, other), **options) for other in (0, 50, 100)]
        assert values == sorted(values)
        assert values[1] == pytest.approx(0.5)
    # A Phase that was not made is not made up for later: it no longer matters.
    assert ends_at_once({1: 4, 2: 1}, (50, 50), **options) == pytest.approx(0.5)


def test_a_phase_is_worth_something_however_many_cards_are_dealt() -> None:
    for deal in range(1, 21):
        box = make_edition(phases="set 2", deal=deal, highest=12, copies=3)
        for seats in range(2, 7):
            layout = setup_for(Rules(box), seats).layout
            assert layout.phase_worth > 0
            assert layout.point_worth > 0


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_the_worth_of_phases_in_the_books_editions_is_the_fitted_one(name: str) -> None:
    rules = Rules(edition(name))
    points = np.mean([card.points for card in rules.edition.deck if card.is_natural])
    for seats in range(2, 7):
        layout = setup_for(rules, seats).layout
        assert layout.point_worth == pytest.approx(0.06 / seats)
        both = layout.phase_worth + layout.point_worth * rules.edition.deal * points
        assert both == pytest.approx(3.75 / seats**0.5)


def test_a_tie_break_that_gets_stuck_is_nobodys() -> None:
    """Nothing can be drawn any more and nobody can go out: that is worth a half, not the game."""
    box = make_edition(phases="set 3", deal=2, colors="R", highest=6, wilds=0, skips=0)
    state = situation(
        box, held={1: "R1 R2", 2: "R3 R4"}, phases={1: 1, 2: 1}, tied=(1, 2), step="draw",
    )  # fmt: skip
    game, search = search_of(state)
    assert (tried(search, game.legal(), 4) == 0.5).all()


# -- played out by a network ---------------------------------------------------------------------


def played_by(
    network: Network, search: Search, actions: list[int], worlds: int, first: int = 0
) -> NDArray[np.float64]:
    values = np.full((worlds, len(actions)), np.nan)
    done = search.run(np.array(actions, np.int32), first, values, network=network, edition=0)
    assert done == worlds
    return values


def some_network(seed: int) -> Network:
    """A small one that has learned nothing: it likes what chance says."""
    rng = np.random.default_rng(seed)
    return Network(array("f", rng.normal(size=16 * (1 + 1536 + 296) + 16 * 17 + 296)), 16, 1)


def games_of_networks() -> Iterator[Game]:
    """Games that a network can tell of, at each point of a hand."""
    for players in range(2, 7):
        game = Game("express", players, seed=players)
        for i in range(60):
            if game.turn is None:
                break
            if i % 13 == players:
                yield game
            game.step(game.pick("sharp"))


def to_the_end(world: Game, number: int) -> float:
    """What the seat on turn has at the end of the hand if it does that and everybody plays as deep does.

    Who draws gets the next card that is meant for them.
    """
    seat, deck = world.turn, world.setup.layout.deck_size
    assert seat is not None
    owners = [i % world.players for i in range(deck)]
    over, is_first = 0, True
    while not over:
        raw = bytearray(world.save())
        own = [i for i in range(deck - raw[DRAWS], deck) if owners[i] == raw[PLACE]]
        if own and (is_first or number <= DRAW_NOTHING):
            top, at = deck - raw[DRAWS], world.setup.layout.o_pile
            owners[top], owners[own[0]] = owners[own[0]], owners[top]
            raw[at + top], raw[at + own[0]] = raw[at + own[0]], raw[at + top]
            world.restore(bytes(raw))
        over, is_first = world.step(number), False
        if not over:
            number = make_bot("deep").choose_in(world)
    return world.chances()[seat - 1] if over == 1 else float(world.winner == seat)


def test_a_network_plays_the_hands_out() -> None:
    """Action by action it is what deep does."""
    found: list[bool] = []
    for seed in range(16):
        game = Game("classic", 2 + seed % 3, seed=seed)
        for _ in range(5 * seed):
            game.step(game.pick("sharp"))
        search = search_in(game, seed)
        actions = numbers(game, search)
        values = played_by(load_network(), search, actions, 2)
        for row in range(2):
            for action, value in zip(actions, values[row], strict=True):
                world = game.copy()
                world.restore(search.world(row))
                found.append(value == pytest.approx(to_the_end(world, action)))
    assert len(found) > 60
    # After a reshuffle or long waiting chance has its say, which is not drawn from the same place.
    assert np.mean(found) > 0.9


def test_another_network_plays_otherwise() -> None:
    game = Game("classic", 2, seed=3)
    search = search_in(game)
    one, other = (played_by(some_network(seed), search, [0, 1], 12) for seed in (1, 2))
    assert ((one >= 0) & (one <= 1)).all()
    assert (one != other).any()
    assert (one != tried(search, [0, 1], 12)).any()


def test_the_same_worlds_lead_to_the_same_with_a_network() -> None:
    network = some_network(5)
    for game in games_of_networks():
        seat = game.turn
        assert seat is not None
        again = game.copy()
        again.resample(seat)
        actions = numbers(game, search_in(game))
        values = played_by(network, search_in(game), actions, 6)
        assert (played_by(network, search_in(again), actions, 6) == values).all()
        assert (played_by(network, search_in(game), actions, 4, first=2) == values[2:]).all()


# -- peeking -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tries", [0, 1, 30])
def test_a_peek_is_legal(tries: int) -> None:
    for game in games_in_the_middle(f"peek {tries}", 40):
        assert search_in(game).peek(tries, MOST) in game.legal()


def test_a_peek_ends_where_hands_do_not() -> None:
    for table in RARE[::7]:
        game = Game(table.rules, table.seats, seed=table.seed)
        for _ in range(60):
            if game.turn is None:
                break
            choice = search_in(game).peek(2, MOST)
            assert choice in game.legal()
            game.step(choice)


def test_a_peek_sees_the_card_that_wins() -> None:
    """The draw pile's top card ends the game at once, and the discard does not."""
    table = {1: ["set 5: R7 B7 Y7 G7 W=7", "set 3: R9 B9 G9"]}
    for draw, best in (("Y9", 0), ("R2", 1)):
        state = situation(
            held={1: "R1", 2: "B1 B2 B3 B4 B5 B6"}, phases={1: 10, 2: 3}, table=table,
            draw=draw, discards="R12 R9" if best else "R12", step="draw", totals=(0, 500),
        )  # fmt: skip
        game = Game(state.rules, 2)
        raw = bytearray(game_of(view_of(state, 1)).save())
        layout, index = game.setup.layout, game.setup.convert.index
        assert state.board is not None
        top = layout.o_pile + layout.deck_size - state.board.draw_count
        where = raw.index(index[parse_card(draw)], top)
        raw[top], raw[where] = raw[where], raw[top]
        game.restore(bytes(raw))
        assert Search(layout, game.save(), 1).peek(20, MOST) == best


# -- what is refused -----------------------------------------------------------------------------


class TestRefused:
    def test_no_book(self) -> None:
        with pytest.raises(TypeError, match="layout"):
            Search(cast("Any", None), b"", 0)

    def test_a_game_of_another_kind(self) -> None:
        layout = Game("classic", 2).setup.layout
        for game in (Game("classic", 3), Game("express", 2)):
            with pytest.raises(ValueError, match="not saved in a hand"):
                Search(layout, game.save(), 0)
        with pytest.raises(ValueError, match="not saved in a hand"):
            Search(layout, b"", 0)

    def test_a_network_for_a_game_that_it_cannot_tell_of(self) -> None:
        game = Game(Rules(make_edition(phases="set 2")), 2)
        with pytest.raises(ValueError, match="networks do not play such games"):
            played_by(some_network(1), search_in(game), game.legal(), 1)

    def test_between_hands(self) -> None:
        game = Game("express", 2, seed=6)
        game.deals_itself = False
        while game.turn is not None:
            game.step(game.pick())
        with pytest.raises(ValueError, match="not saved in a hand"):
            search_in(game)

    @pytest.mark.parametrize("action", [-1, 2, 3, 500, 10**6, 2**31 - 1, -(2**31)])
    def test_an_illegal_action(self, action: int) -> None:
        search = search_in(Game("classic", 2, seed=1))
        with pytest.raises(ValueError, match=f"action {action} is not legal here"):
            tried(search, [0, action], 2)

    def test_a_table_of_another_width(self) -> None:
        search = search_in(Game("classic", 2, seed=1))
        for columns in (0, 1, 3):
            with pytest.raises(ValueError, match="a column for each action"):
                search.run(np.array([0, 1], np.int32), 0, np.zeros((4, columns)))

    def test_a_table_that_cannot_be_written(self) -> None:
        values = np.zeros((4, 2))
        values.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            search_in(Game("classic", 2, seed=1)).run(np.array([0, 1], np.int32), 0, values)
