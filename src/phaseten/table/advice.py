"""What a bot advises."""

from __future__ import annotations

from typing import NamedTuple

from phaseten.bots.bot import Reason
from phaseten.rules.actions import Action


class Advice(NamedTuple):
    """An action, and what speaks for it or against it."""

    action: Action
    reasons: tuple[Reason, ...]
