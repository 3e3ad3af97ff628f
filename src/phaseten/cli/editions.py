"""``phaseten editions``."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from typing import Annotated, Any, Final

from cyclopts import Parameter

from phaseten.cli.completers import offer_editions
from phaseten.cli.files import find_edition, read_bytes
from phaseten.cli.options import Flag
from phaseten.cli.problems import Problem
from phaseten.cli.random_phases import random_edition
from phaseten.language import language
from phaseten.rules.editions import BOOK_EDITIONS, EDITIONS_FOLDER, Edition
from phaseten.terminal.printer import Printer, printer_for, table

EXAMPLES: Final = """\
Examples:
  phaseten editions                        the five, side by side
  phaseten editions express                one of them, with all its Phases
  phaseten editions classic my.toml        these two, side by side
  phaseten editions classic --toml > my.toml
      a file to start your own from; then: phaseten play --edition my.toml
  phaseten editions my.toml                check your file and read it in words
  phaseten editions --random 7 > seven.toml
      ten Phases made up by chance; the same number gives the same list"""


def run(
    *names: Annotated[str, Parameter(completer=offer_editions)],
    toml: Flag = False,
    random: Annotated[int | None, Parameter(name="--random")] = None,
    json: Flag = False,
) -> int:
    """Show the editions of the game and how they differ.

    Args:
        names: Editions, or the paths of your own .toml files.
        toml: Print the edition as a file to start your own from.
        random: Print a file with ten Phases drawn by this number.
        json: Answer in JSON.
    """
    if random is not None:
        if names or toml or json:
            raise Problem("--random stands alone: it prints an edition file based on classic.")
        print(random_edition(random), end="")
    elif toml:
        if len(names) != 1:
            raise Problem("Say which one edition, such as: phaseten editions classic --toml")
        print(_file_text(names[0]), end="")
    elif len(names) == 1:
        box = find_edition(names[0])
        print(_as_json(_described(box)) if json else _in_full(box))
    else:
        boxes = [find_edition(name) for name in names or BOOK_EDITIONS]
        print(_as_json([_described(box) for box in boxes]) if json else _side_by_side(boxes))
    return 0


def _file_text(name: str) -> str:
    find_edition(name)  # so that what is wrong with it is said
    path = f"{EDITIONS_FOLDER / name}.toml" if name in BOOK_EDITIONS else name
    return read_bytes(path).decode("utf-8")


# -- in words ----------------------------------------------------------------------------------


def _facts(box: Edition) -> dict[str, str]:
    """What can differ from edition to edition, in words."""
    times = {1: "once", 2: "twice"}.get(box.copies, f"{box.copies} times")
    front = box.skips_wait_in_front
    facts = {
        "Year": str(box.year) if box.year else "not printed",
        "Players": f"{box.players[0]} to {box.players[1]}",
        "Colours": ", ".join(map(language("en").color, box.colors)),
        "Numbers": f"1 to {box.highest}, each {times}",
        "Cards": str(len(box.deck)),
        "Wilds / Skips": f"{box.wilds} / {box.skips}",
        "Dealt": f"{box.deal} to each",
        "Shortest run": str(box.shortest_run),
        "A Skip goes": "in front of its target" if front else "on the discard pile",
        "Variations": ", ".join(box.variations) or "none",
    }
    if box.house:
        facts["House rules"] = ", ".join(box.house)
    return facts


def _side_by_side(boxes: Sequence[Edition]) -> str:
    screen = printer_for()
    facts = [_facts(box) for box in boxes]
    rows = [["", *[screen.bold(box.name) for box in boxes]]]
    keys = dict.fromkeys(key for fact in facts for key in fact)
    rows += [[key, *[fact.get(key, "none") for fact in facts]] for key in keys]
    rows.append(["Phases", *[_phases_like(box, boxes) for box in boxes]])
    lines = table(rows, screen.width)
    hint = (
        f"One of them with all its Phases: phaseten editions {boxes[-1].source or boxes[-1].name}"
    )
    lines += ["", screen.wrap(hint)]
    return screen.text("\n".join(lines))


def _phases_like(box: Edition, boxes: Sequence[Edition]) -> str:
    """The list of Phases, by what it shares with an edition before."""
    for other in boxes[: boxes.index(box)]:
        if len(other.phases) != len(box.phases):
            continue
        differing = [
            phase for phase, theirs in zip(box.phases, other.phases, strict=True) if phase != theirs
        ]
        if not differing:
            return f"as {other.name}"
        if len(differing) < 3:
            numbers = ", ".join(str(phase.number) for phase in differing)
            return f"as {other.name}, but Phase {numbers}"
    return f"{len(box.phases)} of its own"


def _in_full(box: Edition) -> str:
    screen: Printer = printer_for()
    lines = [screen.bold(f"{box.title} ({box.name})"), ""]
    facts = _facts(box)
    widest = max(map(len, facts))
    lines += [
        screen.wrap(fact, " " * (widest + 2), key.ljust(widest + 2)) for key, fact in facts.items()
    ]
    lines += ["", screen.bold("Phases")]
    lines += [f"{phase.number:4}  {language('en').phase(phase)}" for phase in box.phases]
    return screen.text("\n".join(lines))


# -- in JSON -----------------------------------------------------------------------------------


def _described(box: Edition) -> dict[str, Any]:
    return {
        "name": box.name,
        "title": box.title,
        "year": box.year or None,
        "players": list(box.players),
        "deal": box.deal,
        "colors": list(box.colors),
        "highest": box.highest,
        "copies": box.copies,
        "wilds": box.wilds,
        "skips": box.skips,
        "cards": len(box.deck),
        "shortest_run": box.shortest_run,
        "skip_goes_to": box.skip_goes_to,
        "variations": list(box.variations),
        "house": list(box.house),
        "phases": [
            {
                "phase": phase.number,
                "groups": [group.text for group in phase.groups],
                "must_show": phase.must_show or None,
                "words": language("en").phase(phase),
            }
            for phase in box.phases
        ],
    }


def _as_json(value: object) -> str:
    return json_text.dumps(value, ensure_ascii=False)
