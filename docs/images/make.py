"""Makes the pictures of the README: a real terminal session, drawn as SVG.

Run with the Python of the virtual environment: .venv/bin/python docs/images/make.py
"""

import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
WIDTH = 92


def session(arguments: list[str], keys: bytes = b"") -> str:
    """What a terminal shows of a command into which these keys are typed."""
    with tempfile.TemporaryDirectory() as home:
        master, slave = pty.openpty()
        environment = {
            **os.environ,
            "XDG_DATA_HOME": home,
            "COLUMNS": str(WIDTH),
            "TERM": "xterm-256color",
        }
        environment.pop("NO_COLOR", None)
        os.write(master, keys)
        process = subprocess.Popen(
            [sys.executable, "-m", "phaseten", *arguments],
            stdin=slave,
            stdout=subprocess.PIPE if not keys else slave,
            env=environment,
        )
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:  # the other end was closed: the command has ended
            pass
        process.wait()
    return shown.decode().replace("\r\n", "\n")


def draw(name: str, title: str, text: str) -> None:
    """Write a picture of that text."""
    console = Console(width=WIDTH, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    console.print(Text.from_ansi(text.strip("\n")))
    console.save_svg(str(HERE / f"{name}.svg"), title=title)


if __name__ == "__main__":
    shown = session(["play", "--players", "3", "--seed", "5", "--new"], b"D\nh\n\nq\n")
    lines = [line for line in shown.split("\n") if line.strip() not in ("D", "h", "q")]
    draw("play", "phaseten play", "\n".join(lines[:42]))
