"""The one who searches: time is kept, worlds are counted, and chance is not mistaken for strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from phaseten.bots import master
from phaseten.bots.ladder import make_bot
from phaseten.bots.master import MOST_DISCARDS, MOST_DISLIKE, SECONDS, Master, Trials, dislikes
from phaseten.kernel import Game
from phaseten.kernel.players.network.weights import EDITIONS, load_network
from phaseten.kernel.players.search import Search
from phaseten.notation.moves import parse_action
from phaseten.rules.views import view_of
from tests.kernel.positions import games_in_the_middle
from tests.rulebook.situations import situation

# -- time ----------------------------------------------------------------------------------------


class Clock:
    """Goes on by a hundredth of a second whenever somebody looks."""

    def __init__(self) -> None:
        self.looks: list[float] = []

    def __call__(self) -> float:
        self.looks.append(len(self.looks) / 100)
        return self.looks[-1]


def open_questions(count: int, seats: int = 4) -> Iterator[Game]:
    """Positions in which more than one action is worth trying."""
    game = Game("classic", seats, seed=2)
    while count:
        if len(Search(game.setup.layout, game.save(), 0).candidates(MOST_DISCARDS)) > 3:
            count -= 1
            yield game
        game.step(game.pick("sharp"))


def looks_for(spec: str, game: Game) -> list[float]:
    """When the bot looked at the clock: at the beginning, before the first world, and after every batch."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(master, "monotonic", clock)
        make_bot(spec).choose_in(game)
    return clock.looks


@pytest.mark.parametrize(
    ("spec", "seconds"), [("master@0s", 0), ("master@0.05s", 0.05), ("master", 0.2)]
)
def test_the_time_is_kept(spec: str, seconds: float) -> None:
    """How long a batch takes, by which it can be exceeded, says ``benchmarks/bots.py``."""
    used: list[float] = []
    for game in open_questions(8):
        first, _, *later = looks_for(spec, game)
        assert all(look < first + seconds for look in later[:-1]), "it goes on when time is up"
        used.append(later[-1] - first)
    assert max(used) >= seconds, "it uses what it has"


def test_the_time_for_a_move_unless_something_else_is_asked_for() -> None:
    assert SECONDS == 0.2


def test_without_time_there_is_a_sensible_choice_all_the_same() -> None:
    for game in games_in_the_middle("no time", 40):
        assert make_bot("master@0s").choose_in(game) in game.legal()
    state = situation(
        held={1: "R5 G12", 2: "B1 B2 B3"}, phases={1: 10, 2: 8}, totals=(0, 200),
        table={1: ["set 5: R5 B5 Y5 G5 W=5", "set 3: R9 B9 G9"]},
    )  # fmt: skip
    assert make_bot("master@0s").choose(view_of(state, 1)) == parse_action("H R5>1.1")


def test_more_time_is_used_for_more_worlds() -> None:
    """What is still open is tried on, so that time helps."""
    (game,) = open_questions(1, seats=6)
    assert len(looks_for("master@0.1s", game)) > len(looks_for("master@0s", game))


def test_with_worlds_the_clock_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_clock() -> float:
        raise AssertionError("it looked at the clock")

    monkeypatch.setattr(master, "monotonic", no_clock)
    for game in open_questions(3):
        assert make_bot("master@32").choose_in(game) in game.legal()
        with pytest.raises(AssertionError, match="looked at the clock"):
            make_bot("master@32s").choose_in(game)


# -- worlds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("worlds", [1, 2, 15, 16, 17, 49, 333])
def test_any_number_of_worlds_gives_a_legal_choice(worlds: int) -> None:
    for game in games_in_the_middle(f"worlds {worlds}", 12):
        assert make_bot(f"master@{worlds}").choose_in(game) in game.legal()


@pytest.mark.parametrize("worlds", [1, 4])
def test_in_few_worlds_it_plays_as_deep_does(worlds: int) -> None:
    """Which is as sharp does where deep has not learned the game."""
    for game in games_in_the_middle(f"few {worlds}", 30):
        deep = make_bot("deep", seed=4).choose_in(game)
        assert Master(seed=4, seconds=None, worlds=worlds).choose_in(game) == deep


def test_nor_is_it_sharp_then_where_deep_has_learned_the_game() -> None:
    differ = 0
    for game in open_questions(12, seats=2):
        deep = make_bot("deep").choose_in(game)
        assert make_bot("master@1").choose_in(game) == deep
        differ += deep != make_bot("sharp").choose_in(game)
    assert differ > 0


@pytest.mark.parametrize("worlds", [47, 48, 65, 480])
def test_any_number_of_worlds_will_do_where_deeps_pupil_plays_out(worlds: int) -> None:
    for game in open_questions(6, seats=2):
        choices = {make_bot(f"master@{worlds}").choose_in(game) for _ in range(2)}
        assert len(choices) == 1
        assert choices <= set(game.legal())


class SharpPlayersOnly(Master):
    """As where deep's pupil cannot play hands out in time."""

    def _pupil(self, game: Game) -> None: ...


