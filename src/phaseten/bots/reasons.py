"""Why an action makes sense, or what it costs: one or two sentences for a beginner.

Everything said here can be counted out from the view alone. What the sentences are in each language
stands in ``language/*/reasons.toml``.

>>> from phaseten import Game
>>> from phaseten.language import language
>>> from phaseten.rules.actions import TakeDiscard
>>> view = Game("classic", ["Ana", "Beto"], seed=7).view()
>>> for reason in explain(view, TakeDiscard()):
...     print(language("en").reason(reason))
The green 11 brings your Phase no nearer.
Of the 97 cards you have not seen, 20 would bring your Phase nearer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Final, assert_never

from phaseten.bots.bot import Reason
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, WILD, Card, total_points
from phaseten.rules.editions import KINDS, Phase
from phaseten.rules.melds import Meld, held_form, hits_on, open_ends
from phaseten.rules.memory import remember
from phaseten.rules.referee import discard_refusal, draw_refusal, keep_a_discard, skip_targets
from phaseten.rules.solver import missing_cards, solve_phase
from phaseten.rules.state import Board, following, open_phases, without
from phaseten.rules.views import View, unseen_cards

SENTENCES: Final = 2
"""Nobody reads more than that."""
AGAINST: Final = frozenset(
    {
        "discard.could_hit",
        "discard.further",
        "discard.hit_first",
        "discard.lay_first",
        "discard.next_fits",
        "discard.next_wants",
        "discard.wild",
        "draw.passes_fit",
        "draw.passes_help",
        "lay.wilds",
        "skip.other",
    }
)
"""What speaks against an action."""
USELESS: Final = frozenset({"card.no_fit", "card.no_help", "card.no_pair"})
"""What speaks for leaving the discard where it is, and against taking it."""
HOPES: Final = frozenset(
    {"draw.again_fit", "draw.again_help", "draw.chance_fit", "draw.chance_help"}
)
"""What a card from the draw pile may bring: no reason to take a discard that is of no use."""

_SET: Final = KINDS["set"]


def explain(view: View, action: Action, *, most: int | None = SENTENCES) -> tuple[Reason, ...]:
    """What speaks for a legal action of the seat on turn, or against it; so many reasons at most."""
    sight = _Sight(view)
    match action:
        case DrawDeck():
            reasons = _draw(sight)
        case TakeDiscard():
            reasons = _take(sight)
        case DrawNothing():
            reasons = iter([_reason("draw.nothing")])
        case LayPhase():
            reasons = _lay(sight, action)
        case Hit(cards):
            reasons = _hit(sight, held_form(cards))
        case Discard(card, target) if card is SKIP:
            reasons = _skip(sight, target)
        case Discard(card):
            reasons = _discard(sight, card)
        case _:
            assert_never(action)
    return tuple(islice(reasons, most))


def recommend(view: View, action: Action) -> tuple[Reason, ...]:
    """What speaks for an action that is advised. What speaks against it would contradict the advice.

    Who is advised to discard with a complete Phase is told why not to lay it.
    """
    reasons = explain(view, action, most=None)
    against = AGAINST
    if isinstance(action, TakeDiscard) and any(reason.name in USELESS for reason in reasons):
        against |= USELESS | HOPES
    found = [reason for reason in reasons if reason.name not in against]
    if any(reason.name == "discard.lay_first" for reason in reasons):
        found.insert(0, _reason("discard.hold_back"))
    return tuple(found[:SENTENCES])


def _reason(name: str, **values: object) -> Reason:
    return Reason(name, values)


# -- what can be seen --------------------------------------------------------------------------


class _Sight:
    """What the seat on turn can work out from its view."""

    def __init__(self, view: View) -> None:
        if view.board is None or view.seat != view.board.turn:
            raise ValueError("it is not this seat's turn")
        self.view = view
        self.rules = view.rules
        self.board: Board = view.board
        self.seat = view.board.turn
        self.held = view.held
        self.made = view.board.made[self.seat - 1] > 0

    def phases(self, seat: int) -> tuple[Phase, ...]:
        """What the seat can work on in this hand."""
        numbers = open_phases(self.rules, self.view.sheet, seat)
        return tuple([self.rules.by_number[number] for number in numbers])

    @cached_property
    def lacks(self) -> tuple[tuple[Phase, int], ...]:
        """The seat's own Phases and how many cards each lacks."""
        return tuple(
            [
                (phase, missing_cards(phase, self.held, self.rules))
                for phase in self.phases(self.seat)
            ]
        )

    @cached_property
    def missing(self) -> int:
        """How many cards the nearest Phase lacks."""
        return min(missing for _, missing in self.lacks)

    @cached_property
    def nearest(self) -> tuple[Phase, ...]:
        """The Phases that lack the fewest cards; only these can come nearer by one card."""
        return tuple([phase for phase, missing in self.lacks if missing == self.missing])

    def helps(self, card: Card) -> bool:
        """Whether a further card brings a Phase nearer than the nearest is now."""
        held = (*self.held, card)
        return any(missing_cards(phase, held, self.rules) < self.missing for phase in self.nearest)

    def needs(self, card: Card) -> bool:
        """Whether every Phase is further away than the nearest is now, without that held card."""
        rest = without(self.held, (card,))
        return all(missing_cards(phase, rest, self.rules) > self.missing for phase in self.nearest)

    @cached_property
    def melds(self) -> tuple[Meld, ...]:
        """Everything that lies on the table."""
        return tuple([meld for row in self.board.melds for meld in row])

    def fits(self, card: Card, others: tuple[Card, ...]) -> bool:
        """Whether the card fits a meld; a run of pairs, together with one of the others."""
        return self._size_of_hit(card, others) > 0

    def can_add(self, card: Card, others: tuple[Card, ...]) -> bool:
        """Whether a seat that has laid its Phase may add the card, when it holds it and others."""
        size = self._size_of_hit(card, others)
        return 0 < size <= len(others) or (size > 0 and not self.rules.discard_to_go_out)

    def _size_of_hit(self, card: Card, others: tuple[Card, ...]) -> int:
        """How many cards the smallest hit with that card has; 0 where there is none."""
        sizes = [
            meld.group.kind.copies
            for meld in self.melds
            if any(card in held_form(hit) for hit in self._hits(meld, card, others))
        ]
        return min(sizes, default=0)

    def _hits(self, meld: Meld, card: Card, others: tuple[Card, ...]) -> list[tuple[Card, ...]]:
        partners = others if meld.group.kind.copies == 2 else ()
        return hits_on(meld, Counter((card, *partners)), self.rules.edition)

    def half_fits(self, card: Card) -> bool:
        """Whether the card could be one half of a pair for a run of pairs."""
        return any(
            card is WILD or card.number in open_ends(meld, self.rules.edition)
            for meld in self.melds
            if meld.group.kind.copies == 2 and open_ends(meld, self.rules.edition)
        )

    @cached_property
    def can_lay(self) -> bool:
        return not self.made and any(
            keep_a_discard(self.rules, self.board, sum(group.cards for group in phase.groups))
            is None
            for phase, missing in self.lacks
            if not missing
        )

    @cached_property
    def next(self) -> int | None:
        """The other player who can take what is discarded now, if there is one."""
        board = self.board
        seat = following(board.players, self.seat)
        while board.waiting[seat - 1] and seat != self.seat:
            seat = following(board.players, seat)
        return seat if seat != self.seat else None


