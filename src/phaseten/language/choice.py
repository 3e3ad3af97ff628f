"""Which language somebody wants.

>>> preferred(["fr-CA", "en;q=0.5"])
'fr'
>>> from_environment({"LANG": "es_MX.UTF-8"})
'es'
>>> preferred(["tlh"])
'en'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

LANGUAGES: Final = ("en", "es", "fr", "pt")
"""The languages there are; the first one is for whoever speaks none of them."""

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_TAG: Final = re.compile(r"\s*([a-z]{2,3})(?![a-z])[^;]*(?:;\s*q=([0-9.]+))?", re.IGNORECASE)


def preferred(tags: Iterable[str]) -> str:
    """The language that fits these wishes best, as in the parts of an Accept-Language header."""
    best, weight = LANGUAGES[0], 0.0
    for tag in tags:
        match = _TAG.match(tag)
        code = match[1].lower() if match else ""
        wish = _weight(match[2] if match else None)
        if code in LANGUAGES and wish > weight:
            best, weight = code, wish
    return best


def _weight(text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:  # q=1.2.3
        return 0.0


def from_environment(environ: Mapping[str, str]) -> str:
    """The language that the user of a terminal has set."""
    wishes = next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    return preferred(wishes.split(":"))
