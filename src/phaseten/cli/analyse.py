"""``phaseten analyse``."""

from __future__ import annotations

import json as json_text
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.analysis.coach import EFFORTS, MOST_WORLDS, Analysis, analyse
from phaseten.analysis.picture import draw_report
from phaseten.analysis.trials import FEWEST_WORLDS
from phaseten.analysis.words import CoachWords
from phaseten.analysis.writing import write_findings, write_report
from phaseten.cli.completers import offer_records
from phaseten.cli.files import check_names, edition_beside, read_bytes
from phaseten.cli.options import Output, one_of
from phaseten.cli.outputs import (
    check_writable,
    plan_outputs,
    show,
    show_progress,
    write_output,
)
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.language import LANGUAGES
from phaseten.language import language as in_language
from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.terminal.coach import report_lines
from phaseten.terminal.printer import printer_for

EXAMPLES: Final = """\
Examples:
  phaseten analyse game.p10                quick: a few seconds
  phaseten analyse game.p10 --effort full  more exact: about a minute
  phaseten analyse game.p10 --seconds 20
  phaseten analyse game.p10 --svg game.svg --json game.json

Everything is in percent of a game. Decisions are judged by what their player could
know; docs/coach.md says how, and what the errors mean."""


def run(  # noqa: PLR0913 - options, by name
    file: Annotated[str, Parameter(allow_leading_hyphen=True, completer=offer_records)],
    /,
    *,
    effort: str = "quick",
    worlds: int | None = None,
    seconds: float | None = None,
    language: str = "en",
    json: Output = None,
    svg: Output = None,
) -> int:
    """Say what was luck and what was play in a game.

    Args:
        file: A full game record (.p10); - reads one from standard input.
        effort: quick or full.
        worlds: In how many imagined worlds decisions are tried, instead of an effort.
        seconds: Stop after so many seconds, however far it is.
        language: en, es, fr or pt.
        json: Write all findings there, as JSON; - prints them.
        svg: Draw the curve of the chances there, as SVG; - prints it.
    """
    check_names((file,), "a game record")
    one_of("--language", language, LANGUAGES)
    one_of("--effort", effort, tuple(EFFORTS))
    outputs = plan_outputs((json, _as_json), (svg, _as_svg))
    analysis = _begin(file, EFFORTS[effort] if worlds is None else worlds, seconds)
    check_writable((json, svg))
    work(analysis)
    words = CoachWords(analysis.game, in_language(language))
    for name, form in outputs.items():
        write_output(name, form((analysis, words)))
    if not outputs:
        printer = printer_for()
        show(printer, report_lines(analysis.report(), words, printer))
    return 0


def _begin(file: str, worlds: int, seconds: float | None) -> Analysis:
    if not FEWEST_WORLDS <= worlds <= MOST_WORLDS or worlds % 2:
        raise Problem(
            f"--worlds is an even number from {FEWEST_WORLDS} to {MOST_WORLDS:,}, not {worlds}."
        )
    if seconds is not None and not 0 < seconds <= 86_400:
        raise Problem("--seconds is more than 0, and a day at most.")
    if seconds is not None:
        worlds = MOST_WORLDS
    try:
        record = parse_record(decode_record(read_bytes(file)))
        return analyse(record, worlds=worlds, seconds=seconds, find=edition_beside(file))
    except (RecordSyntaxError, IllegalRecordError) as error:
        raise Problem(f"{file}, line {error.line}: {sentence(error)}") from error


def work(analysis: Analysis) -> None:
    """Let the analysis work, with a bar where somebody can see it."""
    with show_progress() as progress:
        task = progress.add_task("", total=100)
        for _ in analysis:
            progress.update(task, completed=int(100 * analysis.progress))


_Answer = tuple[Analysis, CoachWords]


def _as_json(answer: _Answer) -> str:
    analysis, words = answer
    data = write_report(analysis.report(), words)
    data["findings"] = write_findings(analysis.findings())
    return json_text.dumps(data, ensure_ascii=False) + "\n"


def _as_svg(answer: _Answer) -> str:
    analysis, words = answer
    return draw_report(analysis.report(), words)