# -- drawing -----------------------------------------------------------------------------------


def _draw(sight: _Sight) -> Iterator[Reason]:
    board, top = sight.board, sight.board.top
    if top is None:
        yield _reason("draw.no_discard")
    elif discard_refusal(board) is not None:
        yield _reason("draw.skip_on_top")
    elif sight.made:
        yield from _use_on_table(sight, top, sight.held, "draw.passes_fit")
    elif sight.missing:
        yield _reason("draw.passes_help" if sight.helps(top) else "card.no_help", card=top)
    yield from _prospects(sight)


def _use_on_table(
    sight: _Sight, card: Card, others: tuple[Card, ...], useful: str
) -> Iterator[Reason]:
    """Whether the card can be added to a meld; the sentence ``useful`` where it can."""
    if sight.can_add(card, others):
        yield _reason(useful, card=card)
    elif not sight.fits(card, others):
        yield _reason("card.no_pair" if sight.half_fits(card) else "card.no_fit", card=card)


def _prospects(sight: _Sight) -> Iterator[Reason]:
    """What a card from the draw pile may bring."""
    if not sight.made and not sight.missing:
        yield _reason("draw.complete")
        return
    again = not sight.board.draw_count
    pile = sight.board.discards[:-1] if again else unseen_cards(sight.view)
    good = _count_good(sight, pile)
    name = f"{'again' if again else 'chance'}_{'fit' if sight.made else 'help'}"
    yield _reason(f"draw.{name}", count=good, total=len(pile))


