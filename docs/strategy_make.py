"""Plays the games of docs/strategy.md and writes its figures, and those of the page in the browser.

Run with the Python of the virtual environment: .venv/bin/python docs/strategy_make.py
The text around the markers is written by hand; what is between them is made here, from the sentences
of the catalogues (``web_learn.strategy``). It takes some minutes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from phaseten.arena.habits import DRAWS, HABITS, MEANS, Habits, count_left, watch
from phaseten.arena.intervals import Estimate, Ratio, estimate_mean
from phaseten.bots.builtin import BuiltIn
from phaseten.bots.deep import Deep
from phaseten.bots.ladder import make_bot
from phaseten.cli.options import count_processors
from phaseten.kernel.game import GAME_OVER, HAND_OVER, Game
from phaseten.kernel.players import POLICIES
from phaseten.language import language
from phaseten.rules.actions import LayPhase
from phaseten.rules.state import without

HERE: Final = Path(__file__).parent
KNOWN: Final = HERE / "strategy.json"
"""All figures."""
DATA: Final = HERE.parent / "web/src/learn/data/strategy.json"
"""Those that the page in the browser says."""
BOTS: Final = ("deep", "sharp")
TABLES: Final = (("classic", 2), ("classic", 4), ("express", 2), ("express", 4))
DECISIONS: Final = ("draw", "lay", "hit", "discard", "skip")
"""What can be left to sharp, to see what deep's way of it is worth."""
Decision = Literal["draw", "lay", "hit", "discard", "skip"]
Figures = dict[str, list[float]]
Data = dict[str, dict[str, dict[str, Figures]]]
HELD_BACK: Final = (2, 3, 4, 5)
"""With how many cards left a sharp that holds back does not lay."""
SHEET_GAMES: Final = 25
"""Games of deep against itself for each deal: what is counted in them is rare."""
TIPS: Final = {
    "hold": {
        "share": ("habits", "classic-2", "deep", "lay"),
        "out": ("habits", "classic-2", "deep", "lay_out"),
        "many": ("habits", "classic-2", "deep", "lay_many"),
        "at_once": ("habits", "classic-2", "deep", "out_at_once"),
        "caught": ("habits", "classic-2", "deep", "caught"),
        "worth": ("worth", "classic-2", "deep", "lay"),
    },
    "points": {
        "fewer": ("sheets", "classic-2", "deep", "fewer_points"),
        "ahead": ("sheets", "classic-2", "deep", "phase_ahead"),
        "late": ("sheets", "classic-2", "deep", "phase_ahead_late"),
        "express": ("sheets", "express-2", "deep", "phase_ahead"),
    },
    "crowd": {
        "share": ("habits", "classic-4", "deep", "lay"),
        "out": ("habits", "classic-4", "deep", "lay_out"),
        "many": ("habits", "classic-4", "deep", "lay_many"),
    },
    "take": {
        "near": ("habits", "classic-2", "deep", "take_near"),
        "four": ("habits", "classic-4", "deep", "take_near"),
        "other": ("habits", "classic-2", "deep", "take_other"),
    },
    "next": {
        "taken": ("habits", "classic-2", "deep", "taken"),
        "sharp": ("habits", "classic-2", "sharp", "taken"),
        "fits": ("habits", "classic-2", "deep", "fits"),
        "sharp_fits": ("habits", "classic-2", "sharp", "fits"),
        "worth": ("worth", "classic-2", "deep", "discard"),
    },
    "skip": {
        "early": ("habits", "classic-4", "deep", "skip_early"),
        "late": ("habits", "classic-4", "deep", "skip_late"),
        "ahead": ("habits", "classic-4", "deep", "skip_ahead"),
        "laid": ("habits", "classic-4", "deep", "skip_laid"),
        "next": ("habits", "classic-4", "deep", "skip_next"),
    },
    "wild": {
        "away": ("habits", "classic-2", "deep", "wild_away"),
        "held": ("habits", "classic-2", "deep", "hit_held"),
    },
}
"""Which figure stands where in which sentence of the catalogues."""
MIDDLE: Final = range(4, 7)
"""Phases that who has more has made, in the middle of a game."""
LATE: Final = range(7, 9)
SAME: Final = 15
"""Totals no further apart than this are about the same."""
FEWER: Final = range(35, 66)
"""Fifty points fewer, or about that."""
PARTS: Final = ("habits", "worth", "sheets")
STILL: Final = 20_000
"""Actions after which a game is not played on."""


