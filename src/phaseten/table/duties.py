"""What the host of a table has to do there by itself, and when: bots, clocks, the next deal."""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never
from zlib import crc32

from phaseten.bots.giving_up import MOST_ACTIONS, is_stuck
from phaseten.rules.actions import Action
from phaseten.rules.state import DRAW
from phaseten.table.commands import Chore, DealHand, EndTurnTime, GiveUp, PlayBot
from phaseten.table.state import PLAYING, Table

HASTE: Final = 4
"""How many times as fast bots act when nobody else plays the hand."""


HURRIED: Final = 150
"""Milliseconds for an action when somebody does not want to wait: enough to see what happens."""
QUICK: Final = 40
"""Percent of the pace: to draw a card is soon done."""
SLOWEST: Final = 160
"""Percent of the pace: somebody thinks."""
TEMPER: Final = {"rookie": 80, "casual": 100, "sharp": 90, "master": 115, "deep": 85}
"""Percent of the pace that each level takes: beginners do not think long, masters do."""


class BotDuty(NamedTuple):
    """A bot has to act."""

    seat: int
    level: str
    at: int


class ClockDuty(NamedTuple):
    """The time of the player on turn will be up."""

    at: int


class DealDuty(NamedTuple):
    """The next hand has to be dealt."""

    at: int


class GiveUpDuty(NamedTuple):
    """Bots alone play, and come to no end."""

    at: int


Duty = BotDuty | ClockDuty | DealDuty | GiveUpDuty
"""What the host must do at a table, and when, in milliseconds since 1970."""


def next_duty(table: Table) -> Duty | None:
    """What the host must do next, if nobody acts before."""
    if table.stage != PLAYING or table.paused:
        return None
    turn = table.turn
    if turn is None:
        return DealDuty(table.moved_at + table.rest)
    level = table.places[turn - 1].played_by
    if level:
        if not table.is_among_bots:
            return BotDuty(turn, level, table.moved_at + _thinking_time(table, level))
        if table.bot_actions >= MOST_ACTIONS or _is_stuck(table):
            return GiveUpDuty(table.moved_at)
        return BotDuty(turn, level, table.moved_at + table.options.pace // HASTE)
    if table.options.timer is not None:
        return ClockDuty(table.turn_at + table.options.timer * 1000)
    return None


def chore_for(duty: Duty, version: int, action: Action | None) -> Chore:
    """How a duty is done at a table of that version; for a bot, by the action that it has chosen."""
    match duty:
        case BotDuty(seat):
            assert action is not None  # a bot that has to act has thought
            return PlayBot(seat, action, version)
        case ClockDuty():
            return EndTurnTime(version)
        case DealDuty():
            return DealHand()
        case GiveUpDuty():
            return GiveUp()
        case _:
            assert_never(duty)


def _thinking_time(table: Table, level: str) -> int:
    """How long a bot takes now. It varies as it does with people, and yet by the table's state alone."""
    pace = table.options.pace
    if table.hurried:
        return min(pace, HURRIED)
    board = table.game.board if table.game is not None else None
    assert board is not None  # it is somebody's turn
    if board.step == DRAW:
        percent = QUICK + _chance(table, QUICK)
    else:
        # Who has laid has less to think of.
        least = QUICK if board.made[board.turn - 1] else 2 * QUICK
        percent = least + _chance(table, SLOWEST - least)
    return pace * percent * TEMPER.get(level, 100) // 10_000


def _chance(table: Table, below: int) -> int:
    """A number below that one, the same whenever it is asked for at this moment of the game.

    It follows from what everybody knows: the time that a bot takes tells nobody anything.
    """
    return crc32(f"{table.code} {table.moved}".encode()) % below


def _is_stuck(table: Table) -> bool:
    return table.game is not None and is_stuck([hand.out for hand in table.game.sheet.hands])
