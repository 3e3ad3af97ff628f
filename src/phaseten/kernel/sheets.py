"""Score sheets of many games, in arrays: what a game can begin from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phaseten.kernel.convert import DEALER, HAND, STEP
from phaseten.kernel.setup import Setup

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

NO_STEP = 2
MOST_POINTS = 2**24 - 1
MOST_HANDS = 60_000
"""A state counts points in three bytes and hands in two."""


class Sheet(NamedTuple):
    """A row for each game; where there is one row, or one number, it is that of all games."""

    left: ArrayLike
    """(games, players): the Phases that each seat has still to make, as bits; the first Phase is 1."""
    totals: ArrayLike = 0
    """(games, players): points."""
    dealers: ArrayLike = 0
    """(games,): who deals the next hand, from 1; 0: anybody."""
    hands: ArrayLike = 0
    """(games,): how many hands have been played."""


def read_sheet(setup: Setup, states: NDArray[np.uint8]) -> Sheet:
    """The score sheets with which the hands that go on in these states began.

    After a hand it is the sheet with which the next one begins.
    """
    layout, weights = setup.layout, np.array([1, 256, 65536], np.int32)
    shape = (len(states), setup.players, 3)
    left = states[:, layout.o_left : layout.o_left + 3 * setup.players].reshape(shape)
    totals = states[:, layout.o_totals : layout.o_totals + 3 * setup.players].reshape(shape)
    hands = states[:, HAND] + 256 * states[:, HAND + 1].astype(np.int32)
    return Sheet(
        left @ weights,
        totals @ weights,
        states[:, DEALER].astype(np.int32) + 1,
        hands - (states[:, STEP] != NO_STEP),
    )


def rows_of(setup: Setup, sheet: Sheet, count: int | None = None) -> NDArray[np.int32]:
    """The sheets as rows of numbers, checked: Phases left, points, dealer, hands.

    There are ``count`` of them; if that is not given, as many as the longest of the arrays.
    """
    wide = [np.atleast_2d(np.asarray(part)) for part in sheet[:2]]
    long = [np.atleast_1d(np.asarray(part)) for part in sheet[2:]]
    for part in (*wide, *long):
        if part.dtype.kind not in "iub":
            raise TypeError(f"a score sheet has whole numbers, not {part.dtype}")
    count = max(len(part) for part in (*wide, *long)) if count is None else count
    try:
        left, totals = (np.broadcast_to(part, (count, setup.players)) for part in wide)
        dealers, hands = (np.broadcast_to(part, (count,)) for part in long)
    except ValueError:
        raise ValueError(
            f"a score sheet must have a row for each of {count} games, or one for all, and"
            f" {setup.players} seats in each"
        ) from None
    _check(setup, left, totals, dealers, hands)
    columns = (left, totals, dealers[:, None], hands[:, None])
    return np.ascontiguousarray(np.concatenate(columns, axis=1), np.int32)


def _check(
    setup: Setup,
    left: NDArray[np.integer],
    totals: NDArray[np.integer],
    dealers: NDArray[np.integer],
    hands: NDArray[np.integer],
) -> None:
    """Refuse what no game can begin from."""
    phases = len(setup.rules.phases)
    ten_hands = setup.rules.variant.ten_hands
    for part, least, most, what in (
        (left, 1, 2**phases - 1, "Phases left, as bits,"),
        (totals, 0, MOST_POINTS, "points"),
        (dealers, 0, setup.players, "dealers"),
        (hands, 0, phases - 1 if ten_hands else MOST_HANDS, "hands played"),
    ):
        if part.size and (part.min() < least or part.max() > most):
            raise ValueError(
                f"{what} must be from {least} to {most}, not {part.min()} to {part.max()}"
            )
    count = sum((left >> phase) & 1 for phase in range(phases))
    if ten_hands and (count + hands[:, None] < phases).any():
        raise ValueError("in ten hands, everybody needs a Phase left for each hand still to play")
