"""Coming to a game that is going on, wanting another one, and being sent away with a reason."""

import random

import pytest

from phaseten.table.commands import (
    CallOff,
    ClearSeat,
    LeaveSeat,
    SeatBot,
    StartGame,
    TakeSeat,
    WantRematch,
)
from phaseten.table.duties import BotDuty, next_duty
from phaseten.table.events import PlayerRemoved, RematchCalled, RematchWanted, SeatOwned, SeatTaken
from phaseten.table.options import Options
from phaseten.table.seating import MOST_REASON
from tests.table.sitting import SEED, Sitting

OPEN = Options(edition="express", seats=3, join=True)


def going_on(options: Options = OPEN) -> Sitting:
    """Ana plays with two bots."""
    sitting = Sitting(options)
    sitting.seat("ana")
    sitting.start()
    return sitting


def test_a_bots_seat_is_taken_while_the_game_goes_on() -> None:
    sitting = going_on()
    held = sitting.table.game and sitting.table.game.held[1]
    assert sitting.ask("beto", TakeSeat(2, "Beto")) == (SeatTaken(2, "Beto"), SeatOwned(2, "beto"))
    view = sitting.table.view(2)
    assert view is not None
    assert view.held == held
    assert not sitting.table.places[1].bot
    assert sitting.replayed() == sitting.table
    sitting.play_on(random.Random(5), 300)


def test_who_takes_the_seat_of_the_bot_on_turn_has_the_turn() -> None:
    sitting = going_on()
    rng = random.Random(1)
    while not isinstance(next_duty(sitting.table), BotDuty):
        sitting.act(rng)
    seat = sitting.table.turn
    assert seat is not None
    sitting.ask("beto", TakeSeat(seat, "Beto"))
    assert next_duty(sitting.table) is None
    assert sitting.table.acting == seat


def test_only_where_the_table_allows_it_and_only_from_bots() -> None:
    closed = going_on(Options(edition="express", seats=3))
    assert closed.refused("beto", TakeSeat(2, "Beto")) == "no-joining"
    sitting = going_on()
    assert sitting.refused("beto", TakeSeat(1, "Beto")) == "seat-taken"
    assert sitting.refused("beto", TakeSeat(2, "Ana")) == "name-taken"
    assert sitting.refused("ana", TakeSeat(2, "Ana")) == "game-going-on"
    sitting.ask("ana", CallOff())
    assert sitting.refused("beto", TakeSeat(2, "Beto")) == "game-going-on"


def test_who_has_left_can_come_back_and_who_was_sent_away_cannot() -> None:
    sitting = going_on()
    sitting.ask("beto", TakeSeat(2, "Beto"))
    sitting.ask("beto", LeaveSeat())
    sitting.ask("beto", TakeSeat(2, "Beto"))
    sitting.ask("ana", ClearSeat(2, "  late again "))
    assert sitting.last[0] == PlayerRemoved(2, "late again")
    assert sitting.refused("beto", TakeSeat(2, "Beto")) == "barred"
    assert sitting.table.places[1].bot


@pytest.mark.parametrize(
    ("reason", "refusal"), [("x" * (MOST_REASON + 1), "bad-reason"), ("\u200d" * 3, "invisible")]
)
def test_a_reason_is_short_and_can_be_seen(reason: str, refusal: str) -> None:
    sitting = going_on()
    sitting.ask("beto", TakeSeat(2, "Beto"))
    assert sitting.refused("ana", ClearSeat(2, reason)) == refusal


def finished(*owners: str) -> Sitting:
    sitting = Sitting(Options(edition="express", seats=4))
    sitting.seat(*owners)
    sitting.start()
    sitting.ask("ana", CallOff())
    return sitting


def test_a_rematch_is_called_when_more_than_half_want_it() -> None:
    sitting = finished("ana", "beto", "cleo")  # and a bot, who is not asked
    assert sitting.ask("beto", WantRematch(SEED)) == (RematchWanted(2),)
    assert sitting.refused("beto", WantRematch(SEED)) == "already-wanted"
    assert [place.again for place in sitting.table.places] == [False, True, False, False]
    first, second, *_ = sitting.ask("cleo", WantRematch(SEED[::-1]))
    assert (first, second) == (RematchWanted(3), RematchCalled())
    assert sitting.table.stage == "waiting"
    assert not any(place.again for place in sitting.table.places)
    assert sitting.table.changes == 0
    sitting.ask("ana", StartGame())


def test_half_is_not_enough_and_one_alone_is() -> None:
    sitting = finished("ana", "beto")
    sitting.ask("beto", WantRematch(SEED))
    assert sitting.table.stage == "finished"
    alone = finished("ana")
    alone.ask("ana", WantRematch(SEED))
    assert alone.table.stage == "waiting"


def test_who_leaves_takes_the_wish_along() -> None:
    sitting = finished("ana", "beto", "cleo")
    sitting.ask("beto", WantRematch(SEED))
    sitting.ask("beto", LeaveSeat())
    sitting.ask("cleo", WantRematch(SEED))
    assert sitting.table.stage == "finished"


def test_nobody_wants_a_rematch_before_the_end_or_without_a_seat() -> None:
    sitting = going_on()
    assert sitting.refused("ana", WantRematch(SEED)) == "not-finished"
    assert sitting.refused("beto", WantRematch(SEED)) == "no-seat"
    assert sitting.refused("beto", SeatBot(2, "casual")) == "not-host"
