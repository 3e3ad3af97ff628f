"""What happened, told to one player in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, assert_never, cast

from phaseten.language.speech import Language, capital
from phaseten.language.words import CardText
from phaseten.rules.cards import Card
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

_News = DealSeen | ReshuffleSeen | HandScored | GameTied | GameWon
_Deed = DrawSeen | DiscardTaken | NothingDrawn | PhaseLaid | MeldHit | CardDiscarded | TurnLost


class Story:
    """Tells events to the player in one seat, or to a watcher when ``seat`` is None."""

    def __init__(
        self,
        language: Language,
        names: Sequence[str],
        seat: int | None,
        card_text: CardText | None = None,
    ) -> None:
        self._language = language
        self._names = names
        self._seat = seat
        self._card_text = card_text

    def tell(self, events: Iterable[Seen]) -> Iterator[str]:
        """The events as sentences, one for each turn."""
        clauses: list[str] = []
        speaker = 0
        for event in _together(events):
            seat = 0 if isinstance(event, _News) else event.seat
            if clauses and (seat != speaker or isinstance(event, TurnLost)):
                yield self._sentence(speaker, clauses)
                clauses = []
            if isinstance(event, _News):
                yield self._news(event)
            else:
                speaker = seat
                clauses.append(self._clause(event))
        if clauses:
            yield self._sentence(speaker, clauses)

    def _sentence(self, seat: int, clauses: Sequence[str]) -> str:
        return self._say("sentence", seat, clauses=self._language.listed(clauses))

    def _say(self, name: str, seat: int, **values: object) -> str:
        """The sentence as it is told about that seat."""
        if seat == self._seat:
            return capital(self._language.say(f"story.{name}.you", **values))
        player = self._language.player(seat, self._names)
        return capital(self._language.say(f"story.{name}.other", name=player, **values))

    def _clause(self, event: _Deed) -> str:
        name, values = self._told(event)
        who = "you" if event.seat == self._seat else "other"
        return self._language.say(f"story.{name}.{who}", **values)

    def _told(self, event: _Deed) -> tuple[str, Mapping[str, object]]:
        """The name of the clause for an event, and its values."""
        language, text = self._language, self._card_text
        match event:
            case DrawSeen(_, card):
                drawn = {"card": language.a_card(card, text)} if card else {}
                return "draw_card" if card else "draw", drawn
            case DiscardTaken(_, card):
                return "take", {"card": language.a_card(card, text)}
            case NothingDrawn():
                return "nothing", {}
            case PhaseLaid(_, phase, melds):
                rows = [meld.cards for meld in melds]
                return "lay", {"phase": phase, "melds": language.melds(rows, text)}
            case MeldHit(seat, cards, owner, _, result):
                you = owner == self._seat
                where = language.to_meld(
                    result.group.kind, owner, self._names, you=you, own=owner == seat
                )
                return "hit", {"cards": language.some_cards(cards, text), "meld": where}
            case CardDiscarded(_, _, target) if target is not None:
                if target == self._seat:
                    return "skip_you", {}
                return "skip", {"target": language.player(target, self._names)}
            case CardDiscarded(_, card):
                return "discard", {"card": language.a_card(card, text)}
            case TurnLost():
                return "lose", {}
            case _:
                assert_never(event)

    def _news(self, event: _News) -> str:
        language = self._language
        match event:
            case ReshuffleSeen():
                return language.say("story.reshuffle")
            case HandScored(out=out):
                return language.say("story.stands_still") if out is None else self._say("out", out)
            case GameTied(seats):
                names = [language.player(seat, self._names) for seat in seats if seat != self._seat]
                if self._seat in seats:
                    names.append(language.say("story.you"))
                return language.say("story.tie", names=language.listed(names))
            case GameWon(seat):
                return self._say("won", seat)
            case DealSeen(hand=hand, dealer=dealer, turned_up=turned_up):
                card = language.a_card(turned_up, self._card_text)
                return self._say("deal", dealer, hand=hand, card=card)
            case _:
                assert_never(event)


_Often = DrawSeen | DiscardTaken | CardDiscarded
"""What happens in every turn."""
_NAME: Final = "\ue000"
"""Stands where a name will stand."""


def tell_often(
    language: Language, event: Seen, names: Sequence[str], seat: int | None
) -> str | None:
    """The sentence about an event, if it is one that happens in every turn: those are kept."""
    if not isinstance(event, _Often) or (
        isinstance(event, CardDiscarded) and event.target is not None
    ):
        return None
    if event.seat == seat:
        return _kept(language, type(event), event.card, about="you")
    said = _kept(language, type(event), event.card, about="other")
    return capital(said.replace(_NAME, language.player(event.seat, names)))


@lru_cache(maxsize=4_096)
def _kept(language: Language, kind: type[_Often], card: Card | None, *, about: str) -> str:
    make = cast("Callable[..., Seen]", kind)
    event = make(1, card, None) if kind is CardDiscarded else make(1, card)
    (said,) = Story(language, [_NAME], 1 if about == "you" else None).tell([event])
    return said


def _together(events: Iterable[Seen]) -> Iterator[Seen]:
    """The events, with several hits on one meld in a row taken as one."""
    last: MeldHit | None = None
    for event in events:
        if isinstance(event, MeldHit) and last is not None and _meld(last) == _meld(event):
            last = replace(event, cards=last.cards + event.cards)
            continue
        if last is not None:
            yield last
        last = event if isinstance(event, MeldHit) else None
        if last is None:
            yield event
    if last is not None:
        yield last


def _meld(hit: MeldHit) -> tuple[int, int, int]:
    return hit.seat, hit.owner, hit.meld