def test_deeps_pupil_has_a_say_where_deep_has_learned_the_game() -> None:
    differ: Counter[int] = Counter()
    for seats, variant in ((2, "standard"), (2, "ten-hands")):
        game = Game("classic", seats, variant=variant, seed=8)
        for _ in range(150):
            if game.turn is None:
                break
            bots = [kind(seconds=None, worlds=200) for kind in (Master, SharpPlayersOnly)]
            one, other = (bot.choose_in(game) for bot in bots)
            differ[variant != "standard"] += one != other
            game.step(one)
    assert differ[False] > 0
    assert differ[True] == 0


def test_what_deep_dislikes_must_seem_the_better_for_it() -> None:
    for game in open_questions(5, seats=2):
        liked = dict(
            load_network().likings(game.setup.layout, game.save(), EDITIONS.index("classic"))
        )
        numbers = sorted(liked, key=lambda number: -liked[number])
        costs = dislikes(game, [*numbers, game.setup.layout.a_lay], EDITIONS.index("classic"))
        assert costs[0] == 0
        assert (np.diff(costs[:-1]) >= 0).all()
        assert costs.max() <= MOST_DISLIKE


def test_it_is_more_than_sharp() -> None:
    differ = 0
    for game in games_in_the_middle("more than", 60):
        differ += make_bot("master@200").choose_in(game) != make_bot("sharp").choose_in(game)
    assert 2 < differ < 40


# -- what was learned from worlds ----------------------------------------------------------------


def decided(
    means: list[float], rng: np.random.Generator, *, worlds: int = 480, spread: float = 0.3
) -> tuple[int, Trials]:
    """What is chosen among actions of these true values, tried as the master tries them.

    Worlds differ far more than actions do within a world.
    """
    trials = Trials(len(means))
    while len(trials.open) > 1 and trials.worlds < worlds:
        trials.add(_batch(np.array(means)[trials.open], rng, spread))
    return trials.best(), trials


def _batch(
    means: NDArray[np.float64], rng: np.random.Generator, spread: float
) -> NDArray[np.float64]:
    world = rng.normal(0, 1, (16, 1))
    return means + world + rng.normal(0, spread, (16, len(means)))


def shares(means: list[float], times: int = 300, **options: float) -> dict[int, float]:
    """How often each action is chosen."""
    rng = np.random.default_rng(len(means))
    found = Counter(decided(means, rng, **options)[0] for _ in range(times))  # pyright: ignore[reportArgumentType]
    return {action: found[action] / times for action in range(len(means))}


class TestTrials:
    def test_what_is_clearly_better_is_chosen(self) -> None:
        assert shares([0, 0, 0.2, 0])[2] > 0.95
        assert shares([0, -0.2, -0.2, -0.2])[0] > 0.95

    def test_what_is_clearly_worse_is_tried_no_more(self) -> None:
        rng = np.random.default_rng(1)
        for _ in range(50):
            _, trials = decided([0, 0.01, -0.5, 0.01, -0.5], rng)
            assert not {2, 4} & set(trials.open.tolist())

    def test_a_clear_case_is_decided_soon(self) -> None:
        rng = np.random.default_rng(2)
        worlds = [decided([0, -1, -1], rng)[1].worlds for _ in range(30)]
        assert max(worlds) <= 64

    def test_under_noise_alone_it_leans_to_the_experts_action(self) -> None:
        equal = shares([0] * 6)
        assert equal[0] > 2 * max(equal[action] for action in range(1, 6))

    def test_a_close_case_is_no_great_loss(self) -> None:
        means = [0, 0.02, -0.02, 0.01]
        loss = sum(share * (0.02 - means[action]) for action, share in shares(means).items())
        assert loss < 0.02

    def test_the_experts_action_too_is_given_up(self) -> None:
        rng = np.random.default_rng(3)
        choices = [decided([-1, 0, 0], rng) for _ in range(30)]
        assert all(choice != 0 for choice, _ in choices)
        assert all(0 not in trials.open for _, trials in choices)

    def test_actions_that_never_differ_are_the_sharp_ones(self) -> None:
        trials = Trials(3)
        while len(trials.open) > 1 and trials.worlds < 96:
            trials.add(np.full((16, 3), 0.25)[:, trials.open])
        assert trials.best() == 0

    def test_a_difference_that_is_always_the_same_counts(self) -> None:
        trials = Trials(3)
        while len(trials.open) > 1 and trials.worlds < 96:
            trials.add(np.tile([0.25, 0.5, 0.1], (16, 1))[:, trials.open])
        assert trials.best() == 1

    def test_nothing_known_is_the_experts_action(self) -> None:
        trials = Trials(4)
        assert trials.best() == 0
        trials.add(np.array([[0.1, 0.9, 0.2, 0.3]]))
        assert trials.worlds == 1
        assert trials.best() == 0
        assert trials.open.tolist() == [0, 1, 2, 3]

    def test_numbers_stay_those_of_the_actions(self) -> None:
        trials = Trials(4)
        for _ in range(10):
            values = np.tile([0.4, 0.1, 0.2, 0.9], (16, 1))
            noise = np.random.default_rng(trials.worlds).normal(0, 0.01, values.shape)
            trials.add((values + noise)[:, trials.open])
        assert trials.best() == 3
        assert trials.open.tolist() == [3]
