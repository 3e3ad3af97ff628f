"""The names under which Gymnasium makes the environments: one for each edition."""

from __future__ import annotations

from typing import Final

from gymnasium.envs import registration

from phaseten.rules.editions import BOOK_EDITIONS

VERSION: Final = 0
"""Goes up when an action, an observation or a reward means something else than before."""


def name_of(edition: str) -> str:
    """The id, such as ``phaseten/Classic-v0``."""
    return f"phaseten/{edition.capitalize()}-v{VERSION}"


def register_all() -> None:
    """Make the editions known, once."""
    for edition in BOOK_EDITIONS:
        if name_of(edition) not in registration.registry:
            registration.register(  # pyright: ignore[reportUnknownMemberType]
                name_of(edition),
                entry_point="phaseten.envs.single:PhasetenEnv",
                vector_entry_point="phaseten.envs.vector:PhasetenVectorEnv",
                kwargs={"edition": edition},
            )
