"""``phaseten odds``."""

from __future__ import annotations

import json as json_text
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any, Final

from cyclopts import Parameter

from phaseten.arena.odds import Odds, OddsError, odds
from phaseten.cli.completers import offer_editions
from phaseten.cli.files import find_editions
from phaseten.cli.options import Flag, Optional
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.language import language
from phaseten.rules.editions import Edition, EditionError, Phase
from phaseten.rules.options import OptionError, Rules, parse_house
from phaseten.terminal.printer import printer_for, table

EXAMPLES: Final = """\
Examples:
  phaseten odds                            every Phase of Classic
  phaseten odds --edition express --phase 4
  phaseten odds --edition all              all five editions
  phaseten odds --phase 1 --json

The odds are exact: every deal is counted, none is drawn by chance."""

_PATIENCE: Final = 1.5
"""Seconds after which we say what takes so long."""


def run(
    *,
    edition: Annotated[
        str, Parameter(name=["--edition", "-e"], completer=offer_editions)
    ] = "classic",
    phase: Annotated[int | None, Parameter(name=["--phase", "-p"])] = None,
    house: Annotated[str, Optional] = "",
    json: Flag = False,
) -> int:
    """Say how likely it is to be dealt a Phase.

    Counts the deals with which a Phase could be laid at once, before any card is
    drawn.

    Args:
        edition: Editions or .toml files, separated by commas, or all.
        phase: The number of the Phase; without it, every Phase.
        house: House rules; natural_per_meld counts here.
        json: Answer in JSON.
    """
    try:
        chosen = parse_house(house)
    except OptionError as error:
        raise Problem(sentence(error)) from error
    boxes = find_editions(edition)
    answers = [
        (box, each, _odds(box, each, chosen)) for box in boxes for each in _phases(box, phase)
    ]
    if not json:
        print(_in_words(answers))
    elif len(answers) == 1:
        print(json_text.dumps(_described(answers[0][2])))
    else:
        rows = [
            ({"edition": box.name} if len(boxes) > 1 else {})
            | {"phase": each.number}
            | _described(found)
            for box, each, found in answers
        ]
        print(json_text.dumps(rows))
    return 0


def _phases(box: Edition, number: int | None) -> tuple[Phase, ...]:
    try:
        return box.phases if number is None else (box.phase(number),)
    except EditionError as error:
        raise Problem(sentence(error)) from error


def _odds(box: Edition, phase: Phase, house: frozenset[str]) -> Odds:
    with _note_when_slow(f"Counting the deals for Phase {phase.number} of {box.title} ..."):
        try:
            return odds(Rules(box, house=house), phase)
        except OddsError as error:
            raise Problem(sentence(error)) from error


@contextmanager
def _note_when_slow(note: str) -> Generator[None]:
    """Say what is going on if it takes long."""
    timer = threading.Timer(_PATIENCE, lambda: print(note, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _described(found: Odds) -> dict[str, Any]:
    return {
        "deals": found.deals,
        "layable": found.layable,
        "probability": found.probability,
    }


def _in_words(answers: list[tuple[Edition, Phase, Odds]]) -> str:
    screen = printer_for()
    lines: list[str] = []
    for box in dict.fromkeys(box.name for box, _, _ in answers):
        mine = [answer for answer in answers if answer[0].name == box]
        first = mine[0]
        if lines:
            lines.append("")
        lines.append(
            screen.bold(f"{first[0].title}: {first[2].deals:,} deals of {first[0].deal} cards")
        )
        rows = [["Phase", "what to lay", "deals that make it", "chance", ""]]
        rows += [
            [
                str(phase.number),
                language("en").phase(phase),
                f"{found.layable:,}",
                _percent(found.probability),
                _one_in(found.probability),
            ]
            for _, phase, found in mine
        ]
        lines += table(rows, screen.width)
    return screen.text("\n".join(lines))


def _percent(probability: float) -> str:
    return f"{probability:.4%}" if probability >= 0.00001 else f"{probability:.2e}"


def _one_in(probability: float) -> str:
    return f"one in {1 / probability:,.0f}" if probability else "never"
