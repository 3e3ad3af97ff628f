"""The ladder of opponents, from the beginner over the one who has learned to the one who searches.

>>> from phaseten import Game
>>> game = Game("classic", ["Ana", "Beto"], seed=7)
>>> make_bot("sharp").choose(game.view())
DrawDeck()
>>> make_bot("master@100").choose(game.view())  # in at most 100 worlds, on any machine
DrawDeck()
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from phaseten.rules.mistakes import expect

if TYPE_CHECKING:
    from phaseten.bots.builtin import BuiltIn

DEEP: Final = "deep"
MASTER: Final = "master"
LADDER: Final = ("rookie", "casual", "sharp", DEEP, MASTER)
"""The opponents, the weakest first."""

_BY_RULES_OF_THUMB: Final = LADDER[:3]
_MASTER: Final = re.compile(
    r"master@(?:(?P<worlds>[1-9]\d{0,5})|(?P<seconds>\d{1,4}(?:\.\d+)?)s)", re.ASCII
)


def make_bot(name: str, *, seed: int = 0) -> BuiltIn:
    """The opponent of that name.

    ``master`` thinks for at most 0.2 seconds, ``master@0.05s`` for at most 0.05 seconds, and
    ``master@100`` looks at no more than 100 worlds, whatever the clock says. ``deep`` plays as
    ``sharp`` where its network has not learned the edition, variation or house rules.
    """
    expect(name, str, "the name of a bot, such as 'sharp',")
    # Imported here: a table needs the names of the bots, and neither numpy nor the kernel.
    from phaseten.bots.builtin import BuiltIn  # noqa: PLC0415
    from phaseten.kernel.players import POLICIES  # noqa: PLC0415

    if name in _BY_RULES_OF_THUMB:
        return BuiltIn(name, POLICIES[name], seed)
    if name == DEEP:
        from phaseten.bots.deep import Deep  # noqa: PLC0415 - has weights, which are not always there

        return Deep(seed=seed)
    from phaseten.bots.master import Master  # noqa: PLC0415 - needs numpy, which a browser has not

    if name == MASTER:
        return Master(seed=seed)
    if match := _MASTER.fullmatch(name):
        if match["worlds"]:
            return Master(name, seed=seed, seconds=None, worlds=int(match["worlds"]))
        return Master(name, seed=seed, seconds=float(match["seconds"]))
    if name.startswith("master@"):
        raise ValueError(
            f"{name!r} names no budget: write seconds, such as master@0.05s, or worlds, "
            "such as master@100"
        )
    raise ValueError(f"there is no bot {name!r}: choose from {', '.join(LADDER)}")
