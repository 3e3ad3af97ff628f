"""Making sentences."""

from __future__ import annotations


def plural(count: int, word: str) -> str:
    """``1 card``, ``2 cards``, ``1,000 cards``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def sentence(error: Exception) -> str:
    """An exception's message as a sentence."""
    text = str(error)
    if text.split(" ", 1)[0].isalpha():  # not the name of a file, say
        text = text[:1].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")
