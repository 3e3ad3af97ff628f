"""What stands before the first table is opened, and needs no msgspec: the law, the languages, the bots.

A browser keeps a picture of the interpreter's memory, so that the next start need not do this again (``web/src/pocket/python.ts``).
No picture can hold a module that is not Python, and msgspec is one; therefore nothing here may import it.
"""

from __future__ import annotations

import datetime
import decimal
import gc
import uuid

from phaseten.bots import deep, ladder, reasons
from phaseten.kernel import players
from phaseten.language import LANGUAGES, language
from phaseten.notation import records, replay
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.server.store import interface
from phaseten.table import advice, characters, names, undo

__all__ = [
    "advice",
    "characters",
    "datetime",
    "decimal",
    "deep",
    "interface",
    "ladder",
    "lay",
    "names",
    "players",
    "reasons",
    "records",
    "replay",
    "undo",
    "uuid",
]
"""The first three of the standard library are what msgspec asks for itself."""


def lay() -> None:
    """Read what is read once, and leave nothing behind that is not needed."""
    for code in LANGUAGES:
        language(code)
    for name in BOOK_EDITIONS:
        edition(name)
    gc.collect()
