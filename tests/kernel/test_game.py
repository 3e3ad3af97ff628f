"""One game: what its methods promise."""

from __future__ import annotations

import copy
import pickle
import random
import re
from typing import Any, cast

import numpy as np
import pytest

from phaseten.kernel import Game, compiled
from phaseten.kernel.game_core import GameCore
from phaseten.kernel.players import POLICIES
from phaseten.notation.moves import parse_action
from phaseten.rules.actions import Discard, DrawDeck, LayPhase
from phaseten.rules.cards import SKIP, WILD, parse_card, parse_cards
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.options import OptionError, Rules
from phaseten.rules.referee import deal
from phaseten.rules.shuffle import seed_of
from phaseten.rules.state import State, new_game
from tests.kernel.positions import games_in_the_middle
from tests.kernel.twins import normal, random_table, shuffled


def play_on(game: Game, actions: int, policy: str = "casual") -> list[int]:
    """Play so many actions, or to the end; what was played."""
    done: list[int] = []
    while len(done) < actions and game.winner is None:
        done.append(game.pick(policy))
        game.step(done[-1])
    return done


def test_the_kernel_is_compiled_where_it_is_tested() -> None:
    assert compiled


class TestBeginning:
    def test_a_game_with_its_first_hand_dealt(self) -> None:
        game = Game("classic", players=4, dealer=2, seed=1)
        assert (game.players, game.dealer, game.turn, game.hand) == (4, 2, 3, 1)
        assert game.totals == (0, 0, 0, 0)
        assert game.left == (tuple(range(1, 11)),) * 4
        assert game.winner is None
        assert game.rules == Rules(edition("classic"))

    def test_the_deck_can_be_given(self) -> None:
        rules = Rules(edition("express"))
        deck = shuffled(rules.edition.deck, random.Random(5))
        game = Game(rules, 3, dealer=3, deck=deck)
        events = deal(new_game(rules, 3, 3), deck)
        state = normal(_applied(new_game(rules, 3, 3), events))
        assert game.state_now() == state

    @pytest.mark.parametrize(
        "deck",
        [
            (),
            edition("classic").deck[1:],
            (*edition("classic").deck, WILD),
            (WILD, *edition("classic").deck[1:]),
            (parse_card("O1"), *edition("classic").deck[1:]),
            edition("express").deck,
        ],
    )
    def test_another_deck_is_refused(self, deck: tuple[Any, ...]) -> None:
        with pytest.raises(ValueError, match="not the cards of the deck"):
            Game("classic", 2, deck=deck)

    def test_the_same_seed_gives_the_same_game(self) -> None:
        one, same, other = (Game("classic", 3, seed=seed) for seed in (8, 8, 9))
        assert one.save() == same.save() != other.save()
        assert play_on(one, 300) == play_on(same, 300)
        assert one.save() == same.save()

    @pytest.mark.parametrize("seed", [0, -1, 2**64 - 1, 2**64, 10**40])
    def test_any_number_is_a_seed(self, seed: int) -> None:
        game = Game("express", 2, seed=seed)
        assert game.save() == Game("express", 2, seed=seed).save()
        assert game.state_now() == Game("express", 2, seed=seed_of(seed)).state_now()

    @pytest.mark.parametrize("dealer", [0, 3, -1, 255])
    def test_nobody_else_deals(self, dealer: int) -> None:
        with pytest.raises(ValueError, match="cannot deal"):
            Game("classic", 2, dealer=dealer)

    @pytest.mark.parametrize("seats", [0, 1, 7, -2])
    def test_only_two_to_six_play(self, seats: int) -> None:
        with pytest.raises(OptionError, match="players"):
            Game("classic", seats)

    def test_options_are_checked(self) -> None:
        with pytest.raises(ValueError, match="no edition"):
            Game("nonsense", 2)
        with pytest.raises(OptionError):
            Game("classic", 2, variant="nonsense")
        with pytest.raises(OptionError):
            Game("classic", 2, house=["nonsense"])

    def test_options_are_used(self) -> None:
        game = Game("classic", 2, variant="ten-hands,phases=4", house=["no_rediscard"])
        assert game.rules.variant.ten_hands
        assert game.rules.no_rediscard
        assert game.left == ((1, 2, 3, 4),) * 2

    def test_no_state_is_larger_than_a_kibibyte(self) -> None:
        for name in BOOK_EDITIONS:
            for players in range(2, 7):
                assert Game(name, players).setup.layout.state_size <= 1024

    def test_a_core_needs_a_layout(self) -> None:
        with pytest.raises(TypeError):
            GameCore(cast("Any", None))


def _applied(state: State, events: Any) -> State:
    from phaseten.rules.referee import apply_all  # noqa: PLC0415

    return apply_all(state, events)


