"""What the host of a table has to do there by itself, and when: bots, clocks, the next deal."""

from __future__ import annotations

from typing import Final, NamedTuple

from phaseten.bots.giving_up import MOST_ACTIONS, is_stuck
from phaseten.table.state import PLAYING, Table

HASTE: Final = 4
"""How many times as fast bots act when nobody else plays the hand."""


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
            return BotDuty(turn, level, table.moved_at + table.options.pace)
        if table.bot_actions >= MOST_ACTIONS or _is_stuck(table):
            return GiveUpDuty(table.moved_at)
        return BotDuty(turn, level, table.moved_at + table.options.pace // HASTE)
    if table.options.timer is not None:
        return ClockDuty(table.turn_at + table.options.timer * 1000)
    return None


def _is_stuck(table: Table) -> bool:
    return table.game is not None and is_stuck([hand.out for hand in table.game.sheet.hands])
