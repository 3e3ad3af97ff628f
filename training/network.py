"""The networks: plain layers that NumPy or the kernel can run alone.

A policy sees what a seat knows; a critic sees all cards, and says for each seat how likely it is to
win the game in the end. Both take the rows of any number of players: those of fewer players are
the beginning of those of more, and so are the weights.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.sizes import MOST_PLAYERS, constants, scales, sizes

EDITIONS = 5
PHASES = 10
SHEET_FEATURES = 14
NEVER = -1e9
"""The logit of an action that is not legal."""
LEAST = -80.0
"""Chances whose logarithm is less are taken for this one: 1e-35."""


def chances_of(logs: Tensor) -> Tensor:
    """The chances of actions by their logarithms. Processors take ten times as long for what comes to nothing at all."""
    return logs.clamp(min=LEAST).exp()


def draw(chances: Tensor, generator: torch.Generator) -> Tensor:
    """An action of each row by its chances: the first at which their sum reaches a lot."""
    sums = chances.cumsum(dim=1)
    lot = torch.empty(len(sums), 1, device=sums.device).uniform_(generator=generator)
    # A lot is less than 1, and what is left of 1 is never nothing: no action without a chance is the first.
    return (sums < (1 - lot) * sums[:, -1:]).sum(dim=1)


class Trunk(nn.Module):
    """A linear layer over all parts of the input, then layers that add to what came before."""

    def __init__(self, inputs: list[list[float]], outputs: int, width: int, layers: int) -> None:
        super().__init__()
        total = sum(map(len, inputs))
        self.parts = nn.ParameterList(
            nn.Parameter(torch.randn(width, len(scale)) * (4 / total) ** 0.5) for scale in inputs
        )
        self.scales = [f"scale{i}" for i in range(len(inputs))]
        for name, scale in zip(self.scales, inputs, strict=True):
            self.register_buffer(name, torch.tensor(scale))  # saved, for who runs it elsewhere
        self.bias = nn.Parameter(torch.zeros(width))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers + 1))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.last = nn.Linear(width, outputs)
        with torch.no_grad():
            self.last.weight.mul_(0.1)

    def forward(self, inputs: list[Tensor], outputs: int, kind: torch.dtype) -> Tensor:
        """The first ``outputs`` outputs for inputs that may be the beginning of whole ones."""
        weights = [
            weight[:, : x.shape[1]] * getattr(self, name)[: x.shape[1]]
            for weight, name, x in zip(self.parts, self.scales, inputs, strict=True)
        ]
        x = torch.cat(inputs, dim=1).to(kind)
        x = functional.linear(x, torch.cat(weights, dim=1).to(kind), self.bias.to(kind))
        for layer, norm in zip(self.layers, self.norms, strict=False):
            y = normalise(x, norm)
            x = x + functional.relu(
                functional.linear(y, layer.weight.to(kind), layer.bias.to(kind))
            )
        y = normalise(x, self.norms[len(self.layers)])
        # In bfloat16 the chances would be off by some per cent.
        return functional.linear(
            y.float(), self.last.weight[:outputs].float(), self.last.bias[:outputs].float()
        )


def normalise(x: Tensor, norm: nn.Module) -> Tensor:
    """Layer norm in the precision of ``x``."""
    assert isinstance(norm, nn.LayerNorm)
    weight, bias = norm.weight.to(x.dtype), norm.bias.to(x.dtype)
    return functional.layer_norm(x, norm.normalized_shape, weight, bias)


class Policy(nn.Module):
    """Chooses an action by what a seat knows."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        actions = sizes(MOST_PLAYERS)[2]
        self.trunk = Trunk([scales(MOST_PLAYERS)[0]], actions, width, layers)

    def forward(self, features: Tensor, mask: Tensor, kind: torch.dtype) -> Tensor:
        """The logarithms of the chances of the actions; what is not legal has next to none."""
        logits = self.trunk([features], mask.shape[1], kind)
        return logits.masked_fill(mask == 0, NEVER).log_softmax(dim=1)

    @torch.no_grad()
    def take_after(self, met: set[int]) -> None:
        """Numbers of players that were not met begin between those that were."""
        first, counts = self.trunk.parts[0], constants()["COUNT"] - 2
        for players in range(3, MOST_PLAYERS):
            if players not in met and {players - 1, players + 1} <= met:
                beside = first[:, counts + players - 1] + first[:, counts + players + 1]
                first[:, counts + players] = beside / 2


class Critic(nn.Module):
    """Says how likely each seat, counted from the one on turn, is to win. It sees all cards."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.trunk = Trunk(list(scales(MOST_PLAYERS)), MOST_PLAYERS, width, layers)

    def forward(self, features: Tensor, secrets: Tensor, players: int, kind: torch.dtype) -> Tensor:
        """The logarithms of the chances."""
        return self.trunk([features, secrets], players, kind).log_softmax(dim=1)


class SheetValue(nn.Module):
    """The chance of each seat to win the game, by the score sheet between two hands."""

    def __init__(self, width: int = 96) -> None:
        super().__init__()
        self.one = nn.Linear(MOST_PLAYERS * SHEET_FEATURES + MOST_PLAYERS - 1 + EDITIONS, width)
        self.two = nn.Linear(width, width)
        self.three = nn.Linear(width, MOST_PLAYERS)

    def forward(self, sheets: Tensor, edition: int) -> Tensor:
        """The logarithms of the chances, seat by seat as the sheets have them."""
        players = (sheets.shape[1] - 2) // 2
        first = sheets[:, 2 * players : 2 * players + 1].long()
        order = (first + 1 + torch.arange(players, device=sheets.device)) % players
        rows = sheet_features(sheets, order, players, edition)
        x = functional.relu(self.one(rows))
        x = functional.relu(x + self.two(x))
        chances = self.three(x)[:, :players].log_softmax(dim=1)
        return torch.empty_like(chances).scatter(1, order, chances)


def sheet_features(sheets: Tensor, order: Tensor, players: int, edition: int) -> Tensor:
    """Phases left and points of each seat, in the order in which they play."""
    left = sheets[:, :players].gather(1, order)
    count = torch.zeros_like(left)
    for phase in range(PHASES):
        count = count + ((left >> phase) & 1)
    totals = sheets[:, players : 2 * players].gather(1, order).float()
    behind = (totals - totals.min(dim=1, keepdim=True).values) / 100
    count = count.float()
    after = count - count.min(dim=1, keepdim=True).values
    steps = torch.arange(1, 11, device=sheets.device)
    parts = [
        count.unsqueeze(2) / 10,
        after.unsqueeze(2) / 3,
        behind.unsqueeze(2),
        (totals / 300).unsqueeze(2),
        (count.unsqueeze(2) <= steps - 1).float(),
    ]
    rows = torch.cat(parts, dim=2).flatten(1)
    filled = functional.pad(rows, (0, (MOST_PLAYERS - players) * SHEET_FEATURES))
    which = torch.zeros(len(rows), MOST_PLAYERS - 1 + EDITIONS, device=sheets.device)
    which[:, players - 2] = 1
    which[:, MOST_PLAYERS - 1 + edition] = 1
    return torch.cat((filled, which), dim=1)
