"""What the player may do now, as a numbered list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from phaseten.game import Game
from phaseten.notation.moves import format_action
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
from phaseten.rules.referee import decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.solver import solve
from phaseten.rules.state import Board, open_phases
from phaseten.rules.views import View
from phaseten.terminal.screen import Screen, columns
from phaseten.terminal.story import Story
from phaseten.terminal.words import group_in_words

_WAYS: Final = 4
"""Of the many ways to lay a Phase, so many are listed."""


@dataclass
class Group:
    """Actions of one sort under a heading."""

    heading: str
    entries: list[tuple[str, Action]] = field(default_factory=list[tuple[str, Action]])
    compact: bool = True
    """Several in one line."""


class Menu:
    """The numbered list."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._groups = [group for group in groups if group.entries]
        self.actions = [action for group in self._groups for _, action in group.entries]

    def lines(self, screen: Screen) -> Iterable[str]:
        number = 0
        for group in self._groups:
            yield f" {group.heading}"
            labels: list[str] = []
            for label, action in group.entries:
                number += 1
                text = label or format_action(action)
                labels.append(f"{screen.accent(f'{number:>2}')} {text}")
            yield from (
                columns(labels, screen.width) if group.compact else [f"  {x}" for x in labels]
            )


def menu_for(game: Game, story: Story, screen: Screen) -> Menu:
    """The list for the player whose turn it is."""
    view = game.view()
    board = view.board
    if board is None:
        return Menu([])
    actions = game.legal_actions()
    draws = Group("Draw", compact=False)
    discards = Group("Discard, which ends your turn")
    skips = Group("Skip somebody, which ends your turn")
    lays = [action for action in actions if isinstance(action, LayPhase)]
    for action in actions:
        match action:
            case DrawDeck():
                draws.entries.append(("from the draw pile", action))
            case TakeDiscard():
                top = screen.card(board.discards[-1])
                draws.entries.append((f"{top} from the discard pile", action))
            case DrawNothing():
                draws.entries.append(("nothing can be drawn: play on without", action))
            case Discard(card, target) if target is not None:
                skips.entries.append((f"{screen.card(card)} on {story.name(target)}", action))
            case Discard(card):
                discards.entries.append((screen.card(card), action))
            case _:
                pass
    by_card = Group(discards.heading, sorted(discards.entries, key=_by_number))
    hits = _hits(board, [action for action in actions if isinstance(action, Hit)], story, screen)
    return Menu([draws, _lays(game, view, board, lays, screen), *hits, by_card, skips])


def _by_number(entry: tuple[str, Action]) -> tuple[int, int]:
    action = entry[1]
    assert isinstance(action, Discard)
    return action.card.number or 99, action.card.order


def _lays(game: Game, view: View, board: Board, legal: Sequence[LayPhase], screen: Screen) -> Group:
    group = Group("Lay your Phase", compact=False)
    if not legal:
        return group
    best = _best_ways(game, view, board)
    others = sorted(legal, key=lambda lay: sum(card.is_wild for card in _cards(lay)))
    shown = list(dict.fromkeys([*best, *others]))[: max(_WAYS, len(best))]
    for action in shown:
        phase = f"Phase {action.phase}: " if action.phase else ""
        cards = " / ".join(screen.cards(meld) for meld in action.melds)
        group.entries.append((phase + cards, action))
    rest = len(set(legal) - set(shown))
    if rest:
        group.heading += f" ({rest} more ways: write your own, such as {format_action(legal[0])})"
    return group


def _best_ways(game: Game, view: View, board: Board) -> list[LayPhase]:
    """The solver's way for each Phase that can be laid: few Wilds, and extra cards laid along."""
    rules = view.rules
    ways: list[LayPhase] = []
    for number in open_phases(rules, view.sheet, board.turn):
        melds = solve(rules.by_number[number], view.held, rules).melds
        if melds is not None:
            way = LayPhase(melds, number if rules.choose_phase else None)
            if not isinstance(decide(game.state, board.turn, way, _no_shuffle), Refusal):
                ways.append(way)
    return ways


def _no_shuffle(cards: tuple[Card, ...], _hand: int, _number: int) -> tuple[Card, ...]:
    return cards


def _cards(lay: LayPhase) -> list[Card]:
    return [card for meld in lay.melds for card in meld]


def _hits(board: Board, hits: Sequence[Hit], story: Story, screen: Screen) -> list[Group]:
    groups: dict[tuple[int, int], Group] = {}
    for hit in hits:
        meld = board.melds[hit.owner - 1][hit.meld - 1]
        heading = (
            f"Add to {story.owner(hit.owner)} {group_in_words(meld.group)} "
            f"({hit.owner}.{hit.meld}): {screen.cards(meld.cards)}"
        )
        group = groups.setdefault((hit.owner, hit.meld), Group(heading))
        group.entries.append((screen.cards(hit.cards), hit))
    return list(groups.values())
