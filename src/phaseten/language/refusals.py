"""The values of a refusal in words.

The referee puts some of them into English text already (``set 3``, ``R5 R6``, ``3 or 8``); they are
read back here, so that every language can say them its own way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from phaseten.language.words import CardText, Words
from phaseten.rules.cards import COLOR_NAMES, natural, parse_cards
from phaseten.rules.editions import parse_group

_LETTERS: Final = {name: letter for letter, name in COLOR_NAMES.items()}
_ENDS: Final = re.compile(r"(?:([a-z]+) )?(\d+)(?: or (\d+))?")
_CARDS: Final = re.compile(r"([a-z]+) cards")
_PARITY: Final = re.compile(r"(odd|even) numbers")
_NUMBER: Final = re.compile(r"the number (\d+)")
_DETAIL: Final = re.compile(r"(too many of|without) ([A-Z0-9= ]+?)(?= and |$)")


def refusal_values(
    words: Words, values: Mapping[str, object], names: Sequence[str], card_text: CardText | None
) -> dict[str, str]:
    """The values as that language says them; players by their names."""

    def player(value: str) -> str:
        return words.player(int(value), names)

    def cards(value: str) -> str:
        return words.some_cards(parse_cards(value), card_text)

    said: Mapping[str, Callable[[str], str]] = {
        "seat": player,
        "turn": player,
        "winner": player,
        "owner": player,
        "target": player,
        "targets": lambda value: words.listed([player(x) for x in re.findall(r"\d+", value)], "or"),
        "card": cards,
        "cards": cards,
        "group": lambda value: words.group(parse_group(value)),
        "parity": lambda value: words.say(f"game.parity.{value}"),
        "steps": lambda value: words.say(f"game.steps.{'two' if value == 'by twos' else 'one'}"),
        "wanted": lambda value: _wanted(words, value),
        "detail": lambda value: _detail(words, value, card_text),
    }
    return {
        name: said[name](str(value)) if name in said else str(value)
        for name, value in values.items()
    }


def _wanted(words: Words, text: str) -> str:
    """What a meld takes."""
    if match := _ENDS.fullmatch(text):
        numbers = [int(number) for number in match.groups()[1:] if number]
        if match[1]:
            ends = [words.card(natural(_LETTERS[match[1]], number)) for number in numbers]
        else:
            ends = [str(number) for number in numbers]
        return words.listed(ends, "or")
    if match := _CARDS.fullmatch(text):
        return words.say(f"game.cards_of.{_LETTERS[match[1]]}")
    if match := _PARITY.fullmatch(text):
        return words.say(f"game.takes.{match[1]}")
    match = _NUMBER.fullmatch(text)
    return words.say("game.takes.number", number=match[1]) if match else text


def _detail(words: Words, text: str, card_text: CardText | None) -> str:
    """Which cards are too many and which are missing in a deck."""
    parts = [
        words.say(
            f"game.wrong_cards.{'extra' if match[1] != 'without' else 'lost'}",
            cards=words.melds([parse_cards(match[2])], card_text),
        )
        for match in _DETAIL.finditer(text)
    ]
    return words.listed(parts)
