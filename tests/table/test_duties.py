"""What the host of a table has to do by itself, and when."""

import random

import pytest

from phaseten.bots.giving_up import MOST_ACTIONS, MOST_DEAD_HANDS
from phaseten.rules.actions import Discard, DrawDeck, TakeDiscard
from phaseten.rules.events import HandScored
from phaseten.rules.views import legal_actions
from phaseten.table.commands import (
    DealHand,
    EndTurnTime,
    GiveUp,
    HurryBots,
    LeaveSeat,
    Play,
    PlayBot,
    SeatStandIn,
    TakeSeat,
    TakeSeatBack,
)
from phaseten.table.decisions import do_chore
from phaseten.table.duties import (
    HURRIED,
    BotDuty,
    ClockDuty,
    DealDuty,
    GiveUpDuty,
    next_duty,
)
from phaseten.table.events import (
    BotsHurried,
    GameCalledOff,
    SeedRevealed,
    StandInSeated,
)
from phaseten.table.options import Options
from phaseten.table.verdicts import TableRefusal
from tests.table.sitting import SEED, Sitting, sitting_of_two


def test_a_hand_between_bots_that_does_not_end_is_given_up() -> None:
    sitting = Sitting(Options(seats=2, pace=0, house=("endless_hands",)))
    sitting.start()
    rng = random.Random(4)
    while sitting.table.bot_actions < MOST_ACTIONS:
        before = sitting.table.bot_actions
        assert isinstance(do_chore(sitting.table, GiveUp()), TableRefusal)
        draw_and_discard(sitting, rng)
        assert sitting.table.bot_actions == before + 1
    assert next_duty(sitting.table) == GiveUpDuty(sitting.now)
    assert sitting.chore(GiveUp()) == (GameCalledOff(), SeedRevealed(SEED.hex()))


def test_bots_whose_hands_all_end_dead_give_the_game_up() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.start()
    rng = random.Random(4)
    while len(dead_hands(sitting)) < MOST_DEAD_HANDS:
        assert isinstance(next_duty(sitting.table), BotDuty)
        draw_and_discard(sitting, rng)
    assert isinstance(next_duty(sitting.table), GiveUpDuty)
    assert sitting.chore(GiveUp()) == (GameCalledOff(), SeedRevealed(SEED.hex()))


def dead_hands(sitting: Sitting) -> list[HandScored]:
    assert sitting.table.game is not None
    return [hand for hand in sitting.table.game.sheet.hands if hand.out is None]


def draw_and_discard(sitting: Sitting, rng: random.Random) -> None:
    """Let the bot on turn do something that brings the hand no nearer to its end."""
    turn = sitting.table.turn or 0
    view = sitting.table.view(turn)
    assert view is not None
    harmless = [a for a in legal_actions(view) if isinstance(a, DrawDeck | TakeDiscard | Discard)]
    sitting.chore(PlayBot(turn, rng.choice(harmless), sitting.table.version))


def test_with_people_no_hand_is_given_up() -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.ask("ana", TakeSeat(2, "Ana"))
    sitting.start()
    rng = random.Random(4)
    while sitting.table.turn == 1:
        draw_and_discard(sitting, rng)
    assert sitting.table.bot_actions >= 1
    sitting.play("ana", DrawDeck())
    assert sitting.table.bot_actions == 0
    many = sitting.table._replace(bot_actions=MOST_ACTIONS)
    assert next_duty(many) is None
    bot = sitting.table.places[0]
    assert isinstance(next_duty(many._replace(places=(bot, bot))), GiveUpDuty)


def test_what_the_server_must_do() -> None:
    sitting = sitting_of_two(Options(seats=2, timer=30, pace=500))
    assert next_duty(sitting.table) is None
    sitting.start()
    started = sitting.now
    turn = sitting.table.turn or 0
    owner = sitting.table.places[turn - 1].owner
    assert next_duty(sitting.table) == ClockDuty(started + 30_000)
    sitting.play(owner, DrawDeck())
    assert next_duty(sitting.table) == ClockDuty(started + 30_000), "one clock for the turn"
    stale = do_chore(sitting.table, EndTurnTime(sitting.table.moved - 1))
    assert isinstance(stale, TableRefusal)
    assert sitting.chore(EndTurnTime(sitting.table.version)) == (StandInSeated(turn, "casual"),)
    duty = next_duty(sitting.table)
    assert isinstance(duty, BotDuty)
    assert duty[:2] == (turn, "casual")
    assert sitting.table.legal(turn) == []
    assert sitting.refused(owner, Play(DrawDeck(), sitting.table.version)) == "stood-in"
    sitting.ask(owner, TakeSeatBack())
    assert next_duty(sitting.table) == ClockDuty(sitting.now + 30_000)
    assert sitting.table.legal(turn)
    assert sitting.refused(owner, TakeSeatBack()) == "not-away"


