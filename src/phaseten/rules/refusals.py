"""Why something may not be done: a rule id and one plain sentence.

A Refusal carries the name of its sentence and the values that go into it: seats, cards, numbers.
How they are put into words is up to each language, and here to English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from phaseten.rules.cards import COLOR_NAMES, Card, format_cards

SENTENCES: Final[Mapping[str, str]] = {
    # whose turn, and what now
    "no-hand": "No hand is going on: the cards have to be dealt first.",
    "not-your-turn": "It is the turn of {turn}, not of {seat}.",
    "not-playing": "{seat} does not play in this hand.",
    "draw-first": "Draw a card first: from the draw pile or the discard pile.",
    "already-drawn": "You have drawn your card for this turn: lay, hit or discard now.",
    "hand-going-on": "This hand is still going on: nothing can be dealt yet.",
    "game-over": "The game is over: {winner} has won.",
    # drawing
    "discard-pile-empty": "There is no card on the discard pile: draw from the draw pile.",
    "skip-on-top": "A Skip is never taken from the discard pile: draw from the draw pile.",
    "nothing-to-draw": "No card is left to draw and none can be shuffled in: play on without one.",
    "must-take-discard": "No card is left to draw: you have to take the top discard.",
    "can-draw": "A card can be drawn: draw one.",
    "wrong-deck": "These are not the cards of this edition's deck: {detail}.",
    "wrong-shuffle": "These are not the cards that were shuffled: {detail}.",
    # laying
    "already-laid": "Your Phase is down already: one Phase a hand. Hit or discard.",
    "phase-not-yours": "You are working on Phase {phase}, not on Phase {asked}.",
    "phase-done": "You cannot lay Phase {asked}: it is not one of those you still have to make.",
    "lay-not-held": "You do not hold {cards}.",
    "wrong-number-of-melds": "Phase {phase} is laid as exactly {wanted} melds, not {given}.",
    "skip-in-meld": "A Skip is never part of a meld.",
    "too-few": "{group}: at least {wanted} cards, not {given}.",
    "not-one-number": "A set is made of cards of one number: {card} does not fit.",
    "not-one-color": "These cards must all be of one colour: {card} does not fit.",
    "not-one-parity": "These cards must all be {parity}: {card} does not fit.",
    "not-in-order": "A run goes up {steps} from card to card: {card} does not fit there.",
    "outside-deck": "Numbers go from 1 to {highest}: this run does not fit in.",
    "wrong-start": "This run is made of {parity} numbers only.",
    "odd-number-of-cards": "A run of pairs has exactly two cards of each number.",
    "undeclared": "A meld of Wilds alone has to say what it stands for, such as W=5.",
    "no-natural": "A Phase needs at least one numbered card.",
    "no-natural-in-meld": "By your house rule every meld needs at least one numbered card.",
    "must-show": "This Phase needs a natural {number} or a Wild among its cards.",
    # hitting
    "hit-before-laying": "Lay your own Phase first: only then can you hit.",
    "hit-not-held": "You do not hold {cards}.",
    "no-such-meld": "{owner} has no meld number {meld} on the table.",
    "one-card-a-hit": "Add one card at a time to this meld.",
    "pair-needed": "A run of pairs takes a whole pair at a time.",
    "does-not-fit": "{card} does not fit that meld: it takes {takes}.",
    "meld-full": "That run is complete: nothing can be added.",
    "which-end": "Say for which number the Wild stands: {ends}.",
    # discarding
    "discard-not-held": "You do not hold {cards}.",
    "just-taken": "By your house rule the card just taken may not be discarded in the same turn.",
    "target-without-skip": "Only a Skip names a player: {card} does not.",
    "skip-self": "You cannot skip yourself.",
    "skip-nobody": "{target} does not play in this hand.",
    "skipped-this-round": "{target} was already skipped in this round.",
    "skip-waiting": "{target} already has a Skip waiting.",
    "name-a-target": "Say whom you skip: {targets}.",
    "keep-a-discard": "By your house rule you go out with a discard: keep one card for it.",
}


class Takes(NamedTuple):
    """What can be added to a meld: at its ends if it is a chain, or a number, colour or parity."""

    ends: tuple[int, ...] = ()
    number: int = 0
    color: str = ""
    parity: str = ""

    def __str__(self) -> str:
        color = COLOR_NAMES.get(self.color, "")
        if self.ends:
            return f"{color} {_either(self.ends)}".strip()
        if self.number:
            return f"the number {self.number}"
        return f"{self.parity} numbers" if self.parity else f"{color} cards"


class Difference(NamedTuple):
    """How some cards differ from those they should be."""

    extra: tuple[Card, ...]
    lost: tuple[Card, ...]

    def __str__(self) -> str:
        parts = (("too many of", self.extra), ("without", self.lost))
        return " and ".join([f"{words} {format_cards(cards)}" for words, cards in parts if cards])


SEATS: Final = ("seat", "turn", "winner", "owner", "target")
"""The names of the values that are seats."""
_STEPS: Final = {1: "one number at a time", 2: "by twos"}


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _seats(seats: Sequence[int]) -> str:
    return ", ".join(map(_seat, seats))


def _either(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))


_IN_ENGLISH: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(SEATS, _seat),
    "targets": _seats,
    "cards": format_cards,
    "steps": _STEPS.__getitem__,
    "ends": _either,
}
"""How values are said, by name; the others are said as they are."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that says no: which rule, and why, in a sentence a player understands."""

    rule: str
    reason: str
    values: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def sentence(self) -> str:
        """The English sentence."""
        values = {name: _IN_ENGLISH.get(name, str)(value) for name, value in self.values.items()}
        text = SENTENCES[self.reason].format_map(values)
        return text[:1].upper() + text[1:]

    def __str__(self) -> str:
        return f"{self.sentence} ({self.rule})"


def refuse(rule: str, reason: str, **values: object) -> Refusal:
    """A Refusal by that rule, with the sentence of that name."""
    return Refusal(rule, reason, values)
