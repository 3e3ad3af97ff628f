"""What the rules allow, judged without the engine: by the oracle's meld rules and the turn model.

``may`` answers True or False for an action in a state, or None where an action is written in a form
that the rules say nothing about (a Wild in a set that stands for a colour, say).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, Card
from phaseten.rules.editions import Group, Phase
from phaseten.rules.options import Rules
from phaseten.rules.state import Board, State
from tests import oracle
from tests.laws.turns import Turns


def oracle_phase(phase: Phase, rules: Rules) -> oracle.Phase:
    """The Phase in the oracle's terms."""
    return oracle.Phase(
        groups=[group.text for group in phase.groups],
        must_show=[str(phase.must_show), "W"] if phase.must_show else [],
        natural_per_meld=rules.natural_per_meld,
        colors=rules.edition.colors,
        highest=rules.edition.highest,
    )


def open_numbers(state: State, seat: int) -> list[int]:
    """The Phases that the seat may lay."""
    if state.sheet.tied:
        return [state.rules.phases[-1].number]
    left = list(state.sheet.left[seat - 1])
    return left if state.rules.choose_phase else left[:1]


def may(state: State, turns: Turns, action: Action) -> bool | None:
    """Whether the player on turn may do this."""
    board = state.board
    assert board is not None
    held = state.held[turns.turn - 1]
    match action:
        case DrawDeck():
            return not turns.drawn and bool(state.draw_pile or len(turns.pile) > 1)
        case TakeDiscard():
            return not turns.drawn and bool(turns.pile) and turns.pile[-1] is not SKIP
        case DrawNothing():
            return not (
                may(state, turns, DrawDeck()) or may(state, turns, TakeDiscard()) or turns.drawn
            )
        case Discard(card, target):
            return turns.drawn and card in held and _may_discard(state, turns, card, target)
        case Hit(cards, owner, meld):
            if not turns.drawn or not board.made[turns.turn - 1] or not _holds(held, cards):
                return False
            if state.rules.discard_to_go_out and len(cards) == len(held):
                return False
            return _may_hit(state.rules, board, cards, owner, meld)
        case LayPhase(melds, number):
            if not turns.drawn or board.made[turns.turn - 1]:
                return False
            numbers = open_numbers(state, turns.turn)
            if number is not None and number not in numbers:
                return False
            if state.rules.discard_to_go_out and sum(map(len, melds)) == len(held):
                return False
            return _may_lay(state.rules, held, melds, number or numbers[0])


def _holds(held: Sequence[Card], cards: Sequence[Card]) -> bool:
    return not Counter(card.text[0] if card.is_wild else card.text for card in cards) - Counter(
        card.text for card in held
    )


def _may_discard(state: State, turns: Turns, card: Card, target: int | None) -> bool:
    held = state.held[turns.turn - 1]
    if card is not SKIP:
        again = card is turns.taken and held.count(card) == 1 and len(held) > 1
        return target is None and not (state.rules.no_rediscard and again)
    if target is not None:
        return target in turns.targets()
    assert state.board is not None
    goes_out = len(held) == 1 and state.board.made[turns.turn - 1] > 0
    return goes_out or turns.dies() or not turns.targets()


def _proper(card: Card, group: Group) -> bool:
    """Whether a Wild says neither more nor less than its group asks, or nothing at all."""
    if not card.is_wild or card.text == "W":
        return True
    kind = group.kind
    if kind.parity is not None and not kind.chain:
        return False
    wants_number = kind.chain or not kind.one_color
    return bool(card.number) == wants_number and bool(card.color) == kind.one_color


def _meanings(cards: Sequence[Card], group: Group, rules: Rules) -> list[tuple[str, ...]]:
    """The cards with every meaning of the bare Wilds among them."""
    limits = oracle.Phase([], colors=rules.edition.colors, highest=rules.edition.highest)
    each = [oracle._meanings(card.text, group.text, limits) for card in cards]
    return list(product(*each))


def _may_hit(
    rules: Rules, board: Board, cards: Sequence[Card], owner: int, number: int
) -> bool | None:
    if not (1 <= owner <= len(board.melds) and 1 <= number <= len(board.melds[owner - 1])):
        return False
    meld = board.melds[owner - 1][number - 1]
    if len(cards) != (2 if meld.group.kind.name == "pairrun" else 1):
        return False
    if not all(_proper(card, meld.group) for card in cards):
        return None
    limits = oracle.Phase([], colors=rules.edition.colors, highest=rules.edition.highest)
    lies = tuple(card.text for card in meld.cards)
    fitting = {
        tuple(sorted(added))
        for added in _meanings(cards, meld.group, rules)
        if oracle.is_meld((*lies, *added), meld.group.text, limits)
    }
    return len(fitting) == 1  # none: it does not fit; two: which end?


def _may_lay(
    rules: Rules, held: Sequence[Card], melds: Sequence[Sequence[Card]], number: int
) -> bool | None:
    phase = rules.by_number[number]
    if not _holds(held, [card for meld in melds for card in meld]):
        return False
    if len(melds) != len(phase.groups):
        return False
    rows: list[tuple[str, ...]] = []
    for meld, group in zip(melds, phase.groups, strict=True):
        if not all(_proper(card, group) for card in meld):
            return None
        row = _written_out(meld, group)
        if row is None:
            return False
        rows.append(row)
    wanted = oracle_phase(phase, rules)
    return oracle.check_melds([card.text for card in held], rows, wanted)


def _written_out(meld: Sequence[Card], group: Group) -> tuple[str, ...] | None:
    """The meld with its Wilds written out; None where nothing says what they stand for, or where a
    run does not go up.
    """
    kind = group.kind
    if kind.parity is not None and not kind.chain:
        return tuple(card.text for card in meld)
    telling = [card for card in meld if card.text not in ("W", "S")]
    if not telling:
        return None
    color = telling[0].color if kind.one_color else ""
    if not kind.chain:
        number = "" if kind.one_color else telling[0].number
        return tuple(f"W={color}{number}" if c.text == "W" else c.text for c in meld)
    place = list(meld).index(telling[0])
    lowest = telling[0].number - kind.step * (place // kind.copies)
    row: list[str] = []
    for i, card in enumerate(meld):
        value = lowest + kind.step * (i // kind.copies)
        if card.text != "W" and card.number != value:
            return None
        if value < 1:
            return None
        row.append(f"W={color}{value}" if card.text == "W" else card.text)
    return tuple(row)
