"""The command ``phaseten``. Each sub-command has its own module, which is imported when it is used."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cyclopts import App, CycloptsError

from phaseten.cli.problems import BAD_INPUT, INTERRUPTED, Problem, complain

COMMANDS: Final[Mapping[str, str]] = {
    "play": "Play a game, here in the terminal.",
    "replay": "Watch a game record, step by step.",
    "rules": "Show the rules, or one of them.",
    "editions": "Show the editions of the game and how they differ.",
    "solve": "Say whether cards make a Phase, and how.",
    "hint": "Say what to do in a position, why, and what every action is worth.",
    "analyse": "Say what was luck and what was play in a game.",
    "puzzles": "Solve puzzles: positions in which one move is clearly best.",
    "serve": "Serve tables, for browsers and programs.",
    "pages": "Write the game as files that any web host can serve.",
    "join": "Let a bot of yours sit at a table of a server.",
    "odds": "Say how likely it is to be dealt a Phase.",
    "stats": "Play games between bots and show the statistics of the game.",
    "arena": "Let bots play each other, and say which is stronger.",
    "referee": "Judge game records.",
    "verify": "Check the shuffles of a game against its seeds.",
    "completion": "Let the shell complete what you type.",
}
"""The sub-commands and what they do: the first line of each one's docstring."""

EXAMPLES: Final = """\
Examples:
  phaseten play                            choose a game, and play it here
  phaseten replay game.p10                 watch a game again
  phaseten analyse game.p10                what was luck, what was play
  phaseten rules T-HIT                     what the rules say about hitting
  phaseten solve --phase 1 R3 B3 W Y7 G7 R7
  phaseten stats --players 2,4             how hard each Phase is
  phaseten arena sharp casual rookie       which bot is stronger
  phaseten referee game.p10

Each command explains itself: phaseten play --help"""

COMPLETE: Final = "__complete"
"""What a shell's completion script asks us with; cyclopts answers it."""
BROKEN_PIPE: Final = 141
SOFTWARE: Final = 70
"""A mistake in the program itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, or with those of the process; its exit code."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    _never_fail_to_print()
    try:
        code = _run(tokens)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        what = error.filename or "The output"
        complain(f"{what} cannot be used: {error.strerror or error}.")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("PHASETEN_DEBUG"):
            raise
        complain(
            f"This should not have happened ({type(error).__name__}: {error}). Please report it, "
            "with what PHASETEN_DEBUG=1 prints when you do the same again."
        )
        return SOFTWARE
    return code


def _run(tokens: Sequence[str]) -> int:
    if tokens and tokens[0] not in (*COMMANDS, "--help", "-h", "--version", COMPLETE):
        near = difflib.get_close_matches(tokens[0], COMMANDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(COMMANDS)}."
        complain(f"There is no command {tokens[0]!r}: {hint}")
        return BAD_INPUT
    app = build_app(tokens[0] if tokens else "")
    try:
        code = app(
            tokens,
            exit_on_error=False,
            print_error=False,
            verbose=False,
            result_action="return_value",
        )
    except CycloptsError as error:
        return _misused(error, tokens)
    except Problem as problem:
        complain(str(problem))
        return BAD_INPUT
    return code if isinstance(code, int) else 0


def build_app(chosen: str) -> App:
    """The command line. Only the chosen command's module is imported."""
    app = App(
        name="phaseten",
        help="Play Phase 10 by the book: a game, a referee, a solver and the rules.",
        help_format="plaintext",
        help_formatter="plain",
        help_epilogue=EXAMPLES,
        version=_version,
        version_format="plaintext",
    )
    for order, (name, summary) in enumerate(COMMANDS.items()):
        module = f"phaseten.cli.{name}"
        if name == chosen:
            command = importlib.import_module(module)
            app.command(command.run, name=name, sort_key=order, help_epilogue=command.EXAMPLES)
        else:
            app.command(f"{module}:run", name=name, sort_key=order, help=summary)
    return app


def _version() -> str:
    # Looked up only when asked for: the module takes 30 ms to import.
    return importlib.import_module("importlib.metadata").version("phaseten")


def _misused(error: CycloptsError, tokens: Sequence[str]) -> int:
    """Say what is wrong with the arguments, in one sentence, and where to read more."""
    sentence = (
        str(error)
        .replace("unable to convert", "cannot read")
        .replace(" into int.", " as a whole number.")
    )
    command = f" {tokens[0]}" if tokens and tokens[0] in COMMANDS else ""
    complain(f"{sentence} See: phaseten{command} --help")
    return BAD_INPUT


def _never_fail_to_print() -> None:
    """Characters that the output cannot show are replaced, and a closed output is nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _drop_output() -> None:
    """Nobody reads the output any more: let Python's own last flush go nowhere."""
    try:
        descriptor = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # not a real file: nothing to protect
