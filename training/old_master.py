"""The master as it was before it knew deep, to measure what that brings:

phaseten arena master training.old_master:OldMaster --players 2,4 --games 400

and as it was when it began with deep's choice, and sharp players alone played out: ``MasterWithSharp``; and when the
pupil did too, but a rule of thumb said what the score sheet is worth then: ``MasterByThumb``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phaseten.bots.master import Master, Players

if TYPE_CHECKING:
    from phaseten.kernel.game import Game


class OldMaster(Master):
    """Thinks first of what sharp would do."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("old master", seed=seed)

    def _learned(self, game: Game) -> None:
        """It knows nothing of deep."""


class MasterWithSharp(Master):
    """Has no pupil."""

    def __init__(self, *, seed: int = 0, worlds: int = 2_000) -> None:
        super().__init__("master with sharp", seed=seed, worlds=worlds)

    def _pupil(self, game: Game) -> None:
        """Nobody plays out but sharp players."""


class MasterByThumb(Master):
    """Has a pupil, but nobody who knows score sheets."""

    def __init__(self, *, seed: int = 0, worlds: int = 2_000) -> None:
        super().__init__("master by thumb", seed=seed, worlds=worlds)

    def _pupil(self, game: Game) -> Players | None:
        pupil = super()._pupil(game)
        return pupil and pupil._replace(sheets=None)
