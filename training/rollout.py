"""Playing at many tables: what is seen and done goes into windows, from which the networks learn."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from phaseten.kernel.setup import find_setup
from training.environment import Environment, sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from training.network import Policy
    from training.settings import Table

EDITIONS = ("classic", "anniversary", "deluxe", "elchavo", "express")
"""In the order of the networks' input."""
LONGEST_PAST = 1200
"""Actions that sharp plays at most before the learners begin, so that games are at every stage."""


def make_environment(edition: str, players: int, slots: int, threads: int) -> Environment:
    """So many tables of a kind."""
    layout = find_setup(edition, players).layout
    return Environment(layout, EDITIONS.index(edition), slots, threads)


@dataclass
class Window:
    """Some steps at all tables of a group; the last row is what came after them."""

    features: Tensor
    secrets: Tensor
    masks: Tensor
    turns: Tensor
    actions: Tensor
    labels: Tensor
    """What sharp would have done; only where it was asked."""
    ends: list[tuple[int, NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]]
    """Where hands ended: the step, the tables, the score sheets before and after the hand."""


class Group:
    """The tables of one kind, and two windows: one is filled while the other is learned from."""

    def __init__(self, table: Table, device: torch.device, threads: int, seed: int) -> None:
        self.table = table
        self.device = device
        self.edition = EDITIONS.index(table.edition)
        self.players = table.players
        slots = table.slots
        self.environment = make_environment(table.edition, table.players, slots, threads)
        self.environment.share = table.share
        pinned = device.type == "cuda"
        self.rows = [
            torch.zeros(slots, size, dtype=torch.uint8, pin_memory=pinned)
            for size in sizes(table.players)
        ]
        self.environment.write_to(*(rows.numpy() for rows in self.rows))
        self.choices = torch.zeros(slots, dtype=torch.int32, pin_memory=pinned)
        self.turns = torch.zeros(slots, dtype=torch.uint8, pin_memory=pinned)
        self.answered = torch.cuda.Event() if pinned else None
        self.graphs: dict[int, torch.cuda.CUDAGraph | None] = {}
        self.now = torch.zeros(1, dtype=torch.int64, device=device)
        """The step of the window that is filled next."""
        self.chance = np.random.default_rng(seed)
        self.windows = [self._make_window() for _ in range(2)]
        self.wrong = 0
        self.waited = self.busy = 0.0
        """Seconds spent with waiting for a network, and at the tables."""
        self.environment.start(seed)
        self.environment.play_on(LONGEST_PAST, seed)

    def _make_window(self) -> Window:
        steps, slots = self.table.steps, self.table.slots
        features, secrets, actions = sizes(self.players)

        def zeros(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(*shape, dtype=dtype, device=self.device)

        return Window(
            features=zeros(steps + 1, slots, features, dtype=torch.uint8),
            secrets=zeros(steps + 1, slots, secrets, dtype=torch.uint8),
            masks=zeros(steps, slots, actions, dtype=torch.uint8),
            turns=zeros(steps + 1, slots, dtype=torch.uint8),
            actions=zeros(steps, slots, dtype=torch.int64),
            labels=zeros(steps, slots, dtype=torch.int64),
            ends=[],
        )

    def look(self, window: Window, step: int) -> None:
        """Copy what the tables show now into a window."""
        self.turns.numpy()[:] = self.environment.turns
        window.features[step].copy_(self.rows[0], non_blocking=True)
        window.secrets[step].copy_(self.rows[1], non_blocking=True)
        window.turns[step].copy_(self.turns, non_blocking=True)
        if step < self.table.steps:
            window.masks[step].copy_(self.rows[2], non_blocking=True)

    def think(self, number: int, step: int, policy: Policy, kind: torch.dtype) -> None:
        """Let a network choose for a window; the answer comes later.

        On a GPU all of it is recorded once for each window and then replayed: to launch it piece
        by piece takes longer than to do it, and those who learn at the same time are in the way.
        """
        self.turns.numpy()[:] = self.environment.turns
        if self.answered is None:
            self.now.fill_(step)
            self.answer(self.windows[number], policy, kind)
            return
        if step == 0:
            self.now.zero_()
        if number not in self.graphs:
            self.graphs[number] = self.record(self.windows[number], policy, kind)
            self.now.zero_()
        graph = self.graphs[number]
        if graph:
            graph.replay()
        else:
            self.answer(self.windows[number], policy, kind)
        self.answered.record()

    def record(
        self, window: Window, policy: Policy, kind: torch.dtype
    ) -> torch.cuda.CUDAGraph | None:
        """A graph of an answer, where one can be made."""
        self.answer(window, policy, kind)  # once before
        stream = torch.cuda.current_stream()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
                self.answer(window, policy, kind)
        except RuntimeError as error:
            print(f"no graph: {error}", flush=True)
            return None
        return graph

    @torch.no_grad()
    def answer(self, window: Window, policy: Policy, kind: torch.dtype) -> None:
        """Choose each action with its chance, and write all that into the window, at ``now``."""
        shown = [rows.to(self.device, non_blocking=True) for rows in self.rows]
        turns = self.turns.to(self.device, non_blocking=True)
        logs = policy(shown[0], shown[2], kind)
        noise = torch.empty_like(logs).exponential_()
        chosen = (logs.exp() / noise).argmax(dim=1)
        for place, part in (
            (window.features, shown[0]),
            (window.secrets, shown[1]),
            (window.masks, shown[2]),
            (window.turns, turns),
            (window.actions, chosen),
        ):
            place.index_copy_(0, self.now, part.unsqueeze(0))
        self.choices.copy_(chosen, non_blocking=True)
        self.now.add_(1)

    def imitate(self, window: Window, step: int, random: float) -> None:
        """Let sharp choose, and now and then chance."""
        self.look(window, step)
        labels = np.empty(self.table.slots, np.int32)
        self.environment.choose(labels)
        window.labels[step].copy_(torch.from_numpy(labels))
        rows = np.flatnonzero(self.chance.random(self.table.slots) < random)
        masks = self.rows[2].numpy()[rows]
        labels[rows] = (masks * self.chance.random(masks.shape, np.float32)).argmax(axis=1)
        self.choices.numpy()[:] = labels
        window.actions[step].copy_(torch.from_numpy(labels))
        if self.answered:
            self.answered.record()

    def step(self, window: Window, step: int) -> None:
        """Carry out what was chosen."""
        started = time.monotonic()
        if self.answered:
            self.answered.synchronize()
        answered = time.monotonic()
        environment = self.environment
        self.wrong += environment.step(self.choices.numpy())
        self.waited += answered - started
        self.busy += time.monotonic() - answered
        ended = np.flatnonzero(environment.ends)
        if len(ended):
            window.ends.append((step, ended, environment.before[ended], environment.after[ended]))


def play(groups: Sequence[Group], number: int, policy: Policy, kind: torch.dtype) -> None:
    """Fill a window of each group: one group's tables go on while a network thinks for another."""
    windows = [group.windows[number] for group in groups]
    for group, window in zip(groups, windows, strict=True):
        window.ends = []
        group.think(number, 0, policy, kind)
    for step in range(max((group.table.steps for group in groups), default=0)):
        for group, window in zip(groups, windows, strict=True):
            if step < group.table.steps:
                group.step(window, step)
                if step + 1 < group.table.steps:
                    group.think(number, step + 1, policy, kind)
                else:
                    group.look(window, step + 1)


def follow_sharp(groups: Sequence[Group], number: int, random: float) -> None:
    """Fill a window of each group with what sharp does."""
    for group in groups:
        window = group.windows[number]
        window.ends = []
        for step in range(group.table.steps):
            group.imitate(window, step, random)
            group.step(window, step)
        group.look(window, group.table.steps)
