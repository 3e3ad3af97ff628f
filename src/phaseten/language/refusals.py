"""The values of refusals and mistakes in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from phaseten.language.words import CardText, Words
from phaseten.rules.cards import Card, natural
from phaseten.rules.refusals import SEATS, Difference, Takes


def refusal_values(
    words: Words, values: Mapping[str, object], names: Sequence[str], card_text: CardText | None
) -> dict[str, str]:
    """The values as that language says them; players by their names."""

    def player(seat: int) -> str:
        return words.player(seat, names)

    def cards(some: Sequence[Card]) -> str:
        return words.some_cards(some, card_text)

    said: dict[str, Callable[[Any], str]] = {
        **dict.fromkeys(SEATS, player),
        "targets": lambda seats: words.listed(list(map(player, seats)), "or"),
        "card": lambda card: cards([card]),
        "cards": cards,
        "group": words.group,
        "parity": lambda parity: words.say(f"game.parity.{parity}"),
        "steps": lambda step: words.say(f"game.steps.{step}"),
        "ends": lambda ends: words.listed(list(map(str, ends)), "or"),
        "takes": lambda takes: _takes(words, takes),
        "detail": lambda difference: _difference(words, difference, card_text),
    }
    return {name: said.get(name, str)(value) for name, value in values.items()}


def mistake_values(words: Words, values: Mapping[str, object]) -> dict[str, object]:
    """The values as that language says them; cards as they are written in a record."""
    return {
        name: _difference(words, value, attrgetter("text"))
        if isinstance(value, Difference)
        else value
        for name, value in values.items()
    }


def _takes(words: Words, takes: Takes) -> str:
    """What can be added to a meld."""
    ends, number, color, parity = takes
    if ends:
        faces = [words.card(natural(color, end)) if color else str(end) for end in ends]
        return words.listed(faces, "or")
    if number:
        return words.say("game.takes.number", number=number)
    return words.say(f"game.takes.{parity}" if parity else f"game.cards_of.{color}")


def _difference(words: Words, difference: Difference, card_text: CardText | None) -> str:
    """Which cards are too many and which are missing."""
    return words.listed(
        [
            words.say(f"game.wrong_cards.{name}", cards=words.melds([cards], card_text))
            for name, cards in difference._asdict().items()
            if cards
        ]
    )
