"""``phaseten hint``."""

from __future__ import annotations

import json as json_text
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.bots.evaluation import WORLDS, Evaluation, evaluate
from phaseten.bots.ladder import MASTER, make_bot
from phaseten.bots.reasons import recommend
from phaseten.cli.files import check_names
from phaseten.cli.options import Flag, one_of
from phaseten.cli.positions import Look, read_view
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.language import LANGUAGES
from phaseten.language import language as in_language
from phaseten.rules.actions import Action
from phaseten.terminal.printer import printer_for, table

EXAMPLES: Final = """\
Examples:
  phaseten hint game.p10                   where the record ends
  phaseten hint "express | hand 1 dealer 2 turn 1 draw
      | 1 held R1 R3 B5 G9 Y4 | 2 held B1 B2 G3 Y8 W | draw rest | discards Y11"
  phaseten hint --json --worlds 5000 game.p10

docs/notation.md explains positions; in Python, repr(game) shows one. A hint uses
only what the player on turn can know, whatever else the position tells. A chance
is to win the whole game, with its standard error."""

MOST_WORLDS: Final = 100_000


def run(  # noqa: PLR0913 - options, by name
    source: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    seat: Annotated[int | None, Parameter(name=["--seat", "-s"])] = None,
    bot: str = MASTER,
    worlds: int = WORLDS,
    language: str = "en",
    json: Flag = False,
) -> int:
    """Say what to do in a position, why, and what every action is worth.

    Args:
        source: A position, or a game record (.p10); - reads a record.
        seat: The seat that wants to know; without it, whoever's turn it is.
        bot: Whose advice: rookie, casual, sharp, deep or master.
        worlds: In how many imagined worlds each action is tried.
        language: en, es, fr or pt.
        json: Answer with one JSON object.
    """
    check_names((source,), "a position or a record")
    one_of("--language", language, LANGUAGES)
    if not 1 <= worlds <= MOST_WORLDS:
        raise Problem(f"--worlds is a number from 1 to {MOST_WORLDS:,}, not {worlds}.")
    look = read_view(source, seat)
    _check_turn(look)
    try:
        adviser = make_bot(bot)
    except ValueError as error:
        raise Problem(sentence(error)) from error
    action = adviser.choose(look.view)
    chances = evaluate(look.view, worlds=worlds)
    reasons = _reasons(look, action, language)
    if json:
        print(_as_json(look, action, reasons, chances))
    else:
        print(_in_words(look, action, reasons, chances, language))
    return 0


def _check_turn(look: Look) -> None:
    board = look.view.board
    if look.view.sheet.winner is not None:
        raise Problem("The game is over: there is nothing to do.")
    if board is None:
        raise Problem("No hand is going on: the cards have to be dealt first.")
    if look.view.seat != board.turn:
        raise Problem(f"It is the turn of seat {board.turn}: a hint is for that seat.")


def _reasons(look: Look, action: Action, language: str) -> list[str]:
    words = in_language(language)
    return [words.reason(reason, look.names) for reason in recommend(look.view, action)]


def _as_json(look: Look, action: Action, reasons: list[str], chances: list[Evaluation]) -> str:
    return json_text.dumps(
        {
            "seat": look.view.seat,
            "action": action.text,
            "reasons": reasons,
            "chances": [
                {
                    "action": each.action.text,
                    "chance": round(each.chance, 5),
                    "error": round(each.error, 5),
                }
                for each in chances
            ],
        },
        ensure_ascii=False,
    )


def _in_words(
    look: Look, action: Action, reasons: list[str], chances: list[Evaluation], language: str
) -> str:
    printer, words = printer_for(), in_language(language)
    said = words.action(action, look.view, look.names)
    lines = [printer.bold(f"{said[:1].upper()}{said[1:]}") + f"  ({action.text})"]
    lines += [printer.wrap(reason, indent="  ") for reason in reasons]
    rows = [[words.say("terminal.hint_action"), words.say("terminal.hint_chance")]]
    rows += [
        [each.action.text, f"{100 * each.chance:.1f} % ± {100 * each.error:.1f}"]
        for each in chances
    ]
    lines += ["", *table(rows, printer.width)]
    return printer.text("\n".join(lines))
