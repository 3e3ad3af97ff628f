"""The master as it was, to measure what it has learned since:

phaseten arena master training.old_master:OldMaster --players 2,4 --games 400
python -m training.decisions training.old_master:SharpMaster master
"""

from phaseten.bots.master import Master
from phaseten.kernel.game import Game


class SharpMaster(Master):
    """Begins with deep's choice, but only sharp players play hands out."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("sharp master", seed=seed)

    def _players(self, game: Game) -> None:
        """Those of deep are not asked."""


class OldMaster(Master):
    """Thinks first of what sharp would do."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("old master", seed=seed)

    def _learned(self, game: Game) -> None:
        """It knows nothing of deep."""
