"""What is chosen before play: the edition, the variations V1, V2, V3, and house rules.

>>> rules = Rules("classic", "ten-hands,even")
>>> [phase.number for phase in rules.phases]
[2, 4, 6, 8, 10]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from phaseten.rules.editions import HOUSE_RULES, Edition, Phase
from phaseten.rules.editions import edition as find_edition
from phaseten.rules.mistakes import MistakeError, expect, mistake


class OptionError(MistakeError):
    """Options that do not exist or do not go together."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A variation, or several together."""

    ten_hands: bool = False
    """V1: one hand per Phase, everybody moves on, the lowest total wins."""
    first: int | None = None
    """V2: only the first so many Phases."""
    even: bool = False
    """V3: only Phases with even numbers."""

    @property
    def text(self) -> str:
        """The variation as records write it, such as ``ten-hands,phases=5``."""
        parts = ["ten-hands"] if self.ten_hands else []
        parts += [f"phases={self.first}"] if self.first is not None else []
        parts += ["even"] if self.even else []
        return ",".join(parts) or "standard"


STANDARD: Final = Variant()


def parse_variant(text: str) -> Variant:
    """The variation written as ``text``: ``standard``, or any of ``ten-hands,phases=5,even``."""
    expect(text, str, "a variation's text such as 'ten-hands'")
    words = [word.strip() for word in text.split(",")]
    if words == ["standard"]:
        return STANDARD
    first: int | None = None
    names: list[str] = []
    for word in words:
        name, _, value = word.partition("=")
        if name == "phases" and value.isascii() and value.isdecimal() and 1 <= len(value) <= 2:
            first = int(value)
        elif word not in ("ten-hands", "even"):
            raise OptionError(mistake("variation", text=word))
        names.append(name)
    if len(set(names)) < len(names):
        raise OptionError(mistake("variation-twice", text=text))
    return Variant("ten-hands" in names, first, "even" in names)


def parse_house(text: str) -> frozenset[str]:
    """The house rules named in ``text``, separated by commas."""
    names = [word.strip() for word in text.split(",") if word.strip()]
    return check_house(names)


def check_house(names: Iterable[str]) -> frozenset[str]:
    """The house rules of these names, if all of them exist."""
    expect(names, Iterable, "house rules, such as ['no_rediscard'],")
    chosen = frozenset(names)
    for name in sorted(chosen):
        if name not in HOUSE_RULES:
            raise OptionError(mistake("house-rule", text=name, names=", ".join(HOUSE_RULES)))
    return chosen


@dataclass(frozen=True, init=False)
class Rules:
    """The law of one game: an edition, a variation and house rules.

    Each is itself or its text: ``Rules("classic", "ten-hands", ["no_rediscard"])``.
    """

    edition: Edition
    variant: Variant
    house: frozenset[str]
    """House rules, in addition to those the edition itself has switched on."""

    def __init__(
        self,
        edition: str | Path | Edition = "classic",
        variant: str | Variant = STANDARD,
        house: str | Iterable[str] = (),
    ) -> None:
        values = {
            "edition": find_edition(edition),
            "variant": variant if isinstance(variant, Variant) else parse_variant(variant),
            "house": parse_house(house) if isinstance(house, str) else check_house(house),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        first = self.variant.first
        count = len(self.edition.phases)
        if first is not None and not 1 <= first <= count:
            raise OptionError(
                mistake("variation-too-long", asked=first, title=self.edition.title, most=count)
            )
        if not self.phases:
            raise OptionError(mistake("variation-empty", text=self.variant.text))

    @classmethod
    def of(cls, rules: str | Path | Edition | Rules) -> Rules:
        """These rules; or those of an edition, by its name, its file or itself."""
        return rules if isinstance(rules, Rules) else cls(rules)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The Phases of this game, in order."""
        return tuple(
            phase
            for phase in self.edition.phases[: self.variant.first]
            if not self.variant.even or phase.number % 2 == 0
        )

    @cached_property
    def by_number(self) -> dict[int, Phase]:
        """The Phases of this game by number."""
        return {phase.number: phase for phase in self.phases}

    @cached_property
    def discard_to_go_out(self) -> bool:
        return self._plays("discard_to_go_out")

    @cached_property
    def natural_per_meld(self) -> bool:
        return self._plays("natural_per_meld")

    @cached_property
    def no_rediscard(self) -> bool:
        return self._plays("no_rediscard")

    @cached_property
    def choose_phase(self) -> bool:
        return self._plays("choose_phase")

    @cached_property
    def endless_hands(self) -> bool:
        return self._plays("endless_hands")

    def phase(self, phase: int | Phase) -> Phase:
        """The Phase of that number, whether or not the variation plays it."""
        if isinstance(phase, Phase):
            return phase
        return self.edition.phase(expect(phase, int, "the number of a Phase"))

    def _plays(self, name: str) -> bool:
        return name in self.house or name in self.edition.house

    def check_players(self, players: int) -> None:
        """Raise an OptionError unless that many can play."""
        fewest, most = self.edition.players
        if not fewest <= players <= most:
            raise OptionError(
                mistake(
                    "players",
                    title=self.edition.title,
                    fewest=fewest,
                    most=most,
                    players=players,
                )
            )
        needed = players * self.edition.deal + 2
        if len(self.edition.deck) < needed:
            raise OptionError(
                mistake(
                    "small-deck",
                    players=players,
                    needed=needed,
                    title=self.edition.title,
                    cards=len(self.edition.deck),
                )
            )
