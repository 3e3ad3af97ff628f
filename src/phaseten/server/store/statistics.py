"""What somebody's finished games come to: from the entries of their own list and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from phaseten.server.store.games import HandAbout, KeptAbout
from phaseten.server.store.interface import PlayedGame

MOST_OPPONENTS: Final = 12
MOST_RECENT: Final = 50


class BestHand(Struct, frozen=True):
    """The hand that went best: one was out, and the others had to count."""

    game: Annotated[str, Meta(description="The game's id.")]
    hand: int
    others: Annotated[int, Meta(description="The points that the others got in it.")]


class Opponent(Struct, frozen=True):
    """Somebody one has played with."""

    name: str
    bot: Annotated[str, Meta(description="The level of a bot; empty for a person.")]
    games: int
    won: Annotated[int, Meta(description="Of these, how many the one who asks has won.")]
    lost: Annotated[int, Meta(description="And how many that one has won.")]


class RecentGame(Struct, frozen=True):
    """How a game ended for the one who asks."""

    game: Annotated[str, Meta(description="The game's id.")]
    ended: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    won: bool
    phases: int
    points: int


class Statistics(Struct, frozen=True):
    """What the finished games of the one who asks come to. Games that were called off do not count."""

    games: int
    won: int
    expected: Annotated[
        float, Meta(description="How many would be won if everybody won as often as the others.")
    ]
    streak: Annotated[int, Meta(description="Games won in a row, up to the last one.")]
    longest: Annotated[int, Meta(description="The most games won in a row.")]
    hands: Annotated[int, Meta(description="Hands of which the course is known.")]
    outs: Annotated[int, Meta(description="Of these, in how many one went out.")]
    made: Annotated[int, Meta(description="And in how many one made a Phase.")]
    phases: Annotated[int, Meta(description="Phases made in all games.")]
    points: Annotated[int, Meta(description="Points of all games.")]
    best: Annotated[BestHand | None, Meta(description="Null where one was never out.")]
    opponents: Annotated[tuple[Opponent, ...], Meta(description="Those played with most often.")]
    recent: Annotated[tuple[RecentGame, ...], Meta(description="The last games, oldest first.")]


def statistics_of(played: Iterable[PlayedGame]) -> Statistics:
    """What these games come to for who sat in those seats; the last one comes first."""
    entries = [_Entry(one) for one in played]
    games = [entry for entry in reversed(entries) if entry.counts]
    hands = [hand for game in games for hand in game.hands]
    won = [game.won for game in games]
    return Statistics(
        games=len(games),
        won=sum(won),
        expected=round(sum(1 / game.seats for game in games), 3),
        streak=_streaks(won)[-1] if games and games[-1].won else 0,
        longest=max(_streaks(won), default=0),
        hands=len(hands),
        outs=sum(hand.is_out for hand in hands),
        made=sum(hand.is_made for hand in hands),
        phases=sum(game.phases for game in games),
        points=sum(game.points for game in games),
        best=_best(hands),
        opponents=_opponents(games),
        recent=tuple([game.recent for game in games[-MOST_RECENT:]]),
    )


class _Hand:
    """A hand, seen from one seat."""

    def __init__(self, game: str, number: int, about: HandAbout, seat: int) -> None:
        self.is_out = about.out == seat
        self.is_made = bool(about.made[seat - 1])
        others = sum(about.points) - about.points[seat - 1]
        self.as_best = BestHand(game, number, others)


class _Entry:
    """A game of the list, seen from the seat of whose list it is."""

    def __init__(self, played: PlayedGame) -> None:
        self._game = played.game
        self._about = msgspec.json.decode(played.game.about, type=KeptAbout)
        self._seat = played.seat

    @property
    def counts(self) -> bool:
        """Whether it was played to its end, by somebody with a seat."""
        return bool(self._seat) and self._about.winner is not None

    @property
    def seats(self) -> int:
        return len(self._about.names)

    @property
    def won(self) -> bool:
        return self._about.winner == self._seat

    @property
    def phases(self) -> int:
        return self._about.phases[self._seat - 1]

    @property
    def points(self) -> int:
        return self._about.totals[self._seat - 1]

    @property
    def hands(self) -> list[_Hand]:
        return [
            _Hand(self._game.game, number, hand, self._seat)
            for number, hand in enumerate(self._about.course, 1)
        ]

    @property
    def recent(self) -> RecentGame:
        return RecentGame(self._game.game, self._game.ended, self.won, self.phases, self.points)

    @property
    def others(self) -> list[tuple[str, str, bool]]:
        """Name and level of everybody else, and whether that one has won."""
        bots = self._about.bots or ("",) * self.seats
        return [
            (name, bot, self._about.winner == seat)
            for seat, (name, bot) in enumerate(zip(self._about.names, bots, strict=True), 1)
            if seat != self._seat
        ]


def _streaks(won: Iterable[bool]) -> list[int]:
    """How many games were won in a row, each time."""
    return [len(list(group)) for has_won, group in groupby(won) if has_won]


def _best(hands: Iterable[_Hand]) -> BestHand | None:
    out = [hand.as_best for hand in hands if hand.is_out]
    return max(out, key=lambda hand: hand.others, default=None)


def _opponents(games: Iterable[_Entry]) -> tuple[Opponent, ...]:
    met, beaten, lost = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[object]()
    for game in games:
        for name, bot, has_won in game.others:
            met[name, bot] += 1
            beaten[name, bot] += game.won
            lost[name, bot] += has_won
    return tuple(
        [
            Opponent(name, bot, count, beaten[name, bot], lost[name, bot])
            for (name, bot), count in met.most_common(MOST_OPPONENTS)
        ]
    )
