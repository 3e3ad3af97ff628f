"""The words of one language: cards, groups, Phases, options and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from phaseten.language.catalogue import Catalogue, Sentence
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, Group, Kind, Phase
from phaseten.rules.options import Variant

CardText = Callable[[Card], str]
"""How a caller shows a card: as coloured text, as a picture."""


class Option(NamedTuple):
    """Something that can be chosen before a game."""

    title: str
    about: str


class Words:
    """What a language calls the things of the game.

    Where cards are part of a longer text, a caller can give a ``card_text`` of its own; cards are
    then set side by side, without the articles and commas that words would need.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._cards: dict[Card, str] = {}
        """The cards in words: they are said in every sentence, and there are not many."""

    @property
    def code(self) -> str:
        """``en``, ``es`` …"""
        return self._catalogue.code

    @property
    def title(self) -> str:
        """What the language calls itself."""
        return self._catalogue.title

    @property
    def sentences(self) -> Mapping[str, Sentence]:
        """All sentences of the language by name."""
        return self._catalogue.sentences

    def say(self, name: str, /, **values: object) -> str:
        """The sentence of that name; a plural is chosen by the value ``count``."""
        return self._catalogue.say(name, values)

    def listed(self, words: Sequence[str], joint: str = "and") -> str:
        """``a, b and c``; with the joint ``or``: ``a, b or c``."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self._catalogue.join(joint, words[-1])}"

    def points(self, count: int) -> str:
        """``25 points``."""
        return self.say("game.points", count=count)

    def player(self, seat: int, names: Sequence[str]) -> str:
        """The name of the player in that seat; without names, the seat."""
        return names[seat - 1] if 1 <= seat <= len(names) else self.say("game.seat", number=seat)

    # -- cards ---------------------------------------------------------------------------------

    def color(self, letter: str) -> str:
        """``red``."""
        return self.say(f"game.color.{letter}")

    def card(self, card: Card) -> str:
        """``red 5``, ``Wild as blue 7``, ``Skip``."""
        if card.is_skip:
            return self.say("game.card.skip")
        if card is card.held and card.is_wild:
            return self.say("game.card.wild")
        face = self._face(card)
        return self.say("game.card.wild_as", what=face) if card.is_wild else face

    def _face(self, card: Card) -> str:
        if not card.number:
            return self.color(card.color)
        if not card.color:
            return str(card.number)
        return self.say("game.card.natural", color=self.color(card.color), number=card.number)

    def a_card(self, card: Card, card_text: CardText | None = None) -> str:
        """``a red 5``."""
        if card_text:
            return card_text(card)
        said = self._cards.get(card)
        if said is None:
            said = self._cards[card] = self._catalogue.join("a", self.card(card))
        return said

    def some_cards(self, cards: Sequence[Card], card_text: CardText | None = None) -> str:
        """``a red 5 and a Wild``."""
        if card_text:
            return " ".join(map(card_text, cards))
        return self.listed([self.a_card(card) for card in cards])

    def melds(self, rows: Sequence[Sequence[Card]], card_text: CardText | None = None) -> str:
        """``red 5, blue 5, Wild as 5 / red 1, …``."""
        gap = " " if card_text else ", "
        return " / ".join(gap.join(map(card_text or self.card, row)) for row in rows)

    # -- Phases --------------------------------------------------------------------------------

    def kind(self, kind: Kind) -> str:
        """``run``."""
        return self.say(f"game.kind.{kind.name}")

    def group(self, group: Group) -> str:
        """``run of 4``."""
        return self.say(f"game.group.{group.kind.name}", size=group.size)

    def phase(self, phase: Phase) -> str:
        """``set of 3 + run of 4``."""
        first, *more = phase.groups
        if more == [first]:
            groups = self.say(f"game.groups.{first.kind.name}", size=first.size)
        else:
            groups = " + ".join(self.group(group) for group in phase.groups)
        if not phase.must_show:
            return groups
        return self.say("game.must_show", groups=groups, number=phase.must_show)

    def phase_title(self, number: int) -> str:
        """``Phase 3``."""
        return self.say("game.phase_title", number=number)

    # -- what is chosen before play ------------------------------------------------------------

    def variant(self, variant: Variant) -> str:
        """``one hand for each Phase, Phases 1 to 5``."""
        parts = [self.say("game.variant.ten-hands")] if variant.ten_hands else []
        if variant.first is not None:
            parts.append(self.say("game.variant.phases", count=variant.first))
        if variant.even:
            parts.append(self.say("game.variant.even"))
        return ", ".join(parts) or self.say("game.variant.standard")

    def variation(self, name: str) -> Option:
        """A variation (``standard``, ``ten-hands``, ``phases``, ``even``) and what it is."""
        return self._option(f"game.variation.{name}")

    def house_rule(self, name: str) -> Option:
        """A house rule and what it is."""
        return self._option(f"game.house.{name}")

    def _option(self, name: str) -> Option:
        return Option(self.say(f"{name}.title"), self.say(f"{name}.about"))

    def edition(self, name: str) -> str:
        """What an edition is like."""
        return self.say(f"game.edition.{name if name in BOOK_EDITIONS else 'own'}")
