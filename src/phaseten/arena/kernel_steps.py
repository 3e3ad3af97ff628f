"""The steps of the kernel that carry out what a bot from outside wants, if the law allows it.

Games are played in the kernel, which knows legal actions alone, and a Phase only at its least
size. A bot may ask for anything: ``rules/`` judges it, and what the rules allow is carried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from phaseten.arena.faults import ILLEGAL, FaultError
from phaseten.kernel.convert import DISCARD
from phaseten.kernel.game import GOES_ON, Game
from phaseten.notation.moves import format_action
from phaseten.rules.actions import Action, Hit, LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    ReshuffleSeen,
    Seen,
    TurnLost,
)
from phaseten.rules.referee import Shuffle, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import State


def find_steps(game: Game, state: State, seat: int, action: Action, shuffle: Shuffle) -> list[int]:
    """The action in the kernel's numbers; a FaultError when the rules refuse it.

    The state is that of the game, as ``rules/`` has it.
    It is one number, unless a Phase is laid larger than it must be: then the least Phase, and
    hits.
    """
    verdict = decide(state, seat, action, shuffle)
    if isinstance(verdict, Refusal):
        raise FaultError(ILLEGAL, f"{format_action(action)} is not legal: {verdict}")
    return steps_of(game, verdict[0])


def steps_of(game: Game, event: Event | Seen) -> list[int]:
    """The action in the kernel's numbers of which this was the first event, in a game before it."""
    layout, convert = game.setup.layout, game.setup.convert
    match event:
        case DiscardTaken():
            return [1]
        case NothingDrawn():
            return [2]
        case CardDiscarded(_, card, target) if card.is_skip:
            return [layout.a_skip + (target or 0)]
        case CardDiscarded(_, card):
            return [DISCARD + convert.index[card]]
        case MeldHit(_, cards, owner, meld):
            return [_hit(game, cards, owner, meld)]
        case PhaseLaid(_, phase, melds):
            return _lay(game, phase, [Counter(meld.cards) for meld in melds])
        case CardDrawn() | DrawSeen() | PileReshuffled() | ReshuffleSeen():
            return [0]
        case HandDealt() | DealSeen() | TurnLost() | HandScored() | GameTied() | GameWon():
            raise AssertionError(f"no action begins with {event}")
        case _:
            assert_never(event)


def _hit(game: Game, cards: Sequence[Card], owner: int, meld: int) -> int:
    wanted = Counter(cards)
    return next(
        number
        for number, hit in _hits(game)
        if (hit.owner, hit.meld) == (owner, meld) and Counter(hit.cards) == wanted
    )


def _lay(game: Game, phase: int, wanted: list[Counter[Card]]) -> list[int]:
    """The least Phase inside the wanted one, and the hits that make it as large as that.

    Of two melds that answer the same group, the kernel decides which comes first.
    """
    groups = game.rules.by_number[phase].groups
    orders = [wanted, wanted[::-1]] if groups[0] == groups[-1] else [wanted]
    number, least, whole = next(
        (number, least, whole)
        for number, least in _lays(game, phase)
        for whole in orders
        if _inside(least, whole)
    )
    steps = [number]
    seat, trial = game.turn, game.copy()
    ended = trial.step(number)
    while ended == GOES_ON and least != whole:
        number, least = next(
            (number, grown)
            for number, hit in _hits(trial)
            if hit.owner == seat and _inside(grown := _grown(least, hit), whole)
        )
        steps.append(number)
        ended = trial.step(number)
    return steps


def _lays(game: Game, phase: int) -> Iterator[tuple[int, list[Counter[Card]]]]:
    for number in game.legal():
        if number >= game.setup.layout.a_lay:
            lay = game.action(number)
            assert isinstance(lay, LayPhase)
            if lay.phase in (None, phase):
                yield number, [Counter(row) for row in lay.melds]


def _hits(game: Game) -> Iterator[tuple[int, Hit]]:
    layout = game.setup.layout
    for number in game.legal():
        if layout.a_hit <= number < layout.a_lay:
            hit = game.action(number)
            assert isinstance(hit, Hit)
            yield number, hit


def _inside(rows: Sequence[Counter[Card]], wanted: Sequence[Counter[Card]]) -> bool:
    return all(row <= whole for row, whole in zip(rows, wanted, strict=True))


def _grown(rows: Sequence[Counter[Card]], hit: Hit) -> list[Counter[Card]]:
    return [
        row + Counter(hit.cards) if meld == hit.meld else row for meld, row in enumerate(rows, 1)
    ]
