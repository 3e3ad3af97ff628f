"""Finished games in the log, without a server."""

import random

import msgspec
import pytest

from phaseten import Game
from phaseten.language import language
from phaseten.notation.records import RecordSyntaxError, parse_record
from phaseten.notation.verdict import judge
from phaseten.rules.actions import TakeDiscard
from phaseten.server.http.replays import replay
from phaseten.server.store.codec import read_events
from phaseten.server.store.deletion import without_game
from phaseten.server.store.games import GameAbout, finished_game, is_game_id, load_game
from phaseten.server.store.interface import FinishedGame, KeptGame, KeptStep, Step
from phaseten.server.store.listings import listing_of
from phaseten.table.commands import AddSeed, CallOff, CallRematch, PauseGame, ResumeGame, Say, Undo
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table
from tests.table.sitting import SEED, Sitting

OPTIONS = Options(edition="express", seats=2, pace=0, variant="phases=1")


def finish(sitting: Sitting, seed: int = 2) -> KeptGame:
    """Play the game to its end, a step at a time; the game as it is kept."""
    rng = random.Random(seed)
    while True:
        before = sitting.table
        sitting.act(rng)
        found = listing_of(sitting.table, before).finished
        if found is not None:
            return kept(sitting, found)
        assert sitting.table.stage == "playing"


def kept(sitting: Sitting, game: FinishedGame) -> KeptGame:
    version = sitting.table.version
    return KeptGame(
        game.game, "TEST", game.number, game.first, version, sitting.now, game.host, game.about
    )


def playing(sitting: Sitting | None = None) -> Sitting:
    sitting = sitting or Sitting(OPTIONS)
    if not sitting.table.places[0].name:
        sitting.seat("ana", "beto")
    sitting.ask("ana", AddSeed("k3"))
    sitting.start()
    return sitting


def log_of(sitting: Sitting) -> list[KeptStep]:
    return [KeptStep(number, Step(*step)) for number, step in enumerate(sitting.log, 1)]


def folded(log: list[KeptStep]) -> Table:
    table = empty_table("TEST")
    for step in log:
        table = apply(table, step.step.at, read_events(step.step.events))
    return table


def rewritten(sitting: Sitting, *games: KeptGame, of: KeptGame) -> list[KeptStep]:
    """The log after that game was taken out of it."""
    log = log_of(sitting)
    for step in without_game(sitting.table, log, of, games):
        assert log[step.version - 1].step.at == step.step.at
        log[step.version - 1] = step
    return log


def test_a_finished_game_is_found_in_the_very_step_that_ends_it() -> None:
    sitting = playing()
    game = finish(sitting)
    assert (game.number, game.first, game.last) == (1, 1, sitting.table.version)
    assert game.host == "ana"
    about = msgspec.json.decode(game.about, type=GameAbout)
    assert about.names == ("Ana", "Beto")
    assert sitting.table.game is not None
    assert about.winner == sitting.table.game.sheet.winner
    before = sitting.table
    sitting.ask("beto", Say("bye"))
    assert finished_game(sitting.table, before) is None
    for secret in ("ana", SEED.hex()):
        assert secret not in game.about


def test_its_name_cannot_be_known_before_the_seed() -> None:
    names = {finish(playing(Sitting(OPTIONS, seed=bytes([i]) * 32))).game for i in range(3)}
    assert len(names) == 3
    assert all(is_game_id(name) for name in names)
    assert finish(playing()).game == finish(playing()).game, "the same on every node"
    for wrong in ("", "A" * 26, "a" * 25, "a" * 27, "1" * 26):
        assert not is_game_id(wrong)


def test_players_have_their_seats_and_a_host_without_one_has_none() -> None:
    sitting = Sitting(OPTIONS, "zoe")
    sitting.seat("ana", "beto")
    sitting.start()
    before = sitting.table
    sitting.ask("zoe", CallOff())
    game = listing_of(sitting.table, before).finished
    assert game is not None
    assert dict(game.players) == {"zoe": 0, "ana": 1, "beto": 2}
    assert msgspec.json.decode(game.about, type=GameAbout).winner is None


