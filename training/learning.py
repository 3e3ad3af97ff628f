"""Learning from windows: imitation or proximal policy optimisation, with a critic that sees all."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from training.network import Critic, Policy, SheetValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from training.rollout import Group, Window
    from training.settings import Settings

LONGEST_STEP = 0.5
"""Gradients are cut to this length."""
CRITIC_WEIGHT = 0.5
WARM_UPS = 3
"""Updates before a graph is recorded."""


@dataclass
class Batch:
    """Decisions of one group to learn from, in place for a recorded update."""

    features: Tensor
    secrets: Tensor
    masks: Tensor
    actions: Tensor
    chances: Tensor
    gains: Tensor
    targets: Tensor

    def fill(self, parts: dict[str, Tensor], rows: Tensor) -> None:
        """Take these rows."""
        for name, part in parts.items():
            torch.index_select(part, 0, rows, out=getattr(self, name))


def empty_batch(group: Group) -> Batch:
    """Room for a minibatch of a group."""
    window, count = group.windows[0], group.table.minibatch

    def room(*shape: int, dtype: torch.dtype) -> Tensor:
        return torch.zeros(count, *shape, dtype=dtype, device=group.device)

    return Batch(
        features=room(window.features.shape[2], dtype=torch.uint8),
        secrets=room(window.secrets.shape[2], dtype=torch.uint8),
        masks=room(window.masks.shape[2], dtype=torch.uint8),
        actions=room(dtype=torch.int64),
        chances=room(dtype=torch.float32),
        gains=room(dtype=torch.float32),
        targets=room(group.players, dtype=torch.float32),
    )


class Learner:
    """The networks and how they learn."""

    def __init__(self, settings: Settings, groups: Sequence[Group], device: torch.device) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.groups = groups
        self.device = device
        self.kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.policy = Policy(settings.width, settings.layers, settings.cards).to(device)
        self.critic = Critic(settings.width, settings.layers, settings.critic).to(device)
        self.value = SheetValue().to(device)
        self.average = copy.deepcopy(self.policy).requires_grad_(requires_grad=False)
        self.actor = copy.deepcopy(self.policy).requires_grad_(requires_grad=False).to(self.kind)
        self.rate = torch.tensor(1e-3, device=device)
        self.critic_rate = torch.tensor(1e-3, device=device)
        self.entropy = torch.tensor(0.01, device=device)
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimiser = self.make_optimiser()
        self.value_optimiser = torch.optim.Adam(
            self.value.parameters(), lr=settings.play.value_rate
        )
        self.batches = [empty_batch(group) for group in groups]
        sizes = torch.tensor([float(group.table.minibatch) for group in groups], device=device)
        self.weights = sizes / sizes.sum()
        """Every decision counts as much as any other, whatever the size of its group."""
        self.figures = torch.zeros(len(groups), 6, device=device)
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

    # -- what a window is worth -------------------------------------------------------------------

    @torch.no_grad()
    def chances_to_win(self, group: Group, window: Window) -> Tensor:
        """What the critic says at every step, for each seat."""
        steps = len(window.features)
        seats = torch.arange(group.players, device=self.device)
        found: list[Tensor] = []
        for step in range(steps):
            logs = self.critic(
                window.features[step], window.secrets[step], group.players, self.kind
            )
            order = (seats - window.turns[step].long().unsqueeze(1)) % group.players
            found.append(logs.exp().gather(1, order))
        return torch.stack(found)

    def sheet_chances(self, group: Group, sheets: Tensor, network: SheetValue) -> Tensor:
        """What score sheets are worth: 1 and 0 of games that are over, a share of tied ones."""
        winners = sheets[:, -1:]
        seats = torch.arange(group.players, device=self.device)
        won = ((winners >> seats) & 1).float()
        shares = won / won.sum(dim=1, keepdim=True).clamp(min=1)
        return torch.where(winners > 0, shares, network(sheets, group.edition).exp())

    def learn_value(self, group: Group, window: Window) -> tuple[Tensor, Tensor]:
        """Where hands ended and what they brought each seat; what a score sheet is worth goes on
        being learned from what the next is worth.
        """
        shape = (group.table.steps, group.table.slots)
        ended = torch.zeros(shape, dtype=torch.bool, device=self.device)
        rewards = torch.zeros(*shape, group.players, device=self.device)
        if not window.ends:
            return ended, rewards
        steps = np.concatenate([np.full(len(rows), step) for step, rows, _, _ in window.ends])
        rows = np.concatenate([rows for _, rows, _, _ in window.ends])
        at = (torch.from_numpy(steps).to(self.device), torch.from_numpy(rows).to(self.device))
        before, after = (
            torch.from_numpy(np.concatenate([end[part] for end in window.ends])).to(self.device)
            for part in (2, 3)
        )
        with torch.no_grad():
            brought = self.sheet_chances(group, after, self.value)
        ended[at] = True
        rewards[at] = brought
        loss = -(brought * self.value(before, group.edition)).sum(dim=1).mean()
        self.value_optimiser.zero_grad()
        loss.backward()
        self.value_optimiser.step()
        return ended, rewards

    @torch.no_grad()
    def weigh(self, group: Group, window: Window, *, labels: bool) -> dict[str, Tensor]:
        """All decisions of a window, with what they gained and what the critic should have said."""
        with torch.enable_grad():
            ended, rewards = self.learn_value(group, window)
        values = self.chances_to_win(group, window)
        targets = self.outcomes(group, window, values, ended, rewards)
        turns = window.turns[:-1].long().unsqueeze(2)
        order = (turns + torch.arange(group.players, device=self.device)) % group.players
        targets, values = targets.gather(2, order), values[:-1].gather(2, order)
        gains = targets[..., 0] - values[..., 0]
        number = self.groups.index(group)
        self.figures[number, 5] = 1 - gains.var() / targets[..., 0].var()
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        actions = window.labels if labels else window.actions
        return {
            "features": window.features[:-1].flatten(0, 1),
            "secrets": window.secrets[:-1].flatten(0, 1),
            "masks": window.masks.flatten(0, 1),
            "actions": actions.flatten(),
            "chances": self.chances_taken(window, actions).flatten(),
            "gains": gains.flatten(),
            "targets": targets.flatten(0, 1),
        }

    def outcomes(
        self, group: Group, window: Window, values: Tensor, ended: Tensor, rewards: Tensor
    ) -> Tensor:
        """What came of every step for each seat: how the hand ended, and a little of what the critic said before.

        Each seat goes by what the critic said at its own decisions. At those of others it sees the seat's cards,
        but not all that a network is told of one's own, and would judge what the seat did by less.
        """
        trace = self.settings.play.trace
        later = values[-1]
        found = torch.empty_like(values[:-1])
        for step in reversed(range(group.table.steps)):
            later = torch.where(ended[step].unsqueeze(1), rewards[step], later)
            found[step] = later
            turn = window.turns[step].long().unsqueeze(1)
            own = trace * later.gather(1, turn) + (1 - trace) * values[step].gather(1, turn)
            later = later.scatter(1, turn, own)
        return found

    @torch.no_grad()
    def chances_taken(self, window: Window, actions: Tensor) -> Tensor:
        """The logarithms of the chances of what was done, as the policy is before it learns.

        Not as the actor had it: its weights are rounded, and it is one window older. Compared
        with that, a policy that has learned nothing yet would already seem to have moved.
        """
        found = [
            self.policy(features, masks, self.kind).gather(1, chosen.unsqueeze(1)).squeeze(1)
            for features, masks, chosen in zip(
                window.features[:-1], window.masks, actions, strict=True
            )
        ]
        return torch.stack(found)

    # -- updates ----------------------------------------------------------------------------------

    def critic_loss(self, batch: Batch, players: int) -> Tensor:
        """How far the critic is from what came out."""
        logs = self.critic(batch.features, batch.secrets, players, self.kind)
        return -(batch.targets * logs).sum(dim=1).mean()

    def play_loss(self, batch: Batch, players: int) -> tuple[Tensor, Tensor]:
        """Do more of what gained, but go no further than the clip; stay curious."""
        logs = self.policy(batch.features, batch.masks, self.kind)
        chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        change = chosen - batch.chances
        ratio = change.exp()
        clip = self.settings.play.clip
        gain = torch.minimum(
            ratio * batch.gains, ratio.clamp(1 - clip, 1 + clip) * batch.gains
        ).mean()
        curiosity = -(logs.exp() * logs).sum(dim=1).mean()
        critic = self.critic_loss(batch, players)
        loss = CRITIC_WEIGHT * critic - gain - self.entropy * curiosity
        with torch.no_grad():
            moved = (ratio - 1 - change).mean()
            cut = ((ratio - 1).abs() > clip).float().mean()
        return loss, torch.stack((gain, curiosity, critic, moved, cut)).detach()

    def imitation_loss(self, batch: Batch, players: int) -> tuple[Tensor, Tensor]:
        """Do what sharp did."""
        logs = self.policy(batch.features, batch.masks, self.kind)
        chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        legal = batch.masks.float()
        even = (logs * legal).sum(dim=1) / legal.sum(dim=1)
        smoothing = self.settings.imitation.smoothing
        wrong = -((1 - smoothing) * chosen + smoothing * even).mean()
        critic = self.critic_loss(batch, players)
        with torch.no_grad():
            same = (logs.argmax(dim=1) == batch.actions).float().mean()
        return wrong + CRITIC_WEIGHT * critic, torch.stack(
            (same, wrong, critic, same, same)
        ).detach()

    def make_update(self, name: str) -> Callable[[], None]:
        """One step of the optimiser over the batches of all groups."""
        loss_of = self.imitation_loss if name == "imitate" else self.play_loss
        # To compile takes as long as half of the imitation.
        if name == "play" and self.settings.speed == "compile" and self.device.type == "cuda":
            loss_of = torch.compile(loss_of, dynamic=False)

        def update() -> None:
            total = torch.zeros((), device=self.device)
            for number, (group, batch) in enumerate(zip(self.groups, self.batches, strict=True)):
                loss, figures = loss_of(batch, group.players)
                total = total + self.weights[number] * loss
                self.figures[number, :5].lerp_(figures, 0.05)
            total.backward()
            torch.nn.utils.clip_grad_norm_(self.parameters, LONGEST_STEP)
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
        try:
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                update()
        except RuntimeError as error:
            print(f"no graph: {error}", flush=True)
            return plain
        return graph.replay

    def learn(self, number: int, name: str, epochs: int) -> None:
        """Learn from a window of every group."""
        found = [
            self.weigh(group, group.windows[number], labels=name == "imitate")
            for group in self.groups
        ]
        counts = [
            len(parts["actions"]) // group.table.minibatch
            for parts, group in zip(found, self.groups, strict=True)
        ]
        plain = self.settings.play.plain if name == "play" else 1
        updates = min(counts)
        if name == "play" and self.settings.play.updates:
            updates = min(updates, self.settings.play.updates)
        for _ in range(epochs):
            orders = [
                self.order(parts["chances"], plain, updates * group.table.minibatch)
                for parts, group in zip(found, self.groups, strict=True)
            ]
            for i in range(updates):
                for parts, order, batch in zip(found, orders, self.batches, strict=True):
                    size = len(batch.actions)
                    batch.fill(parts, order[i * size : (i + 1) * size])
                self.update(name)

    def order(self, chances: Tensor, plain: float, count: int) -> Tensor:
        """Which decisions are learned from, in any order: those that were not plain, and others until there are enough."""
        late = chances.exp() >= plain
        keys = torch.rand(len(chances), device=self.device) + late
        chosen = keys.argsort()[:count]
        return chosen[torch.randperm(count, device=self.device)]

    def moved(self) -> float:
        """How far the last updates moved the policy (KL)."""
        return float((self.weights * self.figures[:, 3]).sum())

    @torch.no_grad()
    def settle(self, keep: float) -> None:
        """After an iteration: average the weights, and let the actor have the newest."""
        new = list(self.policy.parameters())
        torch._foreach_lerp_(list(self.average.parameters()), new, 1 - keep)
        for old, now in zip(self.actor.parameters(), new, strict=True):
            old.copy_(now)
