"""Makes the pictures of the terminal game: the real application, drawn as SVG.

Run with the Python of the virtual environment: .venv/bin/python docs/images/make.py
"""

import asyncio
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from phaseten.notation.recording import record_game
from phaseten.notation.records import format_record, parse_record
from phaseten.notation.replay import follow
from phaseten.terminal.app import PhasetenApp, PlayApp, ReplayApp
from phaseten.terminal.replay import Replay
from phaseten.terminal.saves import Saves

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "tests" / "golden" / "games"


def save(folder: Path, name: str, steps: int) -> None:
    """A saved game: a golden one as it stood after so many steps."""
    record = parse_record((GOLDEN / f"{name}.p10").read_text(encoding="utf-8"))
    bots = {f"Player{seat}": "sharp" for seat in range(2, len(record.header.names) + 1)}
    header = replace(record.header, server_seed=None, client_seed=None, other=bots)
    events = [event for step in list(follow(record))[:steps] for event in step.events]
    text = format_record(record_game(header, events))
    (folder / "game-1.p10").write_text(text, encoding="utf-8")


class Picture(NamedTuple):
    """A picture to be made: the keys that are pressed for it, and how it looks."""

    name: str
    keys: str
    size: tuple[int, int] = (80, 24)
    theme: str = "evening"


async def draw(app: PhasetenApp, picture: Picture) -> None:
    """Press keys, and keep a picture of the screen."""
    async with app.run_test(size=picture.size) as pilot:
        await pilot.pause(0.3)
        for key in picture.keys.split():
            await pilot.press(key)
            await pilot.pause(0.3)
        svg = app.export_screenshot(title="phaseten")
    # Boxes, diagonals and shapes join only in a font that has them all.
    font = '"DejaVu Sans Mono", Menlo, Consolas, monospace'
    text = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no font from elsewhere
    text = text.replace("font-family: Fira Code, monospace", f"font-family: {font}")
    (HERE / f"terminal-{picture.name}.svg").write_text(text, encoding="utf-8")


def play(picture: Picture, game: str, steps: int) -> None:
    """A picture of a game that is being played."""
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder), game, steps)
        app = PlayApp(Saves(Path(folder)), language="en", pace="none", theme=picture.theme)
        asyncio.run(draw(app, picture))


def watch(picture: Picture, game: str) -> None:
    """A picture of a replay."""
    record = parse_record((GOLDEN / f"{game}.p10").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        app = ReplayApp(Saves(Path(folder)), Replay(record), language="en", theme=picture.theme)
        asyncio.run(draw(app, picture))


if __name__ == "__main__":
    SIX = "classic-6p-standard-natural_per_meld"
    play(Picture("table", "enter h"), SIX, 46)
    play(Picture("large", "enter right space", (132, 38), "daylight"), SIX, 46)
    watch(Picture("replay", "n n n " + "right " * 60), SIX)