class Lesser(Deep):
    """Deep, but decisions of one kind are sharp's."""

    def __init__(self, kind: str | None) -> None:
        super().__init__()
        self._kind = kind

    def _decide(self, game: Game) -> tuple[int, bytes]:
        number, way = super()._decide(game)
        if self._kind is None:
            return number, way
        advised, advised_way = game.decide(POLICIES["sharp"], 1)
        kinds = {kind_of(game, number, way), kind_of(game, advised, advised_way)}
        return (advised, advised_way) if self._kind in kinds else (number, way)


class Holder(BuiltIn):
    """Sharp, but it does not lay while so many cards or more would be left; it discards the dearest
    card that its Phase does not need.
    """

    def __init__(self, most: int) -> None:
        super().__init__("holder", POLICIES["sharp"], seed=1)
        self._most = most

    def _decide(self, game: Game) -> tuple[int, bytes]:
        number, way = super()._decide(game)
        if not way or count_left(game) < self._most:
            return number, way
        laid = game.action(number, way)
        assert isinstance(laid, LayPhase)
        state, seat = game.state_now(), game.turn
        assert seat is not None
        needed = [card.held for meld in laid.melds for card in meld]
        spare = [card for card in without(state.held[seat - 1], tuple(needed)) if card.is_natural]
        if not spare:
            return number, way
        dearest = max(spare, key=lambda card: card.points)
        return DRAWS + game.setup.convert.index[dearest], b""


def kind_of(game: Game, number: int, way: bytes) -> Decision:
    """Which kind of decision an action is."""
    layout = game.setup.layout
    if way or number >= layout.a_lay:
        return "lay"
    if number >= layout.a_hit:
        return "hit"
    if number >= layout.a_skip:
        return "skip"
    return "discard" if number > 2 else "draw"


class Task(NamedTuple):
    """Some deals at one kind of table."""

    edition: str
    players: int
    first: int
    last: int


def count_habits(task: Task) -> tuple[Habits, Habits]:
    """The habits of deep and sharp, who share the seats of these deals; each is played twice."""
    bots = {name: make_bot(name) for name in BOTS}
    found = {name: Habits() for name in BOTS}
    for deal in range(task.first, task.last):
        for turn in range(2):
            seats = [BOTS[(seat + turn) % 2] for seat in range(task.players)]
            game = Game(task.edition, task.players, seed=deal)
            counts = watch(game, [bots[name] for name in seats], make_bot("sharp"))
            for name in BOTS:
                mine = [
                    count
                    for who, seat in zip(seats, counts, strict=True)
                    if who == name
                    for count in seat
                ]
                found[name].add(mine)
    return found["deep"], found["sharp"]


def play_lesser(task: Task, kind: str | None) -> list[float]:
    """What part of each deal deep wins against sharp, if sharp makes such decisions for it."""
    return play_deals(task, lambda: Lesser(kind))


def play_holder(task: Task, most: int) -> list[float]:
    """What part of each deal sharp wins against sharp if it holds its Phase back."""
    return play_deals(task, lambda: Holder(most))


def play_deals(task: Task, make: Callable[[], BuiltIn]) -> list[float]:
    """What part of each deal a bot wins against sharp; each is played twice."""
    shares: list[float] = []
    for deal in range(task.first, task.last):
        won = 0
        for turn in range(2):
            ours, sharp = make(), make_bot("sharp")
            game = Game(task.edition, task.players, seed=deal)
            for _ in range(STILL):
                assert game.turn is not None
                player = (ours, sharp)[(game.turn + 1 + turn) % 2]
                if game.step(player.choose_in(game)) == GAME_OVER:
                    break
            won += game.winner is not None and (game.winner + 1 + turn) % 2 == 0
        shares.append(won / 2)
    return shares


STANDINGS: Final = {
    "fewer_points": "as many Phases, of four to six made, and about 50 points fewer",
    "phase_ahead": "a Phase more, of four to six made, and about as many points",
    "phase_ahead_late": "a Phase more, of seven or eight made, and about as many points",
}
"""Situations between two hands, in which one of two is ahead in Phases, or in points alone."""


def count_standings(task: Task) -> dict[str, Ratio]:
    """How often who is ahead wins in the end: those of one game are alike, and count by games."""
    found = {name: Ratio() for name in STANDINGS}
    deep = make_bot("deep")
    for deal in range(task.first, task.last):
        game = Game(task.edition, task.players, seed=deal)
        met: list[tuple[str, int]] = []
        result = GAME_OVER + 1
        while result != GAME_OVER:
            result = game.step(deep.choose_in(game))
            if result == HAND_OVER:
                met += list(standings(game))
        for name, ratio in found.items():
            ahead = [seat for situation, seat in met if situation == name]
            ratio.add(sum(seat == game.winner for seat in ahead), len(ahead))
    return found


