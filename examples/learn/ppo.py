"""PPO in one file, after CleanRL: a network learns to beat a bot at Phase 10 in about a minute on two cores.

    pip install 'phaseten[learn]' torch
    python examples/learn/ppo.py                        # the first two Phases of Express, against the rookie
    python examples/learn/ppo.py --edition classic --variant standard --opponents casual --actions 10000000

An episode is a hand, and the reward is by how much it has changed the chance to win the game. Each line shows how
many of the games that ended lately were won: that is the curve to watch.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from dataclasses import dataclass

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import Tensor, nn
from torch.distributions import Categorical

from phaseten.envs import PhasetenVectorEnv


@dataclass
class Settings:
    """All that can be chosen, each as an option of the same name."""

    edition: str = "express"
    variant: str = "phases=2"
    players: int = 2
    opponents: str = "rookie"
    actions: int = 600_000
    """Of the learner, in all games together."""
    seed: int = 1
    num_envs: int = 256
    num_steps: int = 64
    """In each game between two updates."""
    hidden: int = 128
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95
    """Nothing is discounted: a hand is short."""
    minibatches: int = 8
    epochs: int = 2
    clip: float = 0.2
    entropy: float = 0.01
    reward_scale: float = 10.0
    """A hand changes the chance to win by a few hundredths."""
    threads: int = 2
    save: str = ""
    """A file for the weights."""


def parse() -> Settings:
    """The settings from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    for name, value in vars(Settings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    return Settings(**vars(parser.parse_args()))


class Agent(nn.Module):
    """What to do, and how well it stands: two heads on one body."""

    def __init__(self, envs: PhasetenVectorEnv, hidden: int) -> None:
        super().__init__()
        self.planes = envs.batch.planes
        self.faces = envs.batch.setup.layout.faces + 1  # or no card at all
        size = self.features(torch.zeros(1, envs.batch.observation_size)).shape[1]
        self.body = nn.Sequential(layer(size, hidden), nn.ReLU(), layer(hidden, hidden), nn.ReLU())
        self.actor = layer(hidden, envs.batch.actions, scale=0.01)
        self.critic = layer(hidden, 1, scale=1.0)

    def features(self, seen: Tensor) -> Tensor:
        """Numbers of about the size of one. Of the discards only the top one is looked at."""
        seen = seen.float()
        counts = [
            seen[:, self.planes[name]] for name in ("held", "table", "known", "passed", "left")
        ]
        top = seen[:, self.planes["discards"]][:, 0].long()
        small = [
            seen[:, self.planes["melds"]] / 10,
            torch.log1p(seen[:, self.planes["players"]]) / 3,
        ]
        now = torch.log1p(seen[:, self.planes["now"]]) / 3
        return torch.cat([*counts, nn.functional.one_hot(top, self.faces).float(), *small, now], 1)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """A choice among the legal actions, and the value."""
        body = self.body(self.features(seen))
        logits = self.actor(body).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(body).squeeze(1)


def layer(inputs: int, outputs: int, scale: float = 2**0.5) -> nn.Linear:
    """A layer with orthogonal weights."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, scale)
    nn.init.zeros_(made.bias)
    return made


@dataclass
class Rollout:
    """What happened in all games between two updates: (steps, games, ...)."""

    seen: Tensor
    masks: Tensor
    actions: Tensor
    logprobs: Tensor
    rewards: Tensor
    ends: Tensor
    values: Tensor

    @classmethod
    def empty(cls, steps: int, envs: PhasetenVectorEnv) -> Rollout:
        """Room for it."""
        shape = (steps, envs.num_envs)
        return cls(
            seen=torch.zeros((*shape, envs.batch.observation_size), dtype=torch.int16),
            masks=torch.zeros((*shape, envs.batch.actions), dtype=torch.bool),
            actions=torch.zeros(shape, dtype=torch.long),
            logprobs=torch.zeros(shape),
            rewards=torch.zeros(shape),
            ends=torch.zeros(shape),
            values=torch.zeros(shape),
        )


class Player:
    """Plays in all games with the agent, and counts who wins."""

    def __init__(self, envs: PhasetenVectorEnv, agent: Agent, settings: Settings) -> None:
        self.envs, self.agent, self.settings = envs, agent, settings
        self.won: deque[bool] = deque(maxlen=1_000)
        """Whether the learner won, in the games that ended last."""
        self.seen, self.infos = envs.reset(seed=settings.seed)

    def now(self) -> tuple[Tensor, Tensor]:
        return torch.from_numpy(self.seen), torch.from_numpy(self.infos["action_mask"]).bool()

    @torch.no_grad()
    def play(self, rollout: Rollout) -> Tensor:
        """Fill the rollout; the values of where it ended."""
        for step in range(len(rollout.rewards)):
            seen, mask = self.now()
            choice, rollout.values[step] = self.agent(seen, mask)
            action = choice.sample()
            rollout.seen[step], rollout.masks[step], rollout.actions[step] = seen, mask, action
            rollout.logprobs[step] = choice.log_prob(action)
            self.seen, rewards, over, _, self.infos = self.envs.step(action.numpy())
            rollout.rewards[step] = torch.from_numpy(rewards) * self.settings.reward_scale
            rollout.ends[step] = torch.from_numpy(over)
            if "final_info" in self.infos:
                winners = self.infos["final_info"]["winner"]
                self.won.extend(winners[winners > 0] == 1)
        return self.agent(*self.now())[1]


def advantages(rollout: Rollout, last: Tensor, gae_lambda: float) -> Tensor:
    """By how much each action turned out better than expected."""
    result = torch.zeros_like(rollout.rewards)
    value, gain = last, torch.zeros_like(last)
    for step in reversed(range(len(result))):
        goes_on = 1 - rollout.ends[step]
        delta = rollout.rewards[step] + value * goes_on - rollout.values[step]
        gain = delta + gae_lambda * goes_on * gain
        result[step], value = gain, rollout.values[step]
    return result


def learn(
    agent: Agent,
    optimizer: torch.optim.Optimizer,
    rollout: Rollout,
    last: Tensor,
    settings: Settings,
) -> None:
    """A few passes over what happened."""
    gains = advantages(rollout, last, settings.gae_lambda)
    returns = (gains + rollout.values).flatten()
    gains = gains.flatten()
    seen, masks = rollout.seen.flatten(0, 1), rollout.masks.flatten(0, 1)
    actions, logprobs = rollout.actions.flatten(), rollout.logprobs.flatten()
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(actions)).chunk(settings.minibatches):
            choice, value = agent(seen[rows], masks[rows])
            ratio = (choice.log_prob(actions[rows]) - logprobs[rows]).exp()
            gain = (gains[rows] - gains[rows].mean()) / (gains[rows].std() + 1e-8)
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy_loss = -torch.min(gain * ratio, gain * clipped).mean()
            value_loss = (value - returns[rows]).square().mean() / 2
            loss = policy_loss + 0.5 * value_loss - settings.entropy * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(settings: Settings) -> list[float]:
    """Learn; after each update, the share of the last games that were won."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    envs = PhasetenVectorEnv(
        settings.edition,
        settings.num_envs,
        variant=settings.variant,
        players=settings.players,
        opponents=settings.opponents,
        episode="hand",
        reward="chance",
        autoreset_mode=AutoresetMode.SAME_STEP,
        threads=settings.threads,
    )
    agent = Agent(envs, settings.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), settings.learning_rate, eps=1e-5)
    player, rollout = Player(envs, agent, settings), Rollout.empty(settings.num_steps, envs)
    curve: list[float] = []
    start, each = time.perf_counter(), settings.num_envs * settings.num_steps
    for done in range(0, settings.actions, each):
        optimizer.param_groups[0]["lr"] = settings.learning_rate * (1 - done / settings.actions)
        learn(agent, optimizer, rollout, player.play(rollout), settings)
        curve.append(float(np.mean(player.won)) if player.won else 0.0)
        print(
            f"{time.perf_counter() - start:5.0f} s {done + each:>10,} actions: "
            f"{curve[-1]:6.1%} of the last {len(player.won)} games won",
            flush=True,
        )
    if settings.save:
        torch.save(agent.state_dict(), settings.save)
    return curve


if __name__ == "__main__":
    train(parse())
