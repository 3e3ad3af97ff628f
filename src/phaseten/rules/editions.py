"""Editions are data: a deck, a deal, a way to skip and a list of Phases, in a TOML file.

The five editions by the book lie in ``editions/``; anybody's own file is read by the same code.

>>> edition("classic").phases[1]
Phase(number=2, groups=(set 3, run 4), must_show=0)
>>> len(edition("express").deck)
54
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Final, TypeVar, cast

from phaseten.rules.cards import COLORS, HIGHEST, SKIP, WILD, Card, natural, sort_cards
from phaseten.rules.mistakes import Mistake, MistakeError, expect, mistake

EDITIONS_FOLDER: Final = Path(__file__).parent / "editions"
BOOK_EDITIONS: Final = ("classic", "deluxe", "elchavo", "anniversary", "express")
VARIATIONS: Final = ("ten-hands", "phases", "even")
HOUSE_RULES: Final = (
    "discard_to_go_out",
    "natural_per_meld",
    "no_rediscard",
    "choose_phase",
    "endless_hands",
)
SKIP_STYLES: Final = ("pile", "front")
FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 6
MOST_GROUPS: Final = 2

T = TypeVar("T")


class EditionError(MistakeError):
    """An edition that does not exist, or a file that does not describe one.

    What is wrong with a file is said in English only: it is for whoever writes TOML.
    """

    def __init__(self, problem: str | Mistake) -> None:
        super().__init__(
            Mistake("edition", {"why": problem}) if isinstance(problem, str) else problem
        )


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of meld a group asks for. A chain is written low to high and grows at its ends."""

    name: str
    rule: str
    """The rule a meld of this kind breaks when it is not one."""
    chain: bool = False
    step: int = 1
    """How far apart neighbouring numbers of a chain are."""
    copies: int = 1
    """How many cards of each number a chain has."""
    one_color: bool = False
    """All cards of one colour."""
    parity: int | None = None
    """1: odd numbers only, 0: even numbers only."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _kind, (self.name,)  # kinds are told apart by identity: one object for each


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("set", "M-SET"),
        Kind("run", "M-RUN", chain=True),
        Kind("color", "M-COLOR", one_color=True),
        Kind("odd", "M-PARITY", parity=1),
        Kind("even", "M-PARITY", parity=0),
        Kind("pairrun", "M-PAIRRUN", chain=True, copies=2),
        Kind("colorrun", "M-COLORRUN", chain=True, one_color=True),
        Kind("oddrun", "M-STEPRUN", chain=True, step=2, parity=1),
        Kind("evenrun", "M-STEPRUN", chain=True, step=2, parity=0),
    )
}


def _kind(name: str) -> Kind:
    return KINDS[name]


@dataclass(frozen=True, slots=True)
class Group:
    """What a Phase asks for: a kind of meld and its least size (for a run of pairs, in pairs)."""

    kind: Kind
    size: int

    @property
    def cards(self) -> int:
        """The least number of cards."""
        return self.size * self.kind.copies

    @property
    def text(self) -> str:
        """The group as editions write it, such as ``set 3``."""
        return f"{self.kind.name} {self.size}"

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Phase:
    """One of the contracts: its number and the groups that must be laid together."""

    number: int
    groups: tuple[Group, ...]
    must_show: int = 0
    """P-CHAVO: at least one laid card must be a natural of this number or a Wild; 0: none."""

    @property
    def text(self) -> str:
        """The groups as editions write them, such as ``set 3 + run 4``."""
        return " + ".join(group.text for group in self.groups)


@dataclass(frozen=True)
class Edition:
    """A box of Phase 10: what is in it and what its book says."""

    name: str
    title: str
    year: int
    players: tuple[int, int]
    deal: int
    colors: str
    highest: int
    copies: int
    wilds: int
    skips: int
    shortest_run: int
    skip_goes_to: str
    variations: tuple[str, ...]
    house: tuple[str, ...]
    phases: tuple[Phase, ...]
    source: str = field(default="", compare=False)
    """The file it came from, for an edition that is not one of the five."""

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The unshuffled deck: by colour, number and copy, then the Wilds, then the Skips."""
        numbered = [
            natural(color, number)
            for color in self.colors
            for number in range(1, self.highest + 1)
            for _ in range(self.copies)
        ]
        return (*numbered, *[WILD] * self.wilds, *[SKIP] * self.skips)

    @cached_property
    def copies_of(self) -> dict[Card, int]:
        """How many the deck has of each card, the cards sorted."""
        return dict(Counter(sort_cards(self.deck)))

    @cached_property
    def skips_wait_in_front(self) -> bool:
        """S-IN-FRONT rather than S-ONTO-PILE."""
        return self.skip_goes_to == "front"

    def phase(self, number: int) -> Phase:
        """The Phase of that number."""
        if not 1 <= number <= len(self.phases):
            raise EditionError(f"{self.title} has the Phases 1 to {len(self.phases)}, not {number}")
        return self.phases[number - 1]


