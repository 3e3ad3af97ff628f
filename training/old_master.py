"""The master as it was before it began with deep's choice, to measure what that brings:

phaseten arena master training.old_master:OldMaster --players 2,4 --games 400
"""

from phaseten.bots.master import Master
from phaseten.kernel.game import Game


class OldMaster(Master):
    """Thinks first of what sharp would do."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("old master", seed=seed)

    def _learned(self, game: Game) -> None:
        """It knows nothing of deep."""
