"""Makes the weights that ship from a checkpoint: ``python -m training.export CHECKPOINT``.

Writes ``deep.weights`` (float16, in the order that ``kernel/players/network/look.py`` tells),
``deep.json`` beside it, and the figures in docs/model-card.md. Scales and layer norms are multiplied
into the weights that follow them. What a network was not trained with gets the inputs of what is
most like it: editions by Classic's rules those of Classic, three players the mean of two and four.
For five the mean of four and six was tried: docs/model-card.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phaseten.kernel.players.network.weights import ABOUT, EDITIONS, WEIGHTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
CARD = ROOT / "docs" / "model-card.md"
LIKE_CLASSIC = ("anniversary", "deluxe", "elchavo")
"""Other colours, other places for Skips, one card more to show: no other game."""
EDITION_INPUT, PLAYERS_INPUT = 554, 559
"""The features that say which edition is played, and by how many, from two on."""
LARGEST = 4 << 20


def met_by(about: dict[str, Any]) -> dict[str, list[int]]:
    """The editions and numbers of players that a checkpoint was trained with."""
    met: dict[str, list[int]] = {}
    for table in about.get("met", about["settings"]["tables"]):
        met.setdefault(table["edition"], []).append(table["players"])
    return {name: sorted(set(met[name])) for name in EDITIONS if name in met}


def played_by(met: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same, with three players between two and four, and with the editions like Classic."""
    plays = {
        name: sorted({*counts, 3} if {2, 4} <= set(counts) else counts)
        for name, counts in met.items()
    }
    like = {name: plays["classic"] for name in LIKE_CLASSIC if "classic" in plays}
    return like | plays


def fill_in(first: NDArray[np.float32], met: dict[str, list[int]]) -> None:
    """Give what was not met the rows of what is most like it."""
    for name in LIKE_CLASSIC:
        if name not in met:
            first[EDITION_INPUT + EDITIONS.index(name)] = first[EDITION_INPUT]
    counts = {n for each in met.values() for n in each}
    if 3 not in counts and {2, 4} <= counts:
        first[PLAYERS_INPUT + 1] = (first[PLAYERS_INPUT] + first[PLAYERS_INPUT + 2]) / 2


def flatten(
    policy: dict[str, NDArray[np.float32]], met: dict[str, list[int]]
) -> NDArray[np.float16]:
    """All weights of a policy in the kernel's order."""
    first = (policy["trunk.parts.0"] * policy["trunk.scale0"]).T.copy()
    fill_in(first, met)
    parts = [policy["trunk.bias"], first]
    count = sum(name.startswith("trunk.layers.") for name in policy) // 2
    layers = [f"trunk.layers.{i}" for i in range(count)] + ["trunk.last"]
    for i, name in enumerate(layers):
        weight, bias = policy[f"{name}.weight"], policy[f"{name}.bias"]
        stretch, move = policy[f"trunk.norms.{i}.weight"], policy[f"trunk.norms.{i}.bias"]
        into = weight * stretch
        parts += [into if name == "trunk.last" else into.T, bias + weight @ move]
    return np.concatenate([part.ravel() for part in parts]).astype("<f2")


def export(checkpoint: Path) -> dict[str, Any]:
    """Write the weights and what is known of them."""
    about = json.loads((checkpoint / "about.json").read_text())
    content = (checkpoint / "policy.npz").read_bytes()
    if hashlib.sha256(content).hexdigest() != about["sha256"]["policy"]:
        raise SystemExit(f"{checkpoint}/policy.npz is not the one that about.json tells of.")
    with np.load(checkpoint / "policy.npz") as found:
        policy = {name: found[name].astype(np.float32) for name in found.files}
    met = met_by(about)
    packed = zlib.compress(flatten(policy, met).tobytes(), 9)
    if len(packed) > LARGEST:
        raise SystemExit(f"{len(packed)} bytes are more than the {LARGEST} that may ship.")
    WEIGHTS.write_bytes(packed)
    made_by = about.get("made_by") or [about["command"]]
    known = {
        "sha256": hashlib.sha256(packed).hexdigest(),
        "bytes": len(packed),
        "width": about["settings"]["width"],
        "layers": about["settings"]["layers"],
        "met": met,
        "plays": played_by(met),
        "command": f"python -m training.export {checkpoint}",
        "policy": about["sha256"]["policy"],
        "made_by": made_by,
        "decisions": about.get("decisions", about["curve"][-1]["decisions"]),
        "seconds_of_play": about.get("seconds_of_play", about["curve"][-1]["seconds"]),
        "strength": about.get("strength", about["curve"][-1]["results"]),
    }
    ABOUT.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return known


def figures(known: dict[str, Any]) -> str:
    """The part of the model card that depends on the weights."""
    met, plays = (
        "; ".join(f"{name} with {', '.join(map(str, counts))}" for name, counts in each.items())
        for each in (known["met"], known["plays"])
    )
    lines = [
        f"- SHA-256 of `deep.weights`: `{known['sha256']}` ({known['bytes']:,} bytes)",
        f"- Made by `{known['command']}` from a policy with the SHA-256 `{known['policy']}`",
        *(f"- Trained by `{command}`" for command in known["made_by"]),
        f"- {known['decisions']:,} decisions in {known['seconds_of_play']:,.0f} seconds of play",
        f"- Tables it was trained at (players): {met}",
        f"- Tables it plays at: {plays}",
        "",
        "| against `sharp`, duplicated deals | games won | of | lays where it can |",
        "|---|---|---|---|",
    ]
    for name, one in known["strength"].items():
        edition, players = name.rsplit("-", 1)
        lines.append(
            f"| {edition}, {players} players | {100 * one['share']:.1f} % ± {100 * one['error']:.1f} "
            f"| {one['games']:,} | {100 * one['laid']:.0f} % |"
        )
    return "\n".join(lines)


def write_card(known: dict[str, Any]) -> None:
    """Put the figures into the model card."""
    text = CARD.read_text(encoding="utf-8")
    block = f"<!-- figures -->\n{figures(known)}\n<!-- /figures -->"
    CARD.write_text(
        re.sub(r"<!-- figures -->.*<!-- /figures -->", lambda _: block, text, flags=re.DOTALL),
        encoding="utf-8",
    )


def main() -> None:
    """Export a checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    known = export(parser.parse_args().checkpoint)
    write_card(known)
    print(f"{WEIGHTS}: {known['bytes']:,} bytes, {known['sha256']}")


if __name__ == "__main__":
    main()
