"""``phaseten replay``."""

from __future__ import annotations

from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.completers import offer_records
from phaseten.cli.files import edition_beside, read_bytes
from phaseten.cli.folders import data_folder
from phaseten.cli.options import one_of
from phaseten.cli.play import need_a_terminal
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.language import LANGUAGES
from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.terminal.app import ReplayApp
from phaseten.terminal.replay import Replay
from phaseten.terminal.saves import Saves

EXAMPLES: Final = """\
Examples:
  phaseten replay                          choose one of your finished games
  phaseten replay game.p10
  phaseten replay game.p10 --seat 2        as the player in seat 2 saw it

In the replay: arrows go by steps and turns, n and p by hands, space plays by itself,
v looks from another seat, ? explains the rest."""


def run(
    file: Annotated[str | None, Parameter(completer=offer_records)] = None,
    /,
    *,
    seat: Annotated[int | None, Parameter(name=["--seat", "-s"])] = None,
    language: str | None = None,
) -> int:
    """Watch a game record, step by step.

    Without a file, lists your finished games.

    Args:
        file: A game record (.p10).
        seat: Watch as the player in that seat saw it; without it, see all cards.
        language: en, es, fr or pt.
    """
    one_of("--language", language, LANGUAGES)
    replay = None if file is None else _read(file)
    if seat is not None and (replay is None or seat not in replay.eyes):
        seats = "" if replay is None else f" {', '.join(map(str, replay.eyes))}"
        raise Problem(f"--seat is a seat of the record{seats}, not {seat}.")
    need_a_terminal("replay")
    changes = {} if language is None else {"language": language}
    app = ReplayApp(Saves(data_folder()), replay, seat, **changes)
    app.run()
    if app.trouble:
        raise Problem(app.trouble)
    return 0


def _read(name: str) -> Replay:
    try:
        return Replay(parse_record(decode_record(read_bytes(name))), edition_beside(name))
    except (RecordSyntaxError, IllegalRecordError) as error:
        raise Problem(f"{name}, line {error.line}: {sentence(error)}") from error