class TestCopies:
    def test_a_copy_is_equal_and_independent(self) -> None:
        for game in games_in_the_middle("copies", 30):
            twin = game.copy()
            assert type(twin) is Game
            assert twin.save() == game.save()
            assert twin.rules is game.rules
            assert twin.players == game.players
            assert twin.deals_itself == game.deals_itself
            before = game.save()
            twin.step(twin.pick("random"))
            assert game.save() == before
            assert twin.save() != before

    def test_copies_share_no_chance_but_have_the_same(self) -> None:
        game = Game("express", 3, seed=2)
        twin = game.copy()
        assert play_on(game, 400, "random") == play_on(twin, 400, "random")
        assert game.save() == twin.save()

    def test_pickled_games_go_on_where_they_were(self) -> None:
        for game in games_in_the_middle("pickles", 20):
            twin = pickle.loads(pickle.dumps(game))
            assert type(twin) is Game
            assert twin.save() == game.save()
            assert twin.rules == game.rules
            assert twin.deals_itself == game.deals_itself
            game.deals_itself = twin.deals_itself = True
            assert play_on(game, 30) == play_on(twin, 30)

    def test_the_standard_library_copies_too(self) -> None:
        game = Game("classic", 2, seed=1)
        for twin in (copy.copy(game), copy.deepcopy(game)):
            assert twin is not game
            assert twin.save() == game.save()


class TestSaving:
    def test_restored_games_go_on_as_they_did(self) -> None:
        for game in games_in_the_middle("saves", 20):
            game.deals_itself = True
            saved = game.save()
            played = play_on(game, 40, "random")
            after = game.save()
            game.restore(saved)
            assert game.save() == saved
            assert play_on(game, 40, "random") == played
            assert game.save() == after

    @pytest.mark.parametrize("change", [-8, -1, 1, 500])
    def test_what_was_not_saved_here_is_refused(self, change: int) -> None:
        game = Game("classic", 2)
        saved = game.save()
        wrong = saved[:change] if change < 0 else saved + bytes(change)
        with pytest.raises(ValueError, match="not saved"):
            game.restore(wrong)
        with pytest.raises(ValueError, match="not saved"):
            game.restore(b"")
        assert game.save() == saved

    def test_a_game_of_another_kind_is_refused(self) -> None:
        with pytest.raises(ValueError, match="not saved"):
            Game("classic", 2).restore(Game("classic", 3).save())


class TestActions:
    def test_number_action_and_name_round_trip(self) -> None:
        for game in games_in_the_middle("round trip", 60):
            numbers = game.legal()
            assert len(set(numbers)) == len(numbers) > 0
            for number in numbers[:80]:
                action = game.action(number)
                assert game.number(action) == number
                assert parse_action(game.name(number)) == action

    def test_what_is_not_legal_has_no_number(self) -> None:
        game = Game("classic", 2, seed=7)
        with pytest.raises(ValueError, match="not legal"):
            game.number(Discard(SKIP))
        game.step(game.number(DrawDeck()))
        with pytest.raises(ValueError, match="not legal"):
            game.number(DrawDeck())
        with pytest.raises(ValueError, match="least size"):
            game.number(LayPhase((parse_cards("R1 R1 R1"), parse_cards("B2 B2 B2"))))

    @pytest.mark.parametrize("number", [-1, -(2**31), 2**31 - 1, 10**6, 500])
    def test_no_such_action(self, number: int) -> None:
        game = Game("classic", 2)
        before = game.save()
        with pytest.raises(ValueError, match="not legal"):
            game.step(number)
        assert game.save() == before

    @pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**80])
    def test_numbers_beyond_all_bounds(self, number: int) -> None:
        with pytest.raises(OverflowError):
            Game("classic", 2).step(number)

    @pytest.mark.parametrize("number", ["D", None, ()])
    def test_what_is_no_number(self, number: Any) -> None:
        with pytest.raises(TypeError):
            Game("classic", 2).step(number)

    @pytest.mark.parametrize("policy", POLICIES)
    def test_picks_are_legal(self, policy: str) -> None:
        for game in games_in_the_middle(f"picks {policy}", 60):
            legal = game.legal()
            for _ in range(5):
                assert game.pick(policy) in legal

    def test_the_casual_policy_lays_whenever_it_can(self) -> None:
        laid = 0
        game = Game("classic", 3, seed=3)
        for _ in range(2_000):
            if game.winner is not None:
                break
            lays = [n for n in game.legal() if n >= game.setup.layout.a_lay]
            choice = game.pick("casual")
            assert (choice in lays) == bool(lays)
            laid += bool(lays)
            game.step(choice)
        assert laid > 10

    def test_the_random_policy_comes_upon_everything(self) -> None:
        game = Game("classic", 4, seed=1)
        game.step(0)
        legal = game.legal()
        assert {game.pick("random") for _ in range(40 * len(legal))} == set(legal)

    def test_there_is_no_other_policy(self) -> None:
        with pytest.raises(ValueError, match="no policy 'clever'"):
            Game("classic", 2).pick("clever")

    @pytest.mark.parametrize(("old", "new"), [("greedy", "casual"), ("expert", "sharp")])
    def test_an_old_name_is_told_the_new_one(self, old: str, new: str) -> None:
        with pytest.raises(
            ValueError, match=f"'{old}' is called '{new}' now: .*random, casual, sharp"
        ):
            Game("classic", 2).pick(old)

    def test_a_way_to_lay_that_is_none(self) -> None:
        game = Game("classic", 2)
        a_lay = game.setup.layout.a_lay
        for number in (0, -1, a_lay, a_lay + 10**6):
            with pytest.raises(ValueError, match="not a way to lay"):
                game.way(number)
        with pytest.raises(ValueError, match="not a way to lay"):
            game.action(a_lay)

    def test_a_hit_on_a_meld_that_is_not_there_has_no_form(self) -> None:
        game = Game("classic", 2)
        layout = game.setup.layout
        with pytest.raises(ValueError, match="no such meld"):
            game.action(layout.a_hit + layout.h_wild_low)


