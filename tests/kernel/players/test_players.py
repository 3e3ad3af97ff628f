"""The built-in players: what each does, and what each overlooks."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from phaseten.kernel import Game
from phaseten.kernel.game import game_of
from phaseten.kernel.players import POLICIES
from phaseten.rules.actions import Discard, LayPhase, TakeDiscard
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.shapes import plan_for
from phaseten.rules.solver import missing_cards, solve_phase
from phaseten.rules.state import DRAW, State, open_phases
from phaseten.rules.views import View, legal_actions, view_of
from tests.kernel.positions import games_in_the_middle
from tests.kernel.twins import make_edition, play, random_table
from tests.rulebook.situations import situation

THINKING = ("casual", "sharp")
SETS = ["set 3: R4 B4 Y4", "set 3: R6 B6 Y6"]


def game_in(state: State) -> Game:
    assert state.board is not None
    return game_of(view_of(state, state.board.turn))


def choices(state: State, policy: str, times: int = 600) -> Counter[str]:
    """What the player does, by seeds."""
    game = game_in(state)
    number = POLICIES[policy]
    return Counter(game.name(game.choose_seeded(number, seed)) for seed in range(times))


def only(state: State, policy: str) -> str:
    """What the player does, whatever the seed."""
    (choice,) = choices(state, policy, 20)
    return choice


def share(counts: Counter[str], *names: str) -> float:
    return sum(counts[name] for name in names) / counts.total()


# -- all of them ---------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_a_seeded_choice_is_legal_and_depends_on_seed_and_knowledge_alone(policy: str) -> None:
    number = POLICIES[policy]
    differ = 0
    for game in games_in_the_middle(f"seeded {policy}", 40):
        assert game.turn is not None
        before = game.save()
        choice = game.choose_seeded(number, 5)
        assert choice in game.legal()
        assert game.save() == before  # not even the game's chance
        other = game.copy()
        other.resample(game.turn)
        assert other.choose_seeded(number, 5) == choice
        differ += len({game.choose_seeded(number, seed) for seed in range(8)}) > 1
    assert (differ > 10) == (
        policy in ("random", "rookie")
    )  # others vary in hands that stand still


@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_chooses_between_hands(policy: str) -> None:
    game = Game("express", 2, seed=6)
    game.deals_itself = False
    while game.turn is not None:
        game.step(game.pick())
    with pytest.raises(ValueError, match="no hand is going on"):
        game.choose_seeded(POLICIES[policy], 1)


def test_a_view_gives_the_game_back() -> None:
    rng = random.Random("views")
    for _ in range(60):
        *_, (twins, _) = play(random_table(rng), rng.randrange(1, 200))
        game, board = twins.game, twins.state.board
        if game.turn is None or board is None:
            continue
        twin = game_of(view_of(twins.state, game.turn))
        assert twin.view(game.turn) == game.view(game.turn)
        assert twin.observe(game.turn).tobytes() == game.observe(game.turn).tobytes()
        assert twin.legal() == game.legal()


def test_a_view_of_somebody_elses_turn_gives_none() -> None:
    game = Game("classic", 3, seed=1)
    assert game.turn == 2
    for seat in (1, 3):
        with pytest.raises(ValueError, match="not this seat's turn"):
            game_of(game.view(seat))
    with pytest.raises(ValueError, match="not this seat's turn"):
        game_of(view_of(game.state_now(), None))


# -- those who think -----------------------------------------------------------------------------


def book_positions(policy: str) -> Iterator[tuple[Game, View]]:
    """Positions of that player's own games, in every edition."""
    for name in BOOK_EDITIONS:
        for seats in (2, 4):
            game = Game(name, seats, seed=11)
            for _ in range(400):
                if game.turn is None:
                    break
                yield game, game.view(game.turn)
                game.step(game.pick(policy))


@pytest.mark.parametrize("policy", THINKING)
def test_what_can_be_laid_or_hit_is(policy: str) -> None:
    pressed = 0
    for game, _ in book_positions(policy):
        pressing = [number for number in game.legal() if number >= game.setup.layout.a_hit]
        if pressing:
            pressed += 1
            assert game.pick(policy) in pressing
    assert pressed > 200


@pytest.mark.parametrize("policy", THINKING)
def test_of_thousands_of_ways_to_lay_one_that_spares_wilds_is_found_quickly(policy: str) -> None:
    rng = random.Random(policy)
    numbers = [card.text for card in edition("classic").deck if card.is_natural]
    games: list[Game] = []
    for _ in range(120):
        wilds = rng.randint(2, 7)
        held = " ".join(["W"] * wilds + rng.sample(numbers, 11 - wilds))
        games.append(game_in(situation(held={1: held}, house=["choose_phase"])))
    begun = time.process_time()
    picked = [game.pick(policy) for game in games]
    assert time.process_time() - begun < 0.5
    assert max(picked) - games[0].setup.layout.a_lay > 400
    laid = 0
    for game, number in zip(games, picked, strict=True):
        action, held = game.action(number), game.view(1).held
        if isinstance(action, LayPhase) and action.phase is not None:
            laid += 1
            melds = solve_phase(game.rules.by_number[action.phase], held, game.rules).melds
            assert melds is not None
            assert spent(action.melds) == spent(melds)
    assert laid > 80


