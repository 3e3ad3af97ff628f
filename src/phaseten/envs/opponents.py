"""Who plays the other seats of an environment: bots by name, or anything that is a Bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from phaseten.arena.gameplay import FastBot
from phaseten.arena.kernel_steps import steps_of
from phaseten.bots.bot import Bot
from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import make_bot
from phaseten.envs.table import Table
from phaseten.game import Game as RulesGame
from phaseten.game import IllegalMoveError
from phaseten.kernel.players import POLICIES
from phaseten.notation.moves import format_action

RANDOM: Final = "random"
Opponents = str | Bot | Sequence[str | Bot]
"""One for all other seats, or one for each of them, clockwise."""


def check_opponents(opponents: Opponents, players: int) -> tuple[str | Bot, ...]:
    """One for each other seat, and each of them somebody."""
    if isinstance(opponents, str | Bot):
        chosen: tuple[str | Bot, ...] = (opponents,) * (players - 1)
    else:
        chosen = tuple(opponents)
    if len(chosen) != players - 1:
        raise ValueError(f"{players} players need {players - 1} opponents, not {len(chosen)}")
    for opponent in chosen:
        _seated(opponent, 0)
    return chosen


def _seated(opponent: str | Bot, seed: int) -> Bot:
    if not isinstance(opponent, str):
        return opponent
    if opponent == RANDOM:
        return BuiltIn(RANDOM, POLICIES[RANDOM], seed)
    return make_bot(opponent, seed=seed)


class Seated:
    """The opponents at a table, from seat 2 on.

    Bots of the house choose inside the kernel. Others are shown views of a second game, kept by the
    rules with all that was seen in it, which is only there if somebody needs it.
    """

    def __init__(self, table: Table, opponents: Sequence[str | Bot]) -> None:
        self._table = table
        self._opponents = opponents
        self._choosers: list[Callable[[], None]] = []
        self._shown: RulesGame | None = None

    def begin(self, seed: int) -> None:
        """A new game has begun."""
        bots = [_seated(who, (seed + seat) % 2**64) for seat, who in enumerate(self._opponents, 2)]
        self._shown = None
        if not all(isinstance(bot, FastBot) for bot in bots):
            rules = self._table.terms.rules
            self._shown = RulesGame(
                rules.edition,
                players=self._table.terms.players,
                variant=rules.variant,
                house=rules.house,
                dealer=self._table.game.dealer,
                seed=self._table.seed,
            )
        self._choosers = [
            self._fast(bot) if isinstance(bot, FastBot) else self._shown_to(bot) for bot in bots
        ]

    def act(self) -> None:
        """Let the opponent on turn act once."""
        self._choosers[self._table.turn - 2]()

    def watch(self, number: int) -> None:
        """Carry out an action of the learner, by the kernel's number."""
        if self._shown is not None:
            self._shown.play(self._table.game.action(number))
        self._table.step(number)

    def _fast(self, bot: FastBot) -> Callable[[], None]:
        return lambda: self.watch(bot.choose_in(self._table.game))

    def _shown_to(self, bot: Bot) -> Callable[[], None]:
        def choose() -> None:
            assert self._shown is not None
            action = bot.choose(self._shown.view())
            try:
                events = self._shown.play(action)
            except IllegalMoveError as error:
                raise ValueError(f"{bot.name} played {format_action(action)}: {error}") from error
            for number in steps_of(self._table.game, events[0]):
                self._table.step(number)

        return choose
