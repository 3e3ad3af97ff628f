"""A match in this process, with bots of the house and objects of one's own.

>>> contest = match(["sharp", "rookie"], games=20, edition="express")
>>> contest.rows[0].seats, len(contest.rows)
(('sharp', 'rookie'), 20)
>>> print(contest)  # doctest: +ELLIPSIS
sharp ... % ± ..., rookie ... % ± ... in 20 games of Express.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

from phaseten.arena.entrants import Entrant, entrants, seat
from phaseten.arena.faults import Limits
from phaseten.arena.guests import Guest
from phaseten.arena.matches import Match, free_for_all, pair_seatings
from phaseten.arena.playing import FastBot, Table, bot_seed, play_game
from phaseten.arena.results import GameRow, row_of
from phaseten.arena.standings import Standing, percent, standing
from phaseten.bots.bot import Bot
from phaseten.rules.actions import Action
from phaseten.rules.editions import Edition
from phaseten.rules.mistakes import expect
from phaseten.rules.options import Rules, Variant
from phaseten.rules.views import View


class Chooser(Protocol):
    """Anything that can play: all it needs is to choose."""

    def choose(self, view: View, /) -> Action:
        """One of the legal actions of a view in which it is its turn."""
        ...


_OBJECT: Final = "object"
"""The kind of an entrant that is an object of this process."""
PATIENCE: Final = Limits(move=float(24 * 60 * 60))
"""Here nobody is timed."""


class Contest(NamedTuple):
    """The games of a match, and what they say."""

    rows: tuple[GameRow, ...]
    """One for every game: who sat where, who won, totals, Phases, times, and faults."""
    summary: Standing
    """Shares of the wins with their intervals, and a verdict in words."""

    @property
    def shares(self) -> dict[str, float]:
        """Which part of the games each bot won."""
        return {share.bot: share.estimate.value for share in self.summary.shares}

    def __str__(self) -> str:
        shares = ", ".join(f"{bot} {percent(estimate)}" for bot, estimate in self.summary.shares)
        title = self.summary.edition.capitalize()
        return f"{shares} in {self.summary.games} games of {title}."


def match(  # noqa: PLR0913 - a match has that many things to choose, by name
    bots: Sequence[str | Chooser | type[Chooser]],
    *,
    games: int = 200,
    edition: str | Path | Edition | Rules = "classic",
    variant: str | Variant = "standard",
    house: str | Sequence[str] = (),
    players: int | None = None,
    seed: int = 0,
) -> Contest:
    """Play a match of duplicated deals in this process.

    A bot is a name of the ladder (``"sharp"``), an object with a method ``choose(view)``, or a
    class of such objects, of which every game gets a new one. Every deal is played several times
    with the same cards, and the bots change seats in between; so there can be a few games more than
    were asked for. Two bots share the seats of ``players``; more bots sit at one table. A bot that
    breaks a rule, or raises an exception, forfeits that game, and the row says why.
    """
    table = Table(
        _rules(edition, variant, house), _players(bots, players), expect(seed, int, "a seed")
    )
    table.rules.check_players(table.players)
    if expect(games, int, "a number of games") < 1:
        raise ValueError("a match has one game at least")
    field = _Field(bots)
    pairing = field.match(table)
    deals = pairing.deals(games)
    rows = tuple(row for deal in range(deals) for row in field.play(pairing, deal))
    summary = standing(pairing, {row.key: row for row in rows}, deals)
    assert summary is not None  # all deals are complete
    return Contest(rows, summary)


def _rules(
    edition: str | Path | Edition | Rules, variant: str | Variant, house: str | Sequence[str]
) -> Rules:
    return edition if isinstance(edition, Rules) else Rules(edition, variant, house)


def _players(bots: Sequence[object], players: int | None) -> int:
    wanted = "a list of bots such as ['sharp', 'rookie']"
    if isinstance(bots, str) or len(expect(bots, Sequence, wanted)) < 2:
        raise ValueError(f"a match is between two bots or more: {wanted}")
    if players is None:
        return len(bots)
    expect(players, int, "how many play, such as players=4,")
    if len(bots) > 2 and players != len(bots):
        raise ValueError(f"{len(bots)} bots sit at one table of {len(bots)} players, not {players}")
    return players


class _Field:
    """Who takes part."""

    def __init__(self, bots: Sequence[str | Chooser | type[Chooser]]) -> None:
        names = [bot if isinstance(bot, str) else _name(bot) for bot in bots]
        taken = Counter[str]()
        self._bots: dict[str, object] = {}
        self._entrants: list[Entrant] = []
        for name, bot in zip(names, bots, strict=True):
            taken[name] += 1
            unique = name if taken[name] == 1 else f"{name} ({taken[name]})"
            if isinstance(bot, str):
                entrant = entrants([bot])[0]._replace(name=unique)
                seat(entrant, 0, PATIENCE, None)  # so that a wrong name is told at once
            else:
                entrant = Entrant(unique, _OBJECT, unique)
                self._bots[unique] = bot
            self._entrants.append(entrant)

    def match(self, table: Table) -> Match:
        if len(self._entrants) > 2:
            return free_for_all([table], self._entrants)[0]
        return Match(table, tuple(self._entrants), pair_seatings(table.players))

    def play(self, pairing: Match, deal: int) -> Iterator[GameRow]:
        seed = bot_seed(pairing.table, deal)
        for number, seating in enumerate(pairing.seatings):
            bots = [self._seated(pairing.entrants[which], seed) for which in seating]
            yield row_of(pairing, deal, number, play_game(pairing.table, bots, deal))

    def _seated(self, entrant: Entrant, seed: int) -> Bot | FastBot:
        if entrant.kind != _OBJECT:
            return seat(entrant, seed, PATIENCE, None)
        bot = self._bots[entrant.name]
        made = bot if isinstance(bot, type) else lambda: bot
        return Guest(entrant.name, cast("type[Chooser]", made), seed, PATIENCE)


def _name(bot: object) -> str:
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(
            f"a bot is a name such as 'sharp', or an object with a method choose(view), not {bot!r}"
        )
    kind = bot if isinstance(bot, type) else type(bot)
    name = getattr(bot, "name", None)
    return name if isinstance(name, str) and name else kind.__name__
