"""Learning from windows: imitation or proximal policy optimisation, with a critic that sees all."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from training.network import Critic, Policy, SheetValue, chances_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from training.rollout import Group, Window
    from training.settings import Settings

LONGEST_STEP = 0.5
"""Gradients are cut to this length."""
AT_A_TIME = 65536
"""Positions that the critic looks at together."""
WARM_UPS = 3
"""Updates before a graph is recorded."""
FIGURES = ("gain", "curiosity", "moved", "cut", "critic", "explained", "hard", "spread")
"""What is known of the learning of each group: see ``Run.report``."""


@dataclass
class Choices:
    """Decisions of one group that a policy learns from, in place for a recorded update."""

    features: Tensor
    masks: Tensor
    actions: Tensor
    chances: Tensor
    gains: Tensor


@dataclass
class Outcomes:
    """What a critic learns from."""

    features: Tensor
    secrets: Tensor
    targets: Tensor


def fill(batch: Choices | Outcomes, parts: dict[str, Tensor], rows: Tensor) -> None:
    """Take these rows; those of small numbers eight at a time."""
    for name, room in vars(batch).items():
        kind = torch.int64 if room.dtype == torch.uint8 else room.dtype
        torch.index_select(parts[name].view(kind), 0, rows, out=room.view(kind))


def empty_batches(group: Group) -> tuple[Choices, Outcomes]:
    """Room for what one update takes of a group."""
    window, table = group.window, group.table

    def room(count: int, *shape: int, dtype: torch.dtype = torch.uint8) -> Tensor:
        return torch.zeros(count, *shape, dtype=dtype, device=group.device)

    seen, judged = window.features.shape[2], table.judged or table.minibatch
    choices = Choices(
        features=room(table.minibatch, seen),
        masks=room(table.minibatch, window.masks.shape[2]),
        actions=room(table.minibatch, dtype=torch.int64),
        chances=room(table.minibatch, dtype=torch.float32),
        gains=room(table.minibatch, dtype=torch.float32),
    )
    outcomes = Outcomes(
        features=room(judged, seen),
        secrets=room(judged, window.secrets.shape[2]),
        targets=room(judged, group.players, dtype=torch.float32),
    )
    return choices, outcomes


class Judged(NamedTuple):
    """A window as the critic sees it, step by step and for each seat."""

    values: Tensor
    """What it says; the last row is of what came after the window."""
    ended: Tensor
    """Where hands ended."""
    rewards: Tensor
    """What that brought."""


class Learner:
    """The networks and how they learn."""

    def __init__(self, settings: Settings, groups: Sequence[Group], device: torch.device) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.groups = groups
        self.device = device
        rounded = device.type == "cuda" or settings.precision == "bfloat16"
        self.kind = torch.bfloat16 if rounded else torch.float32
        self.policy = Policy(settings.width, settings.layers).to(device)
        self.critic = Critic(*settings.critic).to(device)
        self.value = SheetValue().to(device)
        self.average = copy.deepcopy(self.policy).requires_grad_(requires_grad=False)
        self.rate = torch.tensor(1e-3, device=device)
        self.critic_rate = torch.tensor(1e-3, device=device)
        self.entropy = torch.tensor(0.01, device=device)
        self.optimiser = self.make_optimiser()
        self.value_optimiser = torch.optim.Adam(
            self.value.parameters(), lr=settings.play.value_rate
        )
        self.batches = [empty_batches(group) for group in groups]
        sizes = torch.tensor([float(group.table.minibatch) for group in groups], device=device)
        self.weights = sizes / sizes.sum()
        """Every decision counts as much as any other, whatever the size of its group."""
        self.figures = torch.zeros(len(groups), len(FIGURES), device=device)
        self.updates: dict[str, Callable[[], object]] = {}

    def make_optimiser(self) -> torch.optim.Optimizer:
        """A new one, for a new stage: it must not carry on with what the last one had in mind."""
        fast: dict[str, Any] = (
            {"fused": True, "capturable": True} if self.device.type == "cuda" else {}
        )
        groups = [
            {"params": list(self.policy.parameters()), "lr": self.rate},
            {"params": list(self.critic.parameters()), "lr": self.critic_rate},
        ]
        return torch.optim.AdamW(groups, weight_decay=0.01, eps=self.settings.epsilon, **fast)

    def note(self, group: Group, name: str, value: Tensor) -> None:
        """Keep a figure of a group."""
        self.figures[self.groups.index(group), FIGURES.index(name)] = value

    # -- what a window is worth -------------------------------------------------------------------

    @torch.no_grad()
    def chances_to_win(self, group: Group, window: Window) -> Tensor:
        """What the critic says at every step, for each seat."""
        seats = torch.arange(group.players, device=self.device)
        rows = (window.features.flatten(0, 1), window.secrets.flatten(0, 1))
        found = [
            self.critic(seen, secret, group.players, self.kind).exp()
            for seen, secret in zip(*(part.split(AT_A_TIME) for part in rows), strict=True)
        ]
        order = (seats - window.turns.long().unsqueeze(2)) % group.players
        return torch.cat(found).view(*window.turns.shape, group.players).gather(2, order)

    def sheet_chances(self, group: Group, sheets: Tensor) -> Tensor:
        """What score sheets are worth: 1 and 0 of games that are over, a share of tied ones."""
        winners = sheets[:, -1:]
        seats = torch.arange(group.players, device=self.device)
        won = ((winners >> seats) & 1).float()
        shares = won / won.sum(dim=1, keepdim=True).clamp(min=1)
        return torch.where(winners > 0, shares, self.value(sheets, group.edition).exp())

    def settle_hands(self, group: Group, window: Window) -> tuple[Tensor, Tensor]:
        """Where hands ended and what they brought each seat; what a score sheet is worth goes on
        being learned from what the next is worth.
        """
        ended = window.ends > 0
        rewards = torch.zeros(*ended.shape, group.players, device=self.device)
        before, after = window.before[ended], window.after[ended]
        if len(after):
            with torch.no_grad():
                brought = self.sheet_chances(group, after)
            rewards[ended] = brought
            loss = -(brought * self.value(before, group.edition)).sum(dim=1).mean()
            self.value_optimiser.zero_grad()
            loss.backward()
            self.value_optimiser.step()
        return ended, rewards

    def judge(self, group: Group) -> Judged:
        """What the critic says of all that was done, and how the hands ended."""
        ended, rewards = self.settle_hands(group, group.window)
        return Judged(self.chances_to_win(group, group.window), ended, rewards)

    def outcomes(self, window: Window, judged: Judged, trace: float) -> Tensor:
        """What came of every step for each seat: how the hand ended, and a little of what the critic said before.

        Each seat goes by what the critic said at its own decisions. At those of others it sees the seat's cards,
        but not all that a network is told of one's own, and would judge what the seat did by less.
        """
        later = judged.values[-1]
        found = torch.empty_like(judged.rewards)
        for step in reversed(range(len(found))):
            later = torch.where(judged.ended[step].unsqueeze(1), judged.rewards[step], later)
            found[step] = later
            turn = window.turns[step].long().unsqueeze(1)
            said = judged.values[step].gather(1, turn)
            later = later.scatter(1, turn, said.lerp(later.gather(1, turn), trace))
        return found

    @torch.no_grad()
    def to_foresee(self, group: Group, judged: Judged, trace: float) -> dict[str, Tensor]:
        """What the critic learns from: all decisions, and what it should have said."""
        window = group.window
        targets = self.outcomes(window, judged, trace)
        own = window.turns[:-1].long().unsqueeze(2)
        missed = (targets - judged.values[:-1]).gather(2, own).var()
        self.note(group, "explained", 1 - missed / targets.gather(2, own).var())
        order = (own + torch.arange(group.players, device=self.device)) % group.players
        return {
            "features": window.features[:-1].flatten(0, 1),
            "secrets": window.secrets[:-1].flatten(0, 1),
            "targets": targets.gather(2, order).flatten(0, 1),
        }

    @torch.no_grad()
    def to_choose(self, group: Group, judged: Judged) -> dict[str, Tensor]:
        """What the policy learns from: all decisions, and what they gained."""
        window = group.window
        came = self.outcomes(window, judged, self.settings.play.trace)
        own = window.turns[:-1].long().unsqueeze(2)
        gains = (came - judged.values[:-1]).gather(2, own).flatten()
        spread = gains.std() + 1e-6
        self.note(group, "spread", spread)
        return {
            "features": window.features[:-1].flatten(0, 1),
            "masks": window.masks[:-1].flatten(0, 1),
            "actions": window.actions.flatten(),
            "chances": window.chances.flatten(),
            "gains": (gains - gains.mean()) / spread,
        }

    # -- updates ----------------------------------------------------------------------------------

    def critic_loss(self, batch: Outcomes, players: int) -> Tensor:
        """How far the critic is from what came out."""
        logs = self.critic(batch.features, batch.secrets, players, self.kind)
        return -(batch.targets * logs).sum(dim=1).mean()

    def play_loss(self, batch: Choices) -> tuple[Tensor, Tensor]:
        """Do more of what gained, but go no further than the clip; stay curious."""
        logs = self.policy(batch.features, batch.masks, self.kind)
        chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        change = chosen - batch.chances
        ratio = change.exp()
        clip = self.settings.play.clip
        gain = torch.minimum(
            ratio * batch.gains, ratio.clamp(1 - clip, 1 + clip) * batch.gains
        ).mean()
        curiosity = -(chances_of(logs) * logs).sum(dim=1).mean()
        with torch.no_grad():
            moved = (ratio - 1 - change).mean()
            cut = ((ratio - 1).abs() > clip).float().mean()
        return -gain - self.entropy * curiosity, torch.stack((gain, curiosity, moved, cut)).detach()

    def imitation_loss(self, batch: Choices) -> tuple[Tensor, Tensor]:
        """Do what sharp did. The first figure is how often that is done already."""
        logs = self.policy(batch.features, batch.masks, self.kind)
        chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        legal = batch.masks.float()
        even = (logs * legal).sum(dim=1) / legal.sum(dim=1)
        smoothing = self.settings.imitation.smoothing
        wrong = -((1 - smoothing) * chosen + smoothing * even).mean()
        with torch.no_grad():
            same = (logs.argmax(dim=1) == batch.actions).float().mean()
        return wrong, torch.stack((same, wrong, wrong, same)).detach()

    def make_update(self, name: str) -> Callable[[], None]:
        """One step of the optimiser over the batches of all groups."""
        loss_of = self.imitation_loss if name == "imitate" else self.play_loss

        def update() -> None:
            total = torch.zeros((), device=self.device)
            for number, (group, batches) in enumerate(zip(self.groups, self.batches, strict=True)):
                loss, figures = loss_of(batches[0])
                critic = self.critic_loss(batches[1], group.players)
                total = total + self.weights[number] * (loss + critic)
                self.figures[number, :4].lerp_(figures, 0.05)
                self.figures[number, 4].lerp_(critic.detach(), 0.05)
            total.backward()
            for network in (self.policy, self.critic):
                nn.utils.clip_grad_norm_(network.parameters(), LONGEST_STEP)
            self.optimiser.step()

        return update

    def update(self, name: str) -> None:
        """Carry out the update of that name; on a GPU it is recorded once and then replayed."""
        if name not in self.updates:
            self.figures.zero_()
            self.optimiser = self.make_optimiser()
            self.updates[name] = self.record(self.make_update(name))
        self.updates[name]()

    def record(self, update: Callable[[], None]) -> Callable[[], object]:
        """The update as a CUDA graph, where that is wanted and can be done."""

        def plain() -> None:
            self.optimiser.zero_grad(set_to_none=True)
            update()

        if self.device.type != "cuda" or self.settings.speed == "eager":
            return plain
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM_UPS):
                plain()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        self.optimiser.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            update()
        return graph.replay

    def learn(self, name: str) -> None:
        """Learn from the window of every group."""
        stage = self.settings.play
        trace = stage.critic_trace if name == "play" else 1.0
        found: list[tuple[dict[str, Tensor], dict[str, Tensor]]] = []
        for group in self.groups:
            judged = self.judge(group)
            outcomes = self.to_foresee(group, judged, trace)
            found.append((self.to_choose(group, judged), outcomes))
        for _ in range(stage.epochs):
            rows = [
                (self.order(group, choices["chances"], name), self.any_order(group))
                for group, (choices, _) in zip(self.groups, found, strict=True)
            ]
            for i in range(self.settings.updates()):
                for parts, orders, batches in zip(found, rows, self.batches, strict=True):
                    for part, order, batch in zip(parts, orders, batches, strict=True):
                        size = len(batch.features)
                        fill(batch, part, order[i * size : (i + 1) * size])
                self.update(name)

    def any_order(self, group: Group) -> Tensor:
        """All decisions of a window."""
        return torch.randperm(group.table.steps * group.table.slots, device=self.device)

    def order(self, group: Group, chances: Tensor, name: str) -> Tensor:
        """Which decisions are learned from, in any order: those that were not plain, and others until there are enough."""
        if name == "imitate":
            return self.any_order(group)
        plain = chances.exp() >= self.settings.play.plain
        self.note(group, "hard", 1 - plain.float().mean())
        count = self.settings.updates() * group.table.minibatch
        keys = torch.rand(len(chances), device=self.device) + plain
        chosen = keys.argsort()[:count]
        return chosen[torch.randperm(count, device=self.device)]

    def moved(self) -> float:
        """How far the last updates moved the policy (KL)."""
        return float((self.weights * self.figures[:, FIGURES.index("moved")]).sum())

    @torch.no_grad()
    def settle(self, keep: float) -> None:
        """After an iteration: average the weights."""
        new = list(self.policy.parameters())
        torch._foreach_lerp_(list(self.average.parameters()), new, 1 - keep)
