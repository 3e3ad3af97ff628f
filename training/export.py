"""Makes the weights that ship from a checkpoint: ``python -m training.export CHECKPOINT [--name pupil]``.

Writes ``deep.weights``, or the pupil's (float16, in the order that ``kernel/players/network/look.py`` tells),
``deep.json`` beside it, and the figures in docs/model-card.md. Scales and layer norms are multiplied
into the weights that follow them. What a network was not trained with gets the inputs of what is
most like it: editions by Classic's rules those of Classic, three players the mean of two and four,
five those of four: the mean of four and six won less.
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
"""All weights together."""
NAMES = ("deep", "pupil")
BESIDE = ("sheet_chances",)
"""What else ships: see ``sheets.py``."""


def met_by(about: dict[str, Any]) -> dict[str, list[int]]:
    """The editions and numbers of players that a checkpoint was trained with."""
    met: dict[str, list[int]] = {}
    for table in about["met"] if "met" in about else about["settings"]["tables"]:
        met.setdefault(table["edition"], []).append(table["players"])
    return {name: sorted(set(met[name])) for name in EDITIONS if name in met}


def played_by(met: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same, with three and five players where those beside them are, and with the editions like Classic."""
    plays: dict[str, list[int]] = {}
    for name, counts in met.items():
        between = {n for n in (3, 5) if {n - 1, n + 1} <= set(counts)}
        plays[name] = sorted({*counts, *between})
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
    if 5 not in counts and {4, 6} <= counts:
        first[PLAYERS_INPUT + 3] = first[PLAYERS_INPUT + 2]


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


def export(checkpoint: Path, name: str) -> dict[str, Any]:
    """Write the weights and what is known of them."""
    about = json.loads((checkpoint / "about.json").read_text())
    content = (checkpoint / "policy.npz").read_bytes()
    if hashlib.sha256(content).hexdigest() != about["sha256"]["policy"]:
        raise SystemExit(f"{checkpoint}/policy.npz is not the one that about.json tells of.")
    with np.load(checkpoint / "policy.npz") as found:
        policy = {part: found[part].astype(np.float32) for part in found.files}
    met = met_by(about)
    packed = zlib.compress(flatten(policy, met).tobytes(), 9)
    others = [WEIGHTS.with_stem(other) for other in (*NAMES, *BESIDE) if other != name]
    size = len(packed) + sum(path.stat().st_size for path in others if path.exists())
    if size > LARGEST:
        raise SystemExit(f"{size} bytes are more than the {LARGEST} that may ship.")
    WEIGHTS.with_stem(name).write_bytes(packed)
    made_by = about.get("made_by") or [about["command"]]
    known = {
        "sha256": hashlib.sha256(packed).hexdigest(),
        "bytes": len(packed),
        "width": about["settings"]["width"],
        "layers": about["settings"]["layers"],
        "met": met,
        "plays": played_by(met),
        "command": f"python -m training.export {checkpoint}"
        + f" --name {name}" * (name != NAMES[0]),
        "policy": about["sha256"]["policy"],
        "made_by": made_by,
        "decisions": about["decisions"]
        if "decisions" in about
        else about["curve"][-1]["decisions"],
        **({"seconds_of_play": seconds_of_play(about)} if "curve" in about else {}),
        "strength": about["strength"] if "strength" in about else about["curve"][-1]["results"],
    }
    ABOUT.with_stem(name).write_text(
        json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return known


def seconds_of_play(about: dict[str, Any]) -> float:
    """Of all parts of a training."""
    return about["seconds_of_play"] if "seconds_of_play" in about else about["curve"][-1]["seconds"]


def figures(name: str, known: dict[str, Any]) -> str:
    """The part of the model card that depends on the weights."""
    met, plays = (
        "; ".join(f"{kind} with {', '.join(map(str, counts))}" for kind, counts in each.items())
        for each in (known["met"], known["plays"])
    )
    lines = [
        f"- SHA-256 of `{name}.weights`: `{known['sha256']}` ({known['bytes']:,} bytes)",
        f"- Made by `{known['command']}` from a policy with the SHA-256 `{known['policy']}`",
        *(f"- Trained by `{command}`" for command in known["made_by"]),
        f"- {known['decisions']:,} decisions"
        + (
            f" in {known['seconds_of_play']:,.0f} seconds of play"
            if "seconds_of_play" in known
            else ""
        ),
        f"- Tables it was trained at (players): {met}",
        f"- Tables it plays at: {plays}",
        "",
        "| against `sharp`, duplicated deals | games won | of | lays where it can |",
        "|---|---|---|---|",
    ]
    for kind, one in known["strength"].items():
        edition, players = kind.rsplit("-", 1)
        lines.append(
            f"| {edition}, {players} players | {100 * one['share']:.1f} % ± {100 * one['error']:.1f} "
            f"| {one['games']:,} | {100 * one['laid']:.0f} % |"
        )
    return "\n".join(lines)


def replace_in_card(name: str, figures: str) -> None:
    """Put figures into their place in the model card."""
    text = CARD.read_text(encoding="utf-8")
    block = f"<!-- {name} -->\n{figures}\n<!-- /{name} -->"
    pattern = f"<!-- {name} -->.*<!-- /{name} -->"
    CARD.write_text(re.sub(pattern, lambda _: block, text, flags=re.DOTALL), encoding="utf-8")


def main() -> None:
    """Export a checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--name", choices=NAMES, default=NAMES[0])
    given = parser.parse_args()
    known = export(given.checkpoint, given.name)
    replace_in_card(given.name, figures(given.name, known))
    print(f"{WEIGHTS.with_stem(given.name)}: {known['bytes']:,} bytes, {known['sha256']}")


if __name__ == "__main__":
    main()
