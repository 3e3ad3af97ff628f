"""What happened, told to one player in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP
from phaseten.rules.events import (
    CardDiscarded,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    GameTied,
    GameWon,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    ReshuffleSeen,
    Seen,
    TurnLost,
)
from phaseten.terminal.screen import Screen
from phaseten.terminal.words import group_in_words, listed


class Story:
    """Tells events to the player in one seat."""

    def __init__(self, names: Sequence[str], seat: int, screen: Screen) -> None:
        self._names = names
        self._seat = seat
        self._screen = screen

    def tell(self, events: Iterable[Seen]) -> Iterator[str]:
        """The events as sentences, one for each turn."""
        clauses: list[str] = []
        speaker = 0
        for event in _together(events):
            seat = _actor(event)
            if clauses and (seat != speaker or isinstance(event, TurnLost)):
                yield self._sentence(speaker, clauses)
                clauses = []
            if seat:
                speaker = seat
                clauses.append(self._clause(event, you=seat == self._seat))
            else:
                yield from self._news(event)
        if clauses:
            yield self._sentence(speaker, clauses)

    def name(self, seat: int) -> str:
        """How the player in that seat is called."""
        return "you" if seat == self._seat else self._names[seat - 1]

    def owner(self, seat: int) -> str:
        """Whose: ``your`` or ``Ana's``."""
        return "your" if seat == self._seat else f"{self._names[seat - 1]}'s"

    def describe(self, action: Action) -> str:
        """What an action does, as in ``you could ...``."""
        screen = self._screen
        match action:
            case DrawDeck():
                return "draw from the draw pile"
            case TakeDiscard():
                return "take the top discard"
            case DrawNothing():
                return "play on without a card"
            case LayPhase(melds):
                return f"lay {' / '.join(screen.cards(meld) for meld in melds)}"
            case Hit(cards, owner, meld):
                return f"add {screen.cards(cards)} to {self.owner(owner)} meld {owner}.{meld}"
            case Discard(card, target):
                if target is not None:
                    return f"skip {self.name(target)}"
                return f"discard {screen.card(card)}"

    def _sentence(self, seat: int, clauses: Sequence[str]) -> str:
        subject = "You" if seat == self._seat else self._names[seat - 1]
        return f"{subject} {listed(clauses)}."

    def _clause(self, event: Seen, *, you: bool) -> str:
        screen = self._screen
        s = "" if you else "s"
        match event:
            case DrawSeen(_, card):
                return f"draw{s} {screen.card(card)}" if card else f"draw{s}"
            case DiscardTaken(_, card):
                return f"take{s} {screen.card(card)} from the discards"
            case NothingDrawn():
                return f"find{s} nothing to draw"
            case PhaseLaid(_, phase, melds):
                cards = " / ".join(screen.cards(meld.cards) for meld in melds)
                return f"lay{s} Phase {phase}: {cards}"
            case MeldHit(seat, cards, owner, meld, result):
                words = group_in_words(result.group)
                whose = "their own" if owner == seat and not you else self.owner(owner)
                return f"add{s} {screen.cards(cards)} to {whose} {words} ({owner}.{meld})"
            case CardDiscarded(_, card, target):
                if target is not None:
                    return f"skip{s} {self.name(target)}"
                return f"discard{s} {'a Skip' if card is SKIP else screen.card(card)}"
            case _:
                return "lose a turn" if you else "loses a turn"

    def _news(self, event: Seen) -> Iterator[str]:
        match event:
            case ReshuffleSeen():
                yield "The discards are shuffled and become the draw pile."
            case HandScored(out=out):
                yield "You are out!" if out == self._seat else f"{self._names[out - 1]} is out."
            case GameTied(seats):
                names = listed([self.name(seat) for seat in seats])
                yield f"A tie: {names} play one more hand for the last Phase (G-TIE)."
            case GameWon(seat):
                yield (
                    "You have won the game!"
                    if seat == self._seat
                    else f"{self._names[seat - 1]} has won the game."
                )
            case DealSeen(hand=hand, dealer=dealer, turned_up=turned_up):
                you = dealer == self._seat
                yield (
                    f"Hand {hand}: {self._names[dealer - 1] if not you else 'you'} "
                    f"deal{'' if you else 's'} and turn{'' if you else 's'} up "
                    f"{self._screen.card(turned_up)}."
                )
            case _:
                pass


def _together(events: Iterable[Seen]) -> Iterator[Seen]:
    """The events, with several hits on one meld in a row taken as one."""
    last: MeldHit | None = None
    for event in events:
        if not isinstance(event, MeldHit):
            if last is not None:
                yield last
            last = None
            yield event
        elif last is not None and (last.seat, last.owner, last.meld) == (
            event.seat,
            event.owner,
            event.meld,
        ):
            last = replace(event, cards=last.cards + event.cards)
        else:
            if last is not None:
                yield last
            last = event
    if last is not None:
        yield last


def _actor(event: Seen) -> int:
    """Whose turn the event is part of; 0 for what happens to everybody."""
    if isinstance(event, DealSeen | ReshuffleSeen | HandScored | GameTied | GameWon):
        return 0
    return event.seat
