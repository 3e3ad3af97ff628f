"""Puzzles about when to lay: positions in which a Phase that could be laid is better held back.

Sharp players, who play the coach's trials out, always lay: after holding back once they lay in their next turn. The bot that
has learned (``deep``) does not. So these answers have to stand twice. Sharp players play on, as for every puzzle; and
deep players play on, in worlds in which all cards that the player cannot see are dealt anew. Both say, with
two seeds each and by more than four standard errors, that nothing else comes near. What the end of a hand is worth is the same as
everywhere (:mod:`phaseten.analysis.stakes`). The figures of such a puzzle are those of the deep players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from phaseten.analysis.puzzle_finding import (
    ERRORS,
    FAR,
    LEAST_GAP,
    Gap,
    Hand,
    casual_choices,
    confirm,
    gap_of,
    measure,
    phase_of,
    some_actions,
)
from phaseten.analysis.puzzles import DEEP, LAY, Puzzle, theme_of
from phaseten.analysis.stakes import stakes_for
from phaseten.bots.deep import learned_choice
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import GOES_ON, Game, game_of
from phaseten.kernel.players import POLICIES
from phaseten.notation.positions import format_position, parse_position
from phaseten.rules.actions import LayPhase
from phaseten.rules.views import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_LOOK: Final = 48
"""Worlds for a first look at a position, in which sharp players play on."""
SECOND_LOOK: Final = 24
"""Worlds for a first look with deep players."""
WORLDS: Final = (256, 768)
"""Worlds in which an answer has to stand when deep players play on, twice; where the first are not enough, more."""
SHARP: Final = POLICIES["sharp"]
"""Who lays, and in which way; and who plays where deep has not learned what to do."""


PLAYERS: Final = (2, 3)
"""The more play, the sooner somebody else goes out, and the less is worth holding back."""


def find_held_back(editions: Sequence[str], seed: int = 0) -> Iterator[Puzzle]:
    """Search games for as long as somebody wants another one. They are not numbered yet."""
    for number in count(seed):
        for place, edition in enumerate(editions):
            for players in PLAYERS:  # other cards in each: some editions play alike
                deals = number + 10**6 * (10 * place + players)
                yield from search_game(edition, players, deals)


def search_game(edition: str, players: int, number: int) -> Iterator[Puzzle]:
    """The puzzles in one game of sharp players, at most one from each hand."""
    game = Game(edition, players, seed=number, dealer=number % players + 1)
    hand = Hand(game, number)
    while game.winner is None:
        if game.hand != hand.number:
            hand = Hand(game, number)
        chosen = game.choose_seeded(SHARP, number)
        if chosen >= game.setup.layout.a_lay and not hand.done:
            puzzle = _look(hand.view(), number)
            if puzzle is not None:
                hand.done = True
                yield puzzle
        hand.actions.append(game.action(chosen))
        game.step(chosen)


def _choice(game: Game) -> int:
    """What deep does."""
    found = learned_choice(game)
    if found is None:
        return game.choose_seeded(SHARP, 0)
    number, way = found
    return game.number_of(way) if way else number


def try_actions(game: Game, numbers: Sequence[int], worlds: int, seed: int) -> NDArray[np.float64]:
    """What each action is worth to the seat on turn, in the same worlds: a row for each."""
    seat, known = game.turn, game.save()[:-CHANCE_BYTES]
    assert seat is not None, "somebody is on turn"
    stakes = stakes_for(game.rules, game.players)
    own = np.empty((worlds, len(numbers)))
    for world in range(worlds):
        dealt = game.copy()
        chance = (seed % 2**32 << 32) + world + 1
        dealt.restore(known + chance.to_bytes(CHANCE_BYTES, "little"))
        dealt.resample(seat)
        for place, number in enumerate(numbers):
            tried = dealt.copy()
            tried.deals_itself = False
            ended = tried.step(number)
            while ended == GOES_ON:
                ended = tried.step(_choice(tried))
            own[world, place] = stakes.chances(tried.state_now().sheet)[seat - 1]
    return own


def _look(view: View, seed: int) -> Puzzle | None:
    """The puzzle that a position is, if it is one: by the trials of sharp players, and then by those of deep ones."""
    text = format_position(view)
    known = parse_position(text)
    assert isinstance(known, View), "a seat's view is written and read as one"
    game, least = game_of(known), LEAST_GAP * 2 / view.sheet.seats
    tempting = game.choose_seeded(POLICIES["casual"], seed)
    numbers = list(dict.fromkeys([tempting, *some_actions(game)]))
    first = measure(known, numbers, FIRST_LOOK, seed)
    best = game.action(numbers[first.best])
    theme = theme_of(known, best, game.action(tempting))
    if theme != LAY or isinstance(best, LayPhase) or first.gap < max(least / 2, first.error):
        return None
    if numbers[first.best] in casual_choices(game):
        return None
    order = sorted(range(len(numbers)), key=lambda i: first.behind[i])
    near = [i for i in order if i in (0, *order[:2]) or first.behind[i] <= FAR * first.errors[i]]
    tried, place = [numbers[i] for i in near], near.index(first.best)
    if confirm(known, tried, place, least, seed) is None:
        return None
    few = gap_of(try_actions(game, tried, SECOND_LOOK, seed))
    if few.behind[place] > few.errors[place]:
        return None
    kept = [i for i in range(len(near)) if i in (place, near.index(0)) or not _is_far(few, i)]
    sure = _confirm(game, [tried[i] for i in kept], kept.index(place), least, seed)
    if sure is None:
        return None
    gap, worlds = sure
    chances = few.chances.copy()
    chances[kept] = gap.chances
    found = sorted(range(len(near)), key=lambda i: -chances[i])
    return Puzzle(
        number=0,
        position=text,
        theme=theme,
        edition=known.rules.edition.name,
        players=game.players,
        phase=phase_of(known),
        answer=best.text,
        tempting=game.action(tempting).text,
        chances=tuple((game.action(tried[i]).text, float(chances[i])) for i in found),
        gap=gap.gap,
        error=gap.error,
        worlds=worlds,
        trials=DEEP,
    )


def _is_far(gap: Gap, action: int) -> bool:
    return bool(gap.behind[action] > FAR * gap.errors[action])


def _confirm(
    game: Game, numbers: list[int], best: int, least: float, seed: int
) -> tuple[Gap, int] | None:
    """What the trials say with another seed, if both say clearly that this action is best; and the worlds."""
    for worlds in WORLDS:
        one = gap_of(try_actions(game, numbers, worlds, seed + 10**6))
        if one.best != best or one.gap < 0.75 * least or one.gap < ERRORS / 2 * one.error:
            return None
        if not one.is_clear:
            continue
        other = gap_of(try_actions(game, numbers, worlds, seed + 2 * 10**6))
        if other.best == best and other.is_clear:
            return other, worlds
    return None
