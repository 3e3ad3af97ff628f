"""A language: its words, and what it says to players.

>>> from phaseten.rules.cards import parse_card
>>> from phaseten.rules.editions import edition
>>> language("en").phase(edition("classic").phases[1])
'set of 3 + run of 4'
>>> language("fr").card(parse_card("W=B7"))
'joker en 7 bleu'
>>> language("es").listed(["Ana", "Inés"])
'Ana e Inés'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol, assert_never

from phaseten.language.catalogue import read_catalogue
from phaseten.language.choice import LANGUAGES
from phaseten.language.refusals import mistake_values, refusal_values
from phaseten.language.words import CardText, Words
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
from phaseten.rules.editions import Group, Kind
from phaseten.rules.mistakes import Mistake
from phaseten.rules.refusals import Refusal
from phaseten.rules.views import View


class Spoken(Protocol):
    """A sentence of an explanation: its name in ``reasons.toml``, and its values."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def values(self) -> Mapping[str, object]:
        """The values."""
        ...


class Language(Words):
    """A language that the game can be played in."""

    def refusal(
        self, refusal: Refusal, names: Sequence[str] = (), card_text: CardText | None = None
    ) -> str:
        """Why something may not be done."""
        values = refusal_values(self, refusal.values, names, card_text)
        return capital(self.say(f"refusals.{refusal.reason}", **values))

    def mistake(self, mistake: Mistake) -> str:
        """What is wrong with something that was written; it begins small, and has no full stop."""
        return self.say(f"mistakes.{mistake.name}", **mistake_values(self, mistake.values))

    def fault(self, why: Mistake | Refusal) -> str:
        """What is wrong with a record, as a sentence."""
        if isinstance(why, Refusal):
            return self.refusal(why)
        return capital(f"{self.mistake(why)}.")

    def explain(self, name: str, values: Mapping[str, object]) -> str:
        """A sentence in which a mistake may stand."""
        said = {
            key: self.mistake(value) if isinstance(value, Mistake) else value
            for key, value in values.items()
        }
        return self.say(name, **said)

    def reason(
        self, reason: Spoken, names: Sequence[str] = (), card_text: CardText | None = None
    ) -> str:
        """One sentence of a bot's explanation; a value named ``player`` is a seat."""
        values = {
            name: self._value(name, value, names, card_text)
            for name, value in reason.values.items()
        }
        return capital(self.say(f"reasons.{reason.name}", **values))

    def _value(
        self, name: str, value: object, names: Sequence[str], card_text: CardText | None
    ) -> object:
        match value:
            case Card():
                return (card_text or self.card)(value)
            case Group():
                return self.group(value)
            case int() if name == "player":
                return self.player(value, names)
            case str() if name == "color":
                return self.color(value)
            case _:
                return value

    def action(
        self,
        action: Action,
        view: View,
        names: Sequence[str],
        card_text: CardText | None = None,
    ) -> str:
        """What a legal action does, as in ``you could …``: ``discard a red 5``, ``skip Ana``."""
        board = view.board
        assert board is not None, "actions are for a hand that is going on"
        match action:
            case DrawDeck():
                return self.say("game.action.draw")
            case TakeDiscard():
                card = self.a_card(board.discards[-1], card_text)
                return self.say("game.action.take", card=card)
            case DrawNothing():
                return self.say("game.action.nothing")
            case LayPhase(rows, None):
                return self.say("game.action.lay", melds=self.melds(rows, card_text))
            case LayPhase(rows, phase):
                melds = self.melds(rows, card_text)
                return self.say("game.action.lay_phase", phase=phase, melds=melds)
            case Hit(cards, owner, meld):
                kind = board.melds[owner - 1][meld - 1].group.kind
                where = self.to_meld(kind, owner, names, you=owner == view.seat)
                added = self.some_cards(cards, card_text)
                return self.say("game.action.hit", cards=added, meld=where)
            case Discard(_, target) if target is not None:
                return self.say("game.action.skip", target=self.player(target, names))
            case Discard(card):
                return self.say("game.action.discard", card=self.a_card(card, card_text))
            case _:
                assert_never(action)

    def to_meld(
        self, kind: Kind, owner: int, names: Sequence[str], *, you: bool, own: bool = False
    ) -> str:
        """``to your run``, ``to their own run``, ``to Ana's run``."""
        if you:
            return self.say(f"game.to_your.{kind.name}")
        if own:
            return self.say(f"game.to_own.{kind.name}")
        return self.say(f"game.to_their.{kind.name}", owner=self.player(owner, names))


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def language(code: str) -> Language:
    """The language of that code."""
    if code not in LANGUAGES:
        raise ValueError(f"there is no language {code!r}: choose from {', '.join(LANGUAGES)}")
    return _language(code)


@cache
def _language(code: str) -> Language:
    return Language(read_catalogue(code))