def spent(melds: Iterable[Iterable[Card]]) -> int:
    """How many Wilds."""
    return sum(card.is_wild for meld in melds for card in meld)


def test_sharp_takes_exactly_what_brings_a_phase_nearer() -> None:
    """While the Phase is not complete; the solver of the rules says what is nearer."""
    asked = taken = 0
    for game, view in book_positions("sharp"):
        board = view.board
        assert board is not None
        if board.step != DRAW or board.made[board.turn - 1] or board.top is None:
            continue
        if TakeDiscard() not in legal_actions(view):
            continue
        (number,) = open_phases(view.rules, view.sheet, board.turn)
        phase = view.rules.by_number[number]
        if plan_for(phase, view.rules.edition).tangled and len(phase.groups) == 2:
            continue
        missing = missing_cards(phase, view.held, view.rules)
        if missing == 0 or phase.must_show:
            continue
        nearer = missing_cards(phase, (*view.held, board.top), view.rules) < missing
        asked += 1
        taken += nearer
        assert (game.action(game.pick("sharp")) == TakeDiscard()) == nearer
    assert asked > 300
    assert taken > 50


@pytest.mark.parametrize("policy", THINKING)
class TestDrawing:
    """A card is taken for a use it has, and not to be thrown back."""

    def test_a_wild_for_a_phase_that_lacks_something(self, policy: str) -> None:
        state = situation(held={1: "R1 R3 R5 R7 R9 B2 B4 B6 B8 B10"}, discards="W", step="draw")
        assert only(state, policy) == "P"

    def test_a_wild_that_a_meld_takes(self, policy: str) -> None:
        state = situation(
            held={1: "R1 R12"}, table={1: SETS}, discards="W", step="draw",
        )  # fmt: skip
        assert only(state, policy) == "P"

    def test_no_wild_that_nothing_takes(self, policy: str) -> None:
        full = "run 9: " + " ".join(f"B{number}" for number in range(1, 13))
        state = situation(
            held={1: "R1 R12"}, phases={1: 6}, table={1: [full]}, discards="W", step="draw"
        )
        assert only(state, policy) == "D"

    def test_no_wild_for_a_hand_of_wilds(self, policy: str) -> None:
        """Wilds alone are no Phase: only a numbered card helps."""
        state = situation(held={1: "W W W W W W W"}, discards="W", step="draw")
        assert only(state, policy) == "D"
        state = situation(held={1: "W W W W W W W"}, discards="R5", step="draw")
        assert only(state, "sharp") == "P"

    def test_what_a_phase_must_show(self, policy: str) -> None:
        """El Chavo's last Phase is complete, but for an 8 or a Wild to be seen in it."""
        held = {1: "R7 B7 Y7 G7 R7 R9 B9 Y9 G9 R1"}
        for top, choice in (("W", "P"), ("G7", "D"), ("R2", "D")):
            state = situation(
                "elchavo", held=held, phases={1: 10}, discards=f"R12 {top}", step="draw"
            )
            assert only(state, policy) == choice

    def test_nothing_for_the_table_but_what_fits(self, policy: str) -> None:
        for top, choice in (("G4", "P"), ("G5", "D")):
            state = situation(
                held={1: "R1 R12"}, table={1: SETS}, discards=f"R12 {top}", step="draw"
            )
            assert only(state, policy) == choice

    def test_what_there_is_where_there_is_no_draw_pile(self, policy: str) -> None:
        state = situation(
            held={1: "R1 R3 R5 R7 R9 B2 B4 B6 B8 B10"}, rest=2, discards="Y12", step="draw"
        )
        assert only(state, policy) == "P"


@pytest.mark.parametrize("policy", THINKING)
def test_a_phase_as_large_as_the_hand_is_not_handed_round(policy: str) -> None:
    """Three Wilds are no Phase and cannot be kept: sometimes the next Wild is left alone."""
    box = make_edition(phases="set 3", deal=2, colors="RB", wilds=8)
    counts = choices(situation(box, held={1: "W W"}, discards="R1 W", step="draw"), policy)
    assert 0.05 < share(counts, "D") < 0.25


