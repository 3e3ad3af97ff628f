"""Who sits at the table: people at this keyboard, and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from phaseten.bots.ladder import LADDER
from phaseten.table.names import is_visible

PERSON: Final = "person"
KINDS: Final = (PERSON, *LADDER)
"""What can sit in a seat: a person, or a bot of the ladder."""
BOT_NAMES: Final = ("Beto", "Carla", "Dani", "Emil", "Fay", "Gabi")
LONGEST_NAME: Final = 20

_TAG: Final = "Player"


@dataclass(frozen=True)
class Player:
    """A name, and who is behind it."""

    name: str
    kind: str = PERSON

    @property
    def is_person(self) -> bool:
        return self.kind == PERSON


def bot_names(taken: Sequence[str], count: int) -> list[str]:
    """Names for so many bots, other than those that are taken."""
    used = {name.casefold() for name in taken}
    free = [name for name in BOT_NAMES if name.casefold() not in used]
    return (free + [f"{name} II" for name in BOT_NAMES])[:count]


def is_name(text: str) -> bool:
    """Whether a player can be called that."""
    return len(text) <= LONGEST_NAME and is_visible(text)


def player_tags(players: Sequence[Player]) -> dict[str, str]:
    """The tags by which a saved game remembers who plays."""
    return {f"{_TAG}{seat}": player.kind for seat, player in enumerate(players, 1)}


def players_from(names: Sequence[str], tags: Mapping[str, str]) -> tuple[Player, ...]:
    """Who plays, by the tags of a record; where it says nothing, a person against bots."""
    players: list[Player] = []
    for seat, name in enumerate(names, 1):
        kind = tags.get(f"{_TAG}{seat}", "")
        usual = PERSON if seat == 1 else "casual"
        players.append(Player(name, kind if kind in KINDS else usual))
    return tuple(players)
