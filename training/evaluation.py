"""Whole games against a built-in player or another network, on duplicated deals: every game is played twice, the
second time with the seats exchanged. So luck of the cards is the same for both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from training.rollout import make_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from training.network import Policy

MOST_STEPS = 20_000
STEPS_BETWEEN = 20
"""Between two looks which games are over."""
SHARP = 2
LAY = 53
"""The action of laying the Phase."""


class Result(NamedTuple):
    """How a policy did."""

    share: float
    """Of all games, those it won; with ties their part."""
    error: float
    """Half of the interval in which the true share lies with 95 %."""
    games: int
    laid: float
    """How often it laid where it could."""

    def __str__(self) -> str:
        return f"{100 * self.share:.2f} ± {100 * self.error:.2f} % of {self.games} games"


@torch.no_grad()
def evaluate(  # noqa: PLR0913 - by name
    policy: Policy,
    *,
    edition: str,
    players: int,
    pairs: int,
    seed: int,
    threads: int,
    kind: torch.dtype,
    opponent: int = SHARP,
    against: Policy | None = None,
    always: int | None = None,
) -> Result:
    """Play so many pairs of games; half the seats, every other one, are the policy's.

    ``against`` is another policy, instead of a built-in player. ``always`` is an action that is taken wherever it
    can be, whatever the policy says.
    """
    device = next(policy.parameters()).device
    tables = make_tables(edition, players, 2 * pairs, device, threads)
    tables.set_opponent(opponent)
    seeds = np.random.default_rng(seed).integers(0, 2**63, pairs, np.uint64)
    evens = sum(1 << seat for seat in range(0, players, 2))
    odds = (1 << players) - 1 - evens
    learners = np.repeat(np.array([evens, odds], np.uint8), pairs)
    asked = np.full_like(learners, evens + odds) if against else learners
    tables.start_games(np.concatenate((seeds, seeds)), asked)
    ours = torch.from_numpy(learners).to(device)
    could, laid = (torch.zeros((), dtype=torch.int64, device=device) for _ in range(2))
    actions = torch.zeros(2 * pairs, dtype=torch.int32, device=device)
    for step in range(MOST_STEPS):
        if step % STEPS_BETWEEN == 0:  # nobody looks at games that are over
            rows = (tables.over == 0).nonzero().squeeze(1)
            if not len(rows):
                break
        features, masks = tables.features[rows], tables.masks[rows]
        chosen = policy(features, masks, kind).argmax(dim=1)
        if always is not None:
            chosen = torch.where(masks[:, always] > 0, always, chosen)
        own = (ours >> tables.turns)[rows] & 1 > 0
        if against:
            chosen = torch.where(own, chosen, against(features, masks, kind).argmax(dim=1))
        can = own & (masks[:, LAY] > 0) & (tables.over[rows] == 0)
        could += can.sum()
        laid += (can & (chosen == LAY)).sum()
        actions[rows] = chosen.int()
        tables.step(actions)
    return tally(tables.after[:, -1].cpu(), learners, players, float(laid / could.clamp(min=1)))


def tally(winners: Tensor, learners: NDArray[np.uint8], players: int, laid: float) -> Result:
    """The share of the games that the learners won, and how sure that is."""
    seats = np.arange(players)
    won = (winners.numpy()[:, None] >> seats) & 1
    ours = (learners[:, None] >> seats) & 1
    shares = (won * ours).sum(axis=1) / np.maximum(won.sum(axis=1), 1)
    pairs = shares.reshape(2, -1).mean(axis=0)
    error = 1.96 * float(pairs.std(ddof=1)) / len(pairs) ** 0.5
    return Result(float(pairs.mean()), error, len(shares), laid)