def _count_good(sight: _Sight, cards: Iterable[Card]) -> int:
    counts = Counter(cards)
    if sight.made:
        return sum([n for card, n in counts.items() if sight.fits(card, sight.held)])
    return sum([n for card, n in counts.items() if card is not SKIP and sight.helps(card)])


def _take(sight: _Sight) -> Iterator[Reason]:
    top = sight.board.discards[-1]
    if sight.made:
        yield from _use_on_table(sight, top, sight.held, "take.fits")
    elif not sight.missing:
        yield _reason("draw.complete")
    elif not sight.helps(top):
        yield _reason("card.no_help", card=top)
    elif sight.missing == 1:
        yield _reason("take.completes", card=top)
    else:
        yield _reason("take.nearer", card=top, count=sight.missing - 1)
        yield from _for_a_set(sight, top)
    if draw_refusal(sight.board) is not None:
        yield _reason("take.only")
    elif sight.made or sight.missing:
        yield from _prospects(sight)


def _for_a_set(sight: _Sight, card: Card) -> Iterator[Reason]:
    """How far the card brings a set, if it is for one."""
    count = 1 + sum([held.number == card.number for held in sight.held])
    sizes = _set_sizes(sight.nearest)
    if card.is_natural and sizes and 1 < count <= max(sizes):
        yield _reason("take.set", count=count, number=card.number, size=max(sizes))


def _set_sizes(phases: Iterable[Phase]) -> list[int]:
    return [group.size for phase in phases for group in phase.groups if group.kind is _SET]


# -- laying and hitting ------------------------------------------------------------------------


def _lay(sight: _Sight, action: LayPhase) -> Iterator[Reason]:
    laid = held_form([card for meld in action.melds for card in meld])
    rest = without(sight.held, laid)
    number = action.phase or sight.phases(sight.seat)[0].number
    best = solve_phase(sight.rules.by_number[number], sight.held, sight.rules).melds or ()
    spent, enough = laid.count(WILD), sum(card.is_wild for meld in best for card in meld)
    if not rest:
        yield _reason("out")
    elif sight.view.sheet.left[sight.seat - 1] == (number,):
        yield _reason("lay.last")
    else:
        yield _reason("lay.frees")
    if spent > enough:
        yield _reason("lay.wilds", count=spent, enough=enough)
    if rest:
        yield _reason("lay.keeps", count=len(rest), points=total_points(rest))


def _hit(sight: _Sight, cards: tuple[Card, ...]) -> Iterator[Reason]:
    rest = without(sight.held, cards)
    if not rest:
        yield _reason("out")
        return
    yield _reason("hit.saves", points=total_points(cards))
    yield _reason("hit.left", count=len(rest))


# -- discarding --------------------------------------------------------------------------------


