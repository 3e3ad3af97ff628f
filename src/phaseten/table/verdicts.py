"""What is answered to somebody who asks for something at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from phaseten.rules.refusals import Refusal
from phaseten.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class TableRefusal:
    """Why something may not be done at a table; the sentences stand in ``language/*/table.toml``."""

    reason: str
    values: Mapping[str, object] = field(default_factory=dict[str, object])


Decision = tuple[TableEvent, ...] | Refusal | TableRefusal

ALREADY_DONE: Final = TableRefusal("already-done")
"""For a request that came again: nobody has to be told more than that it is done."""


def no(reason: str, **values: object) -> TableRefusal:
    """A refusal with what its sentence says."""
    return TableRefusal(reason, values)