def parse_group(text: str) -> Group:
    """The group written as ``text``: ``set 3``, ``run 4``, ``color 7``, ``pairrun 2`` …"""
    match = re.fullmatch(r"\s*([a-z]+)\s+(\d{1,2})\s*", text)
    if match is None or match[1] not in KINDS or int(match[2]) < 2:
        raise EditionError(
            f"{text.strip()!r} is not a group: write a kind and a size of 2 or more such as 'set 3'; "
            f"the kinds are {', '.join(KINDS)}"
        )
    return Group(KINDS[match[1]], int(match[2]))


def parse_groups(text: str) -> tuple[Group, ...]:
    """The groups of a Phase, joined by ``+``."""
    groups = tuple(parse_group(part) for part in text.split("+"))
    if len(groups) > MOST_GROUPS:
        raise EditionError(f"{text!r} has {len(groups)} groups: a Phase has one or two")
    return groups


def edition(name: str | Path | Edition) -> Edition:
    """The edition of that name, or the one in the file at that path (``*.toml``)."""
    if isinstance(name, Edition):
        return name
    if isinstance(name, Path):
        return load_edition(name)
    expect(name, str, "the name of an edition, such as 'classic',")
    if name in BOOK_EDITIONS:
        return _book_edition(name)
    if name.endswith(".toml"):
        return load_edition(Path(name))
    raise EditionError(mistake("no-edition", text=name, names=", ".join(BOOK_EDITIONS)))


@cache
def _book_edition(name: str) -> Edition:
    path = EDITIONS_FOLDER / f"{name}.toml"
    return read_edition(path.read_text(encoding="utf-8"), path.name)


def load_edition(path: Path) -> Edition:
    """The edition in that file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise EditionError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise EditionError(f"{path} is not UTF-8 text: save it as UTF-8") from error
    except ValueError as error:  # a NUL in the name
        raise EditionError(f"{str(path)!r} is not the name of a file") from error
    return read_edition(text, str(path), source=str(path))


def read_edition(text: str, where: str, *, source: str = "") -> Edition:
    """The edition that this TOML text describes; ``where`` names the text in error messages."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (line \d+), column \d+\)$", str(error))
        line = f", {place[1]}" if place else f", line {text.count(chr(10)) + 1}"
        reason = re.sub(r"\s*\(at [^)]*\)$", "", str(error))
        raise EditionError(
            f"{where}{line}: not valid TOML: {reason}; see an edition that works with "
            "'phaseten editions classic --toml'"
        ) from error
    except RecursionError as error:
        raise EditionError(f"{where}: its brackets are nested too deeply") from error
    except ValueError as error:  # Python reads no number of thousands of digits
        raise EditionError(f"{where}: a number in it is too long: write a shorter one") from error
    return _Reader(values, text, where).edition(source)


