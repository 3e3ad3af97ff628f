"""``phaseten rules``."""

from __future__ import annotations

import os
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.completers import offer_rules
from phaseten.cli.options import one_of
from phaseten.cli.problems import Problem
from phaseten.language import LANGUAGES, Language, from_environment
from phaseten.language import language as in_language
from phaseten.terminal.printer import printer_for
from phaseten.terminal.rulebook import Section, rulebook

EXAMPLES: Final = """\
Examples:
  phaseten rules                           the chapters and the ids of the rules
  phaseten rules T-HIT                     one rule
  phaseten rules w-any w-natural           several; capitals do not matter
  phaseten rules skips                     a whole chapter
  phaseten rules all                       everything
  phaseten rules T-HIT --language es       in Spanish"""


def run(*ids: Annotated[str, Parameter(completer=offer_rules)], language: str | None = None) -> int:
    """Show the rules, or one of them.

    Without an id, lists the chapters and the rules in them.

    Args:
        ids: Ids of rules such as T-HIT, or names of chapters.
        language: en, es, fr or pt; without it, as your system says.
    """
    one_of("--language", language, LANGUAGES)
    spoken = in_language(language or from_environment(os.environ))
    book = rulebook(spoken.code)
    screen = printer_for()
    if not ids:
        print(book.contents(screen))
        print(f"\n{spoken.say('rules.how')}")
        return 0
    found = [_find(wanted, spoken) for wanted in ids]
    print("\n\n".join(book.render(section, screen) for part in found for section in part))
    return 0


def _find(wanted: str, spoken: Language) -> list[Section]:
    book = rulebook(spoken.code)
    found = book.find(wanted)
    if found:
        return found
    if near := book.suggestions(wanted):
        names = spoken.listed(near, "or")
        raise Problem(spoken.say("rules.near", wanted=repr(wanted), names=names))
    raise Problem(spoken.say("rules.none", wanted=repr(wanted)))
