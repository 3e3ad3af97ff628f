"""The chance to win after a hand: fitted to games of sharp, before anybody learns to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from training.rollout import EDITIONS, make_environment

if TYPE_CHECKING:
    from torch import Tensor

    from training.network import SheetValue

MOST_HANDS = 64
"""Score sheets that are kept of a game."""


class Sheets(NamedTuple):
    """Score sheets met in games, and which share of its game each seat won."""

    sheets: Tensor
    shares: Tensor
    edition: int


def record_sheets(edition: str, players: int, games: int, threads: int, seed: int) -> Sheets:
    """The score sheets of so many games that sharp plays against itself."""
    environment = make_environment(edition, players, games, threads)
    sheets = np.zeros((games, MOST_HANDS, 2 * players + 2), np.int32)
    hands, winners = np.zeros(games, np.int32), np.zeros(games, np.int32)
    environment.record_games(seed, sheets, hands, winners)
    kept = (np.arange(MOST_HANDS) < hands[:, None]) & (winners > 0)[:, None]
    won = ((winners[:, None] >> np.arange(players)) & 1).astype(np.float32)
    shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    repeated = np.broadcast_to(shares[:, None], (games, MOST_HANDS, players))[kept]
    return Sheets(
        torch.from_numpy(sheets[kept]), torch.from_numpy(repeated), EDITIONS.index(edition)
    )


def fit(
    value: SheetValue, found: list[Sheets], *, steps: int, rate: float = 2e-3, size: int = 8192
) -> list[float]:
    """Fit the network; its log-loss on the last tenth of each, which it has not seen."""
    device = next(value.parameters()).device
    moved = [Sheets(part.sheets.to(device), part.shares.to(device), part.edition) for part in found]
    optimiser = torch.optim.Adam(value.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        loss = torch.zeros((), device=device)
        for part in moved:
            rows = torch.randint(len(part.sheets) * 9 // 10, (size,), device=device)
            loss = loss + log_loss(value, part.sheets[rows], part.shares[rows], part.edition)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    losses: list[float] = []
    with torch.no_grad():
        for part in moved:
            last = len(part.sheets) * 9 // 10
            loss = log_loss(value, part.sheets[last:], part.shares[last:], part.edition)
            losses.append(float(loss))
    return losses


def log_loss(value: SheetValue, sheets: Tensor, shares: Tensor, edition: int) -> Tensor:
    """How far the chances are from what came out."""
    return -(shares * value(sheets, edition)).sum(dim=1).mean()
