"""How fast the bots move: at a human pace, unless somebody is in a hurry."""

from __future__ import annotations

import asyncio
from typing import Final

PACES: Final = {"slow": 1.2, "normal": 0.8, "fast": 0.35, "none": 0.0}
"""Seconds that a bot takes for its turn."""

_DRAWING: Final = 0.6
"""How much of the turn's time goes before the draw; the rest, before each further step."""


class Pacer:
    """Waits between the steps of bots."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._hurry = asyncio.Event()

    def start(self, pace: str) -> None:
        """From here on, bots take their time again."""
        self._seconds = PACES[pace]
        self._hurry.clear()

    def hurry(self) -> None:
        """Wait no longer, until the pace starts again."""
        self._hurry.set()

    async def wait(self, *, drawing: bool) -> None:
        """Wait as long as the next step of a bot is to take."""
        seconds = self._seconds * (_DRAWING if drawing else 1 - _DRAWING)
        if seconds and not self._hurry.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await self._hurry.wait()
            except TimeoutError:
                pass
