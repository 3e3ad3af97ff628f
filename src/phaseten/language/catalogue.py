"""The sentences of one language, read from the TOML files in its folder.

The first part of a sentence's name is the file it stands in: ``game.points`` stands in ``game.toml``.
A sentence has places for values, ``{card}``, or ``{number:a}`` where the word before the value
depends on how the value begins (a 7, an 8). A table of ``one`` and ``other`` is a plural, chosen by
the value ``count``. How the language counts and joins words stands in ``grammar.toml``. The folder
also has the rulebook in that language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple, cast

from phaseten.rules import mistakes, refusals
from phaseten.rules.editions import EDITIONS_FOLDER

FOLDER: Final = Path(__file__).parent
RULEBOOK: Final = "rulebook.md"
GRAMMAR: Final = "grammar"


class MissingSentenceError(LookupError):
    """A sentence that the language does not have."""


class Plural(NamedTuple):
    """A sentence that depends on a number."""

    one: str
    other: str


Sentence = str | Plural


class Joint(NamedTuple):
    """A word that changes with the beginning of the next one, such as ``a`` and ``an``."""

    word: str
    before: re.Pattern[str] | None = None
    """How the next word begins where the other form is used."""
    other: str = ""

    def join(self, text: str) -> str:
        """The word in its right form, and the text."""
        changes = self.before is not None and self.before.match(text)
        return (self.other if changes else self.word) + text


@dataclass(frozen=True)
class Catalogue:
    """All sentences of a language, and its grammar."""

    code: str
    title: str
    """What the language calls itself."""
    one: frozenset[int]
    """The numbers after which a word stands in the singular."""
    joints: Mapping[str, Joint]
    sentences: Mapping[str, Sentence]

    def say(self, name: str, values: Mapping[str, object]) -> str:
        """The sentence of that name with its values."""
        sentence = self.sentences.get(name)
        if sentence is None:
            raise MissingSentenceError(f"the language {self.code!r} has no sentence {name!r}")
        if isinstance(sentence, Plural):
            sentence = sentence.one if values["count"] in self.one else sentence.other
        said: list[str] = []
        for text, field, joint in _parts(sentence):
            said.append(text)
            if field is not None:
                value = str(values[field])
                said.append(self.joints[joint].join(value) if joint else value)
        return "".join(said)

    def join(self, joint: str, text: str) -> str:
        """The text after one of the words that change with it."""
        return self.joints[joint].join(text)


@cache  # there are as many as the catalogues have, and each is said often
def _parts(sentence: str) -> tuple[tuple[str, str | None, str | None], ...]:
    """The sentence in pieces: a text, the name of the value after it, and the word before that."""
    return tuple([(text, field, joint) for text, field, joint, _ in Formatter().parse(sentence)])


def read_catalogue(code: str) -> Catalogue:
    """The catalogue in the folder of that language."""
    sentences: dict[str, Sentence] = {}
    if code == "en":
        sentences |= {f"refusals.{name}": text for name, text in refusals.SENTENCES.items()}
        sentences |= {f"mistakes.{name}": text for name, text in mistakes.SENTENCES.items()}
    grammar = _read(FOLDER / code / f"{GRAMMAR}.toml")
    for path in sorted((FOLDER / code).glob("*.toml")):
        if path.stem != GRAMMAR:
            _gather(path.stem, _read(path), sentences)
    marks = cast("str", grammar["firm"])
    return Catalogue(
        code,
        cast("str", grammar["title"]),
        frozenset(cast("Sequence[int]", grammar["one"])),
        {
            name: _joint(cast("Mapping[str, str]", entry))
            for name, entry in cast("Mapping[str, object]", grammar["joints"]).items()
        },
        {name: _firm(sentence, marks) for name, sentence in sentences.items()},
    )


def rulebook_path(code: str) -> Path:
    """The rulebook in that language; the English one stands with the rules themselves."""
    return (EDITIONS_FOLDER.parent if code == "en" else FOLDER / code) / RULEBOOK


def read_rulebook(code: str) -> str:
    """The rulebook in that language, as Markdown."""
    marks = cast("str", _read(FOLDER / code / f"{GRAMMAR}.toml")["firm"])
    return _firm_text(rulebook_path(code).read_text(encoding="utf-8"), marks)


def _read(path: Path) -> Mapping[str, object]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _joint(entry: Mapping[str, str]) -> Joint:
    if "before" not in entry:
        return Joint(entry["word"])
    return Joint(entry["word"], re.compile(entry["before"], re.IGNORECASE), entry["other"])


def _firm(sentence: Sentence, marks: str) -> Sentence:
    """The sentence with firm spaces before these marks."""
    if isinstance(sentence, Plural):
        return Plural(_firm_text(sentence.one, marks), _firm_text(sentence.other, marks))
    return _firm_text(sentence, marks)


def _firm_text(text: str, marks: str) -> str:
    for mark in marks:
        text = text.replace(f" {mark}", f"\N{NO-BREAK SPACE}{mark}")
    return text


def _gather(name: str, entry: object, sentences: dict[str, Sentence]) -> None:
    """Put an entry of a file, or all entries of a table, under their full names."""
    if isinstance(entry, str):
        sentences[name] = entry
        return
    table = cast("Mapping[str, object]", entry)
    if set(table) == {"one", "other"}:
        sentences[name] = Plural(cast("str", table["one"]), cast("str", table["other"]))
        return
    for key, inner in table.items():
        _gather(f"{name}.{key}", inner, sentences)
