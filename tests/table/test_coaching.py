"""When the coach speaks up at a table: only while all people have agreed, and by what a player knows alone."""

import random

import pytest

from phaseten.rules.events import DrawSeen
from phaseten.rules.state import State
from phaseten.table.coaching import may_be_told, move_to_judge, takes_back
from phaseten.table.commands import (
    CallOff,
    CallRematch,
    LeaveSeat,
    SeatStandIn,
    SendCoachAway,
    TakeSeat,
    TakeSeatBack,
    Undo,
    WantCoach,
)
from phaseten.table.decisions import MOST_CHANGES, decide
from phaseten.table.events import CoachSwitched, TableEvent
from phaseten.table.options import Options
from phaseten.table.state import Table
from phaseten.table.verdicts import ALREADY_DONE
from tests.table.sitting import SEED, Sitting, sitting_of_two

THREE = Options(edition="express", seats=3, join=True)


def next_move(sitting: Sitting, rng: random.Random) -> tuple[Table, tuple[TableEvent, ...]]:
    """Let whoever is on turn do something; the table before, and what happened."""
    before = sitting.table
    sitting.act(rng)
    return before, sitting.last


def test_it_is_off_until_all_people_have_agreed() -> None:
    sitting = sitting_of_two()
    assert not sitting.table.is_coached
    assert sitting.ask("ana", WantCoach()) == (CoachSwitched(1, on=True),)
    assert not sitting.table.is_coached
    sitting.ask("beto", WantCoach())
    assert sitting.table.is_coached
    sitting.ask("ana", SendCoachAway())
    assert not sitting.table.is_coached
    assert sitting.replayed() == sitting.table


def test_nobody_can_agree_for_others_and_nothing_is_said_twice() -> None:
    sitting = sitting_of_two()
    assert sitting.refused("carla", WantCoach()) == "no-seat"
    sitting.ask("ana", WantCoach())
    assert decide(sitting.table, "ana", WantCoach()) is ALREADY_DONE
    assert decide(sitting.table, "beto", SendCoachAway()) is ALREADY_DONE


def test_bots_need_not_agree_but_who_comes_later_has_to() -> None:
    sitting = Sitting(THREE)
    sitting.seat("ana")
    sitting.ask("ana", WantCoach())
    sitting.start()
    assert sitting.table.is_coached
    sitting.ask("beto", TakeSeat(2, "Beto"))
    assert not sitting.table.is_coached
    sitting.ask("beto", WantCoach())
    assert sitting.table.is_coached
    sitting.ask("beto", LeaveSeat())
    assert sitting.table.is_coached


def test_a_choice_holds_for_the_next_game_and_goes_with_the_seat() -> None:
    sitting = sitting_of_two()
    sitting.ask("beto", WantCoach())
    sitting.start()
    sitting.ask("ana", CallOff())
    sitting.ask("ana", CallRematch(SEED))
    assert [place.coach for place in sitting.table.places] == [False, True]
    sitting.ask("beto", LeaveSeat())
    sitting.ask("carla", TakeSeat(2, "Carla"))
    assert not sitting.table.places[1].coach


def test_it_can_be_sent_away_however_much_was_changed() -> None:
    sitting = sitting_of_two()
    sitting.ask("ana", WantCoach())
    sitting.table = sitting.table._replace(changes=MOST_CHANGES)
    assert sitting.refused("beto", WantCoach()) == "enough-changes"
    assert sitting.ask("ana", SendCoachAway()) == (CoachSwitched(1, on=False),)


@pytest.mark.parametrize("willing", [(), ("ana",), ("beto",)])
def test_no_move_is_judged_unless_all_have_agreed(willing: tuple[str, ...]) -> None:
    sitting = sitting_of_two()
    for owner in willing:
        sitting.ask(owner, WantCoach())
    sitting.start()
    rng = random.Random(1)
    for _ in range(40):
        if sitting.table.turn is not None:
            assert move_to_judge(*next_move(sitting, rng)) is None


def test_every_move_of_a_person_is_judged_and_nothing_else() -> None:
    sitting = Sitting(Options(edition="express", seats=2, pace=0))
    sitting.seat("ana")
    sitting.ask("ana", WantCoach())
    sitting.start()
    rng = random.Random(2)
    seen: set[bool] = set()
    for _ in range(60):
        before, events = next_move(sitting, rng)
        move = move_to_judge(before, events)
        is_anas = before.turn == 1
        seen.add(is_anas)
        assert (move is not None) == is_anas
        if move is not None:
            assert (move.seat, move.owner, move.view) == (1, "ana", before.view(1))
    assert seen == {False, True}
    before = sitting.table
    sitting.ask("ana", SeatStandIn(1, "casual"))
    assert move_to_judge(before, sitting.last) is None
    sitting.ask("ana", TakeSeatBack())


def test_what_is_judged_does_not_depend_on_cards_that_the_player_could_not_see() -> None:
    sitting = sitting_of_two()
    for owner in ("ana", "beto"):
        sitting.ask(owner, WantCoach())
    sitting.start()
    rng = random.Random(3)
    for _ in range(30):
        if sitting.table.turn is None:
            break
        before, events = next_move(sitting, rng)
        move = move_to_judge(before, events)
        other = move_to_judge(_exchanged(before), events)
        assert move is not None
        assert other == move
        if isinstance(move.event, DrawSeen):
            assert move.event.card is not None, "who drew has seen it"


def _exchanged(table: Table) -> Table:
    """The same table, but for cards that the one on turn cannot see."""
    game = table.game
    assert game is not None
    assert table.turn is not None
    (other,) = {1, 2} - {table.turn}
    pile, held = list(game.draw_pile), [list(cards) for cards in game.held]
    hand = held[other - 1]
    count = min(len(hand), len(pile))
    hand[:count], pile[:count] = pile[:count], hand[:count]
    changed: State = game._replace(
        draw_pile=tuple(pile), held=tuple([tuple(cards) for cards in held])
    )
    assert changed != game
    return table._replace(game=changed)


def test_only_its_player_is_told_and_only_while_all_agree() -> None:
    sitting = sitting_of_two()
    for owner in ("ana", "beto"):
        sitting.ask(owner, WantCoach())
    sitting.start()
    move = move_to_judge(*next_move(sitting, random.Random(4)))
    assert move is not None
    assert may_be_told(sitting.table, move)
    (other,) = {"ana", "beto"} - {move.owner}
    sitting.ask(other, SendCoachAway())
    assert not may_be_told(sitting.table, move), "somebody wants it no more"
    sitting.ask(other, WantCoach())
    assert may_be_told(sitting.table, move)
    sitting.ask(move.owner, LeaveSeat())
    assert not may_be_told(sitting.table, move), "a bot sits there now"


def test_of_a_move_that_is_taken_back_nothing_is_said() -> None:
    sitting = sitting_of_two()
    sitting.start()
    rng = random.Random(1)
    while not sitting.table.undo:
        sitting.act(rng)
    seat, version = sitting.table.turn, sitting.table.version
    assert seat is not None
    assert takes_back(sitting.last) is None
    sitting.ask(sitting.table.places[seat - 1].owner, Undo(version))
    assert takes_back(sitting.last) == seat
