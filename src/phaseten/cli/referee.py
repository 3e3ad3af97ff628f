"""``phaseten referee``."""

from __future__ import annotations

import json
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.completers import offer_records
from phaseten.cli.files import check_names, edition_beside, read_bytes
from phaseten.cli.options import Flag
from phaseten.cli.problems import BAD_INPUT, ILLEGAL, Problem, complain
from phaseten.notation.verdict import SYNTAX, Verdict, judge_bytes

EXAMPLES: Final = """\
Examples:
  phaseten referee game.p10
  phaseten referee games/*.p10             one answer a line, with the file's name
  phaseten referee - < game.p10
  phaseten referee --text game.p10         the answer in words

The exit code is 0 when every move is legal, 1 when one is not, and 2 when a
record cannot be read; of several records, the worst. A record has 16 MiB at the
most. docs/notation.md describes the answer."""


def run(
    *files: Annotated[str, Parameter(allow_leading_hyphen=True, completer=offer_records)],
    text: Flag = False,
) -> int:
    """Judge game records.

    Prints one JSON object a record, each on one line: how the game stands, or
    the first move that breaks a rule.

    Args:
        files: Records (.p10); - is standard input.
        text: Answer in words instead of JSON.
    """
    check_names(files, "a record to judge")
    worst = 0
    for name in files:
        verdict = _verdict(name)
        worst = max(worst, _code(verdict))
        if len(files) > 1:
            verdict = {"file": name} | verdict
        print(_in_words(name, verdict) if text else json.dumps(verdict), flush=True)
    return worst


def _verdict(name: str) -> Verdict:
    try:
        data = read_bytes(name)
    except Problem as problem:
        complain(str(problem))
        return {"ok": False, "line": 1, "seat": None, "rule": SYNTAX, "message": str(problem)}
    return judge_bytes(data, edition_beside(name))


def _code(verdict: Verdict) -> int:
    if verdict["ok"]:
        return 0
    return BAD_INPUT if verdict["rule"] == SYNTAX else ILLEGAL


def _in_words(name: str, verdict: Verdict) -> str:
    if not verdict["ok"]:
        seat = f", seat {verdict['seat']}" if verdict["seat"] else ""
        return f"{name}, line {verdict['line']}{seat}: {verdict['message']} ({verdict['rule']})"
    hands = len(verdict["hands"])
    played = f"{hands} finished hand{'' if hands == 1 else 's'}"
    totals = ", ".join(
        f"seat {seat} {points} points (Phase {verdict['phases'][seat] or 'none left'})"
        for seat, points in verdict["totals"].items()
    )
    if verdict["finished"]:
        state = f"seat {verdict['winner']} has won"
    elif verdict["turn"]:
        turn = verdict["turn"]
        state = f"hand {turn['hand']}, seat {turn['seat']} is to {turn['step']}"
    else:
        state = "the next hand is not dealt yet"
    return f"{name}: legal; {played}; {state}; {totals}"
