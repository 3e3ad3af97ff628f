"""What somebody's games come to."""

import random

import msgspec

from phaseten.server.store.games import GameAbout, HandAbout, KeptAbout, finished_game, listed_game
from phaseten.server.store.interface import KeptGame, PlayedGame
from phaseten.server.store.statistics import BestHand, Opponent, statistics_of
from phaseten.table.options import Options
from tests.table.sitting import Sitting


def played(number: int, winner: int | None, seat: int = 1, **more: object) -> PlayedGame:
    """A game between Ana and the bot Bruno."""
    about = KeptAbout(
        "Classic", "standard", ("Ana", "Bruno"), winner, (10, 8), (20, 95), 10, custom=False,
        bots=("", "sharp"), **more,  # pyright: ignore[reportArgumentType]
    )  # fmt: skip
    text = msgspec.json.encode(about).decode()
    return PlayedGame(KeptGame(f"game{number}", "CODE", number, 1, 9, number, "", text), seat)


def test_games_wins_and_streaks() -> None:
    winners = [1, 1, 2, 1, None, 1]  # from the first to the last
    found = statistics_of([played(number, winners[number]) for number in range(5, -1, -1)])
    assert (found.games, found.won, found.expected) == (5, 4, 2.5)
    assert (found.streak, found.longest) == (2, 2)
    assert (found.phases, found.points) == (50, 100)
    assert found.opponents == (Opponent("Bruno", "sharp", 5, 4, 1),)
    assert [game.game for game in found.recent] == ["game0", "game1", "game2", "game3", "game5"]


def test_the_best_hand_is_the_one_that_cost_the_others_most() -> None:
    course = (
        HandAbout(1, (0, 40), (1, 0)),
        HandAbout(2, (90, 0), (0, 1)),
        HandAbout(1, (0, 65), (2, 2)),
    )
    found = statistics_of([played(1, 1, course=course)])
    assert (found.hands, found.outs, found.made) == (3, 2, 2)
    assert found.best == BestHand("game1", 3, 65)


def test_who_only_watched_over_it_or_never_played_has_none() -> None:
    assert statistics_of([]).games == 0
    assert statistics_of([played(1, 1, seat=0)]).best is None


def test_a_game_is_kept_with_its_course_and_listed_without() -> None:
    sitting = Sitting(Options(edition="express", seats=2, pace=0, variant="phases=1"))
    sitting.seat("ana", "beto")
    sitting.start()
    before = sitting.table
    rng = random.Random(4)
    while sitting.table.stage == "playing":
        before = sitting.table
        sitting.act(rng)
    game = finished_game(sitting.table, before)
    assert game is not None
    kept = KeptGame(game.game, "TEST", 1, 1, 9, 0, "ana", game.about)
    about = msgspec.json.decode(game.about, type=KeptAbout)
    totals = [sum(hand.points[seat] for hand in about.course) for seat in (0, 1)]
    assert tuple(totals) == about.totals
    assert type(listed_game(PlayedGame(kept, 1), "ana").about) is GameAbout
    assert statistics_of([PlayedGame(kept, 1)]).hands == len(about.course)
