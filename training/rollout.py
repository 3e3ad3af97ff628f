"""Playing at many tables: what is seen and done goes into windows, from which the networks learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from phaseten.kernel.players.network.weights import EDITIONS
from phaseten.kernel.setup import find_setup
from training.network import chances_of, draw
from training.sizes import sizes

if TYPE_CHECKING:
    from torch import Tensor

    from training.gpu import GpuTables
    from training.host import HostTables
    from training.network import Policy
    from training.settings import Table

LONGEST_PAST = 1200
"""Actions that sharp plays at most before the learners begin, so that games are at every stage."""


def make_tables(
    edition: str, players: int, slots: int, device: torch.device, threads: int
) -> GpuTables | HostTables:
    """So many tables of a kind, on a GPU where the networks are there."""
    layout = find_setup(edition, players).layout
    number = EDITIONS.index(edition)
    if device.type == "cuda":
        from training.gpu import GpuTables

        return GpuTables(layout, number, slots, device)
    from training.host import HostTables

    return HostTables(layout, number, slots, threads)


def finish(device: torch.device) -> None:
    """Wait until a GPU has done all that it was told."""
    if device.type == "cuda":
        torch.cuda.synchronize()


@dataclass
class Window:
    """Some steps at all tables of a group; the last row of what is seen is what came after them."""

    features: Tensor
    secrets: Tensor
    masks: Tensor
    turns: Tensor
    actions: Tensor
    chances: Tensor
    """The logarithms of the chances that the actions had."""
    ends: Tensor
    """Where hands ended, and the score sheets before and after them."""
    before: Tensor
    after: Tensor


class Group:
    """The tables of one kind, and a window of what happens there."""

    def __init__(self, table: Table, device: torch.device, threads: int, seed: int) -> None:
        self.table = table
        self.device = device
        self.edition = EDITIONS.index(table.edition)
        self.players = table.players
        self.tables = make_tables(table.edition, table.players, table.slots, device, threads)
        self.tables.set_share(table.share)
        self.tables.start(seed)
        self.tables.play_on(LONGEST_PAST, seed)
        self.window = self._make_window()
        self.chance = torch.Generator(device)
        self.chance.manual_seed(seed)
        self.graph: torch.cuda.CUDAGraph | None = None
        self.stream = torch.cuda.Stream() if device.type == "cuda" else None
        window, last = self.window, table.steps
        window.features[last] = self.tables.features
        window.secrets[last] = self.tables.secrets
        window.masks[last] = self.tables.masks
        window.turns[last] = self.tables.turns

    def _make_window(self) -> Window:
        steps, slots = self.table.steps, self.table.slots
        features, secrets, actions = sizes(self.players)

        def zeros(*shape: int, dtype: torch.dtype = torch.uint8) -> Tensor:
            return torch.zeros(*shape, dtype=dtype, device=self.device)

        return Window(
            features=zeros(steps + 1, slots, features),
            secrets=zeros(steps + 1, slots, secrets),
            masks=zeros(steps + 1, slots, actions),
            turns=zeros(steps + 1, slots),
            actions=zeros(steps, slots, dtype=torch.int64),
            chances=zeros(steps, slots, dtype=torch.float32),
            ends=zeros(steps, slots),
            before=zeros(steps, slots, 2 * self.players + 2, dtype=torch.int32),
            after=zeros(steps, slots, 2 * self.players + 2, dtype=torch.int32),
        )

    # -- filling a window ---------------------------------------------------------------------------

    def begin(self) -> None:
        """What came after the last window is what this one begins with."""
        window = self.window
        for rows in (window.features, window.secrets, window.masks, window.turns):
            rows[0].copy_(rows[-1])

    def step(self, step: int, actions: Tensor) -> None:
        """Carry out actions, and note what came of them."""
        window, tables = self.window, self.tables
        after = step + 1
        tables.write_to(window.features[after], window.secrets[after], window.masks[after])
        tables.step(actions)
        for rows, now in (
            (window.turns[after], tables.turns),
            (window.ends[step], tables.ends),
            (window.before[step], tables.before),
            (window.after[step], tables.after),
        ):
            rows.copy_(now)

    @torch.no_grad()
    def play(self, policy: Policy, kind: torch.dtype) -> None:
        """Fill the window as the policy plays, by its chances."""
        window = self.window
        self.begin()
        for step in range(self.table.steps):
            logs = policy(window.features[step], window.masks[step], kind)
            chosen = draw(chances_of(logs), self.chance)
            window.actions[step] = chosen
            window.chances[step] = logs.gather(1, chosen.unsqueeze(1)).squeeze(1)
            self.step(step, chosen.int())

    def record(self, policy: Policy, kind: torch.dtype) -> None:
        """Record the filling of a window as a CUDA graph: to launch it piece by piece takes longer than to do it."""
        assert self.stream is not None
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.play(policy, kind)
        self.stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.chance)
        with torch.cuda.graph(graph, stream=self.stream):
            self.play(policy, kind)
        self.graph = graph

    @torch.no_grad()
    def follow_sharp(self, random: float) -> None:
        """Fill the window with what sharp does, and now and then chance."""
        window = self.window
        self.begin()
        labels = torch.zeros(self.table.slots, dtype=torch.int32, device=self.device)
        for step in range(self.table.steps):
            self.tables.choose(labels)
            window.actions[step] = labels
            luck = torch.empty(self.table.slots, device=self.device).uniform_(generator=self.chance)
            any_one = torch.empty(window.masks[step].shape, device=self.device)
            any_one.uniform_(generator=self.chance).mul_(window.masks[step])
            self.step(step, torch.where(luck < random, any_one.argmax(dim=1).int(), labels))


def play(groups: list[Group], policy: Policy, kind: torch.dtype, *, graphs: bool) -> None:
    """Fill a window of each group; on a GPU side by side."""
    if not graphs:
        for group in groups:
            group.play(policy, kind)
        return
    for group in groups:
        if group.graph is None:
            group.record(policy, kind)
    now = torch.cuda.current_stream()
    for group in groups:
        assert group.graph is not None
        assert group.stream is not None
        group.stream.wait_stream(now)
        with torch.cuda.stream(group.stream):
            group.graph.replay()
    for group in groups:
        assert group.stream is not None
        now.wait_stream(group.stream)
