"""What a player could do with a card, a meld or a pile: the legal actions, looked at from there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card
from phaseten.rules.melds import held_form
from phaseten.rules.views import View, legal_actions


class Possible(NamedTuple):
    """Where something may be done now."""

    draw: bool = False
    take: bool = False
    lay: bool = False
    discard: bool = False
    """With the chosen cards."""
    melds: frozenset[tuple[int, int]] = frozenset()
    """Owner and number of the melds that the chosen cards fit; without any, that any card fits."""


def possible_now(view: View, chosen: Sequence[Card]) -> Possible:
    """What may be done where, with these cards chosen."""
    actions = legal_actions(view)
    have = Counter(chosen)
    return Possible(
        draw=any(isinstance(action, DrawDeck | DrawNothing) for action in actions),
        take=TakeDiscard() in actions,
        lay=any(isinstance(action, LayPhase) for action in actions),
        discard=len(chosen) == 1 and bool(discards_of(view, chosen[0])),
        melds=frozenset(
            (action.owner, action.meld)
            for action in actions
            if isinstance(action, Hit) and (not have or Counter(held_form(action.cards)) <= have)
        ),
    )


def draw_of(view: View) -> Action:
    """What drawing from the pile means: where nothing can be drawn, to play on without a card."""
    return DrawNothing() if DrawNothing() in legal_actions(view) else DrawDeck()


def discards_of(view: View, card: Card) -> list[Discard]:
    """The legal ways to discard that card: for a Skip, one for each player it may be played on."""
    return [
        action
        for action in legal_actions(view)
        if isinstance(action, Discard) and action.card is card
    ]


def hits_on(view: View, owner: int, meld: int, chosen: Sequence[Card] = ()) -> list[Hit]:
    """The legal hits on a meld: with some of the chosen cards, or with any."""
    have = Counter(chosen)
    return [
        action
        for action in legal_actions(view)
        if isinstance(action, Hit)
        and (action.owner, action.meld) == (owner, meld)
        and (not have or Counter(held_form(action.cards)) <= have)
    ]


def hits_with(view: View, card: Card) -> list[Hit]:
    """The legal hits that use that card."""
    return [
        action
        for action in legal_actions(view)
        if isinstance(action, Hit) and card in held_form(action.cards)
    ]
