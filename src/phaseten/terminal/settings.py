"""What a player has chosen before and need not choose again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from phaseten.bots.ladder import LADDER
from phaseten.language import LANGUAGES
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.terminal.arrangement import NUMBER, SORTS
from phaseten.terminal.pace import PACES
from phaseten.terminal.players import KINDS, PERSON, is_name

FILE: Final = "settings.json"
THEMES: Final = ("evening", "daylight")
COACH: Final = ("off", "on")


@dataclass(frozen=True)
class PlayerSettings:
    """The choices of the last time."""

    language: str = ""
    """Empty: as the system says."""
    edition: str = BOOK_EDITIONS[0]
    variant: str = "standard"
    house: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (PERSON, "casual", "casual", "casual")
    """Who sits in each seat: a person, or a bot of that level."""
    pace: str = "normal"
    sort: str = NUMBER
    hint: str = "sharp"
    """The bot that is asked for hints."""
    theme: str = THEMES[0]
    coach: str = COACH[0]
    """Whether the coach speaks up after moves of somebody who plays alone against bots."""

    def with_changes(self, **changes: Any) -> PlayerSettings:
        return replace(self, **changes)


_Found = Mapping[str, object]
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "language": ("", *LANGUAGES),
    "pace": tuple(PACES),
    "sort": SORTS,
    "hint": LADDER,
    "theme": THEMES,
    "coach": COACH,
}


def load_settings(folder: Path) -> PlayerSettings:
    """The settings in that folder; what is missing or spoilt is as usual."""
    try:
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return PlayerSettings()
    usual = PlayerSettings()
    if not isinstance(found, dict):
        return usual
    checked = {name: _checked(name, value) for name, value in cast("_Found", found).items()}
    changes = {name: value for name, value in checked.items() if value is not None}
    settings = usual.with_changes(**changes)
    fits = 2 <= len(settings.kinds) <= 6 and PERSON in settings.kinds
    return settings if fits else settings.with_changes(kinds=usual.kinds)


def _checked(name: str, value: object) -> object:
    """The value as it can be used, or None."""
    if name in _CHOICES:
        return value if value in _CHOICES[name] else None
    if name in ("edition", "variant"):
        return value if isinstance(value, str) else None
    if name in ("house", "names", "kinds") and isinstance(value, list):
        words = [word for word in cast("list[object]", value) if isinstance(word, str)]
        if name == "names":
            words = [word for word in words if is_name(word)]
        if name == "kinds" and not set(words) <= set(KINDS):
            return None
        return tuple(words)
    return None


def save_settings(folder: Path, settings: PlayerSettings) -> None:
    """Keep the settings; where that is impossible, the next time they are chosen again."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"{FILE}.new"
        fresh.write_text(json.dumps(asdict(settings), indent=1), encoding="utf-8")
        fresh.replace(folder / FILE)
