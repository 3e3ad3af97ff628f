"""``phaseten rules``."""

from __future__ import annotations

from typing import Final

from phaseten.cli.common import Problem
from phaseten.language import language
from phaseten.terminal.rulebook import Section, contents, find, render, suggestions
from phaseten.terminal.screen import screen_for

EXAMPLES: Final = """\
Examples:
  phaseten rules                           the chapters and the ids of the rules
  phaseten rules T-HIT                     one rule
  phaseten rules w-any w-natural           several; capitals do not matter
  phaseten rules skips                     a whole chapter
  phaseten rules all                       everything"""


def run(*ids: str) -> int:
    """Show the rules, or one of them.

    Without an id, lists the chapters and the rules in them.

    Args:
        ids: Ids of rules such as T-HIT, or names of chapters.
    """
    screen = screen_for()
    if not ids:
        print(contents(screen))
        print("\nRead one with: phaseten rules T-HIT")
        return 0
    found = [_find(wanted) for wanted in ids]
    print("\n\n".join(render(section, screen) for part in found for section in part))
    return 0


def _find(wanted: str) -> list[Section]:
    found = find(wanted)
    if not found:
        near = suggestions(wanted)
        names = language("en").listed(near, "or")
        hint = f"did you mean {names}?" if near else "'phaseten rules' lists them."
        raise Problem(f"There is no rule {wanted!r}: {hint}")
    return found
