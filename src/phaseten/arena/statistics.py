"""Figures over many games: a fold over their results, and the error bar of each figure.

Every figure is a sum over games divided by another: hands by games, turns by seats and hands, Phases
made by attempts. What happens in one game hangs together, so the game is the sample. All sums are
whole numbers: parts from several processes add up to exactly the same figures, in whatever order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from phaseten.arena.gameplay import GameResult
from phaseten.arena.intervals import Estimate, Ratio
from phaseten.arena.tally import HandResult

FigureKind = Literal["mean", "share", "gain"]
"""A mean of whole numbers; a share between 0 and 1; or a share less what chance alone would give."""

MOST_WILDS: Final = 4
"""Players who got so many Wilds or more are counted together."""


class Definition(NamedTuple):
    """What a figure is called, and how it is read."""

    name: str
    kind: FigureKind
    words: str


TOPICS: Final[Mapping[str, tuple[Definition, ...]]] = {
    "The game": (
        Definition("hands", "mean", "hands per game"),
        Definition("decisions", "mean", "decisions per game"),
        Definition("winner_points", "mean", "points of the winner"),
        Definition("tie_breaks", "share", "games with a tie-break"),
    ),
    "The hand": (
        Definition("turns", "mean", "turns per player"),
        Definition("points", "mean", "points per player"),
        Definition("caught_points", "mean", "points of those not out"),
        Definition("phases_made", "share", "players who make the Phase"),
        Definition("alone", "share", "only one makes the Phase"),
        Definition("at_once", "share", "out in the turn of laying"),
        Definition("stood_still", "share", "stood still, nobody out"),
    ),
    "Sitting first": (
        Definition("first_out", "gain", "who begins goes out"),
        Definition("first_wins", "gain", "who began hand 1 wins"),
    ),
    "Skips": (
        Definition("skips_used", "mean", "Skips used per hand"),
        Definition("turns_lost", "mean", "turns lost per hand"),
        Definition("made_losing", "share", "Phase made, turn lost"),
        Definition("made_keeping", "share", "Phase made, none lost"),
        Definition("out_losing", "share", "went out, turn lost"),
        Definition("out_keeping", "share", "went out, none lost"),
        Definition("skips_decide", "gain", "most Skips used: goes out"),
        Definition("losses_decide", "gain", "most turns lost: goes out"),
    ),
    "Wilds": (
        Definition("wilds", "mean", "Wilds per player and hand"),
        Definition("wilds_decide", "gain", "most Wilds: goes out"),
        Definition("wilds_decide_games", "gain", "most Wilds in all: wins"),
    ),
}
"""The figures by what they are about, in the order in which they are shown."""

MADE: Final = Definition("made", "share", "made, of attempts")
LAID_ON: Final = Definition("laid_on", "mean", "laid on own turn")
MADE_BY_WILDS: Final = Definition("made_by_wilds", "share", "makes the Phase")
OUT_BY_WILDS: Final = Definition("out_by_wilds", "share", "goes out")
"""Those for each Phase, and for each number of Wilds received."""

Key = tuple[str, int]
"""The name of a figure, and the Phase or the number of Wilds that it is for (0 where for none)."""


@dataclass
class GameStatistics:
    """What happened in many games of so many players."""

    players: int
    games: int = 0
    given_up: int = 0
    """Games that came to no end, not counted among the games."""
    forfeits: int = 0
    """Games that a bot from outside has forfeited, not counted among the games."""
    fault: str = ""
    """Why one of them was forfeited."""
    ratios: dict[Key, Ratio] = field(default_factory=lambda: defaultdict(Ratio))
    laid: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """How often each Phase was laid on a player's first, second … turn of the hand."""

    def add(self, game: GameResult) -> None:
        """Count one game."""
        if game.fault is not None:
            self._forfeit(1, game.fault.sentence)
            return
        if game.winner is None:
            self.given_up += 1
            return
        self.games += 1
        sums: dict[Key, list[int]] = defaultdict(lambda: [0, 0])
        for key, above, below in _observed(game, self.players):
            both = sums[key]
            both[0] += above
            both[1] += below
        for key, (above, below) in sums.items():
            self.ratios[key].add(above, below)
        for hand in _counted(game):
            for phase, turn in zip(hand.made, hand.laid_on, strict=True):
                if phase:
                    self.laid[phase][turn] += 1

    def merge(self, other: GameStatistics) -> None:
        """Count the games of another part."""
        self.games += other.games
        self.given_up += other.given_up
        self._forfeit(other.forfeits, other.fault)
        for key, ratio in other.ratios.items():
            self.ratios[key].merge(ratio)
        for phase, turns in other.laid.items():
            self.laid[phase].update(turns)

    def _forfeit(self, count: int, sentence: str) -> None:
        self.forfeits += count
        self.fault = min(filter(None, (self.fault, sentence)), default="")  # in whatever order

    def figure(self, what: Definition, index: int = 0) -> Estimate | None:
        """The figure; None where fewer than two games have something to say about it."""
        ratio = self.ratios.get((what.name, index))
        if ratio is None or ratio.games < 2:
            return None
        if what.kind == "share":
            return ratio.share()
        return ratio.mean().scaled(1 / self.players) if what.kind == "gain" else ratio.mean()

    def quartiles(self, phase: int) -> tuple[int, int, int] | None:
        """The turns of a seat by which a quarter, half and three quarters of those laid were laid."""
        turns = self.laid.get(phase)
        if not turns:
            return None
        ordered = sorted(turns.elements())
        first, second, third = (ordered[(len(ordered) * part - 1) // 4] for part in (1, 2, 3))
        return first, second, third

    @property
    def phases(self) -> tuple[int, ...]:
        """The Phases somebody tried or made."""
        names = (MADE.name, LAID_ON.name)
        return tuple(sorted({index for name, index in self.ratios if name in names}))


def collect(players: int, games: Iterable[GameResult]) -> GameStatistics:
    """The statistics of these games."""
    statistics = GameStatistics(players)
    for game in games:
        statistics.add(game)
    return statistics


Observation = tuple[Key, int, int]
"""What one game adds above and below the line of a figure."""


def _counted(game: GameResult) -> Iterator[HandResult]:
    """The hands in which everybody plays for a Phase: a tie-break is another kind of hand."""
    return (hand for hand in game.hands if not hand.tiebreak)


def _observed(game: GameResult, players: int) -> Iterator[Observation]:
    winner = game.winner or 0
    hands = list(_counted(game))
    wilds = [sum(hand.wilds[place] for hand in hands) for place in range(players)]
    yield ("hands", 0), len(game.hands), 1
    yield ("decisions", 0), game.actions, 1
    yield ("winner_points", 0), game.totals[winner - 1], 1
    yield ("tie_breaks", 0), int(len(hands) < len(game.hands)), 1
    yield ("first_wins", 0), players * (game.hands[0].first == winner) - 1, 1
    yield ("wilds_decide_games", 0), _gain_of_most(wilds, winner), 1
    for hand in hands:
        yield from _observed_in_hand(hand, players)
        for place in range(players):
            yield from _observed_at_seat(hand, place)


def _observed_in_hand(hand: HandResult, players: int) -> Iterator[Observation]:
    yield ("turns", 0), sum(hand.turns), players
    yield ("points", 0), sum(hand.points), players
    yield ("caught_points", 0), sum(hand.points), players - bool(hand.out)
    yield ("phases_made", 0), sum(map(bool, hand.made)), players
    yield ("alone", 0), int(sum(map(bool, hand.made)) == 1), 1
    yield ("stood_still", 0), int(not hand.out), 1
    yield ("skips_used", 0), sum(hand.skips), 1
    yield ("turns_lost", 0), sum(hand.lost_turns), 1
    yield ("wilds", 0), sum(hand.wilds), players
    if hand.out:
        out = hand.out - 1
        yield ("at_once", 0), int(hand.laid_on[out] == hand.turns[out]), 1
        yield ("first_out", 0), players * (hand.first == hand.out) - 1, 1
        yield ("wilds_decide", 0), _gain_of_most(hand.wilds, hand.out), 1
        yield ("skips_decide", 0), _gain_of_most(hand.skips, hand.out), 1
        yield ("losses_decide", 0), _gain_of_most(hand.lost_turns, hand.out), 1


def _observed_at_seat(hand: HandResult, place: int) -> Iterator[Observation]:
    made, out = int(hand.made[place] > 0), int(hand.out == place + 1)
    wilds = min(hand.wilds[place], MOST_WILDS)
    yield ("made_by_wilds", wilds), made, 1
    yield ("out_by_wilds", wilds), out, 1
    fate = "losing" if hand.lost_turns[place] else "keeping"
    yield (f"made_{fate}", 0), made, 1
    yield (f"out_{fate}", 0), out, 1
    if hand.aimed[place]:
        yield ("made", hand.aimed[place]), made, 1
    if made:
        yield ("laid_on", hand.made[place]), hand.laid_on[place], 1


def _gain_of_most(counts: Sequence[int], winner: int) -> int:
    """Did the one seat with the most win? Times the number of seats, less one: 0 on average
    where it makes no difference, and 0 where no single seat has the most.
    """
    most = max(counts)
    if counts.count(most) > 1:
        return 0
    return len(counts) * (counts[winner - 1] == most) - 1
