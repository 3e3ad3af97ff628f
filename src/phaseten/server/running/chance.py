"""Where the chances of a server come from.

Everything else at a table follows from what its people do: with the same chances and the same
requests, the same cards are dealt and the same bots make the same moves. Nothing that comes over
the network, no flag and no environment variable chooses them: a program that builds a server does.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from phaseten.rules.shuffle import SEED_BYTES

KEY_BYTES: Final = 32


class Chance(NamedTuple):
    """A source of everything that nobody may foresee."""

    new_seed: Callable[[], bytes]
    """The secret seed from which the hands of a game are dealt."""
    new_bot_seed: Callable[[], int]
    """The seed of a bot's choice, of 63 bits."""
    new_key: Callable[[], bytes] = partial(secrets.token_bytes, KEY_BYTES)
    """With which a new database's servers sign the tokens of guests."""


SECRET: Final = Chance(lambda: secrets.token_bytes(SEED_BYTES), lambda: secrets.randbits(63))
"""What every real server uses."""
