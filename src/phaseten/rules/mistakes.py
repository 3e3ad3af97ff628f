"""What is wrong with something that was written: a card, options, a record.

A Mistake carries the name of its sentence and the values that go into it, as a Refusal does. How it
is said is up to each language, and here to English. It stands inside other sentences: it begins
small and has no full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

T = TypeVar("T")

SENTENCES: Final[Mapping[str, str]] = {
    # cards and actions
    "card": "'{text}' is not a card: write a colour ({colors}) and a number from 1 to {highest} "
    "such as R7, or W for a Wild, or S for a Skip",
    "one-action": "'{text}' is {given} actions, not one",
    "action": "'{text}' is not an action: D or P draws, N when nothing can be drawn, L lays, H hits, "
    "- discards",
    "lay": "a laid Phase is written such as L R3 B3 G3 / Y7 R7 W=7",
    "hit": "a hit is written such as H R7>2.1: card, seat, meld of that seat",
    "seat-without-skip": "'{text}': only a Skip names a seat",
    # what is chosen before play
    "edition": "{why}",
    "position": "{why}",
    "position-redacted": "a record that begins in a position cannot be a redacted one",
    "position-deck": "this hand is going on in the position: it has no Deck",
    "position-seats": "the position has {given} seats, and {wanted} names stand in the tags",
    "no-edition": "there is no edition '{text}': choose one of {names}, or give the path of your own "
    "file ending in .toml",
    "variation": "'{text}' is not a variation: write standard, or any of ten-hands, phases=5 and even, "
    "separated by commas",
    "variation-twice": "'{text}' names the same variation twice",
    "variation-too-long": "phases={asked}: {title} has the Phases 1 to {most}",
    "variation-empty": "'{text}' leaves no Phase to play",
    "house-rule": "'{text}' is not a house rule: choose from {names}",
    "players": "{title} is for {fewest} to {most} players, not {players}",
    "edition-long-run": "{where}: '{group}' is longer than the longest possible, {longest}",
    "edition-large-phase": "{where}: Phase {number} needs {cards} cards, and nobody ever holds more than "
    "{most}: deal more or ask for fewer",
    "edition-small-deck": "{where}: the deck has {cards} cards, and {players} players need {needed}: deal "
    "fewer or add cards",
    "small-deck": "{players} players need {needed} cards, and the deck of {title} has {cards}: fewer "
    "players, or deal fewer cards",
    # what is chosen for a table of the server
    "timer": "a turn takes from {least} to {most} seconds, or null for no limit",
    "bot": "there is no bot '{text}': choose from {names}",
    "edition-as-text": "give an edition of your own as text, not as the name of a file",
    "position-without-edition": "'{text}' is none of the editions {names}: one of your own is written out at the "
    "beginning of the position, as phaseten does, or the text of its file stands below the position",
    "position-other-edition": "the position is of '{text}', and the edition below it is '{given}'",
    "own-deal": "at a table an edition of your own deals up to {most} cards, not {deal}: deal fewer",
    "own-wilds": "at a table an edition of your own has up to {most} Wilds, not {wilds}: take some out",
    # the tags of a record
    "not-utf-8": "this is not UTF-8 text: save the record as UTF-8",
    "no-tags": 'a record starts with tags, first of all [Format "{format}"]',
    "format": 'only [Format "{format}"] can be read',
    "tag": 'a tag is written such as [Seat1 "Ana"]',
    "tag-in-hand": "tags stand before the first hand",
    "tag-twice": "the tag {tag} stands there twice",
    "tag-missing": "the tag {tag} is missing",
    "edition-hash": "the edition in EditionText is not the one that was played: its hash is {hash}",
    "seats": "a game has the seats Seat1 to Seat{fewest} at least and Seat{most} at most, without a gap",
    "seat": "{tag} is a seat from 1 to {most}, not '{text}'",
    "server-seed": "a server seed is {digits} hex digits",
    "server-seed-told": "a redacted record does not give the server seed away",
    # its hands
    "no-hand": "there is no hand in this record",
    "hand": "a hand has to begin here, such as: Hand 1",
    "hand-closed": "the hand is closed by its End: a new Hand begins here",
    "deck-place": "Deck stands once, right after its Hand",
    "no-cards": "the cards are missing here",
    "card-on-table": "{card} stands for something only on the table: write W",
    "points": "points are written once for each seat: End 1:35 2:0",
    "turn": "'{text}' is not a turn: write the seat and its actions, such as: 1 D -R5",
    "too-many-steps": "a game of more than {most} steps is too long",
    # whether it can be followed
    "book-only": "this record names an edition of its own and does not carry it in a tag EditionText: it "
    "can be watched by 'phaseten replay', with the edition's file beside it",
    "redacted": "this record shows only what seat {number} knew: a game can be judged only by its full "
    "record",
    "not-redacted": "the tag Seen is missing: this is not a redacted record",
    "no-deck": "the Deck is missing: write it, or give both ServerSeed and ClientSeed",
    "no-seen-deck": "the Deck is missing, with a ? for each hidden card",
    "hidden-card": "a ? stands for a card only in a record with a Seen tag",
    "own-card": "seat {number} saw its card: write it as D:R5",
    "no-end": "the hand ends here: its End line is missing",
    # whether it was played by the rules
    "won": "the game is over: seat {number} has won",
    "hand-before": "the hand before is still going on",
    "hand-number": "this is hand {wanted}, not {given}",
    "tied": "write Hand {hand} tiebreak {seats}",
    "not-tied": "nobody is tied",
    "seeds-cards": "not what the seeds give: {detail}",
    "seeds-order": "not what the seeds give: their order is another one",
    "pile-left": "nothing is shuffled here: the draw pile is not empty",
    "no-hand-to-shuffle": "nothing is shuffled here: no hand is going on",
    "pile-cards": "not the new draw pile: {detail}",
    "pile-order": "not the new draw pile: their order is not what the seeds give",
    "pile-unused": "nobody drew from this new draw pile",
    "pile-hidden": "the new draw pile has {cards} hidden cards",
    "pile-missing": "the draw pile is empty: a Shuffle line has to give the new one",
    "not-in-pile": "this card cannot be in a new draw pile",
    "turn-before": "the turn in the line before has not been ended",
    "turn-not-lost": "seat {number} has not lost a turn here",
    "drawn": "the card drawn is {drawn}, not {named}",
    "nobody-out": "nobody has gone out: the hand goes on",
    "scores": "seat {number} scores {points} points",
    "scores-nothing": "seat {number} scores no points: it did not play",
}
_LONGEST: Final = 200
"""Characters of a value: somebody's whole file may be in one line."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong: the name of its sentence, and the values that go into it."""

    name: str
    values: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def sentence(self) -> str:
        """In English."""
        return SENTENCES[self.name].format_map(self.values)


def mistake(name: str, **values: object) -> Mistake:
    """The Mistake of that name. Texts that somebody wrote are made fit to be shown."""
    return Mistake(
        name,
        {key: _shown(value) if isinstance(value, str) else value for key, value in values.items()},
    )


def _shown(text: str) -> str:
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return "".join([char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short])


class MistakeError(ValueError):
    """Something was written that makes no sense."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake)
        self.mistake = mistake

    def __str__(self) -> str:
        return self.mistake.sentence


def expect(value: T, kind: type | tuple[type, ...], wanted: str) -> T:
    """The value, if it is of that kind; a TypeError says in a sentence what was wanted instead.

    For those who program: wrong types never come from what players write.
    """
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{wanted} is needed, not {_shown(repr(value))}")
    return value