def _discard(sight: _Sight, card: Card) -> Iterator[Reason]:
    rest = without(sight.held, (card,))
    if sight.made and not rest:
        yield _reason("out")
        return
    if sight.made:
        yield from _after_laying(sight, card, rest)
    else:
        yield from _before_laying(sight, card)
    yield from _for_the_next(sight, card)
    if card.points == max(held.points for held in sight.held):
        yield _reason("discard.dearest", points=card.points)
    else:
        yield _reason("discard.saves", points=card.points)


def _after_laying(sight: _Sight, card: Card, rest: tuple[Card, ...]) -> Iterator[Reason]:
    yield from _use_on_table(sight, card, rest, "discard.could_hit")
    if sight.can_add(card, rest):
        return
    for other in dict.fromkeys(rest):
        if sight.can_add(other, without(sight.held, (other,))):
            yield _reason("discard.hit_first", card=other)
            return


def _before_laying(sight: _Sight, card: Card) -> Iterator[Reason]:
    if sight.can_lay:
        yield _reason("discard.lay_first")
    if sight.needs(card):
        yield _reason("discard.further", card=card)
    elif card is WILD:
        yield _reason("discard.wild")
    elif sight.missing:
        yield _reason("discard.unneeded", card=card, count=sight.missing)
        yield from _rare(sight, card)


def _rare(sight: _Sight, card: Card) -> Iterator[Reason]:
    """Too few cards of that number are left to make a set of them."""
    have = sum([held.number == card.number for held in sight.held])
    unseen = sum([other.number == card.number for other in unseen_cards(sight.view)])
    sizes = _set_sizes(sight.nearest)
    if not sizes or have + unseen >= min(sizes):
        return
    total = sum([other.number == card.number for other in sight.rules.edition.deck])
    if unseen:
        yield _reason("discard.rare", count=unseen, total=total, number=card.number)
    else:
        yield _reason("discard.gone", number=card.number)


def _for_the_next(sight: _Sight, card: Card) -> Iterator[Reason]:
    """What the discard means to the player who can take it."""
    player = sight.next
    if player is None:
        return
    if sight.board.made[player - 1]:
        if sight.fits(card, ()):
            yield _reason("discard.next_fits", player=player)
        elif not sight.made and not sight.half_fits(card):
            yield _reason("discard.next_cannot", player=player)
        return
    for taken in remember(sight.board, sight.rules.edition).known[player - 1]:
        if card.is_natural and any(_alike(phase, taken, card) for phase in sight.phases(player)):
            yield _reason("discard.next_wants", player=player, taken=taken)
            return


def _alike(phase: Phase, taken: Card, card: Card) -> bool:
    """Whether somebody who takes the one for that Phase may want the other as well."""
    return any(
        (group.kind is _SET and taken.number == card.number)
        or (group.kind.one_color and taken.color == card.color)
        for group in phase.groups
    )


def _skip(sight: _Sight, target: int | None) -> Iterator[Reason]:
    board = sight.board
    if sight.made and len(sight.held) == 1:
        yield _reason("out")
        return
    if target is None:
        yield _reason("skip.nobody")
    else:
        yield from _for_the_target(sight, target)
        fewer = [
            seat for seat in skip_targets(sight.rules, board) if _nearer_out(board, seat, target)
        ]
        if fewer:
            seat = min(fewer, key=lambda seat: board.counts[seat - 1])
            yield _reason("skip.other", player=seat, count=board.counts[seat - 1])
    yield _reason("skip.points", points=SKIP.points)


def _for_the_target(sight: _Sight, target: int) -> Iterator[Reason]:
    board = sight.board
    if sight.can_lay:
        yield _reason("discard.lay_first")
    if len(board.players) == 2:
        yield _reason("skip.again")
    if board.made[target - 1]:
        yield _reason("skip.laid", player=target, count=board.counts[target - 1])
    else:
        yield _reason("skip.loses", player=target)


def _nearer_out(board: Board, seat: int, target: int) -> bool:
    """Whether the seat has laid its Phase and holds fewer cards than a target, or the target has not."""
    if not board.made[seat - 1]:
        return False
    return not board.made[target - 1] or board.counts[seat - 1] < board.counts[target - 1]