class TestPlaying:
    def test_a_whole_game(self) -> None:
        game = Game("express", 2, seed=6)
        results = [game.step(game.pick())]
        while game.winner is None:
            results.append(game.step(game.pick()))
        assert results[-1] == 2
        assert results.count(2) == 1
        assert results.count(1) == game.hand - 1
        assert game.turn is None
        assert game.legal() == []
        winner = game.winner
        assert game.left[winner - 1] == ()
        with pytest.raises(ValueError, match="not legal"):
            game.step(0)
        with pytest.raises(ValueError, match="no hand"):
            game.pick()
        with pytest.raises(ValueError, match="game is over"):
            game.deal()

    def test_hands_can_wait_for_the_deal(self) -> None:
        game = Game("express", 2, seed=6)
        game.deals_itself = False
        with pytest.raises(ValueError, match="hand is going on"):
            game.deal()
        with pytest.raises(ValueError, match="hand is going on"):
            game.deal_cards(game.rules.edition.deck)
        while game.turn is not None:
            game.step(game.pick())
        assert game.legal() == []
        with pytest.raises(ValueError, match="not legal"):
            game.step(0)
        assert game.hand == 1
        game.deal()
        assert game.hand == 2
        assert game.turn is not None

    @pytest.mark.parametrize("part", range(2))
    def test_a_game_that_deals_itself_is_the_same_game(self, part: int) -> None:
        rng = random.Random(f"deals {part}")
        for _ in range(15):
            table = random_table(rng)
            one = Game(table.rules, table.seats, seed=table.seed)
            other = one.copy()
            other.deals_itself = False
            for _ in range(300):
                if one.winner is not None:
                    break
                action = one.pick()
                assert other.pick() == action
                assert one.step(action) == other.step(action)
                if other.turn is None and other.winner is None:
                    other.deal()
                assert one.save() == other.save()


class TestSeats:
    @pytest.mark.parametrize("seat", [0, 3, -1, 100])
    def test_nobody_else_sits_there(self, seat: int) -> None:
        game = Game("classic", 2)
        before = game.save()
        with pytest.raises(ValueError, match=re.escape(f"no seat {seat}")):
            game.observe(seat)
        with pytest.raises(ValueError, match=re.escape(f"no seat {seat}")):
            game.resample(seat)
        with pytest.raises(ValueError, match=re.escape(f"no seat {seat}")):
            game.total_of(seat - 1)
        assert game.save() == before

    @pytest.mark.parametrize("place", [-1, 2_000, 10**6])
    def test_no_byte_beyond_the_state(self, place: int) -> None:
        with pytest.raises(IndexError):
            Game("classic", 2).at(place)

    def test_observations_are_written_in_place(self) -> None:
        game = Game("classic", 2)
        out = np.zeros(game.observation_size(), np.int16)
        assert game.observe(1, out) is out
        assert out.any()

    @pytest.mark.parametrize(
        "out",
        [
            np.zeros(10, np.int16),
            np.zeros(0, np.int16),
            np.zeros(2_000, np.int16)[::2],
            np.zeros(464, np.int32),
            np.zeros((2, 232), np.int16),
            np.zeros(464, np.float64),
        ],
        ids=str,
    )
    def test_nothing_is_written_where_it_does_not_fit(self, out: Any) -> None:
        game = Game("classic", 2)
        with pytest.raises(ValueError, match=r"."):
            game.observe(1, out)
        assert not out.any()

    def test_nothing_is_written_where_nothing_may_be(self) -> None:
        game = Game("classic", 2)
        out = np.zeros(game.observation_size(), np.int16)
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            game.observe(1, out)
