"""Puzzles about when to lay: positions in which a Phase that could be laid is better held back.

Sharp players, who play the coach's trials out, always lay: after holding back once they lay in their next turn. The bot that
has learned (``deep``) does not. So these answers have to stand twice. Sharp players play on, as for every puzzle; and
deep players play on, in worlds in which all cards that the player cannot see are dealt anew. Both say, with
two seeds each and by more than four standard errors, that nothing else comes near. What the end of a hand is worth is the same as
everywhere (:mod:`phaseten.analysis.stakes`). The figures of such a puzzle are those of the deep players.

Often several discards hold a Phase back equally well. One of them is the answer, and the others are not offered: the question is
whether to lay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from phaseten.analysis.puzzle_finding import (
    ERRORS,
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
MOST_WAYS: Final = 3
"""So many ways to lay are tried beside the one that tempts, and so many discards."""
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
    best = _best_discard(known, game, tempting, seed)
    if best is None or best in casual_choices(game):
        return None
    lays = [number for number in some_actions(game) if number >= game.setup.layout.a_lay]
    tried = [best, *dict.fromkeys([tempting, *lays[:MOST_WAYS]])]
    if confirm(known, tried, 0, least, seed) is None:
        return None
    sure = _confirm(game, tried, least, seed)
    if sure is None:
        return None
    gap, worlds = sure
    order = sorted(range(len(tried)), key=lambda i: -gap.chances[i])
    return Puzzle(
        number=0,
        position=text,
        theme=LAY,
        edition=known.rules.edition.name,
        players=game.players,
        phase=phase_of(known),
        answer=game.name(best),
        tempting=game.name(tempting),
        chances=tuple((game.name(tried[i]), float(gap.chances[i])) for i in order),
        gap=gap.gap,
        error=gap.error,
        worlds=worlds,
        trials=DEEP,
    )


def _best_discard(known: View, game: Game, tempting: int, seed: int) -> int | None:
    """How to hold the Phase back, if that seems better than to lay it; by deep players, of what sharp ones like."""
    numbers = list(dict.fromkeys([tempting, *some_actions(game)]))
    first = measure(known, numbers, FIRST_LOOK, seed)
    lay = game.action(tempting)
    near = [
        numbers[i]
        for i in sorted(range(len(numbers)), key=lambda i: first.behind[i])
        if first.behind[i] <= first.errors[i] and first.behind[i] < first.behind[0]
        if theme_of(known, game.action(numbers[i]), lay) == LAY
        if not isinstance(game.action(numbers[i]), LayPhase)
    ]
    if not isinstance(lay, LayPhase) or not near or first.behind[0] < 2 * first.errors[0]:
        return None
    tried = [tempting, *near[:MOST_WAYS]]
    second = gap_of(try_actions(game, tried, SECOND_LOOK, seed))
    return tried[second.best] if second.best else None


def _confirm(game: Game, numbers: list[int], least: float, seed: int) -> tuple[Gap, int] | None:
    """What deep players' trials say with another seed, if both say clearly that the first action is best; and the worlds."""
    for worlds in WORLDS:
        one = gap_of(try_actions(game, numbers, worlds, seed + 10**6))
        if one.best or one.gap < 0.75 * least or one.gap < ERRORS / 2 * one.error:
            return None
        if not one.is_clear:
            continue
        other = gap_of(try_actions(game, numbers, worlds, seed + 2 * 10**6))
        if not other.best and other.is_clear:
            return other, worlds
    return None