def test_every_turn_has_the_whole_time_also_a_second_one_in_a_row() -> None:
    rng = random.Random(5)
    for seed in range(40):
        sitting = Sitting(Options(seats=2, timer=30), seed=bytes([seed]) * 32)
        sitting.seat("ana", "beto")
        sitting.start()
        for _ in range(60):
            turn = sitting.table.turn
            if turn is None:
                break
            skips = [a for a in sitting.table.legal(turn) if isinstance(a, Discard) and a.target]
            if not skips:
                sitting.act(rng)
                continue
            sitting.play(sitting.table.places[turn - 1].owner, skips[0])
            assert sitting.table.turn == turn
            assert next_duty(sitting.table) == ClockDuty(sitting.now + 30_000)
            return
    pytest.fail("nobody ever held a Skip")


def test_the_time_that_is_up_does_not_matter_to_a_bot() -> None:
    sitting = sitting_of_two(Options(seats=2, timer=30))
    sitting.start()
    turn = sitting.table.turn or 0
    late = EndTurnTime(sitting.table.version)
    sitting.ask(sitting.table.places[turn - 1].owner, LeaveSeat())
    assert do_chore(sitting.table, late) == TableRefusal("stale")


def test_bots_are_quick_among_themselves() -> None:
    sitting = sitting_of_two(Options(seats=2, pace=400))
    sitting.start()
    turn = sitting.table.turn or 0
    sitting.ask("ana", SeatStandIn(turn, "sharp"))
    duty = next_duty(sitting.table)
    assert duty is not None
    assert sitting.now + 100 < duty.at < sitting.now + 400, "a card is soon drawn"
    sitting.ask("ana", SeatStandIn(3 - turn, "sharp"))
    duty = next_duty(sitting.table)
    assert duty is not None
    assert duty.at <= sitting.now + 100


def test_a_bot_acts_only_where_it_sits_and_only_on_its_turn() -> None:
    sitting = sitting_of_two()
    sitting.start()
    turn = sitting.table.turn or 0
    for seat in (turn, 3 - turn):
        answer = do_chore(sitting.table, PlayBot(seat, DrawDeck(), sitting.table.version))
        assert isinstance(answer, TableRefusal)
    sitting.ask("ana", SeatStandIn(turn, "sharp"))
    sitting.chore(PlayBot(turn, DrawDeck(), sitting.table.version))


def test_between_hands_people_may_read_the_scores() -> None:
    sitting = sitting_of_two(Options(edition="express", seats=2, pace=100))
    sitting.start()
    assert sitting.refused("ana", DealHand()) == "game-going-on"
    rng = random.Random(3)
    while sitting.table.turn is not None:
        sitting.act(rng)
    assert next_duty(sitting.table) == DealDuty(sitting.now + 15_000)
    sitting.ask("ana", DealHand())
    assert sitting.table.turn is not None


def test_one_person_among_bots_is_not_hurried_between_hands() -> None:
    sitting = Sitting(Options(edition="express", seats=2, pace=100))
    sitting.seat("ana")
    sitting.start()
    rng = random.Random(3)
    while sitting.table.turn is not None:
        sitting.act(rng)
    assert next_duty(sitting.table) == DealDuty(sitting.now + 60_000)


def test_bots_take_their_time_as_people_do() -> None:
    sitting = Sitting(Options(seats=4, pace=1_000))
    sitting.seat("ana")
    sitting.start()
    rng = random.Random(5)
    taken: dict[str, list[int]] = {"draw": [], "play": []}
    while sum(map(len, taken.values())) < 60:
        duty = next_duty(sitting.table)
        assert duty == next_duty(sitting.table), "whoever asks hears the same"
        board = sitting.table.game.board if sitting.table.game else None
        if isinstance(duty, BotDuty) and board is not None:
            taken[board.step].append(duty.at - sitting.table.moved_at)
        sitting.act(rng)
    assert len(set(taken["draw"])) > 10
    assert all(400 <= time < 800 for time in taken["draw"])
    assert all(400 <= time < 1_600 for time in taken["play"])
    assert max(taken["play"]) - min(taken["play"]) > 500


def test_who_does_not_want_to_wait_hurries_the_bots_until_a_person_is_on_turn() -> None:
    sitting = Sitting(Options(seats=4, pace=5_000))
    sitting.seat("ana", "beto")
    sitting.start()
    rng = random.Random(6)
    assert sitting.refused("ana", HurryBots()) == "nobody-to-hurry"
    while sitting.table.turn in (1, 2):
        sitting.act(rng)
    assert sitting.refused("cleo", HurryBots()) == "no-seat"
    assert sitting.ask("ana", HurryBots()) == (BotsHurried(1),)
    assert sitting.refused("beto", HurryBots()) == "nobody-to-hurry"
    while sitting.table.turn not in (1, 2):
        duty = next_duty(sitting.table)
        assert isinstance(duty, BotDuty)
        assert duty.at - sitting.table.moved_at <= HURRIED
        sitting.act(rng)
    assert not sitting.table.hurried
