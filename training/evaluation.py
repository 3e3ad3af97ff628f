"""Whole games against a built-in player, on duplicated deals: every game is played twice, the
second time with the seats exchanged. So luck of the cards is the same for both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from training.environment import sizes
from training.rollout import make_environment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.network import Policy

MOST_STEPS = 20_000
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
    always: int | None = None,
) -> Result:
    """Play so many pairs of games; half the seats, every other one, are the policy's.

    ``always`` is an action that is taken wherever it can be, whatever the policy says.
    """
    device = next(policy.parameters()).device
    environment = make_environment(edition, players, 2 * pairs, threads)
    environment.opponent = opponent
    rows = [torch.zeros(2 * pairs, n, dtype=torch.uint8) for n in sizes(players)]
    if device.type == "cuda":
        rows = [part.pin_memory() for part in rows]
    environment.write_to(*(part.numpy() for part in rows))
    seeds = np.random.default_rng(seed).integers(0, 2**63, pairs, np.uint64)
    evens = sum(1 << seat for seat in range(0, players, 2))
    odds = (1 << players) - 1 - evens
    learners = np.repeat(np.array([evens, odds], np.uint8), pairs)
    environment.start_games(np.concatenate((seeds, seeds)), learners)
    could = laid = 0
    for _ in range(MOST_STEPS):
        playing = np.flatnonzero(environment.over == 0)
        if not len(playing):
            break
        actions = np.zeros(2 * pairs, np.int32)
        shown = [part if len(playing) == 2 * pairs else part[playing] for part in rows]
        logs = policy(shown[0].to(device), shown[2].to(device), kind)
        actions[playing] = logs.argmax(dim=1).to(torch.int32).cpu().numpy()
        masks = rows[2].numpy()
        if always is not None:
            actions[masks[:, always] > 0] = always
        can = masks[playing, LAY] > 0
        could += int(can.sum())
        laid += int((actions[playing][can] == LAY).sum())
        environment.step(actions)
    return tally(environment.after[:, -1], learners, players, laid / max(could, 1))


def tally(
    winners: NDArray[np.int32], learners: NDArray[np.uint8], players: int, laid: float
) -> Result:
    """The share of the games that the learners won, and how sure that is."""
    seats = np.arange(players)
    won = (winners[:, None] >> seats) & 1
    ours = (learners[:, None] >> seats) & 1
    shares = (won * ours).sum(axis=1) / np.maximum(won.sum(axis=1), 1)
    pairs = shares.reshape(2, -1).mean(axis=0)
    error = 1.96 * float(pairs.std(ddof=1)) / len(pairs) ** 0.5
    return Result(float(pairs.mean()), error, len(shares), laid)