class _Reader:
    """Takes an edition out of the values of a TOML file and says what is wrong with it, where."""

    def __init__(self, values: dict[str, object], text: str, where: str) -> None:
        self._values = values
        self._text = text
        self._where = where

    def edition(self, source: str) -> Edition:
        base = self._values.pop("based_on", None)
        if base is not None:
            if base not in BOOK_EDITIONS:
                names = ", ".join(BOOK_EDITIONS)
                raise self._wrong("based_on", f"{base!r} is not one of {names}")
            path = EDITIONS_FOLDER / f"{base}.toml"
            given = self._values
            self._values = tomllib.loads(path.read_text(encoding="utf-8"))
            if "phases" in given:  # what a Phase must show belongs to the list it came with
                self._values.pop("must_show", None)
            self._values |= given
        known = {name for name in Edition.__dataclass_fields__ if name != "source"} | {"must_show"}
        for name in self._values:
            if name not in known:
                raise self._wrong(name, f"unknown key; the keys are {', '.join(sorted(known))}")
        result = Edition(
            name=self._word("name"),
            title=self._word("title"),
            year=self._number("year", 0, 9999, default=0),
            players=self._players(),
            deal=self._number("deal", 1, 20),
            colors="".join(self._choices("colors", tuple(COLORS), least=1)),
            highest=self._number("highest", 1, HIGHEST),
            copies=self._number("copies", 1, 3),
            wilds=self._number("wilds", 0, 20),
            skips=self._number("skips", 0, 20),
            shortest_run=self._number("shortest_run", 2, HIGHEST),
            skip_goes_to=self._choice("skip_goes_to", SKIP_STYLES),
            variations=self._choices("variations", VARIATIONS, default=VARIATIONS),
            house=self._choices("house", HOUSE_RULES, default=()),
            phases=self._phases(),
            source=source,
        )
        self._check_deck(result)
        return result

    def _wrong(self, key: str, problem: str, item: str | None = None) -> EditionError:
        return EditionError(f"{self._at(key, item)}: {problem}")

    def _at(self, key: str, item: str | None = None) -> str:
        line = self._line(key, item)
        at = f", line {line}" if line else ""
        return f"{self._where}{at}: {key}"

    def _line(self, key: str, item: str | None) -> int | None:
        """Where the key (and, inside its value, the item) stands. tomllib does not say."""
        name = re.escape(key)
        match = re.search(rf'^[ \t]*(?:"?{name}"?[ \t]*=|\[{name}\])', self._text, re.MULTILINE)
        if match is None:
            return None
        at = match.end()
        if item is not None:
            word = re.escape(item)
            inside = re.compile(rf'["\']{word}["\']|^[ \t]*{word}[ \t]*=', re.MULTILINE)
            found = inside.search(self._text, at)
            at = found.end() if found else at
        return self._text.count("\n", 0, at) + 1

    def _value(self, key: str, kind: type[T], wanted: str, default: T | None = None) -> T:
        if key not in self._values:
            if default is not None:
                return default
            raise self._wrong(
                key, f'missing: add it, or start the file with based_on = "classic" ({wanted})'
            )
        value = self._values[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self._wrong(key, f"{value!r} is not {wanted}")
        return value

    def _word(self, key: str) -> str:
        value = self._value(key, str, "a short text")
        if not value.strip() or len(value) > 60 or not value.isprintable():
            raise self._wrong(key, f"{value!r} is not a short text of up to 60 letters")
        return value

    def _number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        wanted = f"a whole number from {least} to {most}"
        value = self._value(key, int, wanted, default)
        if not least <= value <= most:
            raise self._wrong(key, f"{value} is not {wanted}")
        return value

    def _choice(self, key: str, choices: Sequence[str]) -> str:
        wanted = f"one of {', '.join(choices)}"
        value = self._value(key, str, wanted)
        if value not in choices:
            raise self._wrong(key, f"{value!r} is not {wanted}")
        return value

    def _list(self, key: str, wanted: str, default: Sequence[str] | None = None) -> list[str]:
        values = self._value(
            key, list, wanted, cast("list[object]", list(default)) if default is not None else None
        )
        for value in values:
            if not isinstance(value, str):
                raise self._wrong(key, f"{value!r} is not a text: {wanted}")
        return cast("list[str]", values)

    def _choices(
        self,
        key: str,
        choices: Sequence[str],
        *,
        default: Sequence[str] | None = None,
        least: int = 0,
    ) -> tuple[str, ...]:
        wanted = f"a list of {', '.join(choices)}"
        values = self._list(key, wanted, default)
        for value in values:
            if value not in choices:
                raise self._wrong(key, f"{value!r} does not belong in {wanted}", value)
        if len(set(values)) < len(values):
            raise self._wrong(key, "the same entry stands there twice: remove one")
        if len(values) < least:
            raise self._wrong(key, f"the list is too short: {wanted}")
        return tuple(values)

    def _players(self) -> tuple[int, int]:
        wanted = f"a pair such as [{FEWEST_PLAYERS}, {MOST_PLAYERS}]"
        values = self._value(
            "players", list, wanted, cast("list[object]", [FEWEST_PLAYERS, MOST_PLAYERS])
        )
        if len(values) != 2 or not all(isinstance(value, int) for value in values):
            raise self._wrong("players", f"{values!r} is not {wanted}")
        fewest, most = cast("list[int]", values)
        if not FEWEST_PLAYERS <= fewest <= most <= MOST_PLAYERS:
            raise self._wrong("players", f"{values!r} does not lie between {wanted}")
        return fewest, most

    def _phases(self) -> tuple[Phase, ...]:
        texts = self._list("phases", 'a list such as ["set 3 + set 3", "run 7"]')
        if not 1 <= len(texts) <= 20:
            raise self._wrong("phases", f"{len(texts)} Phases: a game has 1 to 20")
        shows = self._must_show(len(texts))
        phases: list[Phase] = []
        for number, text in enumerate(texts, 1):
            try:
                groups = parse_groups(text)
            except EditionError as error:
                raise self._wrong("phases", str(error), text) from error
            self._check_groups(groups, text)
            phases.append(Phase(number, groups, shows.get(number, 0)))
        return tuple(phases)

    def _must_show(self, phases: int) -> dict[int, int]:
        wanted = "a table of Phases and the number each must show, such as 10 = 8"
        table = cast(
            "dict[str, object]",
            self._value("must_show", dict, wanted, cast("dict[object, object]", {})),
        )
        highest = self._number("highest", 1, HIGHEST)
        shows: dict[int, int] = {}
        for key, number in table.items():
            if not re.fullmatch("[0-9]{1,2}", key) or not 1 <= int(key) <= phases:
                raise self._wrong("must_show", f"{key!r} is not the number of a Phase", key)
            if type(number) is not int or not 1 <= number <= highest:
                raise self._wrong("must_show", f"{number!r} is not a card number: {wanted}", key)
            shows[int(key)] = number
        return shows

    def _check_groups(self, groups: tuple[Group, ...], text: str) -> None:
        highest = self._number("highest", 1, HIGHEST)
        shortest = self._number("shortest_run", 2, HIGHEST)
        for group in groups:
            kind = group.kind
            if not kind.chain:
                continue
            first = 2 if kind.parity == 0 else 1
            longest = len(range(first, highest + 1, kind.step))
            if group.size > longest:
                where = self._at("phases", text)
                raise EditionError(
                    mistake("edition-long-run", where=where, group=group.text, longest=longest)
                )
            if kind.copies == 1 and group.size < shortest:
                problem = f"{group.text!r} is shorter than shortest_run = {shortest}"
                raise self._wrong("phases", problem, text)

    def _check_deck(self, result: Edition) -> None:
        needed = result.deal * result.players[0] + 2
        if len(result.deck) < needed:
            raise EditionError(
                mistake(
                    "edition-small-deck",
                    where=self._at("deal"),
                    cards=len(result.deck),
                    players=result.players[0],
                    needed=needed,
                )
            )
        for phase in result.phases:
            cards = sum(group.cards for group in phase.groups)
            if cards > result.deal + 1:
                raise EditionError(
                    mistake(
                        "edition-large-phase",
                        where=self._at("phases"),
                        number=phase.number,
                        cards=cards,
                        most=result.deal + 1,
                    )
                )