def standings(game: Game) -> Iterator[tuple[str, int]]:
    """The situations between two hands that are counted, and which seat is ahead."""
    totals = game.totals
    made = [len(game.rules.phases) - len(left) for left in game.left]
    for seat, other in ((1, 2), (2, 1)):
        more = made[seat - 1] - made[other - 1]
        fewer = totals[other - 1] - totals[seat - 1]
        if more == 0 and made[seat - 1] in MIDDLE and fewer in FEWER:
            yield "fewer_points", seat
        if more == 1 and abs(fewer) <= SAME:
            if made[seat - 1] in MIDDLE:
                yield "phase_ahead", seat
            if made[seat - 1] in LATE:
                yield "phase_ahead_late", seat


def split(edition: str, players: int, deals: int, parts: int) -> list[Task]:
    """The deals in as many parts."""
    edges = [deals * part // parts for part in range(parts + 1)]
    return [Task(edition, players, first, last) for first, last in pairwise(edges)]


def measure(deals: int, processes: int, parts: Sequence[str]) -> Data:
    """The figures of these parts, each as a value and the ends of its interval."""
    known: Data = {part: {} for part in parts}
    with ProcessPoolExecutor(processes) as pool:
        for edition, players in TABLES:
            key, tasks = f"{edition}-{players}", split(edition, players, deals, processes)
            if "habits" in known:
                known["habits"][key] = measure_habits(pool, tasks)
                print(f"{key}: habits", flush=True)
            if "worth" in known and edition == "classic":
                known["worth"][key] = {
                    "deep": measure_worth(pool, tasks),
                    "sharp": measure_holding(pool, tasks),
                }
                print(f"{key}: what they are worth", flush=True)
            if "sheets" in known and players == 2:
                tasks = split(edition, players, SHEET_GAMES * deals, processes)
                known["sheets"][key] = {"deep": measure_standings(pool, tasks)}
                print(f"{key}: what score sheets are worth", flush=True)
    return known


def measure_standings(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Figures:
    """What part of their games those win who are ahead in each kind of situation."""
    found = {name: Ratio() for name in STANDINGS}
    for part in pool.map(count_standings, tasks):
        for name, ratio in part.items():
            found[name].merge(ratio)
    return {name: rounded(ratio.share()) for name, ratio in found.items()}


def measure_habits(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> dict[str, Figures]:
    """The habits of both bots."""
    both = Habits(), Habits()
    for part in pool.map(count_habits, tasks):
        for total, found in zip(both, part, strict=True):
            total.merge(found)
    return {name: written(one) for name, one in zip(BOTS, both, strict=True)}


def measure_worth(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Figures:
    """What deep wins, and how much less where sharp decides."""
    shares = {
        kind: list(chain.from_iterable(pool.map(partial(play_lesser, kind=kind), tasks)))
        for kind in (None, *DECISIONS)
    }
    return {"all": rounded(estimate_mean(shares[None]))} | {
        kind: rounded(difference(shares[None], shares[kind])) for kind in DECISIONS
    }


def measure_holding(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Figures:
    """What sharp wins if it does not lay while so many cards would be left."""
    return {
        str(most): rounded(
            estimate_mean(
                list(chain.from_iterable(pool.map(partial(play_holder, most=most), tasks)))
            )
        )
        for most in HELD_BACK
    }


def difference(whole: Sequence[float], lesser: Sequence[float]) -> Estimate:
    """How much is lost, deal by deal."""
    # A mean of samples between 0 and 1 is what can be estimated.
    return Estimate(
        *(
            2 * end - 1
            for end in estimate_mean([(1 + a - b) / 2 for a, b in zip(whole, lesser, strict=True)])
        )
    )


def written(habits: Habits) -> dict[str, list[float]]:
    """The figures of one bot."""
    figures = {name: habits.figure(name) for name in HABITS}
    return {name: rounded(figure) for name, figure in figures.items() if figure}


def rounded(figure: Estimate) -> list[float]:
    """A figure in four digits."""
    return [round(end, 4) for end in figure]


# -- the page -----------------------------------------------------------------------------------------


def say_share(figure: Sequence[float]) -> str:
    """Such as ``37.1 ± 1.2 %``."""
    value, low, high = figure
    return f"{100 * value:.1f} ± {50 * (high - low):.1f} %"


def habits_table(data: Data) -> str:
    """Every habit of both bots at every table."""
    kinds = list(data["habits"])
    lines = [
        "| | "
        + " | ".join(f"{kind.replace('-', ', ').capitalize()} players" for kind in kinds)
        + " |",
        "|---" * (len(kinds) + 1) + "|",
    ]
    for name, words in HABITS.items():
        cells: list[str] = []
        for kind in kinds:
            both = [data["habits"][kind][bot].get(name) for bot in BOTS]
            shown = [
                "-" if one is None else f"{one[0]:.2f}" if name in MEANS else say_share(one)
                for one in both
            ]
            cells.append(f"**{shown[0]}**, {shown[1]}")
        lines.append(f"| {words} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def worth_table(data: Data) -> str:
    """What is lost where sharp decides for deep."""
    kinds = list(data["worth"])
    head = " | ".join(f"{kind.replace('-', ', ').capitalize()} players" for kind in kinds)
    rows = [f"| | {head} |", "|---" * (len(kinds) + 1) + "|"]
    names = {"all": "deep wins against sharp", "draw": "less if it draws as sharp does"} | {
        "lay": "if it lays as soon as it can",
        "hit": "if it hits as sharp does",
        "discard": "if it discards as sharp does",
        "skip": "if it plays Skips as sharp does",
    }
    for name, words in names.items():
        rows.append(
            f"| {words} | "
            + " | ".join(say_share(data["worth"][k]["deep"][name]) for k in kinds)
            + " |"
        )
    rows += [
        f"| sharp wins against sharp if it does not lay while {most} cards or more would be left | "
        + " | ".join(say_share(data["worth"][kind]["sharp"][str(most)]) for kind in kinds)
        + " |"
        for most in HELD_BACK
    ]
    return "\n".join(rows)


def sheets_table(data: Data) -> str:
    """What part of their games those win who are ahead."""
    kinds = list(data["sheets"])
    head = " | ".join(f"{kind.replace('-', ', ').capitalize()} players" for kind in kinds)
    rows = [f"| between two hands | {head} |", "|---" * (len(kinds) + 1) + "|"]
    for name, words in STANDINGS.items():
        figures = (say_share(data["sheets"][kind]["deep"][name]) for kind in kinds)
        rows.append(f"| {words} | " + " | ".join(figures) + " |")
    return "\n".join(rows)


def say_whole(value: float) -> str:
    """In whole per cent; where there is less than one, in tenths. So does ``StrategyPage.svelte``."""
    return f"{100 * value:.{1 if 0 < value < 0.01 else 0}f} %"


def tips(data: Data) -> str:
    """The sentences of the page in the browser, in English, with these figures."""
    english = language("en")
    parts: list[str] = []
    for name, values in find_tips(data).items():
        said = {key: say_whole(value) for key, value in values.items()}
        title = english.say(f"web_learn.strategy.{name}.title")
        parts.append(f"### {title}\n\n{english.say(f'web_learn.strategy.{name}.text', **said)}")
    return "\n\n".join(parts)


def find_tips(data: Data) -> dict[str, dict[str, float]]:
    """What goes into each sentence, as exact as it is said: nobody has to round a half."""
    return {
        name: {
            key: as_said(data[part][table][bot][of][0])
            for key, (part, table, bot, of) in places.items()
        }
        for name, places in TIPS.items()
    }


def as_said(value: float) -> float:
    """In hundredths; where there is less than one, in thousandths."""
    return round(value + 1e-9, 2 if value >= 0.01 else 3)


def write_page(data: Data, games: int) -> None:
    """Put the figures into the page."""
    page = HERE / "strategy.md"
    text = page.read_text("utf-8")
    made = {
        "tips": tips(data),
        "habits": f"{games:,} games at each table:\n\n{habits_table(data)}",
        "worth": f"{games:,} games in each field:\n\n{worth_table(data)}",
        "sheets": sheets_table(data),
    }
    for name, block in made.items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, after = text[: text.index(first)], text[text.index(last) :]
        text = f"{before}{first}\n{block}\n{after}"
    page.write_text(text, "utf-8")


def main() -> None:
    """Measure, unless only the pages are to be written again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400, help="each is played twice")
    parser.add_argument("--pages", action="store_true", help="write the pages from known figures")
    parser.add_argument("--part", choices=PARTS, help="measure this alone, with so many deals")
    given = parser.parse_args()
    known: dict[str, Any]
    if given.pages:
        known = json.loads(KNOWN.read_text("utf-8"))
    elif given.part:
        known = json.loads(KNOWN.read_text("utf-8"))
        known |= measure(given.deals, count_processors(), [given.part])
    else:
        known = {"games": 2 * given.deals} | measure(given.deals, count_processors(), PARTS)
    KNOWN.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    write_page(known, known["games"])
    tips_there = {"games": known["games"], "tips": find_tips(known)}
    DATA.write_text(json.dumps(tips_there, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
