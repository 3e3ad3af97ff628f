"""Checkpoints: the weights as float16, and beside them what they are and where they come from."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from training.network import Policy

if TYPE_CHECKING:
    from training.learning import Learner


def save_weights(network: nn.Module, path: Path) -> str:
    """Write the weights, so that who is stopped meanwhile leaves the old ones; the hash of the file."""
    state = network.state_dict()
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        np.savez_compressed(
            file,
            **{
                name: part.detach().float().cpu().numpy().astype(np.float16)
                for name, part in state.items()
            },
        )
    new.replace(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class OtherNetworkError(Exception):
    """These are not the weights of such a network."""


def load_weights(network: nn.Module, path: Path) -> None:
    """Read the weights."""
    with np.load(path) as found:
        state = {name: torch.from_numpy(found[name].astype(np.float32)) for name in found.files}
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        raise OtherNetworkError(f"{path} is of another network: {error}") from error


def load_policy(folder: Path) -> Policy:
    """The policy of a checkpoint, which learns nothing."""
    if not (folder / "about.json").exists():
        raise SystemExit(f"{folder}: there is no checkpoint; python -m training makes one.")
    about = json.loads((folder / "about.json").read_text())
    policy = Policy(about["settings"]["width"], about["settings"]["layers"])
    load_weights(policy, folder / "policy.npz")
    return policy.requires_grad_(requires_grad=False)


def save(learner: Learner, folder: Path, figures: dict[str, Any], command: str) -> None:
    """Write all that the next run goes on from. The policy is the averaged one."""
    folder.mkdir(parents=True, exist_ok=True)
    hashes = {
        name: save_weights(network, folder / f"{name}.npz")
        for name, network in (
            ("policy", learner.average),
            ("critic", learner.critic),
            ("value", learner.value),
        )
    }
    about = {
        "settings": dataclasses.asdict(learner.settings),
        "command": command,
        "sha256": hashes,
        "torch": torch.__version__,
        **figures,
    }
    new = folder / "about.new"
    new.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")
    new.replace(folder / "about.json")


def has_value(folder: Path) -> bool:
    """Whether a checkpoint knows what score sheets are worth."""
    return (folder / "value.npz").exists()


def resume(learner: Learner, folder: Path) -> dict[str, Any]:
    """Go on from a checkpoint; what is written about it. A pupil's has neither critic nor value."""
    load_weights(learner.policy, folder / "policy.npz")
    try:
        load_weights(learner.critic, folder / "critic.npz")
    except (OtherNetworkError, FileNotFoundError):
        print(f"{folder}: the critic is missing or of another form, and learns anew", flush=True)
    if has_value(folder):
        load_weights(learner.value, folder / "value.npz")
    learner.average.load_state_dict(learner.policy.state_dict())
    about: dict[str, Any] = json.loads((folder / "about.json").read_text())
    return about
