"""Games that begin in a position, and not with a deal."""

import random

import pytest

from phaseten import Game, judge
from phaseten.notation.positions import format_position
from phaseten.rules.views import view_of
from phaseten.server.store.records import record_of
from phaseten.server.store.snapshots import read_table, write_table
from phaseten.table.beginnings import fit_to_position
from phaseten.table.commands import CallRematch, ChangeOptions, OpenTable
from phaseten.table.decisions import open_table
from phaseten.table.options import Options, OptionsError
from tests.server.socket.test_messages import steps_of
from tests.table.sitting import SEED, Sitting


def middle(actions: int) -> Game:
    """A game of two, so many actions on."""
    game = Game(seed=7, players=2, edition="express", variant="phases=2")
    rng = random.Random(1)
    for _ in range(actions):
        game.play(rng.choice(game.legal_actions()))
    return game


def sitting_at(position: str) -> Sitting:
    sitting = Sitting(Options(pace=0), position=position)
    seats = sitting.table.options.seats
    sitting.seat(*["ana", "beto", "cleo", "duda"][:seats])
    sitting.start()
    return sitting


def test_it_begins_as_the_position_says() -> None:
    game = middle(9)
    sitting = sitting_at(game.position())
    assert sitting.table.game == game.state
    options = sitting.table.options
    assert (options.edition, options.variant, options.seats) == ("express", "phases=2", 2)


def test_what_a_seat_knows_becomes_a_whole_game() -> None:
    game = middle(9)
    sitting = sitting_at(game.position(1))
    assert sitting.table.game is not None
    assert view_of(sitting.table.game, 1) == game.view(1)
    assert sitting_at(game.position(1)).table.game == sitting.table.game  # the seeds decide


def test_between_two_hands_the_next_one_is_dealt() -> None:
    game = middle(9)
    sheet = game.state._replace(board=None, held=(), draw_pile=())
    sitting = sitting_at(format_position(sheet))
    assert sitting.table.game is not None
    assert sitting.table.game.board is not None


def test_its_record_begins_in_the_position_and_is_judged() -> None:
    sitting = sitting_at(middle(9).position())
    sitting.play_on(random.Random(3), 3_000)
    assert sitting.table.stage == "finished"
    text = record_of(sitting.table, steps_of(sitting), None)
    assert text is not None
    assert "[Position " in text
    assert "ServerSeed" not in text  # it did not deal the first hand
    assert judge(text)["ok"]


def test_while_it_is_played_there_is_no_record_of_what_a_seat_knew() -> None:
    sitting = sitting_at(middle(9).position())
    assert record_of(sitting.table, steps_of(sitting), 1) is None


def test_a_rematch_begins_there_again() -> None:
    game = middle(9)
    sitting = sitting_at(game.position())
    sitting.play_on(random.Random(3), 3_000)
    sitting.ask("ana", CallRematch(SEED))
    sitting.start()
    assert sitting.table.game == game.state


def test_it_survives_a_snapshot() -> None:
    sitting = sitting_at(middle(9).position(1))
    sitting.play_on(random.Random(3), 3_000)
    assert read_table(write_table(sitting.table)) == sitting.table


def test_its_rules_are_the_positions_whatever_the_options_say() -> None:
    sitting = Sitting(Options(pace=0), position=middle(9).position())
    sitting.seat("ana")
    sitting.ask("ana", ChangeOptions(Options(edition="classic", seats=6, hints=False)))
    options = sitting.table.options
    assert (options.edition, options.seats, options.hints) == ("express", 2, False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "position"),
        ("/etc/passwd.toml | hand 1 dealer 1 turn 2 draw", "position"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(OptionsError) as error:
        fit_to_position(Options(), text)
    assert error.value.mistake.name == why


def test_nobody_plays_on_where_the_game_is_over() -> None:
    game = middle(0)
    rng = random.Random(2)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    with pytest.raises(OptionsError, match="the game is over in it"):
        open_table("ana", OpenTable(Options(), "Ana", SEED, game.position()))