class TestSharp:
    def test_skips_whoever_is_about_to_go_out(self) -> None:
        held = {1: "S R1 R3 R5 R7 R9 B2 B4 B6 B8 B10", 2: "R12", 3: "Y1 Y2 Y3", 4: "G1 G2"}
        state = situation(players=4, held=held, table={3: SETS})
        assert only(state, "sharp") == "-S@3"

    @pytest.mark.parametrize("ahead", [2, 3])
    def test_skips_whoever_has_the_fewest_phases_left_of_twenty(self, ahead: int) -> None:
        box = make_edition(phases=", ".join(["set 3"] * 20))
        held = {1: "S R1 B2 Y3", 2: "R4 B5 Y6", 3: "G4 R5 B6"}
        left = {seat: [20] if seat == ahead else [17, 18, 19, 20] for seat in (2, 3)}
        state = situation(box=box, players=3, held=held, left=left)
        assert only(state, "sharp") == f"-S@{ahead}"

    @pytest.mark.parametrize("number", range(1, 6))
    def test_counts_what_can_still_come(self, number: int) -> None:
        """Of five equal beginnings it gives up the one for which no card is left."""
        held = " ".join(f"R{n} B{n}" for n in range(1, 6))
        gone = " ".join(f"{color}{number}" for color in "YGYGRB")
        state = situation(held={1: held}, discards=gone)
        choice = game_in(state).action(game_in(state).pick("sharp"))
        assert isinstance(choice, Discard)
        assert choice.card.number == number

    def test_does_not_feed_the_next_player(self) -> None:
        """Of two cards without use it keeps the one that fits what the next player has laid."""
        held = {1: "R1 B1 R2 B2 Y2 R11 B12", 2: "G7 G8"}
        for number, choice in ((11, "-B12"), (12, "-R11")):
            row = [f"set 3: Y{number} G{number} W={number}", "set 3: R9 B9 Y9"]
            assert only(situation(held=held, table={2: row}), "sharp") == choice

    def test_goes_out_with_a_skip(self) -> None:
        state = situation(held={1: "S", 2: "R1"}, table={1: SETS})
        assert only(state, "sharp") == "-S"


# -- the beginner --------------------------------------------------------------------------------


class TestTheRookie:
    def test_does_not_look_at_the_discards_half_of_the_time(self) -> None:
        state = situation(held={1: "R1 B1 R3 B3 Y3 R7 B9 Y11 G12 G5"}, discards="Y1", step="draw")
        assert only(state, "casual") == "P"
        assert 0.4 < share(choices(state, "rookie"), "D") < 0.6

    def test_never_takes_what_casual_would_not(self) -> None:
        state = situation(held={1: "R1 B1 R3 B3 Y3 R7 B9 Y11 G12 G5"}, discards="Y8", step="draw")
        assert only(state, "rookie") == "D"

    def test_overlooks_one_lay_down_in_five(self) -> None:
        state = situation(held={1: "R1 B1 Y1 R3 B3 Y3 R7 B9 Y11 G12 W"})
        assert isinstance(game_in(state).action(game_in(state).pick("casual")), LayPhase)
        counts = choices(state, "rookie")
        laid = sum(n for name, n in counts.items() if name.startswith("L"))
        assert 0.73 < laid / counts.total() < 0.87
        assert "-W" not in counts

    def test_overlooks_every_third_hit(self) -> None:
        state = situation(held={1: "G4 R1 W"}, table={1: SETS})
        counts = choices(state, "rookie")
        hit = sum(n for name, n in counts.items() if name.startswith("H"))
        assert 0.58 < hit / counts.total() < 0.75
        assert "-W" not in counts

    def test_throws_away_any_number_one_time_in_five(self) -> None:
        state = situation(held={1: "R1 B1 R3 B3 R7 B9 Y11 G12 G5 Y6 W"})
        sensible = only(state, "casual")
        counts = choices(state, "rookie")
        assert 0.75 < share(counts, sensible) < 0.9
        assert len(counts) == 10
        assert "-W" not in counts

    def test_keeps_the_card_just_taken(self) -> None:
        state = situation(held={1: "R1 B1 R3 B3 R7 B9 Y11 G12 G5 Y6"}, discards="Y1", step="draw")
        game = game_in(state)
        game.step(game.number(TakeDiscard()))
        discards = {game.name(game.choose_seeded(POLICIES["rookie"], n)) for n in range(600)}
        assert "-Y1" not in discards
        assert len(discards) == 10

    def test_throws_a_wild_away_when_it_has_nothing_else(self) -> None:
        state = situation(held={1: "W W W"})
        assert only(state, "rookie") == "-W"

    def test_plays_a_skip_most_of_the_time(self) -> None:
        state = situation(held={1: "S R1 R3 R5 R7 R9 B2 B4 B6 B8 B10"})
        assert 0.73 < share(choices(state, "rookie"), "-S@2") < 0.87
