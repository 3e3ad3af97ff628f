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

from phaseten.arena.class_bots import ClassBot
from phaseten.arena.entrants import OBJECT, Entrant, parse_entrants, prepare_bot
from phaseten.arena.gameplay import FastBot, GameTerms, derive_bot_seed, play_game
from phaseten.arena.matches import Match, alternate_seats, match_all
from phaseten.arena.results import GameRow, make_row
from phaseten.arena.standings import Standing, compute_standing, format_percent
from phaseten.arena.time_limits import TimeLimits
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


PATIENCE: Final = TimeLimits(move=float(24 * 60 * 60))
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
        shares = ", ".join(
            f"{bot} {format_percent(estimate)}" for bot, estimate in self.summary.shares
        )
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
    terms = GameTerms(
        _rules(edition, variant, house), _players(bots, players), expect(seed, int, "a seed")
    )
    terms.rules.check_players(terms.players)
    if expect(games, int, "a number of games") < 1:
        raise ValueError("a match has one game at least")
    field = _Field(bots)
    pairing = field.match(terms)
    deals = pairing.deals(games)
    rows = tuple(row for deal in range(deals) for row in field.play(pairing, deal))
    summary = compute_standing(pairing, {row.key: row for row in rows}, deals)
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
                entrant = parse_entrants([bot])[0]._replace(name=unique)
                prepare_bot(entrant, 0, PATIENCE, None)  # so that a wrong name is told at once
            else:
                entrant = Entrant(unique, OBJECT, unique)
                self._bots[unique] = bot
            self._entrants.append(entrant)

    def match(self, terms: GameTerms) -> Match:
        if len(self._entrants) > 2:
            return match_all([terms], self._entrants)[0]
        return Match(terms, tuple(self._entrants), alternate_seats(terms.players))

    def play(self, pairing: Match, deal: int) -> Iterator[GameRow]:
        seed = derive_bot_seed(pairing.terms, deal)
        for number, seating in enumerate(pairing.seatings):
            bots = [self._seated(pairing.entrants[which], seed) for which in seating]
            yield make_row(pairing, deal, number, play_game(pairing.terms, bots, deal))

    def _seated(self, entrant: Entrant, seed: int) -> Bot | FastBot:
        if entrant.kind != OBJECT:
            return prepare_bot(entrant, seed, PATIENCE, None)
        bot = self._bots[entrant.name]
        made = bot if isinstance(bot, type) else lambda: bot
        return ClassBot(entrant.name, cast("type[Chooser]", made), seed, PATIENCE)


def _name(bot: object) -> str:
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(
            f"a bot is a name such as 'sharp', or an object with a method choose(view), not {bot!r}"
        )
    kind = bot if isinstance(bot, type) else type(bot)
    name = getattr(bot, "name", None)
    return name if isinstance(name, str) and name else kind.__name__