def test_each_game_of_a_table_is_told_by_itself() -> None:
    sitting = playing()
    first = finish(sitting)
    sitting.ask("ana", Say("again"))
    sitting.ask("ana", CallRematch(bytes(32)))
    second = finish(playing(sitting), seed=5)
    assert second.first > first.last
    for game, seed in ((first, SEED), (second, bytes(32))):
        told = load_game(game, empty_table("TEST"), log_of(sitting))
        assert told is not None
        verdict = judge(parse_record(told.record))
        assert verdict["ok"], verdict
        assert f'[ServerSeed "{seed.hex()}"]' in told.record
        assert verdict["winner"] == msgspec.json.decode(game.about, type=GameAbout).winner


# -- forgetting --------------------------------------------------------------------------------


def test_a_table_after_a_rematch_is_the_same_without_the_game_before() -> None:
    sitting = playing()
    owner = sitting.table.places[(sitting.table.turn or 0) - 1].owner
    sitting.play(owner, TakeDiscard())
    sitting.ask(owner, Undo(sitting.table.version))
    sitting.ask("ana", PauseGame())
    sitting.ask("beto", Say("a secret plan"))
    sitting.ask("ana", ResumeGame())
    game = finish(sitting)
    sitting.ask("beto", Say("a sore loser"))
    sitting.ask("ana", CallRematch(bytes(32)))
    for steps in (0, 12):
        if steps:
            playing(sitting)
            sitting.ask("beto", Say("here we go"))
            sitting.play_on(random.Random(4), steps)
        log = rewritten(sitting, game, of=game)
        clock = sitting.table.turn_at if not steps else folded(log).turn_at  # of a game before
        assert folded(log)._replace(turn_at=clock) == sitting.table
        text = "".join(step.step.events for step in log)
        for gone in ("secret plan", "sore loser", SEED.hex(), "CardDrawn" if not steps else "k9"):
            assert gone not in text
        assert ("here we go" in text) == bool(steps)
        assert load_game(game, empty_table("TEST"), log) is None


def test_the_last_game_leaves_a_finished_table() -> None:
    sitting = playing()
    first = finish(sitting)
    sitting.ask("ana", CallRematch(bytes(32)))
    last = finish(playing(sitting), seed=5)
    sitting.ask("ana", Say("a sore winner"))
    log = rewritten(sitting, first, last, of=last)
    table = folded(log)
    assert (table.stage, table.games, table.version) == (
        "finished",
        2,
        sitting.table.version,
    )
    assert table.game is not None
    assert table.game.sheet.hands == ()
    assert "sore winner" not in log[-1].step.events
    assert listing_of(table).due is None, "there is nothing to do there"
    assert load_game(first, empty_table("TEST"), log) is not None
    assert load_game(last, empty_table("TEST"), log) is None


def test_a_table_of_a_position_keeps_it_when_its_game_is_deleted() -> None:
    position = Game(seed=7, players=2, edition="express", variant="phases=1").position(1)
    sitting = playing(Sitting(OPTIONS, position=position))
    game = finish(sitting)
    sitting.ask("ana", CallRematch(bytes(32)))
    log = rewritten(sitting, game, of=game)
    assert folded(log)._replace(turn_at=sitting.table.turn_at) == sitting.table
    assert playing(sitting).table.game is not None


def test_games_on_both_sides_of_a_deleted_one_stay() -> None:
    sitting = playing()
    games = [finish(sitting)]
    for number in (1, 2):
        sitting.ask("ana", CallRematch(bytes([number]) * 32))
        games.append(finish(playing(sitting), seed=number))
    log = rewritten(sitting, *games, of=games[1])
    records = [load_game(game, empty_table("TEST"), log) for game in games]
    assert records[0] == load_game(games[0], empty_table("TEST"), log_of(sitting))
    assert records[1] is None
    third = load_game(games[2], empty_table("TEST"), log_of(sitting))
    assert third is not None
    assert records[2] is not None
    assert records[2].record == third.record
    assert folded(log).game == sitting.table.game


def test_a_record_without_hands_cannot_be_watched() -> None:
    text = '[Format "phaseten-1"]\n[Edition "classic"]\n[Seat1 "A"]\n[Seat2 "B"]\n[Dealer "1"]\n'
    with pytest.raises(RecordSyntaxError, match="no hand"):
        replay(parse_record(text), None, language("en"))
