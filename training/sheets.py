"""Makes the network that says what score sheets are worth: ``python -m training.sheets --games 60000``.

Deep's pupil plays games against itself at tables of all kinds. From the score sheets before their hands, and who won,
the chance to win is learned. Writes ``sheet_chances.weights`` (float16, in the order that
``kernel/players/network/sheet_chances.py`` tells), ``sheet_chances.json`` beside it, and the figures in docs/model-card.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from phaseten.kernel.players.network.weights import ABOUT, EDITIONS, WEIGHTS, load_network
from phaseten.kernel.setup import find_setup
from training.export import LIKE_CLASSIC, replace_in_card
from training.games import record_games
from training.network import MOST_PLAYERS, SHEET_FEATURES, SheetValue
from training.value import MOST_HANDS, Sheets, fit, log_loss, sheets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

NAME = "sheet_chances"
KINDS = [(edition, players) for edition in ("classic", "express") for players in range(2, 7)]


def play(edition: str, players: int, games: int) -> Sheets:
    """The score sheets of so many games of the pupil."""
    sheets = np.zeros((games, MOST_HANDS, 2 * players + 2), np.int32)
    hands, winners = np.zeros(games, np.int32), np.zeros(games, np.int32)
    layout, number = find_setup(edition, players).layout, EDITIONS.index(edition)
    record_games(layout, load_network("pupil"), number, players, sheets, hands, winners)
    found = (torch.from_numpy(rows) for rows in (sheets, hands, winners))
    return sheets_of(*found, players=players, edition=number)


def by_rule_of_thumb(part: Sheets) -> Tensor:
    """The logarithms of the chances that the kernel's ``chance_to_win`` gives."""
    players = part.shares.shape[1]
    layout = find_setup(EDITIONS[part.edition], players).layout
    left = part.sheets[:, :players]
    counts = sum(((left >> phase) & 1) for phase in range(10))
    assert not isinstance(counts, int)
    worth = layout.phase_worth * counts + layout.point_worth * part.sheets[:, players : 2 * players]
    fewest = counts.min(dim=1, keepdim=True).values
    return (-worth / torch.sqrt(1.0 + fewest)).log_softmax(dim=1)


def flatten(value: SheetValue) -> NDArray[np.float16]:
    """All weights in the kernel's order; editions like Classic get what Classic has."""
    state = {name: part.detach().numpy() for name, part in value.state_dict().items()}
    first = state["one.weight"].T.copy()
    at = MOST_PLAYERS * SHEET_FEATURES + MOST_PLAYERS - 1
    for name in LIKE_CLASSIC:
        first[at + EDITIONS.index(name)] = first[at + EDITIONS.index("classic")]
    parts = [state["one.bias"], first, state["two.bias"], state["two.weight"].T]
    parts += [state["three.weight"], state["three.bias"]]
    return np.concatenate([part.ravel() for part in parts]).astype(np.float16)


def keep(value: SheetValue, known: dict[str, Any]) -> dict[str, Any]:
    """Write the weights, and what is known of them."""
    packed = zlib.compress(flatten(value).tobytes(), 9)
    WEIGHTS.with_stem(NAME).write_bytes(packed)
    known = {"sha256": hashlib.sha256(packed).hexdigest(), "bytes": len(packed), **known}
    text = json.dumps(known, indent=1, ensure_ascii=False) + "\n"
    ABOUT.with_stem(NAME).write_text(text, encoding="utf-8")
    return known


def figures(known: dict[str, Any]) -> str:
    """The part of the model card that depends on the weights."""
    lines = [
        f"- SHA-256 of `{NAME}.weights`: `{known['sha256']}` ({known['bytes']:,} bytes)",
        f"- Made by `{known['command']}` from games of the pupil with the SHA-256 `{known['pupil']}`",
        "",
        "| log-loss on games that it has not seen | score sheets | knowing nothing | the rule of thumb | this network |",
        "|---|---|---|---|---|",
    ]
    for kind, one in known["losses"].items():
        edition, players = kind.rsplit("-", 1)
        lines.append(
            f"| {edition}, {players} players | {one['sheets']:,} | {one['nothing']:.4f} "
            f"| {one['rule_of_thumb']:.4f} | {one['network']:.4f} |"
        )
    return "\n".join(lines)


def compare(value: SheetValue, found: list[Sheets]) -> dict[str, dict[str, float]]:
    """How far what was said is from what came out, on the last tenth of each, which nobody has seen."""
    losses: dict[str, dict[str, float]] = {}
    for part in found:
        last = len(part.sheets) * 9 // 10
        rest = Sheets(part.sheets[last:], part.shares[last:], part.edition)
        thumb = -(rest.shares * by_rule_of_thumb(rest)).sum(dim=1).mean()
        losses[f"{EDITIONS[part.edition]}-{part.shares.shape[1]}"] = {
            "sheets": len(rest.sheets),
            "nothing": float(np.log(part.shares.shape[1])),
            "rule_of_thumb": float(thumb),
            "network": float(log_loss(value, rest.sheets, rest.shares, rest.edition)),
        }
    return losses


def main() -> None:
    """Play, fit and keep."""
    parser = argparse.ArgumentParser(prog="python -m training.sheets", description=__doc__)
    parser.add_argument("--games", type=int, default=60_000, help="of each kind")
    parser.add_argument("--steps", type=int, default=6_000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(1)
    begun = time.monotonic()
    with ThreadPoolExecutor(given.threads) as threads:
        found = list(threads.map(lambda kind: play(*kind, given.games), KINDS))
    print(f"{given.games:,} games of each kind in {time.monotonic() - begun:.0f} s", flush=True)
    value = SheetValue()
    fit(value, found, steps=given.steps, size=2048)
    with torch.no_grad():
        losses = compare(value, found)
    known = {
        "command": shlex.join(["python", "-m", "training.sheets", *sys.argv[1:]]),
        "pupil": json.loads(ABOUT.with_stem("pupil").read_text(encoding="utf-8"))["sha256"],
        "losses": losses,
    }
    text = figures(keep(value, known))
    replace_in_card(NAME, text)
    print(text)


if __name__ == "__main__":
    main()
