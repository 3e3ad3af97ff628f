"""The chance to win after a hand: fitted to games of sharp, before anybody learns to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from phaseten.kernel.players.network.weights import EDITIONS
from training.rollout import make_tables

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


def record_sheets(  # noqa: PLR0913, PLR0917 - what games, how many, and where
    edition: str, players: int, games: int, device: torch.device, threads: int, seed: int
) -> Sheets:
    """The score sheets of so many games that sharp plays against itself."""
    tables = make_tables(edition, players, games, device, threads)
    sheets, hands, winners = tables.record_games(seed, MOST_HANDS)
    return sheets_of(sheets, hands, winners, players=players, edition=EDITIONS.index(edition))


def sheets_of(
    sheets: Tensor, hands: Tensor, winners: Tensor, *, players: int, edition: int
) -> Sheets:
    """The score sheets of games that were won, from room for more hands than they had."""
    met = torch.arange(sheets.shape[1], device=sheets.device) < hands.unsqueeze(1)
    kept = met & (winners > 0).unsqueeze(1)
    won = ((winners.unsqueeze(1) >> torch.arange(players, device=sheets.device)) & 1).float()
    shares = won / won.sum(dim=1, keepdim=True).clamp(min=1)
    repeated = shares.unsqueeze(1).expand(*kept.shape, players)[kept]
    return Sheets(sheets[kept], repeated, edition)


def fit(
    value: SheetValue, found: list[Sheets], *, steps: int, rate: float = 2e-3, size: int = 8192
) -> list[float]:
    """Fit the network; its log-loss on the last tenth of each, which it has not seen."""
    device = next(value.parameters()).device
    optimiser = torch.optim.Adam(value.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        loss = torch.zeros((), device=device)
        for part in found:
            rows = torch.randint(len(part.sheets) * 9 // 10, (size,), device=device)
            loss = loss + log_loss(value, part.sheets[rows], part.shares[rows], part.edition)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    losses: list[float] = []
    with torch.no_grad():
        for part in found:
            last = len(part.sheets) * 9 // 10
            loss = log_loss(value, part.sheets[last:], part.shares[last:], part.edition)
            losses.append(float(loss))
    return losses


def log_loss(value: SheetValue, sheets: Tensor, shares: Tensor, edition: int) -> Tensor:
    """How far the chances are from what came out."""
    return -(shares * value(sheets, edition)).sum(dim=1).mean()
