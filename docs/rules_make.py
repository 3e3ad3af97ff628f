"""Writes docs/rules.md and its translations: the rulebooks that ship, each with links to the others.

``--check`` writes nothing, and fails where a page is not what would be written.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
SOURCE = DOCS.parent / "src" / "phaseten"
LANGUAGES = SOURCE / "language"
CODES = sorted(path.parent.name for path in LANGUAGES.glob("*/grammar.toml"))


def page_name(code: str) -> str:
    """The file in docs/ with the rules in that language."""
    return "rules.md" if code == "en" else f"rules.{code}.md"


def made(code: str) -> str:
    """The page: the rulebook, with the languages below its title."""
    folder = SOURCE / "rules" if code == "en" else LANGUAGES / code
    title, rest = (folder / "rulebook.md").read_text("utf-8").split("\n", 1)
    return f"{title}\n\n{' · '.join(_link(other, code) for other in CODES)}\n{rest}"


def _link(other: str, code: str) -> str:
    grammar = (LANGUAGES / other / "grammar.toml").read_text("utf-8")
    title: str = tomllib.loads(grammar)["title"]
    return title if other == code else f"[{title}]({page_name(other)})"


def main() -> int:
    """Write the pages, or say which are not up to date."""
    pages = {DOCS / page_name(code): made(code) for code in CODES}
    if sys.argv[1:] != ["--check"]:
        for path, text in pages.items():
            path.write_text(text, "utf-8")
        return 0
    old = [
        path.name
        for path, text in pages.items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    if old:
        print(f"Not the rulebook that the game ships: {', '.join(old)}. Run 'make docs'.")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
