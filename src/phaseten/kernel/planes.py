"""Where each plane of an observation begins and ends: :mod:`phaseten.kernel.knowledge` says what is in it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise

from phaseten.kernel.layout import Layout
from phaseten.kernel.setup import find_setup
from phaseten.rules.options import Rules


def planes(
    rules: str | Rules = "classic",
    players: int = 2,
    *,
    variant: str = "standard",
    house: Iterable[str] = (),
) -> dict[str, slice]:
    """The planes of an observation by their names, in the order in which they stand.

    >>> planes("classic", players=2)["held"]
    slice(0, 50, None)
    """
    return planes_of(find_setup(rules, players, variant, house).layout)


def planes_of(layout: Layout) -> dict[str, slice]:
    """The planes of an observation in games of this layout."""
    sizes = {
        "held": layout.faces,
        "table": layout.players * 2 * layout.faces,
        "melds": layout.players * 2 * 4,
        "known": layout.players * layout.faces,
        "recycled": layout.faces,
        "discards": layout.deck_size,
        "players": layout.players * 7,
        "left": layout.players * layout.phases,
        "now": 7,
        "passed": layout.players * layout.naturals,
    }
    edges = pairwise(accumulate(sizes.values(), initial=0))
    return {name: slice(*edge) for name, edge in zip(sizes, edges, strict=True)}
