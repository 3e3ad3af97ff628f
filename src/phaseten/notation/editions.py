"""An edition of one's own as text that says all of it, so that it can travel with a game.

>>> from phaseten.rules.editions import edition, read_edition
>>> text = format_edition(edition("express"))
>>> read_edition(text, "a copy") == edition("express")
True
"""

from __future__ import annotations

import json

from phaseten.rules.editions import BOOK_EDITIONS, Edition, edition


def is_by_the_book(box: Edition) -> bool:
    """Whether its name alone says everything: it is one of the five, unchanged."""
    return box.name in BOOK_EDITIONS and box == edition(box.name)


def format_edition(box: Edition) -> str:
    """The edition as TOML with every key, always in the same order and without comments."""
    values: dict[str, object] = {
        "name": box.name,
        "title": box.title,
        "year": box.year,
        "players": list(box.players),
        "deal": box.deal,
        "colors": list(box.colors),
        "highest": box.highest,
        "copies": box.copies,
        "wilds": box.wilds,
        "skips": box.skips,
        "shortest_run": box.shortest_run,
        "skip_goes_to": box.skip_goes_to,
        "variations": list(box.variations),
        "house": list(box.house),
        "phases": [phase.text for phase in box.phases],
    }
    # JSON's numbers, texts and lists are TOML's as well.
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    shows = [f"{phase.number} = {phase.must_show}" for phase in box.phases if phase.must_show]
    if shows:
        lines += ["[must_show]", *shows]
    return "\n".join(lines) + "\n"
