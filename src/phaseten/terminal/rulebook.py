"""The rulebook that ships with the game, by rule id, ready for a terminal.

>>> rulebook("en").find("t-hit")[0].title
'Adding cards to melds'
>>> rulebook("fr").find("t-hit")[0].title
'Ajouter des cartes aux combinaisons'
>>> rulebook("en").suggestions("T-HITT")[0]
'T-HIT'
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from phaseten.language import language
from phaseten.language.catalogue import read_rulebook
from phaseten.terminal.printer import Printer, pad, table, wrap_inked

EVERYTHING: Final = "all"

_FIRM: Final = "\0"
"""A space at which no line is broken, while the text is being laid out."""
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_STRUCK: Final = re.compile(r"~~(.*?)~~")
_MARKS: Final = re.compile(r"`([^`]*)`|\*\*(.+?)\*\*")


@dataclass(frozen=True)
class Section:
    """A rule, or what a chapter says before its first rule (then the id is empty)."""

    id: str
    title: str
    chapter: str
    body: str


class Rulebook:
    """The rulebook in one language."""

    def __init__(self, code: str) -> None:
        self.sections: Final = tuple(_split(read_rulebook(code)))
        self._example: Final = language(code).say("rules.example") + " "

    @property
    def chapters(self) -> dict[str, list[Section]]:
        """The rules of each chapter."""
        found: dict[str, list[Section]] = {}
        for section in self.sections:
            rules = found.setdefault(section.chapter, [])
            if section.id:
                rules.append(section)
        return found

    def find(self, wanted: str) -> list[Section]:
        """The rule with that id, or the chapter of that name; nothing where there is none."""
        key = _key(wanted)
        if not key:
            return []
        if key == EVERYTHING:
            return list(self.sections)
        rules = [section for section in self.sections if _key(section.id) == key]
        return rules or [
            section for section in self.sections if section.chapter == self._chapter(key)
        ]

    def _chapter(self, key: str) -> str | None:
        """The chapter of that name: in this language or, as the command's help has it, in English."""
        ours = list(self.chapters)
        for names in (ours, rulebook("en").chapters):
            for chapter, name in zip(ours, map(_key, names), strict=True):
                if key in (name, name.partition(" ")[2]):  # "the turn" is also found as "turn"
                    return chapter
        return None

    def suggestions(self, wanted: str) -> list[str]:
        """The ids and chapters most like a text that is none."""
        key = _key(wanted)
        names = {_key(section.id): section.id for section in self.sections if section.id}
        names |= {_key(chapter): chapter for chapter in self.chapters}
        started = [name for name in names if key and name.startswith(key)]
        close = difflib.get_close_matches(key, names, n=4, cutoff=0.4)
        return [names[name] for name in dict.fromkeys([*started[:4], *close])][:4]

    def contents(self, screen: Printer) -> str:
        """The chapters and the rules in them, as text for the screen."""
        lines: list[str] = []
        widest = max(len(section.id) for section in self.sections)
        for chapter, rules in self.chapters.items():
            if lines:
                lines.append("")
            lines.append(screen.bold(chapter))
            lines += [f"  {pad(screen.bold(rule.id), widest)}  {rule.title}" for rule in rules]
        return screen.text("\n".join(lines))

    def render(self, section: Section, screen: Printer) -> str:
        """A section as text for the screen."""
        heading = f"{section.id} · {section.title}" if section.id else section.title
        blocks = [screen.wrap(" ".join(screen.bold(word) for word in heading.split()))]
        blocks += ["\n".join(self._block(block, screen)) for block in _blocks(section.body)]
        return screen.text("\n\n".join(blocks)).replace(_FIRM, " ")

    def _block(self, block: Sequence[str], screen: Printer) -> Iterator[str]:
        first = block[0]
        if first.startswith("```"):
            for line in block[1:]:
                if not line.startswith("```"):
                    yield f"    {line}"
        elif first.startswith("|"):
            yield from table(list(_cells(block, screen)), screen.width)
        elif first.startswith("- "):
            for item in block:
                yield screen.wrap(_inline(item[2:], screen), "    ", "  • ")
        elif first.startswith(self._example):
            for number, line in enumerate(
                wrap_inked(_inline(" ".join(block), screen), screen.width - 4)
            ):
                mark = "  " if number else f"{screen.dim('>')} "
                yield f"  {mark}{line}"
        else:
            yield screen.wrap(_inline(" ".join(block), screen))


@cache
def rulebook(code: str) -> Rulebook:
    """The rulebook in that language: ``en``, ``es`` …"""
    return Rulebook(code)


def _split(text: str) -> Iterator[Section]:
    chapter = id_ = title = ""
    lines: list[str] = []
    for line in [*text.splitlines(), "# "]:
        if not line.startswith(("# ", "## ", "### ")):
            lines.append(line)
            continue
        body = "\n".join(lines).strip()
        if id_ or body:
            yield Section(id_, title, chapter, body)
        lines = []
        heading = line.lstrip("#").strip()
        if line.startswith("### "):
            id_, _, title = heading.partition(" · ")
        else:
            chapter, id_, title = heading, "", heading


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text).strip().lower()


# -- on the screen -----------------------------------------------------------------------------


def _blocks(body: str) -> Iterator[list[str]]:
    """The paragraphs, lists, tables and listings of a text."""
    block: list[str] = []
    listing = False
    for line in body.splitlines():
        if line.startswith("```"):
            listing = not listing
        if line.strip() or listing:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _cells(block: Sequence[str], screen: Printer) -> Iterator[list[str]]:
    for number, line in enumerate(block):
        if number != 1:  # the line under the heading
            yield [_inline(cell.strip(), screen) for cell in line.strip().strip("|").split("|")]


def _inline(text: str, screen: Printer) -> str:
    plain = _STRUCK.sub(r"(\1)", _LINK.sub(r"\1", text)).replace("\N{NO-BREAK SPACE}", _FIRM)

    def mark(match: re.Match[str]) -> str:
        text = match[1] or match[2]
        if len(text) <= 20:
            return screen.bold(text.replace(" ", _FIRM))
        return " ".join(screen.bold(word) for word in text.split(" "))  # a line may break here

    return _MARKS.sub(mark, plain)
